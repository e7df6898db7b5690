/** The ledger when a compaction takes messages away (docs/context.md). */
import type { LedgerPage } from "../../../shared/compaction";
import type { Redacted } from "../../../shared/redacted";
import type { Hash, Ids, TextRedactor } from "../../ground/ports";
import { recordsToArchive } from "../archives";
import { onBranch } from "../branches";
import type { History } from "../history";
import { readWholeLog } from "../readLog";
import { growLedger } from "./pages";
import { type TypedWords, wordsIn } from "./said";
import { wholeText } from "./text";

interface LedgerDeps {
  history: History;
  redactor: TextRedactor;
  hash: Hash;
  ids: Ids;
}

export interface NextLedger {
  pages: LedgerPage[];
  /** what the page's handles lead to: to be stored before the compaction is committed */
  blobs: { sha256: string; text: Redacted }[];
}

type WholeWords = LedgerPage["whole"][number];

/** Handles of a page, each a line in every request; beyond them they become one, which writes all words anew. */
const MOST_WHOLE = 8;

/**
 * @param removed ids of the messages that go
 * @param room tokens
 * Rejects with StorageError.
 */
export async function nextLedger(removed: ReadonlySet<string>, room: number, deps: LedgerDeps): Promise<NextLedger> {
  const { history, ids, redactor } = deps;
  const pages = history.conversation.ledger ?? [];
  const isFirst = history.conversation.ledger === undefined && history.conversation.summaries.length > 0;
  const recorded = isFirst ? await allWords(removed, history) : wordsThatGo(removed, history);
  if (recorded.length === 0) return { pages: [...pages], blobs: [] };
  // Secrets that became known since are hidden, too.
  const words = recorded.map(each => ({ ...each, text: redactor.redact(each.text) }));
  const turns = words.map(({ turn }) => turn);
  const own = storedText(wholeText(words), { from: Math.min(...turns), to: Math.max(...turns) }, deps);
  const whole = [...pages.flatMap(page => page.whole), own.whole];
  const joined = whole.length > MOST_WHOLE ? await joinWhole(whole, own.blob.text, deps) : undefined;
  const page = { id: ids.next("led"), ...growLedger(pages, words, room), whole: joined ? [joined.whole] : whole };
  return { pages: [page], blobs: [(joined ?? own).blob] };
}

/** Those of the records that go with the messages, on the branch that the conversation is on. */
function wordsThatGo(removed: ReadonlySet<string>, { records }: History): TypedWords[] {
  const going = recordsToArchive(records, removed);
  return wordsIn(onBranch(records)).filter(({ recordId }) => going.has(recordId));
}

/** In a session whose compactions wrote no ledger yet: what went with all of them, too. */
async function allWords(removed: ReadonlySet<string>, history: History): Promise<TypedWords[]> {
  const { records } = await readWholeLog(history.files);
  const standing = new Set(history.conversation.messages.flatMap(({ id }) => (removed.has(id) ? [] : [id])));
  const branch = onBranch(records);
  let stands = false;
  // What stands between messages goes with the one before it.
  const left = branch.filter(record => {
    if (record.kind === "message") stands = standing.has(record.message.id);
    return !stands;
  });
  const gone = new Set(left.map(({ id }) => id));
  return wordsIn(branch).filter(({ recordId }) => gone.has(recordId));
}

function storedText(said: string, turns: WholeWords["turns"], { redactor, hash }: LedgerDeps) {
  const text = redactor.redact(said);
  const sha256 = hash.sha256(text);
  const bytes = new TextEncoder().encode(text).length;
  return { whole: { turns, raw: { sha256, bytes, inline: false as const } }, blob: { sha256, text } };
}

/** undefined: one of them is missing. @param newest text of the last one, which is not stored yet */
async function joinWhole(whole: readonly WholeWords[], newest: string, deps: LedgerDeps) {
  const blobs = await Promise.all(whole.slice(0, -1).map(({ raw }) => deps.history.files.getBlob(raw.sha256)));
  const texts = blobs.flatMap(blob => (blob ? [new TextDecoder().decode(blob)] : []));
  if (texts.length < blobs.length) return undefined;
  const turns = whole.map(each => each.turns);
  return storedText(
    [...texts, newest].join("\n"),
    { from: Math.min(...turns.map(({ from }) => from)), to: Math.max(...turns.map(({ to }) => to)) },
    deps,
  );
}
