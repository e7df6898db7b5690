/**
 * A call's input as requests have it once its turn has settled (docs/context.md): of long texts (a file that is written, a
 * script) the beginning, and where to find the rest. Made once, when the result is recorded.
 */
import type { Json } from "../../shared/messages";
import { charactersWithin, estimateTokens } from "../ground/text/estimate";
import { counted, cutPoint } from "../ground/text/format";
import { mapStrings } from "../secrets/redact";

/** Shorter texts are sent whole. */
const LONG_TOKENS = 400;
/** The owner's rule: of what was written 20 to 50 lines stay. */
const HEAD_LINES = 40;
const HEAD_TOKENS = 667;
/** characters; a note of what is left out has as many */
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
export function leftOutMark(text: string): string | undefined {
  return /\[… [\d,]+ more characters?, left out here: /.exec(text)?.[0];
}
