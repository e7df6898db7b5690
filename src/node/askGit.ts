/** Git, asked about repositories that may be hostile. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";

export interface GitProgram {
  program: string;
  env: NodeJS.ProcessEnv;
  /** absent: 10 s */
  signal?: AbortSignal;
  /** bytes of one answer; absent: 64 MB */
  most?: number;
}

/** ms; bytes: an index may have a hundred thousand files */
const LIMIT_MS = 10_000;
const MAX_ANSWER = 64 * 1024 * 1024;
const run = promisify(execFile);

/** The name of an object with this content. @param like another name of the repository: they are of one length */
export function blobName(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update("blob ").update(String(bytes.length)).update("\0").update(bytes).digest("hex");
}

/**
 * @returns what it prints; undefined: it says no. Rejects where it gave no answer: a guard that took that for one would be open
 * under load
 */
export async function askGit(cwd: string, git: GitProgram, args: readonly string[]): Promise<string | undefined> {
  const { code, bytes } = await gitAnswer(cwd, git, args);
  return code === 0 ? bytes.toString("utf8") : undefined;
}

/** Rejects where it gave no answer. `bytes`: none where it says no. @param input lines that it reads */
export async function gitAnswer(
  cwd: string,
  { program, env, signal = AbortSignal.timeout(LIMIT_MS), most = MAX_ANSWER }: GitProgram,
  args: readonly string[],
  input = "",
): Promise<{ code: number; bytes: Buffer; errors: string }> {
  try {
    // Not by the option `timeout`: Node then gives what it has read for the whole answer, where the program ended meanwhile.
    const options = { cwd, env, signal, maxBuffer: most, windowsHide: true, encoding: "buffer" } as const;
    const asked = run(program, args, options);
    // It may end before it has read all.
    asked.child.stdin?.on("error", () => undefined).end(input);
    return { code: 0, bytes: (await asked).stdout, errors: "" };
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: unknown };
    if (typeof code === "number") return { code, bytes: Buffer.alloc(0), errors: String(stderr) };
    throw error;
  }
}
