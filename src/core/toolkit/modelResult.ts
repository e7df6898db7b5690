/** The one door between tools and the model: what a tool gives back speaks for nobody and hides nothing, whatever it read. */
import type { ToolResult } from "../../shared/toolResult";
import { mapStrings } from "../secrets/redact";
import { fromModelText, hasMarks, MARKS_NOTE, toModelText } from "../text/hiddenText";

/** A result as the model gets it, of any tool. The digest is for people: it stays. */
export function modelResult(result: ToolResult): ToolResult {
  const text = toModelText(result.text);
  const note = hasMarks(text) && !text.includes(MARKS_NOTE) ? `\n${MARKS_NOTE}` : "";
  return {
    ...result,
    data: mapStrings(result.data, toModelText),
    text: text + note,
    ...(result.error && { error: { ...result.error, message: toModelText(result.error.message) } }),
  };
}

/** A call's input as the model means it. */
export const meantInput = (input: unknown): unknown => mapStrings(input, fromModelText);
