/** The commands of package.json, without `strata.`. Here alone, so that registering them loads nothing. */
export const commandNames = [
  "newSession",
  "sessions",
  "openPanel",
  "askAboutSelection",
  "stop",
  "compact",
  "undoCompaction",
  "redoCompaction",
  "previewCompaction",
  "exportSession",
  "importSession",
  "removeSessions",
  "setMode",
  "chooseModel",
  "setApiKey",
  "clearApiKey",
  "checkModelConnection",
  "showLog",
] as const;
export type CommandName = (typeof commandNames)[number];
