/** Entries as VS Code and Claude write them: what starts, what is switched off, and what is named. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfigs } from "../../src/mcp/config/readConfigs";
import { mcp } from "../../src/terminal/mcp";
import { mcpWorld, never, oddServer } from "../fakes/mcp";
import { pluck } from "../fakes/pluck";
import { temporaryFolder } from "../fakes/temporary";

interface EntryRow {
  name: string;
  entry: unknown;
  launch?: object;
  notes?: readonly RegExp[];
  problem?: RegExp;
}

const npx = { type: "stdio", command: "npx", args: ["-y", "x"], env: {} };
const plain = { command: "npx", args: ["-y", "x"] };
const web = { type: "http", url: "https://x/mcp", headers: {} };
const address = { url: "https://x/mcp" };

const entryRows: readonly EntryRow[] = [
  { name: "type stdio, tools: *", entry: { type: "stdio", ...plain, tools: ["*"] }, launch: npx },
  {
    name: "type: null and args: null (VS Code)",
    entry: { type: null, command: "npx", args: null },
    launch: { ...npx, args: [] },
  },
  {
    name: "env with a number, a boolean and null",
    entry: { ...plain, env: { PORT: 1, NO: null, ON: true } },
    launch: { ...npx, env: { PORT: "1", ON: "true" } },
  },
  {
    name: "paths from the home folder",
    entry: { command: "~/bin/x", args: ["~/y"], cwd: "~/srv", envFile: "~/.env" },
    launch: {
      ...{ ...npx, command: `$\{userHome}/bin/x`, args: ["~/y"] },
      ...{ cwd: `$\{userHome}/srv`, envFile: `$\{userHome}/.env` },
    },
  },
  { name: "streamable-http (Claude)", entry: { type: "streamable-http", ...address }, launch: web },
  { name: "sse", entry: { type: "sse", ...address }, launch: { ...web, type: "sse" } },
  {
    name: "oauth, and parts of it that are not done",
    entry: { ...address, oauth: { clientId: "a", scopes: "r w", tokenUrl: "https://t" } },
    launch: { ...web, oauth: { clientId: "a", scopes: "r w" } },
    notes: [/`oauth\.tokenUrl` has no effect/],
  },
  // which tools
  { name: "tools, some", entry: { ...plain, tools: ["a", "b"] }, launch: { ...npx, tools: { only: ["a", "b"] } } },
  { name: "tools, none", entry: { ...plain, tools: [] }, launch: { ...npx, tools: { only: [] } } },
  { name: "excludeTools", entry: { ...address, excludeTools: ["rm"] }, launch: { ...web, tools: { without: ["rm"] } } },
  { name: "tools as an object", entry: { ...plain, tools: { a: true } }, problem: /tools: it must be a list/ },
  ...["includeTools", "disabledTools", "enabled_tools", "isActive", "Disabled"].map(name => ({
    name: `${name}, which narrows elsewhere: refused`,
    entry: { ...plain, [name]: [] },
    problem: /is not known: `tools` and `excludeTools` say which tools count/,
  })),
  // what is switched off
  { name: "disabled: true", entry: { ...plain, disabled: true } },
  { name: 'disabled: "true"', entry: { ...plain, disabled: "true" } },
  { name: "enabled: false", entry: { ...plain, enabled: false } },
  // what has no effect
  { name: "trust", entry: { ...plain, trust: true }, launch: npx, notes: [/`trust` has no effect here\.$/] },
  { name: "arg", entry: { command: "npx", arg: ["-y"] }, launch: { ...npx, args: [] }, notes: [/`arg` has no effect/] },
  { name: "for people alone", entry: { ...plain, description: "x", name: "y", $schema: "z", "//": "d" }, launch: npx },
  {
    name: "a command beside an address",
    entry: { ...address, ...plain, sandboxEnabled: true },
    launch: web,
    notes: [/`command` has no effect here/, /`args`/, /`sandboxEnabled`/],
  },
  { name: "headers beside a command", entry: { ...plain, headers: { A: "b" } }, launch: npx, notes: [/`headers`/] },
  // the sandbox
  { name: "sandbox: false", entry: { ...plain, sandbox: false }, launch: { ...npx, sandbox: false } },
  {
    name: "sandboxEnabled beside its rules (VS Code)",
    entry: { ...plain, sandboxEnabled: true, sandbox: { network: {} } },
    launch: { ...npx, sandbox: true },
    notes: [/`sandbox` is true or false here/],
  },
  // what cannot be used
  { name: "comand", entry: { comand: "npx" }, problem: /neither a command nor an address/ },
  { name: "type ws", entry: { type: "ws", ...address }, problem: /its type is "ws"/ },
  { name: "a command as a list", entry: { command: ["npx"] }, problem: /command: it must be text/ },
  { name: "a text", entry: "npx x", problem: /not an object/ },
];

interface FileRow {
  name: string;
  text: unknown;
  /** names, in their order */
  servers: readonly string[];
  problem?: RegExp;
}

const a = { command: "a" };
const b = { command: "b" };

const fileRows: readonly FileRow[] = [
  { name: "servers: null beside mcpServers", text: { servers: null, mcpServers: { a } }, servers: ["a"] },
  { name: "both filled", text: { mcpServers: { b }, servers: { a } }, servers: ["a", "b"] },
  {
    name: "both with one name",
    text: { servers: { a }, mcpServers: { a: b } },
    servers: ["a"],
    problem: /has a server of this name/,
  },
  {
    name: "servers that are no object, beside mcpServers",
    text: { servers: 7, mcpServers: { a } },
    servers: ["a"],
    problem: /`servers` is not an object/,
  },
  { name: "mcpServer", text: { mcpServer: { a } }, servers: [], problem: /neither `servers` nor `mcpServers`/ },
  {
    name: "comments, trailing commas, a mark",
    text: '\uFEFF{ // x\n "mcpServers": { /* y */ "a": {"command": "a",}, }, }',
    servers: ["a"],
  },
  { name: "inputs: null", text: { inputs: null, servers: { a } }, servers: ["a"] },
  { name: "nothing", text: {}, servers: [] },
];

describe("entries of MCP servers", () => {
  const folder = temporaryFolder("mcp-dialects");
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
      assert.deepEqual(pluck(servers, "name"), expected);
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
    assert.match(text, /^odd .*\n {2}! `trust` has no effect here\.\n {2}! `arg` has no effect here\.$/m);
    assert.equal(code, 0, "nothing is broken");
    const before = servers.server("odd");
    world.configure({ odd: oddServer("calm") });
    await servers.refresh();
    assert.doesNotMatch((await list()).text, /!/);
    assert.equal(servers.server("odd"), before);
  });
});
