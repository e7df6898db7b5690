/** Links in a real folder: what is reached through them was not asked about. */

import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTools } from "../../../src/core/agent/tools";
import { MOVED } from "../../../src/core/tool/tool";
import { NodeFiles } from "../../../src/node/files";
import { packagedRipgrep, RipgrepSearch } from "../../../src/node/ripgrep";
import type { Json } from "../../../src/shared/messages";
import { noSession, parseInput, quietPorts } from "../../fakes/call";
import { temporaryFolder } from "../../fakes/temporary";

describe("links in a folder", () => {
  let folder = "";
  before(async () => {
    folder = temporaryFolder("links");
    await mkdir(join(folder, "app/src"), { recursive: true });
    await mkdir(join(folder, "outside"));
    await writeFile(join(folder, "app/src/a.ts"), "mine\n");
    await writeFile(join(folder, "outside/private.txt"), "mine\n");
    await symlink(join(folder, "outside"), join(folder, "app/out"));
    await symlink("..", join(folder, "app/src/up"));
  });

  async function call(name: string, input: Json): Promise<string> {
    const files = new NodeFiles([join(folder, "app")]);
    const search = new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots });
    const cwd = { get: () => folder, set: () => assert.fail("no command runs") };
    const tools = createTools({ ...quietPorts(), files, search, cwd });
    const tool = tools.find(candidate => candidate.name === name);
    assert.ok(tool);
    const context = noSession();
    const prepared = await tool.prepare(parseInput(tool, input), context);
    const performed = await prepared.perform(context);
    assert.ok(performed !== MOVED);
    return performed.result.text;
  }

  it("LS shows them and goes through none", async () => {
    const lines = [
      "./",
      `  out/  (link to ${folder}/outside)`,
      "  src/",
      "    up/  (link to .)",
      "    a.ts  5 B",
      "(3 folders, 1 file)",
    ];
    assert.equal(await call("LS", { depth: 5 }), lines.join("\n"));
  });

  it("Grep and Glob go through none", async () => {
    assert.equal(await call("Grep", { pattern: "mine" }), "src/a.ts\n1:mine\n(1 hit in 1 file)");
    assert.equal(await call("Glob", { pattern: "**" }), "src/a.ts");
  });
});
