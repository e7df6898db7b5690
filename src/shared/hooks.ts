/** Hooks as the log and people see them: when they run, and what became of a run (docs/hooks.md). */
import * as z from "zod";
import { hookEvents } from "./hookEvents";

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
  const said = text ? `: ${text.split("\n", 1)[0]}` : "";
  return `Hook ${event} ${hookOutcomes[outcome]}, \`${command}\` (${source})${said}`;
}

/** What it did, for people: "PreToolUse said no". */
export const hookOutcomes: Record<HookRun["outcome"], string> = {
  ok: "ran",
  denied: "said no",
  asked: "wants you asked",
  allowed: "said yes",
  changed: "changed the call",
  failed: "failed, and changed nothing",
  timeout: "took too long and was ended, and changed nothing",
  stopped: "was stopped",
};
