/** The moments at which hooks run, by the names that their files have for them. */
export const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "PostCompact",
  "Stop",
  "Notification",
  "SessionEnd",
] as const;
export type HookEvent = (typeof hookEvents)[number];
