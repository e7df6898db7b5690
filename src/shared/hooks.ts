/** Hooks as the log and people see them: when they run, and what became of a run (docs/hooks.md). */
import * as z from "zod";
import { t } from "./l10n";

export const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "PostCompact",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "Notification",
  "SessionEnd",
] as const;
/** Code of the note that a workspace's hooks wait for the person. */
export const HOOKS_WAIT = "hooks-wait";
export type HookEvent = (typeof hookEvents)[number];

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
  const line = t("Hook {0} {1}, `{2}` ({3})", event, hookOutcome(outcome), command, source);
  return text ? `${line}: ${text.split("\n", 1)[0]}` : line;
}

/** What it did, for people: "PreToolUse denied". */
export function hookOutcome(outcome: HookRun["outcome"]): string {
  const words: Record<HookRun["outcome"], string> = {
    ok: t("ran"),
    denied: t("denied"),
    asked: t("asks for approval"),
    allowed: t("allowed"),
    changed: t("changed the call"),
    failed: t("failed, changed nothing"),
    timeout: t("timed out, changed nothing"),
    stopped: t("was stopped"),
  };
  return words[outcome];
}
