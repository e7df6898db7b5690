/**
 * A call's input as requests have it once its turn has settled (docs/context.md): of long texts (a file that is written, a
 * script) the beginning, and where the rest stands. Made once, when the result is recorded.
 */
import type { Json } from "../../shared/messages";
import { mapStrings } from "../secrets/redact";
import { estimateTokens } from "../text/estimate";
import { counted, cutPoint } from "../text/format";

/** What is shorter is sent as it is. */
const LONG_TOKENS = 400;
const HEAD_CHARACTERS = 300;

/** @param placeOf where a text can be had whole. Gives undefined where nothing is long. */
export function settledInput(input: Json, placeOf: (text: string) => string): Json | undefined {
  let isShorter = false;
  const settled = mapStrings(input, text => {
    if (estimateTokens(text) <= LONG_TOKENS) return text;
    isShorter = true;
    const head = text.slice(0, cutPoint(text, HEAD_CHARACTERS));
    return `${head}\n[… ${counted(text.length - head.length, "more character")}, left out here: ${placeOf(text)}]`;
  });
  return isShorter ? settled : undefined;
}

/** What stands in a text for the rest of one of an earlier call; undefined: nothing does. */
export function leftOutMark(text: string): string | undefined {
  return /\[… [\d,]+ more characters?, left out here: /.exec(text)?.[0];
}
