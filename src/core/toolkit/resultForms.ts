/**
 * The forms of an observation (docs/context.md), made once when it is recorded: `shown` during its turn, `kept` afterwards,
 * `folded` when even that is too much. Pure; each tool chooses them (`Tool.forms`). They name what they leave out, with
 * the handle of the whole.
 */
import type { Json } from "../../shared/messages";
import type { ToolResult } from "../../shared/toolResult";
import { estimateTokens } from "../text/estimate";
import { counted, cutPoint, oneLine } from "../text/format";
import { holdsEndOfKey } from "../text/privateKeys";
import { list, number, pick, type ResultFacts, text, toFacts } from "../text/toolFacts";

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
  /** the compressed `data`, without its flags; undefined: there is nothing to compress */
  kept(facts: ResultFacts, whole: StoredText): Record<string, Json | undefined> | undefined;
  /** which part of it, or how much came of it: a few words */
  folded(facts: ResultFacts, whole: StoredText): string;
  /** the call's own input once its turn has settled; absent or undefined: as it is, but for long texts */
  input?(input: Json): Json | undefined;
}

/** Of a folded form, what the tool says of it. */
const PART_CHARACTERS = 40;
/** What the data says of itself stays, whatever the tool. */
const FLAGS = ["truncated", "applied", "conflict", "modifiedExternally", "changedByUser"] as const;
const TEXT_CHARACTERS = 2_000;

/** Of tools that say nothing of their own: foreign ones, and calls of a tool that does not exist. */
const genericForms: ResultForms = {
  kept: keptText,
  folded: (_, whole) => counted(whole.text.length, "character"),
};

/** @param handle `obs:` and 12 characters: where the whole output of this call can be had */
export function compressResult(result: ToolResult, handle: string, forms = genericForms): ObservationForms {
  const shown = result.text;
  const kept = keptForm(result, handle, forms);
  const replaces = kept !== undefined && isShorter(kept, shown) && !holdsEndOfKey(kept);
  const folded = foldedForm(result, handle, forms);
  return {
    shown,
    ...(replaces ? { kept } : {}),
    ...(isShorter(folded, replaces ? kept : shown) ? { folded } : {}),
  };
}

/** `{"status":…,"data":…,"error":…}`, whether or not it is shorter than what is shown. */
export function keptForm(result: ToolResult, handle: string, forms = genericForms): string | undefined {
  const facts = toFacts(result.data);
  const data = forms.kept(facts, { text: result.text, handle });
  if (!data) return undefined;
  return JSON.stringify({ status: result.status, data: { ...data, ...pick(facts, ...FLAGS) }, error: result.error });
}

/** One short line: which part it was or how much, the error, the handle. The call stands before it: what it was about is there. */
export function foldedForm(result: ToolResult, handle: string, forms = genericForms): string {
  const part = oneLine(forms.folded(toFacts(result.data), { text: result.text, handle }), PART_CHARACTERS);
  const error = result.error?.code ?? (result.status === "success" ? "" : result.status);
  return `[folded] ${[part, error, handle].filter(words => words !== "").join(" · ")}`;
}

/** In tokens, as the budget counts: what is not shorter is not worth to be changed. */
const isShorter = (form: string, than: string) => estimateTokens(form) < estimateTokens(than);

/** 2,000 characters, head and tail, with counts. */
export function keptText(_: ResultFacts, whole: StoredText): Record<string, Json | undefined> | undefined {
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
export function moreNote(many: number, one: string, handle: string, plural = `${one}s`): string | undefined {
  return many > 0 ? `… ${counted(many, `more ${one}`, `more ${plural}`)}, ${handle}` : undefined;
}

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
export function stampText(facts: ResultFacts): string | undefined {
  return text(toFacts(facts.stamp), "sha256").slice(0, 8) || undefined;
}
