/** Servers that others wrote, over standard streams, streamable HTTP and the older SSE; and one of the newest revision. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { McpServers } from "../../src/mcp/servers";
import { callTool, mcpWorld, named, never, packaged } from "../fakes/mcp";

const none: ReadonlySet<string> = new Set();
const newest = { command: process.execPath, args: [join(process.cwd(), "test/mcp/newestServer.mjs")] };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

describe("servers that others wrote", function () {
  this.timeout(60_000);
  const children: ChildProcess[] = [];
  let world: ReturnType<typeof mcpWorld>;
  afterEach(async () => {
    await world.end();
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** Started, and what it printed until `sign` stood in it. */
  async function listening(
    command: { command: string; args: string[] },
    sign: RegExp,
    env = {},
  ): Promise<RegExpExecArray> {
    const child = spawn(command.command, command.args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    let printed = "";
    return new Promise((resolve, reject) => {
      const read = (bytes: Buffer) => {
        printed += bytes.toString();
        const found = sign.exec(printed);
        if (found) resolve(found);
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      child.once("exit", code => reject(new Error(`it ended with ${code}: ${printed}`)));
    });
  }

  const toolsOf = async (servers: McpServers, name: string) => {
    await servers.refresh();
    await servers.server(name).look(never());
    return servers.list(none);
  };

  async function everythingWorks(servers: McpServers): Promise<void> {
    const tools = await toolsOf(servers, "every");
    const call = (tool: string, input: object) => callTool(named(tools, `every:${tool}`), input);
    assert.equal((await call("echo", { message: "hi" })).text, "Echo: hi");
    assert.equal((await call("get-sum", { a: 2, b: 3 })).text, "The sum of 2 and 3 is 5.");
    const { done } = await call("get-tiny-image", {});
    assert.deepEqual(typeof done === "object" && done.images?.map(({ mediaType }) => mediaType), ["image/png"]);
    const structured = await call("get-structured-content", { location: "New York" });
    assert.match(structured.text, /"temperature":33/);
    assert.equal(structured.text.split("temperature").length, 2, "said once");
    assert.match((await call("get-resource-links", { count: 2 })).text, /\[Resource .*: demo:\/\/resource/);
    const long = await call("trigger-long-running-operation", { duration: 0.4, steps: 2 });
    assert.match(long.printed.join(""), /1 of 2/);
    await assert.rejects(call("get-sum", { a: 2 }), /Missing: b/);
  }

  it("everything, over standard streams", async () => {
    world = mcpWorld({ servers: { every: packaged("server-everything", "stdio") } });
    await everythingWorks(world.servers);
    const environment = await callTool(named(world.servers.list(none), "every:get-env"), {});
    const names = Object.keys(JSON.parse(environment.text) as object);
    assert.deepEqual(
      names.filter(name => !/^(HOME|LANG|LC_\w+|LOGNAME|PATH|SHELL|TERM|TMPDIR|TZ|USER|STRATA_MCP_ID)$/.test(name)),
      [],
    );
    const [view] = await world.servers.views();
    assert.deepEqual(
      [view?.prompts?.length, view?.resources?.length, view?.identity],
      [4, 7, "mcp-servers/everything 2.0.0, 2025-11-25"],
    );
  });

  it("everything, over streamable HTTP and the older SSE, which is found out", async () => {
    for (const [kind, path, sign] of [
      ["streamableHttp", "/mcp", /listening/],
      ["sse", "/sse", /running/],
    ] as const) {
      const port = await freePort();
      await listening(packaged("server-everything", kind), sign, { PORT: String(port) });
      world = mcpWorld({ servers: { every: { url: `http://127.0.0.1:${port}${path}` } } });
      await everythingWorks(world.servers);
      if (kind === "streamableHttp") await world.end();
    }
  });

  it("filesystem and memory, by a command of a program that is looked for in PATH", async () => {
    world = mcpWorld({});
    const files = join(world.folder, "files");
    mkdirSync(files);
    writeFileSync(join(files, "a.txt"), "from a file");
    const memory = packaged("server-memory");
    world.configure({
      files: { ...packaged("server-filesystem", files) },
      memory: { ...memory, command: "node", env: { MEMORY_FILE_PATH: join(world.folder, "memory.json") } },
    });
    const { servers } = world;
    await toolsOf(servers, "files");
    await toolsOf(servers, "memory");
    const all = new Set((await servers.views()).flatMap(({ tools = [] }) => tools.map(({ name }) => name)));
    const tools = servers.list(all);
    assert.match(
      (await callTool(named(tools, "files:read_text_file"), { path: join(files, "a.txt") })).text,
      /from a file/,
    );
    const outside = await callTool(named(tools, "files:read_text_file"), { path: "/etc/passwd" });
    assert.equal(typeof outside.done === "object" && outside.done.result.error?.code, "EXIT");
    await callTool(named(tools, "memory:create_entities"), {
      entities: [{ name: "Strata", entityType: "agent", observations: ["kept"] }],
    });
    assert.match(readFileSync(join(world.folder, "memory.json"), "utf8"), /Strata/);
  });

  it("one of the newest revision, over standard streams and HTTP", async () => {
    const [url] = await listening({ ...newest, args: [...newest.args, "0"] }, /http:\S+/);
    world = mcpWorld({ servers: { near: newest, far: { type: "http", url } } });
    const { servers } = world;
    await toolsOf(servers, "near");
    const tools = await toolsOf(servers, "far");
    for (const name of ["near", "far"]) {
      assert.equal((await callTool(named(tools, `${name}:add`), { a: 1, b: 2 })).text, '{"sum":3}');
      const view = (await servers.views()).find(each => each.name === name);
      assert.equal(view?.identity, "newest 3.1.4, 2026-07-28");
      assert.deepEqual([view?.prompts?.[0]?.name, view?.resources?.[0]?.uri], ["greet", "note://readme"]);
    }
  });
});
