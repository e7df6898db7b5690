/** Hooks as the log and people see them: when they run, and what became of a run (docs/hooks.md). */

import * as z from "zod";
import { hookEvents } from "./hookEvents";
import { t } from "./l10n";

/** One run of a hook. */
export const hookRunSchema = z.object({
  event: z.enum(hookEvents),
  /** its beginning */
  command: z.string(),
  /** the file that it stands in: `.claude/settings.json` */
  source: z.string(),
  durationMs: z.number(),
  /** "failed": it could not run, ended with another code than 0 and 2, or printed what cannot be read: it changed nothing */
  outcome: z.enum(["ok", "denied", "asked", "allowed", "changed", "failed", "timeout", "stopped"]),
  /** what it said, its beginning */
  text: z.string().optional(),
});
export type HookRun = z.infer<typeof hookRunSchema>;

/** "denied by `guard.sh` (.claude/settings.json)": a line for people. */
export function hookLine({ event, command, source, outcome, text }: HookRun): string {
  const line = t("Hook {0} {1}, `{2}` ({3})", event, hookOutcomes[outcome], command, source);
  return text ? `${line}: ${text.split("\n", 1)[0]}` : line;
}

/** What it did, for people: "PreToolUse said no". */
export const hookOutcomes: Readonly<Record<HookRun["outcome"], string>> = {
  get ok() {
    return t("ran");
  },
  get denied() {
    return t("denied");
  },
  get asked() {
    return t("asks for approval");
  },
  get allowed() {
    return t("allowed");
  },
  get changed() {
    return t("changed the call");
  },
  get failed() {
    return t("failed, changed nothing");
  },
  get timeout() {
    return t("timed out, changed nothing");
  },
  get stopped() {
    return t("was stopped");
  },
};
