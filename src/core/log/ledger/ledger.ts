/** The ledger's next pages when a compaction takes messages away (docs/context.md). */
import type { MarkedWords } from "../../../shared/compaction";
import { type LedgerPage, wordsKey } from "../../../shared/ledger";
import type { Redacted } from "../../../shared/redacted";
import type { Hash, Ids, TextRedactor } from "../../ground/ports";
import { onBranch } from "../branches";
import type { History } from "../history";
import { readWholeLog } from "../readLog";
import { recordsToArchive } from "../recordsToArchive";
import { growLedger } from "./pages";
import { type TypedWords, wordsIn } from "./said";
import { recordsThatLeft } from "./sight";
import { wholeText } from "./text";

interface LedgerDeps {
  history: History;
  redactor: TextRedactor;
  hash: Hash;
  ids: Ids;
}

export interface NextLedger {
  /** all that stand from here on */
  pages: LedgerPage[];
  /** what their handles lead to: to be stored before the compaction is committed */
  blobs: { sha256: string; text: Redacted }[];
}

/** So many handles of whole texts of older pages a new one names beside its own. */
const MOST_WHOLE = 4;

/**
 * @param removed ids of the messages that go
 * @param room tokens
 * Rejects with StorageError.
 */
export async function nextLedger(
  removed: ReadonlySet<string>,
  room: number,
  { history, hash, ids, redactor }: LedgerDeps,
): Promise<NextLedger> {
  const { conversation } = history;
  const standing = conversation.ledger;
  const anew = standing ? undefined : await allWords(removed, history);
  const recorded = anew ?? wordsThatGo(removed, history);
  const pages = anew ? [] : (standing ?? []);
  // What became known as a secret since they were recorded is none here either.
  const words = recorded.map(each => ({ ...each, text: redactor.redact(each.text) }));
  const { wordsMarks } = conversation;
  const told = [...pinnedAgain(wordsMarks, pages, words), ...words];
  const grown = growLedger(pages, told, room, new Map([...wordsMarks].map(([id, { mark }]) => [id, mark])));
  if (!grown) return { pages: [...pages], blobs: [] };
  const { kind, page } = grown;
  const own = words.length === 0 ? undefined : wholeOf(words, page.turns, { hash, redactor });
  const before = kind === "rebuilt" ? pages.flatMap(({ whole }) => whole) : [];
  const joined = await joinWhole(before, { history, hash, redactor });
  const whole = [...joined.whole, ...(own ? [own.whole] : [])];
  const blobs = [...joined.blobs, ...(own ? [own.blob] : [])];
  const next = { id: ids.next("led"), ...page, whole };
  return { pages: kind === "added" ? [...pages, next] : [next], blobs };
}

/** Words that were pinned after the ledger had no room for them. */
function pinnedAgain(
  pins: ReadonlyMap<string, MarkedWords>,
  pages: readonly LedgerPage[],
  words: readonly TypedWords[],
): TypedWords[] {
  const known = new Set([...pages.flatMap(({ entries }) => entries), ...words].map(wordsKey));
  return [...pins.values()]
    .filter(marked => marked.mark === "pinned" && !known.has(wordsKey(marked)))
    .map(({ seq: _, isUntold: __, mark: ___, ...said }) => said);
}

/** Those of the records that go with the messages, on the branch that the conversation is on. */
function wordsThatGo(removed: ReadonlySet<string>, { records }: History): TypedWords[] {
  const going = recordsToArchive(records, removed);
  return wordsIn(onBranch(records)).filter(({ recordId }) => going.has(recordId));
}

/** In a session whose compactions wrote no ledger yet: what went with all of them, too. undefined: it has none. */
async function allWords(removed: ReadonlySet<string>, history: History): Promise<TypedWords[] | undefined> {
  if (history.conversation.summaries.length === 0) return undefined;
  const { records } = await readWholeLog(history.files);
  const branch = onBranch(records);
  const left = new Set(recordsThatLeft(branch, history.conversation).map(({ id }) => id));
  const going = recordsToArchive(history.records, removed);
  return wordsIn(branch).filter(({ recordId }) => going.has(recordId) || left.has(recordId));
}

type WholeWords = LedgerPage["whole"][number];

function wholeOf(
  words: readonly TypedWords[],
  turns: WholeWords["turns"],
  deps: TextDeps,
): { whole: WholeWords; blob: NextLedger["blobs"][number] } {
  const all = words.map(({ turn }) => turn);
  const from = Math.min(...all);
  return textOf(wholeText(words), { from: Number.isFinite(from) ? from : turns.from, to: Math.max(...all) }, deps);
}

type TextDeps = Pick<LedgerDeps, "redactor" | "hash">;

function textOf(said: string, turns: WholeWords["turns"], { redactor, hash }: TextDeps) {
  const text = redactor.redact(said);
  const sha256 = hash.sha256(text);
  const bytes = new TextEncoder().encode(text).length;
  return { whole: { turns, raw: { sha256, bytes, inline: false as const } }, blob: { sha256, text } };
}

/**
 * Those beside each other that are the smallest together become one, until they are few: so each byte is written again seldom, however
 * long the session. Where one is missing they stay as they are, and none is lost.
 */
async function joinWhole(
  whole: readonly WholeWords[],
  deps: Pick<LedgerDeps, "history"> & TextDeps,
): Promise<{ whole: WholeWords[]; blobs: NextLedger["blobs"] }> {
  const groups = whole.map(each => [each]);
  const bytes = (group: readonly WholeWords[] = []) => group.reduce((sum, { raw }) => sum + raw.bytes, 0);
  while (groups.length > MOST_WHOLE) {
    const sums = groups.slice(1).map((group, at) => bytes(groups[at]) + bytes(group));
    const at = sums.indexOf(Math.min(...sums));
    groups.splice(at, 2, [...(groups[at] ?? []), ...(groups[at + 1] ?? [])]);
  }
  const joined = await Promise.all(groups.map(group => joinGroup(group, deps)));
  return { whole: joined.flatMap(each => each.whole), blobs: joined.flatMap(({ blobs }) => blobs) };
}

async function joinGroup(
  group: readonly WholeWords[],
  deps: Pick<LedgerDeps, "history"> & TextDeps,
): Promise<{ whole: WholeWords[]; blobs: NextLedger["blobs"] }> {
  const [first, last] = [group[0], group.at(-1)];
  if (group.length < 2 || !first || !last) return { whole: [...group], blobs: [] };
  const blobs = await Promise.all(group.map(({ raw }) => deps.history.files.getBlob(raw.sha256)));
  if (blobs.some(blob => blob === undefined)) return { whole: [...group], blobs: [] };
  const text = blobs.map(blob => new TextDecoder().decode(blob)).join("\n");
  const joined = textOf(text, { from: first.turns.from, to: last.turns.to }, deps);
  return { whole: [joined.whole], blobs: [joined.blob] };
}
