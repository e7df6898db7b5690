/** The end of a turn as its record and people have it: why it failed, what its last answer says and the log does not show. */
import * as z from "zod";
import { t } from "./l10n";
import { visibleLine } from "./shown";

/** Each is a button in the panel; `set-…` of a number or a way opens its setting. */
const turnActionSchema = z.enum([
  ...["retry", "continue", "send-alone", "bring-back", "set-key", "choose-model", "check-connection", "show-log"],
  ...["set-window", "set-time", "set-longest", "set-largest", "set-protocol"],
] as const);
export type TurnAction = z.infer<typeof turnActionSchema>;

export const turnErrorSchema = z.object({
  /** closed list in models/failure: auth, unknown-model, rate-limit, …; or agent: disk, approval, … */
  code: z.string(),
  /** one sentence for a person */
  message: z.string(),
  /** the server's own words, and what no action does */
  details: z.string().optional(),
  /** what a person can do about it, the likeliest first */
  actions: z.array(turnActionSchema),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

/** What its last answer says and the log does not show. */
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
