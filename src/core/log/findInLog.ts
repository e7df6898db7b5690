/** Every match of a query in what people see of a session, record by record, the newest first (shared/findProtocol.ts). */
import { defined } from "../../shared/defined";
import { type FindHit, type FindPage, type FindQuery, findExpression, matchesIn } from "../../shared/findProtocol";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";
import { stringsIn } from "../ground/text/json";
import { isWithin, leftBranches } from "./branches";
import { decodeOutput, recordedBytes, type SessionLog } from "./handles";
import { type RecordedText, recordedText } from "./recordedTexts";
import { newestFirst } from "./searchLog";

/** Characters that a later page looks through, and one without a hit: some ms, and some tens of them. */
const PAGE_CHARS = 1_000_000;
const FIRST_CHARS = 8_000_000;
/** Matches of a whole search: nobody goes through more. */
const MOST = 20_000;

/** Pages of hits, each after a moment's work; each of them is made when it is asked for. Rejects with StorageError. */
export async function* findInLog(log: SessionLog, query: FindQuery, after = 0): AsyncGenerator<FindPage> {
  const [unread, broken] = [new Set<string>(), new Set<string>()];
  const expression = findExpression(query);
  const left = leftBranches(log.records);
  const upTo = log.records.at(-1)?.seq ?? 0;
  const isWanted = ({ seq }: LogRecord) => seq > after && !isWithin(left, seq);
  // What came behind a number stands in the live log.
  const searched = after === 0 ? log : { records: log.records.filter(isWanted), files: log.files };
  let hits: FindHit[] = [];
  // The first match is there at once, the others come in pages.
  let [chars, matches, pageChars] = [0, 0, 0];
  for await (const group of newestFirst(searched, mayHold(query), { unread, broken })) {
    for (const found of await Promise.all(group.filter(isWanted).map(record => hitsIn(log, record, expression)))) {
      hits.push(...found.hits);
      chars += found.chars;
      matches += found.hits.reduce((sum, { count }) => sum + count, 0);
    }
    if (matches >= MOST) break;
    if (chars < (hits.length > 0 ? pageChars : FIRST_CHARS)) continue;
    yield { hits, done: false, upTo };
    [hits, chars, pageChars] = [[], 0, PAGE_CHARS];
  }
  const missing = [...unread, ...broken];
  yield { hits, done: true, upTo, ...defined({ missing: missing.length > 0 ? missing : undefined }) };
}

/** Of a log's line, as it stands in JSON. */
function mayHold({ text, matchCase }: FindQuery): { mayBeIn(json: string): boolean } {
  const escaped = JSON.stringify(text).slice(1, -1);
  const expression = findExpression({ text: escaped, matchCase, wholeWord: false });
  return { mayBeIn: json => json.search(expression) >= 0 };
}

async function hitsIn(
  log: SessionLog,
  record: LogRecord,
  expression: RegExp,
): Promise<{ hits: FindHit[]; chars: number }> {
  const hits: FindHit[] = [];
  let chars = 0;
  for (const { key, content } of shownTexts(record).reverse()) {
    const text = typeof content === "string" ? content : decodeOutput((await recordedBytes(log, content)) ?? "");
    chars += text.length;
    const count = matchesIn(text, expression).length;
    if (count > 0) hits.push({ key, seq: record.seq, count });
  }
  return { hits, chars };
}

/** What people see of a record as text, and by which key the conversation shows it (webview-ui/src/store). */
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
function shownTexts(record: LogRecord): ShownText[] {
  const texts = table[record.kind] as ((record: LogRecord) => ShownText[]) | undefined;
  return texts?.(record) ?? [];
}
