/**
 * What the core needs from the world, each port as narrow as its callers. Adapters: node/ and vscode/; fakes: test/fakes.
 * Paths: `path` is for people and models ('/' separators, relative to its root where inside the workspace); `uri` is the
 * identity of a file (`file:///…`), the key of stamps and records.
 */
export * from "./attachments";
export * from "./basics";
export * from "./diagnostics";
export * from "./errors";
export * from "./files";
export * from "./mentionSearch";
export * from "./model";
export * from "./patterns";
export * from "./secrets";
export * from "./sessionNames";
export * from "./shell";
export * from "./storage";
export * from "./surroundings";
export * from "./unsaved";
