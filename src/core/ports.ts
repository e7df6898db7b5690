/**
 * What the core needs from the world, each port as narrow as its callers. Adapters: node/ and vscode/; fakes: test/fakes.
 * Paths: `path` is for people and models ('/' separators, relative to its root where inside the workspace); `uri` is the
 * identity of a file (`file:///…`), the key of stamps and records.
 */
export * from "./ports/attachments";
export * from "./ports/basics";
export * from "./ports/diagnostics";
export * from "./ports/files";
export * from "./ports/mentionSearch";
export * from "./ports/model";
export * from "./ports/patterns";
export * from "./ports/secrets";
export * from "./ports/sessionNames";
export * from "./ports/shell";
export * from "./ports/storage";
export * from "./ports/surroundings";
export * from "./ports/unsaved";
