/**
 * One tool call: find, validate, prepare, permit, perform. Never rejects but for the log (StorageError): whatever goes
 * wrong is an observation that tells the model what to do next (DESIGN.md, rule 7).
 */
import * as z from "zod";
import type { ToolCallPart } from "../../shared/messages";
import type { ApprovalAction, ApprovalAnswer } from "../../shared/records";
import type { PermissionMode } from "../../shared/settings";
import type { ErrorCode, ToolResult } from "../../shared/toolResult";
import type { Approvals } from "../approvals";
import type { Conversation, StandingRead } from "../history/conversation";
import { decide, protectedBecause, sessionGrant } from "../permissions/policy";
import { type Clock, FileError, type FileRef, type Hash, type Redactor, SearchError, StorageError } from "../ports";
import { mapStrings, namesSecret } from "../redact";
import { LiveRedactor } from "../secrets/liveRedactor";
import {
  type CallContext,
  type Inject,
  MOVED,
  type Performed,
  type Prepared,
  type RunContext,
  type Tool,
  ToolError,
} from "../tools/tool";

export interface RunToolDeps {
  tools: ReadonlyMap<string, Tool>;
  conversation: Conversation;
  approvals: Pick<Approvals, "ask">;
  hash: Hash;
  redactor: Redactor;
  /** now: ms */
  clock: Clock;
  mode(): PermissionMode;
  trusted(): boolean;
  /** absolute folders of Strata's own settings and storage */
  ownFolders: readonly string[];
  inject: Inject;
  bringRules(file: FileRef): Promise<void>;
  onStart(callId: string, toolName: string, title: string): void;
  onOutput(callId: string, stream: "stdout" | "stderr", text: string): void;
}

export interface Observation extends Performed {
  /** Somebody had to be asked and nobody was there. */
  unanswered?: boolean;
  /** ms that the call took, not counting the time a person took to answer */
  durationMs?: number;
}

/** what names the file in the input of every tool that edits */
const PATH = "file_path";
/** How often a call is prepared anew because the file moved under it before it gives up. */
const MOST_PREPARES = 5;

export async function runTool(call: ToolCallPart, deps: RunToolDeps, signal: AbortSignal): Promise<Observation> {
  try {
    const tool = deps.tools.get(call.toolName);
    if (!tool)
      throw new ToolError(
        "UNKNOWN_TOOL",
        `There is no tool ${call.toolName}. Tools: ${[...deps.tools.keys()].join(", ")}.`,
      );
    const observation = await runKnown(tool, call, deps, signal);
    // What the call itself put into an .env file, or found in one.
    await deps.redactor.refresh("known");
    return redacted(observation, deps.redactor);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return redacted(failure(call, error, signal), deps.redactor);
  }
}

async function runKnown(tool: Tool, call: ToolCallPart, deps: RunToolDeps, signal: AbortSignal): Promise<Observation> {
  const input = validate(tool, call, deps.redactor);
  const context: CallContext = {
    signal,
    stampOf: uri => deps.conversation.stamps.get(uri),
    protectedBecause: ref => protectedBecause(ref, deps.ownFolders),
    standing: uri => standingReads(deps.conversation, uri),
  };
  const { redact } = deps.redactor;
  const live = new LiveRedactor(redact, (stream, text) => deps.onOutput(call.toolCallId, stream, text), deps.clock);
  const run: RunContext = {
    ...context,
    inject: deps.inject,
    bringRules: deps.bringRules,
    redact,
    output: (stream, text) => live.push(stream, text),
  };
  let allowed: string | undefined;
  for (let round = 0; round < MOST_PREPARES; round++) {
    signal.throwIfAborted();
    const prepared = await tool.prepare(input, context);
    const binds = deps.hash.sha256(prepared.bindOf);
    if (allowed !== binds) {
      const refusal = await permit(tool, call, prepared, binds, deps, signal);
      if (refusal) return refusal;
      allowed = binds;
    }
    deps.onStart(call.toolCallId, tool.name, redact(prepared.title));
    const started = deps.clock.now();
    const performed = await prepared.perform(run).finally(() => live.end());
    if (performed !== MOVED) return { ...performed, durationMs: Math.max(0, deps.clock.now() - started) };
  }
  throw new ToolError(
    "STALE",
    "The file kept changing while the edit was made, so nothing was written. Read it again and retry.",
  );
}

/** Not those of the step that runs: calls of one step do not refer to each other. */
function standingReads({ reads, step }: Conversation, uri: string): StandingRead[] {
  return (reads.get(uri) ?? []).filter(read => read.step < step);
}

function validate(tool: Tool, call: ToolCallPart, redactor: Redactor): unknown {
  if (call.errorText !== undefined) {
    throw new ToolError(
      "INVALID_INPUT",
      `The input of ${tool.name} could not be read: ${call.errorText} Send the call again with valid JSON.`,
    );
  }
  // Secrets are put back only where text is matched in files and written into them.
  const restored = tool.effect === "edit" ? withSecrets(call.input, redactor) : call.input;
  const parsed = tool.input.safeParse(withoutNulls(restored));
  if (parsed.success) return parsed.data;
  throw new ToolError("INVALID_INPUT", `The input of ${tool.name} is not valid:\n${z.prettifyError(parsed.error)}`);
}

/** A placeholder must never reach a file: one that cannot be put back is refused. Names of files have none. */
function withSecrets(input: unknown, redactor: Redactor): unknown {
  if (typeof input !== "object" || input === null) return input;
  const texts = Object.entries(input).filter(([key]) => key !== PATH);
  const restored = { ...input, ...mapStrings(Object.fromEntries(texts), redactor.restore) };
  const path = PATH in input ? JSON.stringify(input[PATH]) : "";
  if (namesSecret(path)) {
    throw new ToolError(
      "INVALID_INPUT",
      `${path} has a placeholder for a secret in it, which is put back in the text of a file only, not in its name. Nothing was changed. Ask the user to make this change.`,
    );
  }
  const [standing] = redactor.standing(JSON.stringify(restored) ?? "");
  if (!standing) return restored;
  throw new ToolError(
    "INVALID_INPUT",
    standing.why === "lines"
      ? `${standing.mark} stands for a key of several lines, which cannot be put back. Nothing was changed. Leave the key's lines alone: use Edit on the lines around it, without the placeholder.`
      : `The secret ${standing.mark} is not known any more. Nothing was changed. Read the file again first, then repeat the edit.`,
  );
}

/** Some models send null for what they leave out; no tool has a use for it. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** undefined: it may run */
async function permit(
  tool: Tool,
  call: ToolCallPart,
  prepared: Prepared,
  binds: string,
  deps: RunToolDeps,
  signal: AbortSignal,
): Promise<Observation | undefined> {
  const { targets } = prepared;
  const verdict = decide({
    effect: tool.effect,
    mode: deps.mode(),
    trusted: deps.trusted(),
    targets,
    ownFolders: deps.ownFolders,
    // Real values too, where the model came by one in another way.
    namesSecret: namesSecret(JSON.stringify(mapStrings(call.input, deps.redactor.redact)) ?? ""),
  });
  if (verdict.decision === "allow") return undefined;
  if (verdict.decision === "deny") return denied(call, verdict.reason);
  const action: ApprovalAction = mapStrings(
    {
      toolName: tool.name,
      callId: call.toolCallId,
      title: `${prepared.title}?`,
      ...(verdict.reason ? { reason: verdict.reason } : {}),
      detail: prepared.detail,
      binds,
    },
    deps.redactor.redact,
  );
  if (deps.conversation.grants.has(sessionGrant(action))) return undefined;
  const answer = await deps.approvals.ask(action, signal);
  return answer.decision === "allow" ? undefined : refused(call, answer);
}

const refusals: Record<ApprovalAnswer["by"], string> = {
  user: "The user denied this call. Do not try to reach the same by another way.",
  stop: "The user stopped the turn before they answered. The call did not run.",
  nobody: "This call needs an approval and nobody is there to give it. It did not run.",
};

function refused(call: ToolCallPart, answer: ApprovalAnswer): Observation {
  const words = answer.words?.trim() ? ` The user says: ${answer.words.trim()}` : "";
  return { ...denied(call, refusals[answer.by] + words), ...(answer.by === "nobody" ? { unanswered: true } : {}) };
}

function denied(call: ToolCallPart, message: string): Observation {
  return errorResult(call, "DENIED", message, {});
}

/** Whatever was thrown, as an observation. A fault of our own is IO with its words; its stack goes nowhere. */
function failure(call: ToolCallPart, error: unknown, signal: AbortSignal): Observation {
  if (error instanceof ToolError) return errorResult(call, error.code, error.message, error.data);
  if (signal.aborted) return errorResult(call, "ABORTED", "The user stopped the turn. The call was ended.", {});
  if (error instanceof FileError)
    return errorResult(call, error.code === "READ_ONLY" ? "IO" : error.code, error.message, {});
  if (error instanceof SearchError) return errorResult(call, "INVALID_INPUT", error.message, {});
  return errorResult(
    call,
    "IO",
    `${call.toolName} failed: ${error instanceof Error ? error.message : String(error)}`,
    {},
  );
}

/** The result of a call that gave none. */
export function errorResult(
  call: Pick<ToolCallPart, "toolName">,
  code: ErrorCode,
  message: string,
  data: ToolResult["data"],
): Observation {
  const line = message.split("\n", 1)[0] ?? "";
  return {
    result: {
      status: "error",
      data,
      text: `${code}: ${message}`,
      digest: `${call.toolName} · ${line}`.slice(0, 500),
      stats: {},
      context: {},
      error: { code, message },
    },
  };
}

function redacted(observation: Observation, redactor: Redactor): Observation {
  const { result, changes, todos } = observation;
  return {
    ...observation,
    result: mapStrings(result, redactor.redact),
    ...(changes ? { changes: mapStrings(changes, redactor.redact) } : {}),
    ...(todos ? { todos: mapStrings(todos, redactor.redact) } : {}),
  };
}
