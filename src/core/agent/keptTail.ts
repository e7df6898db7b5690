/**
 * The tail where a model's reasoning is bound to all that stood before it (docs/context.md): text that stands in one request and
 * not in the next would take the reasoning between them away, so it is said once, and stays where it was said.
 */
import { isPlanning, KEPT_TAIL, reminder } from "../context/layers";
import type { History } from "../history/history";
import type { Hash, Ids } from "../ports";
import { MAX_INJECTIONS, standingText } from "./injections";

const NOTHING =
  "What was said before of plan mode, of the todo list, of running commands and of the editor holds no more.";
/** What was said of plan mode stays where it was said. */
const PLANNED = "Plan mode is over.";
/** Others may add texts to the turn as well: these are left to them. */
const SPARE = 20;

/**
 * Puts what is to be said now into the conversation, where it does not stand there yet. Rejects with StorageError.
 * @param tail undefined: there is nothing to say
 * @returns whether it stands there; else it has to travel as a tail does
 */
export async function keepTail(
  tail: { text: string; trust?: "tool" } | undefined,
  { history, ids, hash }: { history: History; ids: Ids; hash: Hash },
): Promise<boolean> {
  const { conversation } = history;
  const text = tail?.text;
  const standing = standingText(conversation, KEPT_TAIL);
  if (text === undefined && standing === undefined) return true;
  const after = text === undefined ? undefined : reminder(`${PLANNED}\n\n${text}`);
  const said = reminder(text ?? NOTHING);
  if (standing === said || (standing !== undefined && standing === after)) return true;
  const wanted = (isPlanning(standing) && !isPlanning(text) && after) || said;
  if (conversation.injections >= MAX_INJECTIONS - SPARE) return false;
  await history.append({
    kind: "inject",
    messageId: ids.next("msg"),
    turn: conversation.turn,
    runId: conversation.runId,
    place: "end",
    source: KEPT_TAIL,
    fingerprint: `${KEPT_TAIL} ${hash.sha256(wanted)}`,
    text: wanted,
    ...(tail?.trust && { trust: tail.trust }),
  });
  return true;
}
