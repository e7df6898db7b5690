/**
 * What the core needs from the world, each port as narrow as its callers. Adapters: node/ and vscode/; fakes: test/fakes.
 * Paths: `path` is for people and models ('/' separators, relative to its root where inside the workspace); `uri` is the
 * identity of a file (`file:///…`), the key of stamps and records.
 */

export type * from "./basics";
export type * from "./editor";
export * from "./errors";
export type * from "./files";
export type * from "./hooks";
export type * from "./mcp";
export type * from "./model";
export type * from "./shell";
export type * from "./storage";
