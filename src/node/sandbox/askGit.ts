/** Git, asked about repositories in which a command may have put anything in the place of anything. */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";

export interface GitProgram {
  program: string;
  env: NodeJS.ProcessEnv;
}

/** ms; bytes: an index may have a hundred thousand files */
const LIMITS = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
const run = promisify(execFile);

/** @returns what it prints; undefined: it says no, or cannot say it now */
export async function askGit(
  cwd: string,
  { program, env }: GitProgram,
  args: readonly string[],
): Promise<string | undefined> {
  try {
    return (await run(program, args, { ...LIMITS, cwd, env })).stdout;
  } catch {
    return undefined;
  }
}

/** Of a file that an answer depends on: another one when it has changed. "": there is none */
export function versionOf(path: string): string {
  try {
    const { ino, size, ctimeMs } = statSync(path);
    return `${ino} ${size} ${ctimeMs}`;
  } catch {
    return "";
  }
}
