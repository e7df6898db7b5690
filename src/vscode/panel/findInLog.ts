/** Every match of a query in what people see of a session (shared/findProtocol.ts). */

import { stringsIn } from "../../core/ground/text/json";
import { isWithin, leftBranches } from "../../core/log/branches";
import { decodeOutput, recordedBytes, type SessionLog } from "../../core/log/handles";
import { type RecordedText, recordedText } from "../../core/log/recordedTexts";
import { newestFirst } from "../../core/log/searchLog";
import { defined } from "../../shared/defined";
import { type FindHit, type FindQuery, type FoundInLog, findExpression, matchesIn } from "../../shared/findProtocol";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";

/** Matches of a whole search, the newest: nobody goes through more. */
const MOST = 20_000;

/** Rejects with StorageError. Aborted, it gives what it has found by then. */
export async function findInLog(log: SessionLog, query: FindQuery, signal: AbortSignal): Promise<FoundInLog> {
  const unread = new Set<string>();
  const expression = findExpression(query);
  const left = leftBranches(log.records);
  // What a call was given and what came of it are one item.
  const hits = new Map<string, FindHit>();
  let matches = 0;
  for await (const group of newestFirst(log, mayHold(query), unread)) {
    const shown = group.filter(({ seq }) => !isWithin(left, seq));
    for (const { key, seq, count } of (
      await Promise.all(shown.map(record => hitsIn(log, record, expression)))
    ).flat()) {
      hits.set(key, { key, seq, count: count + (hits.get(key)?.count ?? 0) });
      matches += count;
    }
    if (matches >= MOST || signal.aborted) break;
  }
  const missing = [...unread];
  const inOrder = [...hits.values()].sort((a, b) => a.seq - b.seq);
  return { hits: inOrder, ...defined({ missing: missing.length > 0 ? missing : undefined }) };
}

/** Of a log's line, as it stands in JSON. */
function mayHold({ text, matchCase }: FindQuery): { mayBeIn(json: string): boolean } {
  const escaped = JSON.stringify(text).slice(1, -1);
  const expression = findExpression({ text: escaped, matchCase, wholeWord: false });
  return { mayBeIn: json => json.search(expression) >= 0 };
}

/** Newest first. */
async function hitsIn(log: SessionLog, record: LogRecord, expression: RegExp): Promise<FindHit[]> {
  const hits: FindHit[] = [];
  const texts = table[record.kind] as ((record: LogRecord) => ShownText[]) | undefined;
  for (const { key, content } of (texts?.(record) ?? []).reverse()) {
    const text = typeof content === "string" ? content : decodeOutput((await recordedBytes(log, content)) ?? "");
    const count = matchesIn(text, expression).length;
    if (count > 0) hits.push({ key, seq: record.seq, count });
  }
  return hits;
}

/** What people see of a record as text, in its order, and by which key the conversation shows it (webview-ui/src/store). */
interface ShownText {
  key: string;
  /** words, or an output that may stand in a blob */
  content: string | RecordedText;
}

const table: { [K in RecordKind]?: (record: RecordOf<K>) => ShownText[] } = {
  message: ({ message: { id, role, parts, metadata } }) => {
    const said = parts.flatMap(part => (part.type === "text" || part.type === "reasoning" ? [part.text] : []));
    const key = role === "assistant" ? (metadata.requestId ?? id) : id;
    const calls = parts.flatMap(part =>
      part.type === "dynamic-tool" ? [{ key: part.toolCallId, content: stringsIn(part.input).join("\n") }] : [],
    );
    return [{ key, content: said.join("\n") }, ...calls];
  },
  result: ({ callId, raw, forms, digest, turn }) => [
    { key: callId, content: raw ? recordedText(raw, digest, turn, forms.shown) : forms.shown },
  ],
  question: ({ callId, answer }) =>
    answer ? [{ key: callId, content: [...stringsIn(answer.values), answer.words ?? ""].join("\n") }] : [],
  note: ({ id, text }) => [{ key: id, content: text }],
};
