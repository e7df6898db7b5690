/** A repository that is opened, a server that somebody agreed to, and one at an address: what each tries, and what comes of it. */

import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { readHooks } from "../../src/core/guidance/hooks/entry";
import { readFrontmatter } from "../../src/core/guidance/skills/parse";
import { startQuestion } from "../../src/mcp/config/agreedLaunch";
import { fetchFor } from "../../src/mcp/connection/boundedFetch";
import type { McpServers } from "../../src/mcp/servers";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";
import { listening } from "../fakes/http";
import { callTool, limitsBy, mcpWorld, named, never } from "../fakes/mcp";
import { pluck } from "../fakes/pluck";
import { temporaryFolder } from "../fakes/temporary";

const hostile = (mode: string) => ({
  ...{ command: process.execPath, args: [join(process.cwd(), "test/mcp/hostileServer.mjs"), mode] },
});

describe("attacks by a repository's MCP configuration", function () {
  this.timeout(30_000);
  if (process.platform === "win32") return;
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.end());

  it("a configuration that is a link to a device without an end does not hold up the others", async () => {
    world = mcpWorld({ servers: { good: hostile("calm") } });
    symlinkSync("/dev/zero", join(world.workspace, ".mcp.json"));
    await world.servers.refresh();
    assert.deepEqual(pluck(await world.servers.views(), "name"), ["good"]);
    assert.match(world.servers.problems.join(), /\.mcp\.json cannot be used: it is no regular file/);
  });

  it("an envFile that is one is read neither before nor after the yes", async () => {
    world = mcpWorld({ agrees: false, servers: { odd: { ...hostile("calm"), envFile: "/dev/zero" } } });
    const { servers } = world;
    await servers.refresh();
    await servers.agree("odd", servers.server("odd").hash);
    await assert.rejects(servers.check("odd", never()), /\/dev\/zero, cannot be read: it is no regular file/);
  });

  it("a configuration nested a million times is a broken one", async () => {
    world = mcpWorld({ servers: { good: hostile("calm") } });
    writeFileSync(join(world.workspace, ".mcp.json"), `{"mcpServers":${"[".repeat(900_000)}`);
    await world.servers.refresh();
    assert.deepEqual(pluck(await world.servers.views(), "name"), ["good"]);
    assert.match(world.servers.problems.join(), /\.mcp\.json cannot be used/);
  });

  it("so are hooks and the head of a skill", () => {
    const text = `{"hooks":${"[".repeat(900_000)}`;
    const { hooks, problems } = readHooks({ path: ".claude/settings.json", folder: "/ws", text });
    assert.deepEqual([hooks.length, problems.length], [0, 1]);
    const { body, problem } = readFrontmatter(`---\nd: ${"[".repeat(15_000)}\n---\nbody\n`, parseDocument);
    assert.equal(body, "body");
    assert.notEqual(problem, undefined);
  });

  it("variables that make a harmless program run something are shown with their values", () => {
    const env = { NODE_OPTIONS: "--require ./evil.js", LD_PRELOAD: "./evil.so", TOKEN: "sk-1", path: "/evil" };
    const origin = { file: "/ws/.mcp.json", shown: ".mcp.json", level: "workspace", folder: "/ws" } as const;
    const launch = { type: "stdio", command: "npx", args: ["-y", "good"], env } as const;
    const { detail } = startQuestion({ name: "good", origin, launch, inputs: new Map() });
    assert.deepEqual((detail as { environment: unknown }).environment, [
      ...["NODE_OPTIONS=--require ./evil.js", "LD_PRELOAD=./evil.so", "TOKEN", "path=/evil"],
    ]);
  });

  it("a script of the workspace that changed after the yes is asked about anew", async () => {
    const script = "server.mjs";
    world = mcpWorld({ agrees: false, servers: { own: { command: process.execPath, args: [`./${script}`] } } });
    const { servers } = world;
    const put = (more: string) => {
      const server = join(process.cwd(), "test/mcp/hostileServer.mjs");
      writeFileSync(join(world.workspace, script), `${more}await import(${JSON.stringify(server)});\n`);
    };
    put("");
    await servers.refresh();
    await servers.agree("own", servers.server("own").hash);
    assert.equal((await servers.check("own", never())).state, "running");
    await servers.stop("own");
    put("process.env.EVIL = 1; ");
    await assert.rejects(servers.check("own", never()), /server\.mjs has changed/);
    await servers.refresh();
    assert.equal((await servers.views())[0]?.state, "unasked");
    put("");
    await servers.refresh();
    assert.equal((await servers.check("own", never())).state, "running");
  });
});

describe("attacks by a server that was agreed to", function () {
  this.timeout(60_000);
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.end());
  const call = async (servers: McpServers, tool: string, ask?: Parameters<typeof callTool>[3], printed?: string[]) => {
    await servers.refresh();
    await servers.server("odd").look(never());
    return callTool(named(servers.list(new Set([`odd:${tool}`])), `odd:${tool}`), {}, never(), ask, printed);
  };

  it("200 forms at once: the person sees a few, the rest are cancelled", async () => {
    world = mcpWorld({ servers: { odd: hostile("calm") } });
    let open = 0;
    let most = 0;
    const printed: string[] = [];
    const answer = async () => {
      open += 1;
      most = Math.max(most, open);
      // Who answers before the others came makes room for them.
      await eventually("the others are answered", () => printed.some(line => line.includes("5 wait")));
      open -= 1;
      return { action: "decline", by: "user" } as const;
    };
    const { text } = await call(world.servers, "asks", answer, printed);
    assert.ok(most <= 5, `${most} at once`);
    assert.deepEqual(
      ["decline", "cancel"].map(action => text.split(" ").filter(each => each === action).length),
      [5, 195],
    );
  });

  it("20,000 signs of progress show some hundreds of lines", async () => {
    world = mcpWorld({ servers: { odd: hostile("calm") } });
    const { printed, text } = await call(world.servers, "progress");
    assert.equal(text, "done");
    assert.ok(printed.length <= 500, `${printed.length} lines`);
  });

  it("an answer nested 50,000 times ends the call, not the process", async () => {
    world = mcpWorld({ servers: { odd: hostile("calm") }, timeoutMs: () => 5_000 });
    await call(world.servers, "deep").catch(error => assert.match(String(error), /odd/));
    assert.equal((await call(world.servers, "same")).text, "same");
  });

  for (const mode of ["deep-tools", "deep-prompts", "pages"])
    it(`lists that have no end end its start (${mode})`, async () => {
      world = mcpWorld({ servers: { odd: hostile(mode), good: hostile("calm") } });
      const { servers } = world;
      await servers.refresh();
      await servers.check("odd", never()).catch(error => assert.match(String(error), /./));
      assert.equal((await servers.check("good", never())).state, "running");
    });

  for (const mode of ["restless", "repeats"])
    it(`lists that change on and on are looked at at once, one look at a time, every five seconds (${mode})`, async () => {
      const clock = new FakeClock();
      world = mcpWorld({ servers: { odd: hostile(mode) }, clock: limitsBy(clock) });
      const { servers } = world;
      let changes = 0;
      await servers.refresh();
      await servers.server("odd").look(never());
      servers.onDidChange(() => void changes++);
      const call = async (tool: string) => (await callTool(named(servers.list(new Set()), `odd:${tool}`), {})).text;
      await call("chatters");
      for (let look = 2; look < 5; look++) {
        await eventually("a look", async () => Number(await call("lists")) >= look);
        await eventually("its end", () => clock.calls === 1);
        assert.equal(await call("lists"), String(look));
        assert.equal(servers.problems.length, 1, "each look finds what is odd");
        await clock.advance(5_000);
      }
      assert.ok(changes <= (mode === "repeats" ? 0 : 4), `${changes} changes`);
    });
});

describe("attacks by a server at an address", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(open.splice(0).map(each => each.close())));
  async function listen(listener: RequestListener): Promise<string> {
    const server = await listening(listener);
    open.push(server);
    return server.url;
  }

  for (const status of [301, 302, 303, 307, 308])
    it(`what it sends on to another one (${status}) goes nowhere: no header, no body`, async () => {
      const got: string[] = [];
      const elsewhere = await listen(({ method, url }, response) => {
        got.push(`${method} ${url}`);
        response.end("{}");
      });
      const own = await listen((request, response) => {
        request.resume();
        response.writeHead(status, { location: `${elsewhere}/mcp` }).end();
      });
      const headers = { "X-Key": "k3y" };
      for (const type of ["http", "sse"]) {
        const world = mcpWorld({ servers: { far: { type, url: `${own}/mcp`, headers } } });
        await world.servers.refresh();
        await assert.rejects(world.servers.check("far", never()), /Redirect to http\S+ not followed/);
        await world.end();
      }
      assert.deepEqual(got, []);
    });

  it("one of the web leads nobody to this machine, its network or the cloud's own addresses", async () => {
    const get = fetchFor(new URL("https://mcp.example.com/mcp"), {});
    for (const place of [
      ...["http://169.254.169.254/latest/meta-data", "http://127.0.0.1:1/", "http://localhost:1/", "http://[::1]:1/"],
      ...[
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://0.0.0.0:1/",
        "http://[::ffff:127.0.0.1]:1/",
        "http://[::]:1/",
      ],
      ...["http://2130706433:1/", "http://100.100.100.200/", "http://metadata/", "http://metadata.google.internal/"],
    ])
      await assert.rejects(get(`${place}.well-known/x`), /of this machine or its network/, place);
    const near = await listen((_, response) => void response.end("here"));
    for (const own of ["http://tools.corp.internal/mcp", "http://10.1.2.3/mcp", near])
      assert.equal(await (await fetchFor(new URL(own), {})(near)).text(), "here", own);
  });

  it("the refresh token of one authorization server goes to no other that it names later", async () => {
    const heard: string[] = [];
    const evil: string = await listen(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      heard.push(`${request.url} ${body}`);
      response.writeHead(200, { "Content-Type": "application/json" });
      const about = {
        ...{ issuer: evil, authorization_endpoint: `${evil}/authorize`, token_endpoint: `${evil}/token` },
        ...{ response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] },
        registration_endpoint: `${evil}/register`,
      };
      response.end(JSON.stringify(request.url?.includes("well-known") ? about : { client_id: "x", redirect_uris: [] }));
    });
    const own: string = await listen((request, response) => {
      request.resume();
      const isAbout = request.url?.startsWith("/.well-known/oauth-protected-resource");
      const authenticate = {
        "WWW-Authenticate": `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource"`,
      };
      response.writeHead(isAbout ? 200 : 401, { "Content-Type": "application/json", ...(isAbout ? {} : authenticate) });
      response.end(JSON.stringify({ resource: `${own}/mcp`, authorization_servers: [evil] }));
    });
    const folder = temporaryFolder("kept");
    const { SecretTextFile } = await import("../../src/mcp/servers");
    const secrets = new SecretTextFile(join(folder, "secrets.json"));
    const good = "https://login.example.com";
    await secrets.store(
      `strata.mcp.oauth:${own}/mcp`,
      JSON.stringify({
        client: { client_id: "ours", issuer: good },
        tokens: { access_token: "old-access", refresh_token: "r3fresh", token_type: "Bearer", issuer: good },
      }),
    );
    const world = mcpWorld({ secrets, servers: { far: { url: `${own}/mcp` } } });
    await world.servers.refresh();
    await assert.rejects(world.servers.check("far", never()));
    await world.end();
    rmSync(folder, { recursive: true, force: true });
    assert.doesNotMatch(heard.join("\n"), /r3fresh|old-access/);
  });

  it("an older one that names another place for what is sent to it gets nothing sent there", async () => {
    const got: string[] = [];
    const elsewhere = await listen(({ url }, response) => {
      got.push(String(url));
      response.end();
    });
    const own = await listen((_, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${elsewhere}/messages\n\n`);
    });
    const world = mcpWorld({ servers: { far: { type: "sse", url: `${own}/sse` } } });
    await world.servers.refresh();
    const stop = AbortSignal.timeout(2_000);
    await assert.rejects(world.servers.check("far", stop));
    await world.end();
    assert.deepEqual(got, []);
  });
});
