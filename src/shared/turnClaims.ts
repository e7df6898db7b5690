/** What a turn's last answer says and the log does not show, and why a turn went on by itself: in its end, and in words. */
import * as z from "zod";
import { t } from "./l10n";
import { visibleLine } from "./shown";

export const turnClaimSchema = z.object({
  /** the newest run failed, ended before the last change, or is missing; no such file was written; a bound check did not run */
  kind: z.enum(["failed", "stale", "notRun", "noSuchFile", "check"]),
  /** of the answer: what it says, or the path; of a check the command */
  words: z.string(),
  /** the newest run, and the number of its result */
  callId: z.string().optional(),
  seq: z.int().optional(),
  /** of a check: the person's sentence, and the file that it is in */
  sentence: z.string().optional(),
  file: z.string().optional(),
});
export type TurnClaim = z.infer<typeof turnClaimSchema>;

/** It had announced work, had said what the log does not show, or had left a bound check out. */
export const wentOnSchema = z.object({ why: z.enum(["announced", "said", "check"]), words: z.string() });
export type WentOn = z.infer<typeof wentOnSchema>;

/** For people. */
export function claimWords({ kind, words, sentence = "", file = "" }: TurnClaim): string {
  const said = visibleLine(words);
  if (kind === "failed") return t("“{0}”: the last run failed", said);
  if (kind === "stale") return t("“{0}”: files changed after the last run", said);
  if (kind === "notRun") return t("“{0}”: this session has no such run", said);
  if (kind === "noSuchFile") return t("{0}: nothing in this session wrote it", said);
  return t("Not run: {0} ({1}: “{2}”)", said, visibleLine(file), visibleLine(sentence));
}

export function wentOnWords({ why, words }: WentOn): string {
  const said = visibleLine(words);
  if (why === "check") return t("Went on by itself: {0} had not run", said);
  return why === "said"
    ? t("Went on by itself: it had said “{0}”", said)
    : t("Went on by itself: it had announced “{0}”", said);
}

/** A sentence each. */
export const endRemarks = ({
  claims = [],
  wentOn,
}: {
  claims?: TurnClaim[] | undefined;
  wentOn?: WentOn | undefined;
}) => [...(wentOn ? [wentOnWords(wentOn)] : []), ...claims.map(claimWords)];
