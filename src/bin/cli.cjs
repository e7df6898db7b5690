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

// Compiled code is kept between starts; where that fails, Node compiles as always. V8 throws away what was compiled under other
// flags, so none is changed while the program runs.
const { enableCompileCache } = require("node:module");
const { homedir } = require("node:os");
const { join } = require("node:path");
const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), ".cache");
enableCompileCache(join(caches, "strata", "compiled"));
require("./cli/main.js");
