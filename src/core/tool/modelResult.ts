/** The one door between tools and the model: what a tool gives back speaks for nobody, hides nothing and has no secret, whatever it read. */
import { defined } from "../../shared/defined";
import type { Redact } from "../../shared/redacted";
import type { ToolResult } from "../../shared/toolResult";
import { fromModelText, hasMarks, MARKS_NOTE, toModelText } from "../ground/text/hiddenText";
import { mapStrings } from "../secrets/redact";

/** A result as the model gets it, of any tool: without secrets, and with nothing in it that is hidden. The digest is for people: its words stay. */
export function modelResult(given: ToolResult, redact: Redact): ToolResult {
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

/** A call's input as the model means it. */
export const meantInput = (input: unknown): unknown => mapStrings(input, fromModelText);
