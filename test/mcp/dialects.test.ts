/** An entry in the words of each client that people come from: what starts, what is switched off, and what is named. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfigs } from "../../src/mcp/config/readConfigs";
import { entryRows, fileRows } from "./dialectTable";

describe("entries of MCP servers in the words of other clients", () => {
  const folder = mkdtempSync(join(tmpdir(), "strata-mcp-dialects-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, ".vscode"));
  const read = async (text: string) => {
    writeFileSync(join(folder, ".vscode/mcp.json"), text);
    return readConfigs({ userFiles: [], folders: [folder] });
  };

  for (const { name, entry, launch, notes = [], problem } of entryRows)
    it(name, async () => {
      // One that is broken never loses the others.
      const { servers, problems } = await read(
        JSON.stringify({ servers: { a: { command: "a" }, it: entry, z: { url: "http://z" } } }),
      );
      const [found] = servers.filter(server => server.name === "it");
      assert.deepEqual(found?.launch, launch);
      assert.equal(servers.filter(server => server.name !== "it").length, 2);
      assert.equal(found?.notes?.length ?? 0, notes.length, found?.notes?.join("\n"));
      for (const [at, note] of notes.entries()) assert.match(found?.notes?.[at] ?? "", note);
      assert.equal(problems.length, problem ? 1 : 0, JSON.stringify(problems));
      if (problem) assert.match(problems[0]?.why ?? "", problem);
    });

  for (const { name, text, servers: expected, problem } of fileRows)
    it(name, async () => {
      const { servers, problems } = await read(typeof text === "string" ? text : JSON.stringify(text));
      assert.deepEqual(
        servers.map(server => server.name),
        expected,
      );
      assert.equal(problems.length, problem ? 1 : 0, JSON.stringify(problems));
      if (problem) assert.match(problems[0]?.why ?? "", problem);
    });
});
