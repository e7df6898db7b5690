/** The Grep tool on its real adapters, as a session builds it; bundled by bench/grep.mjs. */

import { grepTool } from "../../src/core/looking/grep";
import { MOVED } from "../../src/core/tool/tool";
import { NodeFiles } from "../../src/node/files";
import { RipgrepSearch } from "../../src/node/ripgrep";
import { noSession, parseInput } from "../../test/fakes/call";

/** @param ripgrep its path. Gives a function that runs one search in the folder and tells the result's digest. */
export function grepIn(folder: string, ripgrep: string): (input: Record<string, unknown>) => Promise<string> {
  const files = new NodeFiles([folder]);
  const search = new RipgrepSearch({ ripgrepPath: async () => ripgrep, roots: () => files.roots });
  const blob = {
    write: async () => undefined,
    discard: async () => undefined,
    finish: async () => ({ sha256: "0".repeat(64), bytes: 0 }),
  };
  const tool = grepTool({ files, search, blobs: () => blob });
  return async input => {
    const call = noSession();
    const prepared = await tool.prepare(parseInput(tool, input), call);
    const performed = await prepared.perform(call);
    return performed === MOVED ? "moved" : performed.result.digest;
  };
}
