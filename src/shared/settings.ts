/**
 * Every setting, once: name, default, meaning. The manifest's `contributes.configuration` is generated from this schema
 * (scripts/manifest.mjs), the terminal parses files, environment and flags with it (docs/settings.md).
 * The name is the path: `model.baseUrl` is the setting `strata.model.baseUrl` and the variable `STRATA_MODEL_BASE_URL`.
 */
import * as z from "zod";

export const permissionModeSchema = z.enum(["plan", "ask", "edits", "auto"]);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/** What each mode lets the agent do without asking, in the words that people read. */
export const modeDescriptions: Record<PermissionMode, string> = {
  plan: "Plan: read and search only. Nothing is changed and no command runs.",
  ask: "Ask: reading runs, every edit and every command asks first.",
  edits: "Edits: edits inside the workspace run, every command asks first.",
  auto: "Auto: edits and commands run. Commands are not checked yet; only protected files still ask.",
};

/** Where a proposed edit is reviewed, in the words that people read. */
export const reviewDescriptions = {
  editor: "The diff editor opens by itself: change the proposal there, then accept it.",
  panel: "The panel shows the change; the diff editor opens when you ask for it.",
};

const dirtyFilesSchema = z.enum(["ask", "save", "leave"]);
export type DirtyFiles = z.infer<typeof dirtyFilesSchema>;

/** What each value of `bash.dirtyFiles` does, in the words that people read. */
export const dirtyFilesDescriptions: Record<DirtyFiles, string> = {
  ask: "Ask before the command runs, with the files' names.",
  save: "Save them before the command runs, as you would: formatters on save run too.",
  leave: "Leave them unsaved: the command sees what is on disk.",
};

export const settingsSchema = z.object({
  "model.baseUrl": z
    .string()
    .default("https://api.openai.com/v1")
    .describe(
      "Address of an OpenAI-compatible server, up to and including the version: `https://api.openai.com/v1`, `http://localhost:11434/v1`.",
    ),
  "model.name": z
    .string()
    .default("")
    .describe("Name of the model, as the server knows it. Empty: no model is set up yet."),
  "model.api": z
    .enum(["auto", "responses", "chat"])
    .default("auto")
    .describe(
      "Which of OpenAI's two interfaces the server speaks. `auto`: Responses at api.openai.com, Chat Completions elsewhere.",
    ),
  "model.contextWindow": z.int().min(4000).default(200_000).describe("Size of the model's context window, in tokens."),
  "model.maxOutputTokens": z
    .int()
    .min(0)
    .default(0)
    .describe("Most tokens the model may write in one step. 0 leaves it to the server."),
  "model.reasoning": z
    .enum(["default", "none", "minimal", "low", "medium", "high"])
    .default("default")
    .describe(
      "How much the model thinks before it answers, where it can. `default` sends nothing and leaves it to the server.",
    ),
  "model.timeoutSeconds": z
    .int()
    .min(5)
    .default(120)
    .describe(
      "Seconds without a byte from the model after which a request counts as failed. A local model that loads slowly may need more.",
    ),
  "model.maxAnswerMegabytes": z
    .int()
    .min(1)
    .max(1_000)
    .default(10)
    .describe(
      "Megabytes of text and calls in one answer after which it is cut off: a server that never ends would fill the memory. Over the wire, decompressed, it may take ten times as much.",
    ),
  "agent.maxSteps": z
    .int()
    .min(1)
    .default(200)
    .describe("Model calls in one turn after which the agent stops and asks whether to go on."),
  "context.foldAt": z
    .int()
    .min(0)
    .default(36_000)
    .describe(
      "Tokens of tool output in the conversation from which the oldest are folded to one line each (never more than a quarter of the context window). The whole stays in the session's files. 0: never.",
    ),
  "history.keepRounds": z
    .int()
    .min(1)
    .default(10)
    .describe("Newest rounds (your message to the final answer) that a compaction leaves as they are, where they fit."),
  "summary.model": z
    .string()
    .default("")
    .describe("Model that writes the summary of a compaction, by its name on the same server. Empty: the one in use."),
  "storage.maxBytes": z
    .int()
    .min(0)
    .default(2_000_000_000)
    .describe(
      "Size of all sessions on disk, in bytes, from which Strata offers to remove the oldest. Nothing is removed without a yes. 0: no limit.",
    ),
  "permissions.mode": permissionModeSchema.default("ask").describe("What new conversations may do without asking."),
  "edits.save": z
    .boolean()
    .default(true)
    .describe("Save a file after the agent edited it. Off: the edit stays in the editor, unsaved."),
  "edits.review": z
    .enum(["editor", "panel"])
    .default("editor")
    .describe("Where you look at an edit that waits for your answer."),
  "diagnostics.waitMs": z
    .int()
    .min(0)
    .max(60_000)
    .default(2_000)
    .describe(
      "Milliseconds that an edit waits at most for the language's checker, so that the agent is told which problems are new. 0: no wait, and edits say nothing of problems.",
    ),
  "bash.timeoutSeconds": z
    .int()
    .min(1)
    .max(600)
    .default(120)
    .describe("Seconds after which a command is stopped when the agent names no other limit (at most 600)."),
  "bash.dirtyFiles": dirtyFilesSchema
    .default("ask")
    .describe(
      "What to do when files of the workspace have unsaved changes and a command is about to run, which sees only what is on disk. The model is told.",
    ),
  "mentions.inComments": z
    .boolean()
    .default(true)
    .describe(
      "Mentions of files (`@src/a.ts`) in comments of code: completion, links, hover, marks under names of nothing, updating when a file moves, and *Ask About This Comment* in the context menu. Off: in Markdown, plain text, commit messages and prompts only.",
    ),
  "log.messages": z
    .boolean()
    .default(true)
    .describe("Write a digest of every model request (sizes, times, tokens, no content) to the daily log."),
  "log.payload": z
    .boolean()
    .default(false)
    .describe("Write the whole content of model requests to the daily log. For finding faults only."),
});
export type Settings = z.infer<typeof settingsSchema>;
export type SettingName = keyof Settings;

/**
 * What a workspace may set for itself, and nothing else: a repository must not say where the key is sent, what runs without
 * asking or what is logged. The manifest's scopes are made from it, the terminal reads a workspace's file with it.
 */
export const workspaceSettings: readonly SettingName[] = [
  "model.name",
  "model.api",
  "model.contextWindow",
  "model.maxOutputTokens",
  "model.reasoning",
  "model.timeoutSeconds",
  "model.maxAnswerMegabytes",
  "agent.maxSteps",
  "context.foldAt",
  "history.keepRounds",
  "summary.model",
  "edits.save",
  "edits.review",
  "diagnostics.waitMs",
  "bash.timeoutSeconds",
  "bash.dirtyFiles",
  "mentions.inComments",
];
