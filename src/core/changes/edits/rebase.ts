/**
 * An edit on the newest text of a file that changed since the session read it: what changed elsewhere stays and the edit is
 * made beside it; where both touch the same place it is a CONFLICT that shows both sides (docs/tools.md, "Edits and the version
 * that was read"). Pure.
 */
import type { Redact } from "../../../shared/redacted";
import { ToolError } from "../../ground/ports";
import { clipLine, type ToldLines, toldLines } from "../../ground/text/diff";
import { counted, numberedLine } from "../../ground/text/format";
import { toFacts } from "../../ground/text/json";
import { changedLines, countLineEnds, lineAfter, linesWithEnds, splitLines, withLf } from "../../ground/text/lines";
import { KEY_LINE, privateKeyLines } from "../../ground/text/privateKeys";
import { type Conflict, type LineSpan, mergeTexts } from "./merge";
import { planReplacements } from "./notebookEdit";
import { type EditPlan, planLines, type Replacement } from "./planEdits";

/** What a call asks for, on any text. */
export interface EditIntent {
  /** Throws ToolError where the text is not one that the edit can be made on. */
  plan(text: string): EditPlan;
  /**
   * "once": it quotes text that has to stand there once, so a quote says where it is meant; "all": it means every place of
   * the text that was read, and no other; "file": it sets the whole file.
   */
  quotes: "once" | "all" | "file";
}

/** The intent of a call that quotes what it replaces. `path` is for the messages. */
export function replaceIntent(replacements: readonly Replacement[], path: string): EditIntent {
  const quotes = replacements.some(({ replaceAll }) => replaceAll) ? "all" : "once";
  return { plan: text => planReplacements({ path }, text, replacements), quotes };
}

const MAX_CONFLICTS = 3;
const MAX_LINES = 20;
const MAX_CHARACTERS = 200;

/**
 * @param read as the session read or left the file
 * @param now its current text
 * Throws ToolError: CONFLICT, or what the plan throws (NO_MATCH, …), in words about the newest text.
 */
export function rebase(
  intent: EditIntent,
  read: string,
  now: string,
  { path, redact }: { path: string; redact: Redact },
): EditPlan {
  const meant = planOnRead(intent, read, path);
  if (!meant) {
    try {
      return intent.plan(now);
    } catch (error) {
      throw error instanceof ToolError ? changedError(error, path, error.message) : error;
    }
  }
  const merge = mergeTexts(read, meant.newText, now);
  if (merge.kind === "merged") {
    const plan = planLines(now, merge.text);
    if (plan.edits.length === 0) throw nothingLeftError(meant, path);
    return plan;
  }
  const plan = intent.quotes === "once" ? rebaseInPlace(intent, meant, read, now) : undefined;
  if (!plan) throw conflictError(merge.conflicts, { path, redact, read, ours: meant.newText, now });
  return plan;
}

/** Others' changes since the file was read, for the model; bounded. */
export function changedSince(read: string, now: string, redact: Redact): ToldLines {
  const { text, isWhole } = toldLines(read, now, redact);
  if (text === "") return { text: "Since you read the file, only its line ends changed.", isWhole };
  return { text: `Since you read the file, it changed in other places too; that was kept:\n${text}`, isWhole };
}

/** undefined: it quotes what was not there then, so the model may have seen newer text in another way */
function planOnRead(intent: EditIntent, read: string, path: string): EditPlan | undefined {
  try {
    return intent.plan(read);
  } catch (error) {
    if (!(error instanceof ToolError) || intent.quotes === "file") throw error;
    // Text that was there twice and is there once now may be the other one.
    if (error.code === "NO_MATCH" && intent.quotes === "once") return undefined;
    throw changedError(error, path, `In what you read: ${error.message} Read it again, then edit what it holds now.`);
  }
}

function changedError({ code, data }: ToolError, path: string, words: string): ToolError {
  const facts = { ...toFacts(data), modifiedExternally: true };
  return new ToolError(code, `${path} changed since you read it. ${words}`, facts);
}

function nothingLeftError(meant: EditPlan, path: string): ToolError {
  const [code, words] =
    meant.edits.length === 0
      ? (["STALE", "; what you wrote is what it held then. Nothing was changed. Read it again."] as const)
      : (["NO_MATCH", ", and holds this change already. There is nothing left to do for it."] as const);
  return new ToolError(code, `${path} changed since you read it${words}`, { path, modifiedExternally: true });
}

/**
 * Others changed the lines of the edit, or lines that touch them. Where all that the edit quotes is still there exactly, once,
 * and between the same lines as before, its own text was not touched.
 */
function rebaseInPlace(intent: EditIntent, meant: EditPlan, read: string, now: string): EditPlan | undefined {
  const exact = planIfPossible(intent, now);
  if (!exact || exact.edits.length !== meant.edits.length) return undefined;
  const lines = linesWithEnds(withLf(read));
  const changes = changedLines(lines, linesWithEnds(withLf(now)));
  const isThere = meant.edits.every(({ start }, index) => {
    const place = lineAfter(lineIndex(read, start), changes, lines.length);
    const line = lineIndex(now, exact.edits[index]?.start ?? 0);
    return line >= place.first && line <= place.last;
  });
  return isThere ? exact : undefined;
}

export function planIfPossible(intent: EditIntent, text: string): EditPlan | undefined {
  try {
    return intent.plan(text);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

const lineIndex = (text: string, offset: number) => countLineEnds(withLf(text.slice(0, offset)));

interface Sides {
  path: string;
  redact: Redact;
  read: string;
  ours: string;
  now: string;
}

function conflictError(conflicts: readonly Conflict[], sides: Sides): ToolError {
  const { path } = sides;
  const places = conflicts.slice(0, MAX_CONFLICTS).map(conflict => conflictText(conflict, sides));
  const left = conflicts.length - places.length;
  const words = [
    `${path} changed since you read it, where this edit is made. Nothing was changed.`,
    ...places,
    ...(left > 0 ? [`… and ${counted(left, "more place")}.`] : []),
    "Keep what somebody else changed unless the task says otherwise: edit again, quoting the text as it stands now.",
  ];
  const lines = conflicts.map(({ theirs }) => ({ first: theirs.first, last: theirs.first + theirs.count - 1 }));
  return new ToolError("CONFLICT", words.join("\n"), { path, conflict: true, lines });
}

function conflictText({ base, ours, theirs }: Conflict, sides: Sides): string {
  // A long line is cut around what differs from what was read.
  const lines = splitLines(base.text).map(sides.redact);
  const show = (span: LineSpan, whole: string, others: readonly string[] = lines) =>
    spanLines(span, privateKeyLines(whole), sides.redact, others);
  const stands =
    theirs.count === 0
      ? [`What stood before line ${theirs.first} is gone; you read:`, ...show(base, sides.read, [])]
      : ["What stands there now:", ...show(theirs, sides.now)];
  const wanted =
    ours.count === 0
      ? ["Your edit would leave nothing there."]
      : ["What your edit would put there:", ...show(ours, sides.ours)];
  return [...stands, ...wanted].join("\n");
}

function spanLines({ first, text }: LineSpan, keys: ReadonlySet<number>, redact: Redact, others: readonly string[]) {
  const lines = splitLines(text);
  const out = lines.slice(0, MAX_LINES).map((line, index) => {
    const plain = keys.has(first + index) ? KEY_LINE : redact(line);
    return numberedLine(first + index, clipLine(plain, others[index], MAX_CHARACTERS));
  });
  return lines.length > out.length ? [...out, `    … ${counted(lines.length - out.length, "more line")}`] : out;
}
