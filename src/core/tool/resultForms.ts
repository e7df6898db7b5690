/**
 * The forms of an observation (docs/context.md), made once when it is recorded: `shown` during its turn, `kept` afterwards,
 * `folded` when even that is too much. Pure; each tool chooses them (`Tool.forms`). They name what they leave out, with
 * the handle of the whole.
 */
import type { Json } from "../../shared/messages";
import { mapStrings } from "../../shared/redacted";
import type { ToolResult } from "../../shared/toolResult";
import { charactersWithin, estimateTokens, sentTokens } from "../ground/text/estimate";
import { counted, cutPoint, oneLine } from "../ground/text/format";
import { list, number, pick, type ResultFacts, text, toFacts } from "../ground/text/json";
import { holdsEndOfKey } from "../ground/text/privateKeys";

/** As the record holds them. No `kept`: the same as shown; no `folded`: the same as kept. */
interface ObservationForms {
  shown: string;
  kept?: string;
  folded?: string;
}

/** What the forms may use beside the facts. */
interface StoredText {
  text: string;
  handle: string;
}

/** How a tool's results are shortened: from their facts, the envelope's `data`. */
export interface ResultForms {
  /** the compressed `data`, without its flags; absent: as of any text; undefined: there is nothing to compress */
  kept?(facts: ResultFacts, whole: StoredText): Record<string, Json | undefined> | undefined;
  /** which part, or how much came: a few words */
  folded(facts: ResultFacts, whole: StoredText): string;
  /** the call's own input once its turn has settled; absent or undefined: unchanged, but for long texts */
  input?(input: Json): Json | undefined;
}

/** Tokens that a form has to save. */
const MIN_SAVED = 60;
/** Tokens of a folded form, and of its parts: what it is about gets what the others leave. */
const FOLDED_TOKENS = 40;
const PART_TOKENS = 13;
const ERROR_TOKENS = 18;
/** The first of these that a result has says what it is about. */
const SUBJECTS = ["pattern", "command", "path", "directory", "symbol", "name", "query"] as const;
/** Flags of the data stay, for every tool. */
const FLAGS = ["truncated", "applied", "conflict", "modifiedExternally", "changedByUser"] as const;
const TEXT_CHARACTERS = 2_000;

/** Of tools that say nothing of their own: foreign ones, and calls of a tool that does not exist. */
const genericForms: ResultForms = { folded: (_, whole) => counted(whole.text.length, "character") };

/** @param handle `obs:` and 12 characters: where the whole output of this call can be had */
export function compressResult(result: ToolResult, handle: string, forms = genericForms): ObservationForms {
  const shown = result.text;
  const kept = keptForm(result, handle, forms);
  const replaces = kept !== undefined && saves(kept, shown) && !holdsEndOfKey(kept);
  const folded = foldedForm(result, handle, forms);
  return {
    shown,
    ...(replaces ? { kept } : {}),
    ...(saves(folded, replaces ? kept : shown) ? { folded } : {}),
  };
}

const saves = (form: string, than: string) => sentTokens(than) - sentTokens(form) >= MIN_SAVED;

/** `{"status":…,"data":…,"error":…}`, whether or not it is shorter than the shown form. */
export function keptForm(result: ToolResult, handle: string, forms = genericForms): string | undefined {
  const facts = toFacts(result.data);
  const data = (forms.kept ?? keptText)(facts, { text: result.text, handle });
  if (!data) return undefined;
  return JSON.stringify({ status: result.status, data: { ...data, ...pick(facts, ...FLAGS) }, error: result.error });
}

/** One short line: what it was, which part or how much, the point of the error, the handle. */
export function foldedForm(result: ToolResult, handle: string, forms = genericForms): string {
  const facts = toFacts(result.data);
  const part = within(forms.folded(facts, { text: result.text, handle }), PART_TOKENS);
  const error = within(errorPoint(result, facts), ERROR_TOKENS);
  const line = (what: string) =>
    `[folded] ${[[what, part].filter(Boolean).join(": "), error, handle].filter(Boolean).join(" · ")}`;
  const subject = SUBJECTS.map(key => text(facts, key)).find(Boolean) ?? "";
  return line(within(subject, FOLDED_TOKENS - sentTokens(line("")) - 1));
}

/** A command's error in its own words; of others the code and the beginning of the message. */
function errorPoint({ status, error }: ToolResult, facts: ResultFacts): string {
  if (!error) return status === "success" ? "" : status;
  const point = text(facts, "point") || error.message;
  return error.code === "EXIT" ? point : `${error.code}: ${point}`;
}

/** One line of so many tokens: the end of a path, the beginning of all else. */
function within(words: string, tokens: number): string {
  const line = oneLine(words, words.length);
  if (estimateTokens(line) <= tokens) return line;
  const most = charactersWithin(line, tokens);
  if (most < 4) return "";
  return /^\S+$/.test(line) && line.includes("/")
    ? `…${line.slice(cutPoint(line, line.length - most + 1))}`
    : oneLine(line, most);
}

/** 2,000 characters, head and tail, with counts. */
function keptText(_: ResultFacts, whole: StoredText): Record<string, Json | undefined> | undefined {
  const all = whole.text;
  if (all.length <= TEXT_CHARACTERS) return undefined;
  const head = all.slice(0, cutPoint(all, TEXT_CHARACTERS / 2));
  const tail = all.slice(cutPoint(all, all.length - TEXT_CHARACTERS / 2));
  return {
    characters: all.length,
    lines: all.split("\n").length,
    head,
    left: moreNote(all.length - head.length - tail.length, "character", whole.handle),
    tail,
  };
}

/** "… 12 more lines, obs:…"; undefined: there are none */
export const moreNote = (many: number, one: string, handle: string, plural = `${one}s`): string | undefined =>
  many > 0 ? `… ${counted(many, `more ${one}`, `more ${plural}`)}, ${handle}` : undefined;

/** The first entries of a list, and how many of all that were listed are not among them. */
export function firstEntries(
  facts: ResultFacts,
  most: number,
  note: { listed: number; one: string; plural?: string; handle: string },
) {
  const first = list(facts, "first").slice(0, most);
  return { first, left: moreNote(note.listed - first.length, note.one, note.handle, note.plural) };
}

/** "10–40"; "" where it is of no part */
export const rangeText = (facts: ResultFacts): string =>
  facts.first === undefined ? "" : `${number(facts, "first")}–${number(facts, "last")}`;

/** Enough of the version's hash to tell it from another one. */
export const stampText = (facts: ResultFacts) => text(toFacts(facts.stamp), "sha256").slice(0, 8) || undefined;

// A call's input as requests have it once its turn has settled: of long texts (a file that is written, a script) the beginning, and
// where to find the rest. Made once, when the result is recorded.

/** Shorter texts are sent whole. */
const LONG_TOKENS = 400;
/** The owner's rule: of what was written 20 to 50 lines stay. */
const HEAD_LINES = 40;
const HEAD_TOKENS = 667;
/** characters; the note has as many */
const NOT_WORTH_A_NOTE = 100;

/** @param placeOf where a text can be had whole. Gives undefined where nothing is long. */
export function settledInput(input: Json, placeOf: (text: string) => string): Json | undefined {
  let isShorter = false;
  const settled = mapStrings(input, text => {
    if (estimateTokens(text) <= LONG_TOKENS) return text;
    const head = headOf(text);
    if (text.length - head.length <= NOT_WORTH_A_NOTE) return text;
    isShorter = true;
    return `${head}\n${leftOutNote(text.length - head.length, placeOf(text))}`;
  });
  return isShorter ? settled : undefined;
}

function headOf(text: string): string {
  const most = text.slice(0, cutPoint(text, charactersWithin(text, HEAD_TOKENS)));
  const lines = most.split("\n");
  return lines.length > HEAD_LINES ? lines.slice(0, HEAD_LINES).join("\n") : most;
}

/** @param place where the rest is, in words for the model */
export const leftOutNote = (characters: number, place: string): string =>
  `[… ${counted(characters, "more character")}, left out here: ${place}]`;

/** The note that replaces the rest of an earlier call's text. */
export const leftOutMark = (text: string) => /\[… [\d,]+ more characters?, left out here: /.exec(text)?.[0];
