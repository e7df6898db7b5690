/** What a person changed of a proposal before they accepted it: for the log, and for the model. Pure. */
import type { EditedProposal } from "../../../shared/approval";
import type { Redact } from "../../../shared/redacted";
import { fileChange, type ToldLines, toldLines } from "../../ground/text/diff";
import { withLf } from "../../ground/text/lines";
import type { Proposal } from "../../tool/tool";

/** Line ends are the file's own: they make no other text. */
export const isSameText = (one: string, other: string): boolean => withLf(one) === withLf(other);

/**
 * From what the model proposed to `accepted`, without secrets; undefined: it is the same. Secrets go before lines are
 * compared, since some have several lines.
 */
export function editedProposal(
  { ref, after, proposed = after }: Proposal,
  accepted: string,
  redact: Redact,
): EditedProposal | undefined {
  if (isSameText(proposed, accepted)) return undefined;
  const { added, removed, diff } = fileChange(ref, redact(proposed), redact(accepted));
  return { added, removed, diff };
}

interface Revision {
  ref: { path: string };
  /** the model's text; undefined: unchanged */
  proposed?: string | undefined;
  /** as the user accepted it */
  accepted: string;
}

const WRITTEN = "The user changed your proposal before accepting it. Their version was written: keep it.";
const LOST = "The user had changed your proposal before accepting it: propose theirs then.";

/** What the model is told of an edit where the user had changed its proposal. Empty: they had not. @param isMade it was written */
export function revisionNote({ ref, proposed, accepted }: Revision, redact: Redact, isMade = true): ToldLines {
  if (proposed === undefined || isSameText(proposed, accepted)) return { text: "", isWhole: true };
  const advice = `: Read ${ref.path} before you go on from it`;
  const { text, isWhole } = toldLines(redact(proposed), redact(accepted), redact, advice);
  return { text: `${isMade ? WRITTEN : LOST} From your proposal (-) to theirs (+):\n${text}`, isWhole };
}
