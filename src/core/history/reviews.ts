/** What `review` records do to the conversation: a person took changes of a file back, and the model does not know yet. */
import type { UntoldReview } from "../../shared/compaction";
import type { RecordOf } from "../../shared/records";
import { counted } from "../text/format";
import { asDeleted } from "../versions/stamps";
import type { Conversation } from "./conversation";

/** source of what is injected of them */
export const REVIEWS = "reviews";

const MAX_NAMED = 20;
/** Those before are forgotten: a file's changes may be undone one by one. */
const MAX_KEPT = 100;

/** Stamps stay as they are, the model has not seen the file as it is now; but that it is gone, it is told. */
export function applyReview(conversation: Conversation, record: RecordOf<"review">): void {
  const { uri, path, action, changes, text, seq, gone } = record;
  const stamp = conversation.stamps.get(uri);
  if (gone && stamp) conversation.stamps.set(uri, asDeleted(stamp));
  if (action === "keep" || text === undefined) return;
  recountChanged(conversation, record);
  const last = conversation.untoldReviews.findLastIndex(each => each.uri === uri);
  // Taken back and put back before anybody heard of it: nothing happened.
  if (action === "restore" && conversation.untoldReviews[last]?.action === "undo")
    conversation.untoldReviews = conversation.untoldReviews.toSpliced(last, 1);
  else
    conversation.untoldReviews = [...conversation.untoldReviews, { uri, path, action, changes, text, seq }].slice(
      -MAX_KEPT,
    );
}

/** The session's changes of the file, without those that were undone. */
function recountChanged({ changed, turn }: Conversation, record: RecordOf<"review">): void {
  const { uri, path, action, added, removed } = record;
  const file = changed.get(uri) ?? { uri, path, created: false, turn, added: 0, removed: 0 };
  const lines =
    action === "undo"
      ? { added: Math.max(0, file.added - removed), removed: Math.max(0, file.removed - added) }
      : { added: file.added + added, removed: file.removed + removed };
  if (lines.added + lines.removed === 0) changed.delete(uri);
  else changed.set(uri, { ...file, ...lines });
}

/** What the model has to hear before its next request; undefined: it knows all. For `Inject.injectSystemOnce`. */
export function reviewNews({
  untoldReviews,
}: Pick<Conversation, "untoldReviews">): { text: string; fingerprint: string; source: string } | undefined {
  const newest = untoldReviews.at(-1);
  if (!newest) return undefined;
  const undone = untoldReviews.some(({ action }) => action === "undo");
  const text = [
    ...untoldReviews.slice(-MAX_NAMED).map(describeReview),
    ...(untoldReviews.length > MAX_NAMED ? ["Before that, they undid more of your changes."] : []),
    ...(undone ? ["Do not make again what was undone unless the user asks for it."] : []),
  ].join("\n");
  return { text, fingerprint: `${REVIEWS}:${newest.seq}`, source: REVIEWS };
}

function describeReview({ path, action, changes, text }: UntoldReview): string {
  const what = changes === 1 ? "a change" : counted(changes, "change");
  if (action === "restore") return `The user put back ${what} of yours in ${path} that had been undone.`;
  return `In a review, the user undid ${what} of yours in ${path}${text === "" ? "" : ` (as you left it: ${text})`}.`;
}

/** What it was told is known from here on. */
export function markReviewsTold(conversation: Conversation, { source, fingerprint }: RecordOf<"inject">): void {
  if (source !== REVIEWS) return;
  const upTo = Number(fingerprint.slice(REVIEWS.length + 1));
  conversation.untoldReviews = conversation.untoldReviews.filter(({ seq }) => seq > upTo);
}
