/** What people see of a record as text, and by which key the conversation shows it (webview-ui/src/store). */
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";
import { stringsIn } from "../ground/text/json";
import { type RecordedText, recordedText } from "./recordedTexts";

interface ShownText {
  key: string;
  /** words, or an output that may stand in a blob */
  content: string | RecordedText;
}

type ShownTable = { [K in RecordKind]?: (record: RecordOf<K>) => ShownText[] };

const table: ShownTable = {
  message: ({ message: { id, role, parts, metadata } }) => {
    const said = parts.flatMap(part => (part.type === "text" || part.type === "reasoning" ? [part.text] : []));
    const key = role === "assistant" ? (metadata.requestId ?? id) : id;
    const calls = parts.flatMap(part =>
      part.type === "dynamic-tool" ? [{ key: part.toolCallId, content: stringsIn(part.input).join("\n") }] : [],
    );
    return [{ key, content: said.join("\n") }, ...calls];
  },
  attempt: ({ requestId, parts }) => [
    { key: requestId, content: parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n") },
  ],
  result: ({ callId, raw, forms, digest, turn }) => [
    { key: callId, content: raw ? recordedText(raw, digest, turn, forms.shown) : forms.shown },
  ],
  question: ({ callId, answer }) =>
    answer ? [{ key: callId, content: [...stringsIn(answer.values), answer.words ?? ""].join("\n") }] : [],
  plan: ({ id, title }) => [{ key: id, content: title }],
  note: ({ id, text }) => [{ key: id, content: text }],
};

/** In the order in which they are shown; empty: nothing of it is text. */
export function shownTexts(record: LogRecord): ShownText[] {
  const texts = table[record.kind] as ((record: LogRecord) => ShownText[]) | undefined;
  return texts?.(record) ?? [];
}
