/** What a turn's last answer says and the log does not show, and why a turn went on by itself: in a `turnEnd`, and in words. */
import * as z from "zod";
import { t } from "./l10n";

export const turnClaimSchema = z.object({
  /** the newest run failed, ended before the last change, or there is none; no such file was written; a bound check did not run */
  kind: z.enum(["failed", "stale", "notRun", "noSuchFile", "check"]),
  /** of the answer; of a check its command */
  words: z.string(),
  /** the evidence: the newest run */
  callId: z.string().optional(),
  /** number of its result */
  seq: z.int().optional(),
  /** of a check: the person's sentence, and the file that it is in */
  sentence: z.string().optional(),
  file: z.string().optional(),
});
export type TurnClaim = z.infer<typeof turnClaimSchema>;

export const wentOnSchema = z.object({
  /** it had announced work, had said what the log does not show, or had left a bound check out */
  why: z.enum(["announced", "said", "check"]),
  words: z.string(),
});
export type WentOn = z.infer<typeof wentOnSchema>;

/** For people. */
export const claimWords = ({ kind, words, sentence = "", file = "" }: TurnClaim): string =>
  ({
    failed: t("“{0}”: its last run failed", words),
    stale: t("“{0}”: files changed after its last run", words),
    notRun: t("“{0}”: no run of it is in this session", words),
    noSuchFile: t("“{0}”: nothing wrote that file", words),
    check: t("Not run: {0} ({1}: “{2}”)", words, file, sentence),
  })[kind];

export const wentOnWords = ({ why, words }: WentOn): string =>
  ({
    announced: t("Went on by itself: it had announced “{0}”", words),
    said: t("Went on by itself: it had said “{0}”", words),
    check: t("Went on by itself: {0} had not run", words),
  })[why];
