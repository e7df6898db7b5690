/**
 * One tool call: find, validate, prepare, authorize, perform. Never rejects but for the log (StorageError) and where the turn
 * is suspended (TurnSuspended): all other failures are observations that tell the model what to do next (ARCHITECTURE.md, invariant 7).
 */
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import type { HookRun } from "../../shared/hooks";
import type { Json, ToolCallPart } from "../../shared/messages";
import { mapStrings, type Redact, type Redacted } from "../../shared/redacted";
import type { FileChange, ToolResult } from "../../shared/toolResult";
import { type OtherSessions, withNote } from "../changes/review/otherSessions";
import type { FileRef, Redactor } from "../ground/ports";
import { FileError, SearchError, StorageError, ToolError } from "../ground/ports";
import { fromModelText, hasMarks, MARKS_NOTE, toModelText } from "../ground/text/hiddenText";
import { isReadable, reasonForDenial } from "../permissions/verdict";
import { LiveRedactor } from "../secrets/lineRedactor";
import { namesSecret } from "../secrets/redact";
import { CUT_CALL, cutCallWords } from "../tool/cutCall";
import { leftOutMark } from "../tool/resultForms";
import { type Inject, MOVED, type RunContext, type Tool, type ToolOutcome } from "../tool/tool";
import { locatedInput, type PathLookup } from "../tool/writtenPaths";
import type { Authorization, AuthorizeDeps, HookDecision } from "./authorize";
import { authorize, carryOver, describeAction, prepareCall, withRevision } from "./authorize";
import type { TurnHooks } from "./callHooks";
import { denialRecords } from "./denials";
import { errorResult, type Observation } from "./observation";
import { type Questions, TurnSuspended } from "./questions";

export interface RunToolDeps extends AuthorizeDeps {
  tools: ReadonlyMap<string, Tool>;
  redactor: Redactor;
  files: PathLookup;
  inject: Inject;
  bringRules(file: FileRef): Promise<void>;
  questions: { approve: Questions["approve"]; ask: Questions["ask"] };
  hooks?: TurnHooks | undefined;
  /** absent: there are none */
  others?: OtherSessions | undefined;
  /** What the log has is on disk for good. Rejects with StorageError. */
  synced(): Promise<void>;
  onStart(callId: string, toolName: string, title: Redacted): void;
  onOutput(callId: string, stream: "stdout" | "stderr", text: Redacted): void;
}

/** what names the file in the input of every tool that edits */
const PATH = "file_path";
/** How often a call is prepared anew because the file moved under it before it gives up. */
const MAX_PREPARES = 5;

export async function runTool(call: ToolCallPart, deps: RunToolDeps, signal: AbortSignal): Promise<Observation> {
  const tool = deps.tools.get(call.toolName);
  const hooks: HookRun[] = [];
  const seen = (observation: Observation) => ({
    ...(hooks.length > 0 ? { ...observation, hooks } : observation),
    result: modelResult(observation.result, deps.redactor.redact),
  });
  try {
    if (!tool) {
      const names = [...deps.tools.keys()].join(", ");
      throw new ToolError("UNKNOWN_TOOL", `There is no tool ${call.toolName}. Tools: ${names}.`);
    }
    const run = (asked: ToolCallPart, says?: HookDecision) => runKnown(tool, asked, deps, signal, says);
    const input = (await locatedInput(call.toolName, call.input, deps.files)) as Json;
    const located: ToolCallPart = { ...call, input };
    const around = call.errorText === undefined ? deps.hooks : undefined;
    const refused = (asked: ToolCallPart, hook: string) => noteRefused(tool, asked, hook, deps, signal);
    const observation = around ? await around.around(located, hooks, signal, run, refused) : await run(located);
    // What the call itself put into an .env file, or found in one.
    await deps.redactor.refresh("known");
    return seen(observation);
  } catch (error) {
    if (error instanceof StorageError || error instanceof TurnSuspended) throw error;
    // Reads beside a question are repeated when the turn continues.
    if (signal.reason instanceof TurnSuspended) throw signal.reason;
    // A foreign tool's error is as much its own words as its result is.
    const failed = { ...failureObservation(call, error, signal), ...defined({ trust: tool?.trust }) };
    return seen(failed);
  }
}

async function runKnown(
  tool: Tool,
  call: ToolCallPart,
  deps: RunToolDeps,
  signal: AbortSignal,
  hooks: HookDecision | undefined,
): Promise<Observation> {
  const input = validate(tool, call, deps.redactor);
  const { clock, redactor } = deps;
  const output = new LiveRedactor(redactor, (stream, text) => deps.onOutput(call.toolCallId, stream, text), clock);
  const waited = { ms: 0 };
  const run = runContext(call, deps, (stream, text) => output.push(stream, text), waited, signal);
  let allowed: Authorization | undefined;
  for (let round = 0; round < MAX_PREPARES; round++) {
    signal.throwIfAborted();
    const before = allowed;
    const preparing = prepareCall(tool, { call, input, run, before }, deps);
    const places = async () => tool.places?.(input) ?? [];
    const prepared = await (deps.others?.explain(preparing, places) ?? preparing);
    if ("refused" in prepared) return prepared.refused;
    const question = carryOver(prepared, before);
    const weighed = await deps.others?.weigh(question.prepared, tool.name);
    const authorized = await authorize(tool, call, { ...question, ...weighed?.asked, hooks }, deps, run);
    if ("refused" in authorized) return withNote(authorized.refused, weighed?.note);
    if (authorized.answer) weighed?.allow();
    allowed = authorized;
    const { prepared: permitted, answer } = authorized;
    // No effect without its record, wherever the power goes. Of a session's own, some end a process or start a server.
    if (tool.effect !== "read") await deps.synced();
    deps.onStart(call.toolCallId, tool.name, redactor.redact(permitted.title));
    const started = clock.now();
    const performed = await permitted
      .perform({ ...run, ...defined({ unasked: authorized.unasked, answer }) })
      .finally(() => output.end());
    if (performed === MOVED) continue;
    const { readable } = deps.policy();
    const touched = [...permitted.targets, ...(permitted.command?.reads ?? [])];
    const outside = touched.some(ref => !ref.inside && !isReadable(ref, readable));
    const trust =
      tool.trust ?? performed.trust ?? (permitted.command?.fetches ? "web" : outside ? "outside" : undefined);
    const seen = answer?.seen && isAsAllowed(permitted, performed) ? answer.seen : undefined;
    const durationMs = Math.max(0, clock.now() - started - waited.ms);
    const note = weighed?.note || (permitted.command && (await deps.others?.noteAfter(performed)));
    return { ...withNote(performed, note), durationMs, ...defined({ trust, seen }) };
  }
  const words =
    tool.effect === "command"
      ? "What was asked about (the working directory, files with unsaved changes) kept changing, so the command did not run. Run it again."
      : "The file kept changing while the edit was made, so nothing was written. Read it again and retry.";
  const error = new ToolError("STALE", words);
  throw allowed ? withRevision(error, allowed, redactor.redact) : error;
}

/** What a hook keeps from running is prepared too: only so is it known what it would have done. */
async function noteRefused(tool: Tool, call: ToolCallPart, rule: string, deps: RunToolDeps, signal: AbortSignal) {
  const run = runContext(call, deps, () => undefined, { ms: 0 }, signal);
  const preparing = async () => tool.prepare(validate(tool, call, deps.redactor), run);
  // What cannot be prepared could not have run.
  const prepared = await preparing().catch(() => undefined);
  if (!prepared) return;
  const action = describeAction(tool, call, prepared, deps);
  await deps.write(denialRecords({ call, prepared, action }, { by: "hook", rule }, deps));
}

/** What was done is what was shown: a formatter may have had its way when the file was saved. */
function isAsAllowed({ detail }: Authorization["prepared"], { changes = [] }: ToolOutcome): boolean {
  const shown = detail.type === "edit" ? detail.changes : [];
  const isShown = ({ uri, diff }: FileChange) => shown.some(each => each.uri === uri && each.diff === diff);
  return changes.length > 0 && changes.every(isShown);
}

/** What the call knows of its session, and what it can tell it while it runs. */
function runContext(
  call: ToolCallPart,
  deps: RunToolDeps,
  output: RunContext["output"],
  waited: { ms: number },
  signal: AbortSignal,
): RunContext {
  const { conversation, inject, bringRules, redactor } = deps;
  const policy = deps.policy();
  return {
    signal,
    inject,
    bringRules,
    redact: redactor.redact,
    callId: call.toolCallId,
    stampOf: uri => conversation.stamps.get(uri),
    protectedBecause: ref => reasonForDenial(ref, policy, call.toolName),
    inSandbox: deps.confinesAll(),
    turn: conversation.turn,
    // Not those of the step that runs: calls of one step do not refer to each other.
    standing: uri => (conversation.reads.get(uri) ?? []).filter(({ step }) => step < conversation.step),
    async ask(form, taken) {
      const from = deps.clock.now();
      const either = taken ? AbortSignal.any([signal, taken]) : signal;
      const answer = await deps.questions.ask(form, { callId: call.toolCallId, toolName: call.toolName }, either);
      waited.ms += deps.clock.now() - from;
      signal.throwIfAborted();
      return answer;
    },
    output,
  };
}

function validate(tool: Tool, call: ToolCallPart, redactor: Redactor): unknown {
  if (call.errorText === CUT_CALL) throw new ToolError("INVALID_INPUT", cutCallWords(tool.name));
  if (call.errorText !== undefined) {
    const words = `The input of ${tool.name} could not be read: ${call.errorText} Send the call again with valid JSON.`;
    throw new ToolError("INVALID_INPUT", words);
  }
  if (tool.effect !== "read" && tool.effect !== "session") refuseLeftOut(call.input);
  // Secrets are put back only where text is matched in files and written into them, and by us: a foreign tool gets none.
  const meant = mapStrings(call.input, fromModelText);
  const restored = tool.effect === "edit" && !tool.trust ? withSecrets(meant, redactor) : meant;
  const parsed = tool.input.parse(withoutNulls(restored));
  if ("value" in parsed) return parsed.value;
  throw new ToolError("INVALID_INPUT", `The input of ${tool.name} is not valid:\n${parsed.complaint}`);
}

/** A placeholder such as "[… 12 more characters, left out here]" must never be written into a file. */
function refuseLeftOut(input: unknown): void {
  const mark = leftOutMark(JSON.stringify(input) ?? "");
  if (mark === undefined) return;
  throw new ToolError(
    "INVALID_INPUT",
    `"${mark}…]" only stands for a text of an earlier call, which was whole. Nothing was done. Get the text itself first (Read, or Recall with the handle that stands there), then repeat the call.`,
  );
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
      : `The secret ${standing.mark} is not known in this session. Nothing was changed. Read the file it stands in first, then repeat the edit.`,
  );
}

/** Some models send null for what they leave out; no tool has a use for it. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function failureObservation(call: ToolCallPart, error: unknown, signal: AbortSignal): Observation {
  if (error instanceof ToolError) return { ...errorResult(call, error.code, error.message, error.data), ...error.done };
  if (signal.aborted) return errorResult(call, "ABORTED", "The user stopped the turn. The call was ended.");
  if (error instanceof FileError)
    return errorResult(call, error.code === "READ_ONLY" ? "IO" : error.code, error.message);
  if (error instanceof SearchError) return errorResult(call, "INVALID_INPUT", error.message);
  return errorResult(call, "IO", `${call.toolName} failed: ${errorMessage(error)}`);
}

/** The one door between tools and the model: the result of any tool, without secrets and hidden characters. The digest is for people: its words stay. */
function modelResult(given: ToolResult, redact: Redact): ToolResult {
  const result = mapStrings(given, redact);
  const text = toModelText(result.text);
  const note = hasMarks(text) && !text.includes(MARKS_NOTE) ? `\n${MARKS_NOTE}` : "";
  return {
    ...result,
    data: mapStrings(result.data, toModelText),
    text: text + note,
    ...defined({ error: result.error ? { ...result.error, message: toModelText(result.error.message) } : undefined }),
  };
}
