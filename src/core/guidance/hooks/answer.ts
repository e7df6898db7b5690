/**
 * What a hook's exit code and output mean, in the format of Claude and VS Code: one JSON object, which log lines may stand around. Pure.
 * A no counts anywhere, also in other text: scripts put it together by `echo`.
 */
import { defined } from "../../../shared/defined";
import type { HookEvent, HookRun } from "../../../shared/hooks";
import { isObject, parseJson } from "../../../shared/isObject";
import { cutPoint } from "../../ground/text/format";
import type { Hook } from "./entry";

/** A hook's process, ended. */
export interface HookProcess {
  /** null: it was ended by a signal */
  exitCode: number | null;
  ended: "exited" | "timeout" | "stopped" | "failed";
  stdout: string;
  stderr: string;
}

export interface HookAnswer {
  outcome: HookRun["outcome"];
  /** for people */
  text: string;
  decision?: Decision;
  /** why: for the model, and the person who is asked */
  reason?: string;
  updatedInput?: Record<string, unknown>;
  /** for the model */
  context?: string;
  /** why the turn ends here */
  halt?: string;
}
type Decision = "deny" | "ask" | "allow";

/** The content of its output, without its exit code. */
type AnswerValues = Omit<HookAnswer, "outcome" | "text"> & { message?: string };

/** Characters of what a hook says that a model gets. */
const MAX_CONTEXT = 10_000;
const NO_REASON = "It gave no reason.";
/** Plain output of these goes to the model. */
const TELLS: readonly HookEvent[] = ["SessionStart", "UserPromptSubmit"];

/** A no counts anywhere in the output, and with any exit code. */
export function readAnswer(hook: Pick<Hook, "event" | "failsClosed">, process: HookProcess): HookAnswer {
  const { exitCode, ended, stdout, stderr } = process;
  const tells = TELLS.includes(hook.event);
  const [printed, complained] = [readPrinted(stdout), readPrinted(stderr)];
  const strict = [...printed.answers, ...complained.answers.map(onlyNo)];
  const said = strictest([...strict, unreadNo(printed.rest, hook.event), unreadNo(complained.rest)]);
  const words = bounded(stderr.trim() || stdout.trim());
  const isDenied = said.decision === "deny";
  if (exitCode === 2 || isDenied) return refused(said, said.reason ?? (isDenied ? NO_REASON : words || NO_REASON));
  if (said.halt !== undefined) return answered(said);
  if (ended !== "exited" || exitCode !== 0) {
    const failed = failedText(process, words);
    if (hook.failsClosed && (ended === "failed" || ended === "exited"))
      return refused({}, `It failed, and is set to block then. ${failed}`);
    if (ended !== "exited") return { outcome: ended, text: failed };
    // A question is kept, as it forbids more than silence does.
    return said.decision === "ask" ? answered(onlyNo(said)) : { outcome: "failed", text: failed };
  }
  const isBroken = printed.answers.length === 0 && /^[{[]/.test(printed.rest) && !parseJson(stdout.trim());
  if (isBroken && said.decision === undefined)
    return { outcome: "failed", text: `Its output starts as JSON but cannot be parsed. ${words}` };
  if (printed.oddWord !== undefined && said.decision === undefined)
    return { outcome: "failed", text: `Its decision cannot be read: ${bounded(printed.oddWord)}` };
  const context = [tells ? printed.rest : "", said.context ?? ""].filter(Boolean).join("\n");
  return answered({ ...said, ...(context !== "" && { context: bounded(context) }) });
}

function failedText({ exitCode, ended }: HookProcess, words: string): string {
  if (ended !== "exited") return words;
  const code = exitCode === null ? "It was ended by a signal." : `It ended with code ${exitCode}.`;
  return [code, words].filter(Boolean).join(" ");
}

function refused({ context, halt }: AnswerValues, reason: string): HookAnswer {
  return { outcome: "denied", decision: "deny", text: reason, reason, ...defined({ context, halt }) };
}

function answered({ message, ...said }: AnswerValues): HookAnswer {
  const { decision, updatedInput } = said;
  const outcomes = { deny: "denied", ask: "asked", allow: "allowed" } as const;
  const isChanged = updatedInput && (decision ?? "allow") === "allow";
  const reason = said.reason ?? (decision === "ask" ? NO_REASON : undefined);
  return {
    ...said,
    outcome: isChanged ? "changed" : decision ? outcomes[decision] : "ok",
    text: message ?? said.reason ?? "",
    ...defined({ reason }),
  };
}

const onlyNo = ({ decision, reason, halt }: AnswerValues): AnswerValues => ({
  ...(decision && decision !== "allow" && { decision, ...defined({ reason }) }),
  ...defined({ halt }),
});

function strictest(all: readonly AnswerValues[]): AnswerValues {
  const decision = (["deny", "ask", "allow"] as const).find(each => all.some(said => said.decision === each));
  const texts = (key: "context" | "message" | "reason", of = all) => {
    const found = [...new Set(of.flatMap(said => said[key] ?? []))].join("\n");
    return found === "" ? undefined : bounded(found);
  };
  const deciding = all.filter(said => said.decision === decision);
  return defined({
    decision,
    reason: texts("reason", deciding),
    updatedInput: all.findLast(said => said.updatedInput)?.updatedInput,
    context: texts("context"),
    message: texts("message"),
    halt: all.find(said => said.halt !== undefined)?.halt,
  });
}

interface HookOutput {
  /** of its objects that answer */
  answers: AnswerValues[];
  /** all other text, without what the hook was told and printed again */
  rest: string;
  /** an unknown word in the place of a decision */
  oddWord?: string | undefined;
}

/** The whole as one object, or each line that is one, or all from the first brace to the last. */
function readPrinted(text: string): HookOutput {
  // Windows' tools write two bytes for each letter.
  const plain = text
    .replaceAll("\0", "")
    .replace(/^[\uFEFF\uFFFD]+/, "")
    .trim();
  const [from, to] = [plain.indexOf("{"), plain.lastIndexOf("}") + 1];
  const lines = plain.split(/(?<=\n)/);
  const isWhole = from < 0 || isObject(parseJson(plain));
  const around = [plain.slice(0, from), plain.slice(from, to), plain.slice(to)];
  const pieces = isWhole ? [plain] : lines.some(line => isObject(parseJson(line))) ? lines : around;
  const output: HookOutput = { answers: [], rest: "" };
  for (const piece of pieces) {
    const object = parseJson(piece);
    const said = isObject(object) ? spoken(object, piece) : undefined;
    if (isObject(object) && said && (said.decision !== undefined || ANSWERS.some(name => name in object))) {
      output.answers.push(said);
      output.oddWord ??= decidingWords(object).find(word => !Object.hasOwn(WORDS, word) && !LEAVES_IT.includes(word));
    } else if (!isObject(object) || !TOLD.some(name => name in object)) output.rest += piece;
  }
  return { ...output, rest: output.rest.trim() };
}

/** A field's name in quotes, or as JavaScript prints it; text about a decision does not count. */
const DECIDES =
  /(?:["'](?:permission_?decision|decision|permission|behavior)["']\s*:\s*(?:["']\s*)?|[{,]\s*(?:permission_?decision|decision|permission|behavior)\s*:\s*["']\s*)(?:(deny|denied|block|blocked|refused?|reject(?:ed)?|forbid(?:den)?|disallow|no)\b|ask\b)|(["']continue["']|[{,]\s*continue)\s*:\s*(?:["']\s*)?false\b/gi;

/** What text that is no answer forbids, or asks about. Plain output of `event` that is meant for the model may speak of both. */
function unreadNo(rest: string, event?: HookEvent): AnswerValues {
  if (event === "UserPromptSubmit" && !rest.includes("{")) return {};
  const found = [...rest.replace(/(?<!\\)\\+"/g, '"').matchAll(DECIDES)];
  if (found.length === 0) return {};
  const reason = bounded(rest);
  // Its own kind of no: at a turn's end, a denial would prolong it.
  if (found.some(([, , stop]) => stop !== undefined)) return { decision: "deny", reason, halt: reason };
  // It has nothing to forbid, and tells of what does.
  if (event === "SessionStart") return {};
  return { decision: found.some(([, no]) => no !== undefined) ? "deny" : "ask", reason };
}

const ANSWERS = [
  ...["continue", "stopReason", "systemMessage", "suppressOutput", "decision", "permissionDecision"],
  ...["hookSpecificOutput", "additionalContext", "updatedInput"],
];
/** What a hook says of other things than its decision. */
const SAYS = [
  ...["additionalContext", "updatedInput", "systemMessage", "reason", "permissionDecisionReason"],
  ...["tool_input", "tool_response", "prompt"],
];
/** Whose values are others' texts and inputs. */
const TOLD = ["tool_input", "tool_name", "hook_event_name"];
const WORDS: Readonly<Record<string, Decision>> = {
  ...{ deny: "deny", block: "deny", ask: "ask", allow: "allow", approve: "allow" },
};
/** It leaves the decision to others, in so many words. */
const LEAVES_IT = ["", "defer", "continue", "none", "undefined"];

/** Under `hookSpecificOutput`, and at the top. */
const placesIn = (object: Readonly<Record<string, unknown>>) =>
  [object.hookSpecificOutput, object].filter(each => isObject(each));

const decidingWords = (object: Readonly<Record<string, unknown>>): string[] =>
  placesIn(object)
    .flatMap(({ permissionDecision, decision }) => [permissionDecision, decision])
    .flatMap(word => (typeof word === "string" ? [word.trim().toLowerCase()] : []));

/** @param text as it was printed */
function spoken(object: Readonly<Record<string, unknown>>, text: string): AnswerValues {
  const places = placesIn(object);
  const first = (...names: readonly string[]): string | undefined => {
    const found = places.flatMap(fields => names.map(name => fields[name]));
    const said = found.find(each => typeof each === "string" && each !== "");
    return typeof said === "string" ? bounded(said) : undefined;
  };
  const decisions = decidingWords(object).map(word => (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined));
  // Put in as a text, in an object of its own, or in another word for it.
  const deciding = JSON.stringify({ ...object, continue: 0 }, (name, value) =>
    SAYS.includes(name) ? undefined : value,
  );
  const { decision: hidden, halt } = decisions.includes("deny") ? {} : unreadNo(deciding);
  const decision = (["deny", "ask", "allow"] as const).find(each => each === hidden || decisions.includes(each));
  const message = first("systemMessage");
  const why =
    first("permissionDecisionReason", "reason") ??
    (decision && decision !== "allow" ? (first("stopReason") ?? message) : undefined);
  const stops = places.some(fields => /^\s*false\s*$/i.test(String(fields.continue)));
  return defined({
    decision,
    reason: why ?? (hidden && bounded(text.trim())),
    updatedInput: places.map(({ updatedInput }) => updatedInput).find(isObject),
    context: first("additionalContext"),
    message,
    halt: stops || halt !== undefined ? (first("stopReason", "reason") ?? message ?? NO_REASON) : undefined,
  });
}

const bounded = (text: string): string =>
  text.length <= MAX_CONTEXT ? text : `${text.slice(0, cutPoint(text, MAX_CONTEXT))} … (cut)`;
