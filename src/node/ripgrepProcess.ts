/** One run of ripgrep. */
import { spawn } from "node:child_process";
import { SearchError } from "../core/ground/ports";

const STDERR_LIMIT = 8192;

/** @param take gets what it prints; false: enough */
export function runRipgrep(
  program: string,
  args: string[],
  cwd: string,
  take: (chunk: Buffer) => boolean,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let complaint = "";
    let enough = false;
    let failure: unknown;
    const stop = () => child.kill("SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      if (enough) return;
      try {
        enough = !take(chunk);
      } catch (error) {
        failure = error;
        enough = true;
      }
      if (enough) stop();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (complaint.length < STDERR_LIMIT) complaint += chunk.toString("utf8");
    });
    child.on("error", error => {
      failure = new SearchError(`ripgrep could not be started (${program}): ${error.message}`);
      if (child.pid === undefined) finish(null, null);
    });
    child.on("close", finish);

    function finish(code: number | null, killedBy: NodeJS.Signals | null) {
      signal.removeEventListener("abort", stop);
      if (failure !== undefined) reject(failure);
      else if (enough) resolve();
      else if (signal.aborted) reject(signal.reason);
      else if (code === 0 || code === 1 || (code === 2 && complaint === "")) resolve();
      else if (code === null) reject(new SearchError(`ripgrep was ended by ${killedBy ?? "the system"}.`));
      else reject(new SearchError(complaint.replace(/^rg: /, "").trim() || `ripgrep ended with code ${code}.`));
    }
  });
}
