/**
 * What a new message names and only the archive has (docs/context.md): its lines join the tail of the turn, before anybody asks for
 * them. No model is asked.
 */
import type { StrataMessage } from "../../shared/messages";
import { type Clock, StorageError } from "../ground/ports";
import { estimateTokens } from "../ground/text/estimate";
import { sanitizeText } from "../ground/text/format";
import { namesIn } from "../ground/text/names";
import type { Conversation } from "../log/conversation";
import type { History } from "../log/history";
import { ledgerTexts } from "../log/ledger/text";
import { hitLine, searchLog } from "../log/searchLog";

const MAX_NAMES = 5;
const LINES_EACH = 2;
/** What is shorter stands in any line. */
const LEAST_CHARACTERS = 3;
const MAX_TOKENS = 300;
/** A turn waits no longer for it: in a very long session the newest archives are looked through. */
const MAX_MS = 400;

const HEAD =
  "The user's message names what is no longer in view. Earlier in this session (Recall gives more, by words or by handle):";

/** undefined: all that it names is in view, or stands nowhere. Rejects with nothing: what cannot be read is not said. */
export async function earlierLines(history: History, clock: Clock): Promise<string | undefined> {
  const { conversation } = history;
  if (conversation.summaries.length === 0) return undefined;
  const names = missingNames(conversation);
  if (names.length === 0) return undefined;
  const late = new AbortController();
  const callOff = clock.after(MAX_MS, () => late.abort(new DOMException("It takes too long.", "AbortError")));
  const log = { records: [], archived: history.archived, files: history.files, hash: history.hash };
  const lines = new Set<string>();
  try {
    for (const name of names) {
      // What a server, a page or another workspace said is not brought up again unasked.
      const { hits } = await searchLog(log, name, LINES_EACH * 2, late.signal);
      const ours = hits.filter(({ trust }) => trust === undefined).slice(0, LINES_EACH);
      for (const hit of ours) lines.add(sanitizeText(`- ${hitLine(hit)}`));
    }
  } catch (error) {
    if (!late.signal.aborted && !(error instanceof StorageError)) throw error;
  } finally {
    callOff();
  }
  const fitting = withinTokens([...lines]);
  return fitting.length === 0 ? undefined : [HEAD, ...fitting].join("\n");
}

/** Of the newest message of the person's. */
function missingNames(conversation: Conversation): string[] {
  const { messages, summaries } = conversation;
  const at = messages.findLastIndex(({ role, metadata }) => role === "user" && metadata?.kind === "normal");
  const asked = messages[at];
  const names = [...new Set(asked ? namesIn(typedText(asked)) : [])].filter(name => name.length >= LEAST_CHARACTERS);
  if (names.length === 0) return [];
  const texts = [...ledgerTexts(conversation.ledger ?? []), ...summaries].map(({ text }) => text);
  const inView = `${texts.join("\n")}\n${messages.map((message, place) => (place === at ? "" : JSON.stringify(message.parts))).join("\n")}`;
  const lower = inView.toLowerCase();
  return names.filter(name => !lower.includes(JSON.stringify(name.toLowerCase()).slice(1, -1))).slice(0, MAX_NAMES);
}

const typedText = ({ parts }: StrataMessage): string =>
  parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n");

function withinTokens(lines: readonly string[]): string[] {
  let left = MAX_TOKENS - estimateTokens(HEAD);
  return lines.filter(line => {
    const tokens = estimateTokens(line) + 1;
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
