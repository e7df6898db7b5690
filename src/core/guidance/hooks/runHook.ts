/** One hook's process, from its input to its end. */
import { errorMessage } from "../../../shared/errorMessage";
import type { Hooks, SandboxPolicy, Shell } from "../../ground/ports";
import { NO_SANDBOX } from "../../ground/ports/shell";
import { concatBytes } from "../../ground/text/bytes";
import { OutputDecoder } from "../../ground/text/outputDecoder";
import type { HookProcess } from "./answer";
import type { Hook } from "./entry";

/** Bytes of each stream that are kept, enough for a file's text in a changed input. */
const MAX_BYTES = 1024 * 1024;
/** Of more the end is kept too: what a hook decides it mostly says last. */
const END_BYTES = 64 * 1024;

/** A person's own starts outside the sandbox, a workspace's in it where there is one and its entry says nothing else. */
export const placeOf = async ({ folder, outside }: Pick<Hook, "folder" | "outside">, hooks: Hooks) =>
  folder === undefined || outside ? NO_SANDBOX : ((await hooks.around?.()) ?? NO_SANDBOX);

/**
 * Runs it with what commands get of the environment. Never rejects.
 * @param folder absolute, the project's: the hook starts there and has it in its environment
 */
export async function runHook(
  { command, timeoutMs }: Pick<Hook, "command" | "timeoutMs">,
  { input, folder, sandbox = NO_SANDBOX }: { input: string; folder: string; sandbox?: SandboxPolicy },
  shell: Shell,
  signal: AbortSignal,
): Promise<HookProcess> {
  const kept = { stdout: new OutputBuffer(), stderr: new OutputBuffer() };
  const textOf = (stream: OutputBuffer) => {
    const decoder = new OutputDecoder(shell.encoding);
    return decoder.push(stream.bytes()) + decoder.end();
  };
  try {
    const outcome = await shell.run({
      command,
      timeoutMs,
      signal,
      input,
      cwd: folder,
      env: { CLAUDE_PROJECT_DIR: folder, STRATA_PROJECT_DIR: folder },
      sandbox,
      distrustsPath: true,
      onOutput: (stream, chunk) => kept[stream].add(chunk),
    });
    const ended = ({ exited: "exited", timeout: "timeout", aborted: "stopped", refused: "failed" } as const)[
      outcome.ended
    ];
    return { exitCode: outcome.exitCode, ended, stdout: textOf(kept.stdout), stderr: textOf(kept.stderr) };
  } catch (error) {
    return { exitCode: null, ended: "failed", stdout: "", stderr: errorMessage(error) };
  }
}

class OutputBuffer {
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private end: Uint8Array = new Uint8Array(0);
  private isCut = false;

  add(chunk: Uint8Array): void {
    const room = MAX_BYTES - this.size;
    // The caller may reuse the chunk.
    if (room > 0) this.chunks.push(chunk.slice(0, room));
    this.size += Math.min(room, chunk.length);
    if (chunk.length <= room) return;
    const end = concatBytes([this.end, chunk.subarray(room)]);
    this.isCut ||= end.length > END_BYTES;
    this.end = end.slice(-END_BYTES);
  }

  bytes(): Uint8Array {
    return concatBytes([...this.chunks, new TextEncoder().encode(this.isCut ? "\n" : ""), this.end]);
  }
}
