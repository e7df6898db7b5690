/** An entry in the words of each client that people come from: what starts, what is switched off, and what is named. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfigs } from "../../src/mcp/config/readConfigs";
import { mcp } from "../../src/terminal/mcp";
import { mcpWorld, never, oddServer } from "../fakes/mcp";
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

describe("servers by such entries", () => {
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.end());
  const toolsOf = async (more: object) => {
    world = mcpWorld({ servers: { odd: { ...oddServer("calm"), ...more } } });
    const { servers } = world;
    await servers.refresh();
    await servers.server("odd").look(never());
    return servers.list(new Set()).map(({ name }) => name);
  };

  for (const [more, offered, hidden] of [
    [{ tools: ["*"] }, ["odd:echo", "odd:die"], []],
    [{ tools: ["echo"] }, ["odd:echo"], ["odd:die"]],
    [{ excludeTools: ["die"] }, ["odd:echo"], ["odd:die"]],
    [{ tools: [] }, [], ["odd:echo", "odd:die"]],
  ] as const)
    it(`${JSON.stringify(more)} says which tools there are`, async () => {
      const names = await toolsOf(more);
      for (const name of offered) assert.ok(names.includes(name), names.join());
      for (const name of hidden) assert.ok(!names.includes(name), names.join());
      const [view] = await world.servers.views();
      for (const name of hidden) assert.ok(!view?.tools?.some(tool => tool.name === name));
    });

  it("what does nothing is named in the list, and goes with the field, while the server stays the same", async () => {
    const named = { ...oddServer("calm"), trust: true, arg: ["x"] };
    world = mcpWorld({ servers: { odd: named } });
    const { servers } = world;
    await servers.refresh();
    const list = async () => {
      const printed: string[] = [];
      const streams = { out: (text: string) => void printed.push(text), err: () => undefined };
      const command = { action: "list", place: "", trust: true, json: false } as const;
      const code = await mcp(command as never, servers, { streams } as never);
      return { text: printed.join(""), code };
    };
    const { text, code } = await list();
    assert.match(text, /^odd .*\n {2}! `trust` allows nothing here.*\n {2}! `arg` is not known.*is `args` meant\?$/m);
    assert.equal(code, 0, "nothing is broken");
    const before = servers.server("odd");
    world.configure({ odd: oddServer("calm") });
    await servers.refresh();
    assert.doesNotMatch((await list()).text, /!/);
    assert.equal(servers.server("odd"), before);
  });
});
