#!/usr/bin/env node
// dist/cli.js, as it stands here. Any Node, however old, must be able to read this file: it says so when it is too old.
"use strict";

const needed = 22;
const version = process.versions.node;
if (Number(version.split(".")[0]) < needed) {
  console.error(
    `strata needs Node ${needed} or later and this is Node ${version}: install a newer one, then run it again.`,
  );
  process.exit(2);
}

// Compiled code is kept between starts (some 40 ms less each time); where that fails, Node compiles as always.
const { enableCompileCache } = require("node:module");
const { homedir } = require("node:os");
const { join } = require("node:path");
const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), ".cache");
enableCompileCache(join(caches, "strata", "compiled"));
import("./cli/main.mjs");

// A run mostly waits for the model, so memory is worth more than the collector's time: some 25 MB less, and no slower once
// it has started. V8 complains aloud about a flag that it does not know: only versions that were tried get theirs.
const flags = { 22: ["--semi-space-growth-factor=1"], 24: ["--semi-space-growth-factor=1", "--memory-saver-mode"] };
const { setFlagsFromString } = require("node:v8");
const saveMemory = () => {
  for (const flag of flags[version.split(".")[0]] || []) setFlagsFromString(flag);
};
// V8 promises nothing for flags that change while it runs, and what says whether something is allowed takes no memory.
if (process.argv[2] === "run") setTimeout(saveMemory, 300).unref();
