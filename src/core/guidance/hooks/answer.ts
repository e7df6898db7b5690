/**
 * What a hook's exit code and output mean. Pure. Scripts print log lines and other objects around theirs, on one line or on many.
 * A no counts wherever it is, also in broken JSON: scripts put it together by `echo`.
 */

import { defined } from "../../../shared/defined";
import type { HookEvent, HookRun } from "../../../shared/hooks";
import { isObject } from "../../../shared/isObject";
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
/** Characters that are looked at, again and again where many braces open; text beyond is read as broken JSON. */
const MAX_STEPS = 5_000_000;

/** Plain output of these goes to the model. */
const TELLS: readonly HookEvent[] = ["SessionStart", "UserPromptSubmit"];

/** A no counts anywhere in the output, and with any exit code. */
export function readAnswer(hook: Pick<Hook, "event" | "failsClosed">, process: HookProcess): HookAnswer {
  const { exitCode, ended, stdout, stderr } = process;
  const printed = readPrinted(stdout);
  const said = strictest([
    ...printed.objects.map(spoken),
    ...readPrinted(stderr).objects.map(each => onlyNo(spoken(each))),
  ]);
  const words = bounded(stderr.trim() || stdout.trim());
  if (exitCode === 2) return refused(said, said.reason ?? (words || NO_REASON));
  const isNo = said.decision === "deny" || said.halt !== undefined;
  const whyNot = isNo ? undefined : brokenNo(hook.event, printed);
  if (whyNot !== undefined) return refused(said, whyNot);
  const isWhole = ended === "exited" && exitCode === 0;
  if (!isWhole) {
    if (isNo) return said.decision === "deny" ? refused(said, said.reason ?? (words || NO_REASON)) : answered(said);
    const failed = failedText(process, words);
    if (hook.failsClosed && (ended === "failed" || ended === "exited"))
      return refused({}, `It failed, and is set to block then. ${failed}`);
    if (ended !== "exited") return { outcome: ended, text: failed };
    // A question is kept, as it forbids more than silence does.
    return said.decision === "ask" ? answered(onlyNo(said)) : { outcome: "failed", text: failed };
  }
  if (printed.objects.length === 0 && printed.isBroken)
    return { outcome: "failed", text: `Its output starts as JSON but cannot be parsed. ${bounded(stdout.trim())}` };
  const isText = TELLS.includes(hook.event) && printed.rest !== "";
  const odd = printed.objects.length === 1 && !isText ? oddWord(printed.objects[0] ?? {}) : undefined;
  if (odd !== undefined && said.decision === undefined)
    return { outcome: "failed", text: `Its decision cannot be read: ${bounded(odd)}` };
  const told = TELLS.includes(hook.event) ? printed.rest : "";
  const context = [told, said.context ?? ""].filter(Boolean).join("\n");
  return answered({ ...said, ...(context !== "" && { context: bounded(context) }) });
}

/** Plain output that is meant for the model may speak of refusing without being a no. */
function brokenNo(event: HookEvent, { rest, isBroken }: HookOutput): string | undefined {
  if (TELLS.includes(event) && !isBroken) return undefined;
  return REFUSES.test(rest.replaceAll('\\"', '"')) ? bounded(rest) : undefined;
}

function failedText({ exitCode, ended }: HookProcess, words: string): string {
  if (ended !== "exited") return words;
  const code = exitCode === null ? "It was ended by a signal." : `It ended with code ${exitCode}.`;
  return [code, words].filter(Boolean).join(" ");
}

function refused({ context, halt }: AnswerValues, reason: string): HookAnswer {
  const more = defined({ context, halt });
  return { outcome: "denied", decision: "deny", text: reason, reason, ...more };
}

function answered({ message, ...said }: AnswerValues): HookAnswer {
  const { decision, updatedInput } = said;
  const outcomes = { deny: "denied", ask: "asked", allow: "allowed" } as const;
  const first = decision && decision !== "allow" ? outcomes[decision] : updatedInput ? "changed" : undefined;
  const reason = said.reason ?? (decision === "deny" || decision === "ask" ? NO_REASON : undefined);
  return {
    ...said,
    outcome: first ?? (decision ? outcomes[decision] : "ok"),
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
  const reasons = all.flatMap(({ decision: own, reason }) =>
    own === decision && reason !== undefined ? [reason] : [],
  );
  const texts = (key: "context" | "message") => [...new Set(all.flatMap(said => said[key] ?? []))].join("\n");
  const updatedInput = all.findLast(said => said.updatedInput)?.updatedInput;
  const halt = all.find(said => said.halt !== undefined)?.halt;
  return {
    ...defined({
      decision,
      reason: reasons.length > 0 ? bounded([...new Set(reasons)].join("\n")) : undefined,
      updatedInput,
      context: texts("context") !== "" ? bounded(texts("context")) : undefined,
      message: texts("message") !== "" ? bounded(texts("message")) : undefined,
      halt,
    }),
  };
}

// ---------------------------------------------------------------- objects in what it printed

interface HookOutput {
  /** those with an answer, or the only one */
  objects: Record<string, unknown>[];
  /** all other text, without what the hook was told and printed again */
  rest: string;
  /** it begins like an object but cannot be parsed */
  isBroken: boolean;
}

function readPrinted(text: string): HookOutput {
  // Windows' tools write two bytes for each letter.
  const plain = text
    .replaceAll("\0", "")
    .replace(/^[\uFEFF\uFFFD]+/, "")
    .trim();
  const whole = parsed(plain);
  if (typeof whole === "string" && whole.trim().startsWith("{")) return readPrinted(whole);
  if (isObject(whole) && kindOf(whole) !== "other") return { objects: [whole], rest: "", isBroken: false };
  const found: HookOutput = { objects: [], rest: "", isBroken: false };
  let behind = 0;
  let left = MAX_STEPS;
  for (let at = plain.indexOf("{"); at >= 0 && left > 0; at = plain.indexOf("{", Math.max(behind, at + 1))) {
    const end = endOf(plain, at, left);
    left -= end - at;
    const object = parsed(plain.slice(at, end));
    const kind = isObject(object) ? kindOf(object) : undefined;
    if (isObject(object) && kind === "answer") found.objects.push(object);
    found.isBroken ||= !kind && at === 0;
    if (!kind || kind === "other") continue;
    found.rest += plain.slice(behind, at);
    behind = end;
  }
  return { ...found, rest: (found.rest + plain.slice(behind)).trim() };
}

/** Behind the brace that closes the one at the place, or where no more is looked at; braces in strings do not count. */
function endOf(text: string, start: number, most: number): number {
  const last = Math.min(text.length, start + most);
  let depth = 0;
  let isString = false;
  for (let at = start; at < last; at++) {
    const letter = text[at];
    if (isString && letter === "\\") at++;
    else if (letter === '"') isString = !isString;
    else if (!isString && letter === "{") depth++;
    else if (!isString && letter === "}" && --depth === 0) return at + 1;
  }
  return last;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field's name in quotes, or as JavaScript prints it; text about a decision does not count. */
const REFUSES =
  /(?:["'](?:permission_?decision|decision|permission|behavior)["']\s*:\s*["']?|[{,]\s*(?:permission_?decision|decision|permission|behavior)\s*:\s*["'])(?:deny|denied|block|blocked)\b|(?:["']continue["']|[{,]\s*continue)\s*:\s*false\b/i;

/** Each field under its letters: `permissionDecision` and `permission_decision` are one. */
type AnswerFields = readonly (readonly [name: string, value: unknown])[];

const fieldsOf = (object: Readonly<Record<string, unknown>>): AnswerFields =>
  Object.entries(object).map(([name, value]) => [name.replace(/[^A-Za-z]/g, "").toLowerCase(), value]);

const field = (fields: AnswerFields, wanted: string): unknown => fields.find(([name]) => name === wanted)?.[1];

const text = (fields: AnswerFields, ...names: readonly string[]): string | undefined => {
  const found = names.map(name => field(fields, name)).find(each => typeof each === "string" && each !== "");
  return typeof found === "string" ? found : undefined;
};

const ANSWERS = [
  ...["continue", "stopreason", "systemmessage", "suppressoutput", "decision", "permissiondecision", "permission"],
  ...["behavior", "hookspecificoutput", "additionalcontext", "updatedinput"],
];
/** Whose values are others' texts and inputs. */
const TOLD = ["toolinput", "toolname", "toolargs", "hookeventname"];

function kindOf(object: Readonly<Record<string, unknown>>): "answer" | "other" | "told" {
  const names = fieldsOf(object).map(([name]) => name);
  if (names.some(name => ANSWERS.includes(name))) return "answer";
  return names.some(name => TOLD.includes(name)) ? "told" : "other";
}

const WORDS: Readonly<Record<string, Decision>> = {
  ...{ deny: "deny", denied: "deny", block: "deny", blocked: "deny", reject: "deny", rejected: "deny", ask: "ask" },
  ...{ refuse: "deny", refused: "deny", forbid: "deny", forbidden: "deny", disallow: "deny", no: "deny" },
  ...{ allow: "allow", allowed: "allow", approve: "allow", approved: "allow" },
};
const DECIDING = ["permissiondecision", "decision", "permission", "behavior"];
/** It leaves the decision to others, in so many words. */
const LEAVES_IT = ["", "defer", "continue", "none", "undefined"];

/** Where agents look for a decision: under `hookSpecificOutput`, at the top, and in a decision that is an object. */
function placesIn(object: Readonly<Record<string, unknown>>): AnswerFields[] {
  const top = fieldsOf(object);
  const specific = inner(field(top, "hookspecificoutput"));
  return [...specific.map(fieldsOf), top].flatMap(fields => [
    fields,
    ...fields.flatMap(([name, value]) => (DECIDING.includes(name) && isObject(value) ? [fieldsOf(value)] : [])),
  ]);
}

/** Scripts put their object in as a text, or in a list. */
function inner(value: unknown): Record<string, unknown>[] {
  if (typeof value === "string") return readPrinted(value).objects;
  return [value].flat().filter(isObject);
}

const decidingWords = (places: readonly AnswerFields[]): string[] =>
  places.flatMap(fields =>
    fields.flatMap(([name, value]) =>
      DECIDING.includes(name) && typeof value === "string" ? [value.trim().toLowerCase()] : [],
    ),
  );

/** An unknown word in the place of a decision. */
const oddWord = (object: Readonly<Record<string, unknown>>): string | undefined =>
  decidingWords(placesIn(object)).find(word => !Object.hasOwn(WORDS, word) && !LEAVES_IT.includes(word));

function spoken(object: Readonly<Record<string, unknown>>): AnswerValues {
  const places = placesIn(object);
  const words = decidingWords(places).filter(word => Object.hasOwn(WORDS, word));
  const decision = (["deny", "ask", "allow"] as const).find(each => words.some(word => WORDS[word] === each));
  const first = (...names: readonly string[]) =>
    places.map(fields => text(fields, ...names)).find(each => each !== undefined);
  const message = first("systemmessage");
  const stops = places.some(fields => /^\s*false\s*$/i.test(String(field(fields, "continue"))));
  const reason =
    first("permissiondecisionreason", "reason", "message") ??
    (decision && decision !== "allow" ? (first("stopreason", "usermessage", "agentmessage") ?? message) : undefined);
  const input = places.map(fields => field(fields, "updatedinput")).find(isObject);
  const context = first("additionalcontext");
  return {
    ...defined({
      decision,
      reason: reason !== undefined ? bounded(reason) : undefined,
      updatedInput: input,
      context: context !== undefined ? bounded(context) : undefined,
      message: message !== undefined ? bounded(message) : undefined,
      halt: stops ? bounded(first("stopreason", "reason") ?? message ?? NO_REASON) : undefined,
    }),
  };
}

function bounded(text: string): string {
  return text.length <= MAX_CONTEXT ? text : `${text.slice(0, cutPoint(text, MAX_CONTEXT))} … (cut)`;
}
