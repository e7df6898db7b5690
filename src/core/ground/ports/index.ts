/**
 * What the core needs from the world, each port as narrow as its callers. Adapters: node/ and vscode/; fakes: test/fakes.
 * Paths: `path` is for people and models ('/' separators, relative to its root where inside the workspace); `uri` is the
 * identity of a file (`file:///…`), the key of stamps and records.
 */
export * from "./baselines";
export * from "./basics";
export * from "./basics";
export * from "./code";
export * from "./editor";
export * from "./editor";
export * from "./files";
export * from "./hooks";
export * from "./mcp";
export * from "./model";
export * from "./model";
export * from "./sandbox";
export * from "./shell";
export * from "./skills";
export * from "./storage";
export * from "./storage";
