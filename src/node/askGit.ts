/** Git, asked about repositories that may be hostile. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface GitProgram {
  program: string;
  env: NodeJS.ProcessEnv;
  /** absent: 10 s */
  signal?: AbortSignal;
}

/** ms; bytes: an index may have a hundred thousand files */
const LIMIT_MS = 10_000;
const MAX_ANSWER = 64 * 1024 * 1024;
const run = promisify(execFile);

/**
 * @returns what it prints; undefined: it says no. Rejects where it gave no answer: a guard that took that for one would be open
 * under load
 */
export async function askGit(
  cwd: string,
  { program, env, signal = AbortSignal.timeout(LIMIT_MS) }: GitProgram,
  args: readonly string[],
): Promise<string | undefined> {
  try {
    // Not by the option `timeout`: Node then gives what it has read for the whole answer, where the program ended meanwhile.
    return (await run(program, args, { cwd, env, signal, maxBuffer: MAX_ANSWER, windowsHide: true })).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "number") return undefined;
    throw error;
  }
}
