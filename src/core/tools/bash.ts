/** Bash: a command in the workspace's shell. */
import * as z from "zod";
import description from "../../../prompts/tools/bash.md";
import type { ErrorCode } from "../../shared/toolResult";
import type { BlobWriter, Shell, ShellOutcome } from "../ports";
import { LineRedactor } from "../secrets/lineRedactor";
import { LiveOutput } from "./bashOutput";
import { count, digestLine, duration, oneLine, recallOf, size } from "./format";
import { OutputDigest, type Stream } from "./outputDigest";
import { RawCapture } from "./rawCapture";
import { defineTool, MOVED, type Performed, type RunContext, type Tool, ToolError } from "./tool";

const MAX_TIMEOUT_MS = 600_000;
const MAX_RAW = 100 * 1024 * 1024;

const input = z.object({
  command: z.string().min(1),
  timeout: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe("ms"),
  description: z.string().optional().describe("What it does, in 5 to 10 words"),
});
export type BashInput = z.infer<typeof input>;

export interface BashPorts {
  shell: Pick<Shell, "run">;
  blobs(): BlobWriter;
  /** The working directory of the session, kept between calls; absolute. */
  cwd: { get(): string; set(path: string): void };
  /** the limit of a call that names none */
  bashTimeoutMs(): number;
}

export function bashTool(ports: BashPorts): Tool<BashInput> {
  const home = ports.cwd.get();
  return defineTool({
    name: "Bash",
    description: description.trim(),
    input,
    effect: "command",
    async prepare(asked) {
      if (asked.command.trim() === "") throw new ToolError("INVALID_INPUT", "The command is empty. Name one to run.");
      const cwd = ports.cwd.get();
      return {
        targets: [],
        title: `Run \`${oneLine(asked.command, 200)}\``,
        detail: { type: "command", command: asked.command, cwd },
        bindOf: JSON.stringify(["Bash", asked.command, cwd]),
        // What was approved is this command in this folder.
        perform: async run => (ports.cwd.get() === cwd ? runCommand(ports, asked, { cwd, home }, run) : MOVED),
      };
    },
  });
}

async function runCommand(
  ports: BashPorts,
  asked: BashInput,
  folders: { cwd: string; home: string },
  run: RunContext,
): Promise<Performed> {
  run.signal.throwIfAborted();
  const timeoutMs = Math.min(asked.timeout ?? ports.bashTimeoutMs(), MAX_TIMEOUT_MS);
  const raw = new RawCapture(ports.blobs, MAX_RAW);
  const digest = new OutputDigest();
  const live = new LiveOutput(run.output);
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  // Before the digest cuts lines: half a secret is not found any more.
  const lines = { stdout: new LineRedactor(run.redact), stderr: new LineRedactor(run.redact) };
  const take = (stream: Stream, text: string) => {
    digest.push(stream, lines[stream].push(text));
    live.push(stream, text);
  };
  try {
    const outcome = await start(
      ports,
      { command: asked.command, cwd: folders.cwd, timeoutMs, signal: run.signal },
      folders,
      (stream, chunk) => {
        take(stream, decoders[stream].decode(chunk, { stream: true }));
        return raw.write(chunk);
      },
    );
    for (const stream of ["stdout", "stderr"] as const) {
      take(stream, decoders[stream].decode());
      digest.push(stream, lines[stream].end());
    }
    digest.end();
    const moved = outcome.ended === "exited" && outcome.cwd !== folders.cwd;
    if (moved) ports.cwd.set(outcome.cwd);
    const blob = digest.exact ? undefined : await raw.finish();
    return performed({ asked, outcome, digest, raw, blob, timeoutMs, moved });
  } finally {
    await raw.discard();
  }
}

type Start = { command: string; cwd: string; timeoutMs: number; signal: AbortSignal };

async function start(
  ports: BashPorts,
  what: Start,
  { cwd, home }: { cwd: string; home: string },
  onOutput: (stream: Stream, chunk: Uint8Array) => Promise<void>,
): Promise<ShellOutcome> {
  try {
    return await ports.shell.run({ ...what, onOutput });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (cwd === home) throw new ToolError("IO", `The shell could not start in ${cwd}: ${words}`);
    // The folder may be gone: the next call must not fail for the same reason.
    ports.cwd.set(home);
    throw new ToolError(
      "IO",
      `The shell could not start in ${cwd}: ${words}. The working directory is ${home} again; run the command anew.`,
    );
  }
}

interface Ended {
  asked: BashInput;
  outcome: ShellOutcome;
  digest: OutputDigest;
  raw: RawCapture;
  blob: { sha256: string; bytes: number } | undefined;
  timeoutMs: number;
  moved: boolean;
}

function performed(ended: Ended): Performed {
  const { asked, outcome, digest, blob } = ended;
  const failure = failureOf(outcome, ended.timeoutMs);
  const output = digest.render(blob);
  const text = [failure?.message, output === "" ? "(no output)" : output, ...notes(ended)];
  const facts = digest.facts();
  const how = failure?.short ?? `exit ${outcome.exitCode}`;
  return {
    result: {
      status: failure ? "error" : "success",
      data: {
        command: asked.command,
        exitCode: outcome.exitCode,
        signal: outcome.signal,
        durationMs: outcome.durationMs,
        ...facts,
        // Later commands run there, whatever else is forgotten.
        ...(ended.moved && { cwd: outcome.cwd }),
      },
      text: text.filter(part => part !== undefined).join("\n"),
      digest: digestLine(`Bash ${oneLine(asked.command, 300)} ${how} · ${duration(outcome.durationMs)}`),
      stats: { durationMs: outcome.durationMs, lines: facts.lines, bytes: ended.raw.bytes },
      context: {},
      ...(failure && { error: { code: failure.code, message: failure.message } }),
    },
    ...(blob && { raw: blob }),
  };
}

function failureOf(
  outcome: ShellOutcome,
  timeoutMs: number,
): { code: ErrorCode; message: string; short: string } | undefined {
  const after = duration(outcome.durationMs);
  const output = "What it printed until then:";
  if (outcome.ended === "aborted") {
    return {
      code: "ABORTED",
      message: `Stopped by the user after ${after}; the command was ended. ${output}`,
      short: "stopped",
    };
  }
  if (outcome.ended === "timeout") {
    const more =
      timeoutMs < MAX_TIMEOUT_MS
        ? ` Give it a longer timeout (at most ${MAX_TIMEOUT_MS} ms) or less to do.`
        : " Give it less to do.";
    return {
      code: "TIMEOUT",
      message: `Ended after the limit of ${duration(timeoutMs)}.${more} ${output}`,
      short: "timed out",
    };
  }
  if (outcome.exitCode === null) {
    const signal = outcome.signal ?? "a signal";
    return { code: "EXIT", message: `Killed by ${signal} after ${after}.`, short: `killed by ${signal}` };
  }
  if (outcome.exitCode === 0) return undefined;
  return { code: "EXIT", message: `Exit code ${outcome.exitCode} after ${after}.`, short: `exit ${outcome.exitCode}` };
}

function notes({ outcome, digest, raw, blob, moved }: Ended): string[] {
  const out: string[] = [];
  if (raw.dropped > 0)
    out.push(`Of the output, the first ${size(MAX_RAW)} were kept; ${count(raw.dropped)} more bytes were not.`);
  if (raw.failure !== undefined) out.push(`The complete output could not be stored: ${raw.failure}`);
  // A short output says where it was collapsed; the handle has it as it came.
  if (blob && digest.complete)
    out.push(`(Repeated or repainted lines are collapsed; as printed: ${recallOf(blob.sha256)})`);
  if (outcome.leftBehind) out.push("Processes that the command left running were ended with it.");
  if (moved) out.push(`The working directory is now ${outcome.cwd}.`);
  return out;
}
