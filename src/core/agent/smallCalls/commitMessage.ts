/** A commit message from what is staged, in the style of the newest ones; without protected files and secrets. */
import commitPrompt from "../../../../prompts/commitMessage.md";
import { t } from "../../../shared/l10n";
import { type NothingToAttach, type RepositoryChanges, SessionError } from "../../ground/ports";
import { oneLine, renderTemplate, sanitizeText } from "../../ground/text/format";
import { boundText } from "../../mentions/attachments/attachmentTexts";
import { changesGuard, changesText, type GuardPorts } from "../../mentions/attachments/gitChanges";
import { type AskSmallDeps, askSmall } from "./askSmall";

export type CommitMessageDeps = Omit<AskSmallDeps, "account" | "redactor"> & GuardPorts;

/** A message is about the whole; a diff that is larger is cut. */
const BOUND = { tokens: 12_000, head: 0.9 };
const SUBJECT = 72;
const MAX_SUBJECTS = 20;
const MAX_CHARACTERS = 5_000;
const PATIENCE_MS = 60_000;
/** Something of the changes is in the text, not only which were left out. */
const SHOWN = /^(?:diff |Not tracked: )/m;

/**
 * @param subjects of the newest commits, newest first
 * @returns `ofAll`: nothing was staged, so it is about all changes
 * Rejects with an ErrorForPeople (nothing to commit, no model, no answer), and with the signal's reason.
 */
export async function writeCommitMessage(
  changes: RepositoryChanges,
  subjects: readonly string[],
  deps: CommitMessageDeps,
  signal: AbortSignal,
) {
  const { redactor } = deps;
  const ofAll = changes.staged.trim() === "";
  const meant = ofAll ? changes : { ...changes, unstaged: "", untracked: [] };
  await redactor.refresh("workspace");
  const found = await changesText([meant], changesGuard(deps));
  if ("nothing" in found) throw nothing(found);
  if (!SHOWN.test(found.text)) throw nothing({ nothing: t("Only protected files changed, and those are not sent.") });
  const whole = redactor.redact(sanitizeText(found.text));
  const style = subjects
    .slice(0, MAX_SUBJECTS)
    .map(subject => `- ${oneLine(redactor.redact(sanitizeText(subject)), 2 * SUBJECT)}`);
  const question = {
    purpose: "commit-message" as const,
    patience: PATIENCE_MS,
    instruction: renderTemplate(commitPrompt, { subject: String(SUBJECT) }),
    text: [
      ...(style.length > 0 ? ["Subjects of the newest commits:", ...style, ""] : []),
      "The changes:",
      boundText(whole, BOUND, "") ?? whole,
    ].join("\n"),
  };
  const { text } = await askSmall(question, deps, signal);
  const message = readMessage(text);
  if (message === "") throw new SessionError(t("The model wrote no message. Try again, or choose another model."));
  return { text: message, ofAll };
}

const nothing = ({ nothing: why }: NothingToAttach) =>
  new SessionError(t("{0} So there is nothing to write a message about.", why));

/** Without what models put around it: a code fence, quotes. */
function readMessage(answer: string): string {
  const text = sanitizeText(answer).trim();
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;
  const [, quoted = fenced] = /^(["`])([^\n]*)\1$/.exec(fenced)?.slice(1) ?? [];
  return quoted.slice(0, MAX_CHARACTERS).trimEnd();
}
