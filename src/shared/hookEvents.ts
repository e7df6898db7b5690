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
/** Code of the note that a workspace's hooks wait for the person. */
export const HOOKS_WAIT = "hooks-wait";
export type HookEvent = (typeof hookEvents)[number];
