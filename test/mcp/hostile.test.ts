/** What a workspace's file or a server does to get a secret, a start or the memory without the person's yes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { startQuestion } from "../../src/mcp/config/agreedLaunch";
import { Agreements, configHash } from "../../src/mcp/config/agreements";
import type { ServerConfig } from "../../src/mcp/config/serverConfig";
import { boundedFetch } from "../../src/mcp/connection/boundedFetch";
import { KeptSignIn } from "../../src/mcp/connection/signIn";
import { readResource } from "../../src/mcp/offers";
import type { McpServer } from "../../src/mcp/server";
import { SecretTextFile } from "../../src/mcp/servers";
import { listening } from "../fakes/http";
import { callTool, mcpWorld, named, never, oddServer } from "../fakes/mcp";
import { startSignInServer } from "../fakes/signInServer.mjs";
import { temporaryFolder } from "../fakes/temporary";

const variable = (name: string) => `$\{${name}}`;
const origin = { file: "/ws/.mcp.json", shown: ".mcp.json", level: "workspace", folder: "/ws" } as const;
const config = (launch: ServerConfig["launch"], inputs: ServerConfig["inputs"] = new Map()): ServerConfig => ({
  ...{ name: "odd", origin, launch, inputs },
});

describe("hostile configuration of MCP servers", () => {
  it("the question names which variables and inputs a server gets, under whatever name it gets them", () => {
    const env = { MODE: variable("env:AWS_SECRET"), PLACE: variable("workspaceFolder"), LEVEL: "sk-123" };
    const program = config({ type: "stdio", command: "x", args: [], env });
    assert.deepEqual((startQuestion(program).detail as { environment: unknown }).environment, [
      `MODE: ${variable("env:AWS_SECRET")}`,
      ...["PLACE", "LEVEL"],
    ]);
    const headers = { "X-Trace": `a${variable("GITHUB_TOKEN:-sk-123")}b${variable("input:key")}` };
    const oauth = { clientId: "c", clientSecret: variable("env:NPM_TOKEN") };
    const address = startQuestion(config({ type: "http", url: "https://x/mcp", headers, oauth })).detail;
    assert.deepEqual(address, {
      ...{ server: "odd", address: "https://x/mcp" },
      headers: [`X-Trace: ${variable("GITHUB_TOKEN")} ${variable("input:key")}`],
      signInAs: { clientId: "c", clientSecret: variable("env:NPM_TOKEN") },
    });
  });

  it("a yes that is given while agreements are read counts, one that cannot be written for this process", async () => {
    const folder = temporaryFolder("agreed");
    const agreements = new Agreements(folder, () => undefined);
    await agreements.decide("h1", "odd", true);
    await Promise.all([agreements.load(), agreements.decide("h2", "odd", true), agreements.load()]);
    assert.deepEqual([agreements.hasAgreed("h1"), agreements.hasAgreed("h2")], [true, true]);
    const file = join(temporaryFolder("agreed"), "file");
    writeFileSync(file, "");
    const unwritten = new Agreements(join(file, "below"), () => undefined);
    await unwritten.decide("h1", "odd", true);
    assert.equal(unwritten.hasAgreed("h1"), true);
    await unwritten.decide("h1", "odd", false);
    await unwritten.load();
    assert.equal(unwritten.hasAgreed("h1"), false);
    await unwritten.rememberCall("h1", "odd", "echo", "said");
    await unwritten.load();
    assert.equal(unwritten.calledAs("h1", "echo"), "said", "so does what a tool was called as");
  });

  it("what stands for an input that nobody types is agreed to as well", () => {
    const launch = { type: "stdio", command: "node", args: [variable("input:script")], env: {} } as const;
    const withDefault = (text: string) => {
      const input = { id: "script", description: "which", secret: false, default: text };
      return config(launch, new Map([["script", input]]));
    };
    const [good, evil] = [withDefault("good.js"), withDefault("evil.js")];
    assert.notEqual(configHash(good), configHash(evil));
    assert.deepEqual((startQuestion(evil).detail as { inputs?: unknown }).inputs, { script: "evil.js" });
    assert.equal(configHash(config(launch)), configHash(config(launch, new Map())));
  });

  describe("an envFile", () => {
    let world: ReturnType<typeof mcpWorld>;
    afterEach(() => world.end());

    it("that changed since it was agreed to starts nothing", async () => {
      world = mcpWorld({ agrees: false, servers: { odd: { ...oddServer("calm"), envFile: "odd.env" } } });
      const file = join(world.workspace, "odd.env");
      writeFileSync(file, "A=1\n");
      const { servers } = world;
      await servers.refresh();
      await servers.agree("odd", servers.server("odd").hash);
      writeFileSync(file, "A=1\nNODE_OPTIONS=--require ./evil.js\n");
      await assert.rejects(servers.check("odd", never()), /odd\.env has changed/);
      writeFileSync(file, "A=1\n");
      assert.equal((await servers.check("odd", never())).state, "running");
    });

    it("shows what in it makes a program run something else, and no secret", async () => {
      const entry = { ...oddServer("calm"), env: { ZDOTDIR: "./z" }, envFile: "odd.env" };
      world = mcpWorld({ agrees: false, servers: { odd: entry } });
      const lines = [
        "API_KEY=sk-123",
        "NODE_OPTIONS=--require ./evil.js",
        "HTTPS_PROXY=http://me:pw-123@proxy",
        "GOFLAGS=-x",
      ];
      writeFileSync(join(world.workspace, "odd.env"), lines.join("\n"));
      await world.servers.refresh();
      const shown = ["GOFLAGS=-x", "HTTPS_PROXY=http://…@proxy", "NODE_OPTIONS=--require ./evil.js"];
      const expected = ["ZDOTDIR=./z", "all of odd.env", ...shown];
      const { detail } = world.servers.server("odd").agreement() ?? {};
      assert.deepEqual((detail as { environment?: unknown }).environment, expected);
      assert.deepEqual((await world.servers.views())[0]?.environment, expected);
    });

    it("that is a pipe is read for no server", async function () {
      if (process.platform === "win32") this.skip();
      world = mcpWorld();
      const pipe = join(world.folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      world.configure({ theirs: { ...oddServer("calm"), envFile: pipe } });
      const { servers } = world;
      await servers.refresh();
      await assert.rejects(servers.check("theirs", never()), /no regular file/);
    });

    it("that is missing keeps a server from its start until it is there, empty or where the person says", async () => {
      world = mcpWorld({ servers: { odd: { ...oddServer("calm"), envFile: "odd.env" } } });
      const { servers, workspace, folder } = world;
      const own = { ...oddServer("calm"), envFile: variable("input:place") };
      const unset = { ...own, envFile: variable("env:NOT_SET_HERE") };
      const theirs = { servers: { own, unset }, inputs: [{ id: "place", type: "promptString" }] };
      writeFileSync(join(folder, "user.json"), JSON.stringify(theirs));
      await servers.refresh();
      const look = () => callTool(named(servers.list(new Set()), "FindTools"), { server: "odd" });
      await assert.rejects(look(), /odd\.env, cannot be read/);
      await assert.rejects(servers.check("unset", never()), /needs the environment variable NOT_SET_HERE/);
      await assert.rejects(servers.check("own", never()), /typed place, cannot be read/);
      writeFileSync(join(workspace, "odd.env"), "");
      await servers.refresh();
      assert.match((await look()).text, /mcp__odd__echo/);
    });

    it("of a workspace's server is one whose text can be agreed to", async () => {
      const entry = { ...oddServer("calm"), envFile: `${variable("env:PWD")}/odd.env` };
      world = mcpWorld({ agrees: false, servers: { odd: entry } });
      const { servers } = world;
      await servers.refresh();
      await servers.agree("odd", servers.server("odd").hash);
      await assert.rejects(servers.check("odd", never()), /names its envFile by \$\{env:PWD\}/);
    });
  });
});

describe("hostile MCP servers", () => {
  it("a visitor of the port that the browser comes back to ends nothing", async () => {
    const there = await startSignInServer();
    const world = mcpWorld({ servers: { tickets: { url: there.url } } });
    await world.end();
    const secrets = new SecretTextFile(join(world.folder, "secrets.json"));
    const again = mcpWorld({ secrets, servers: { tickets: { url: there.url } } });
    try {
      await again.servers.refresh();
      const open = async (address: string) => {
        const back = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
        const socket = connect(Number(back.port), "127.0.0.1");
        socket.write("GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        const [answer] = await once(socket, "data");
        assert.match(String(answer), /^HTTP\/1\.1 404 /);
        await fetch(address);
      };
      await again.servers.signIn("tickets", { open }, never());
      assert.equal((await again.servers.views())[0]?.state, "running");
    } finally {
      await again.end();
      await there.close();
    }
  });

  it("the configured headers go to the server's own address, not to whom it sends people to sign in", async () => {
    const heard: { path: string; key: unknown }[] = [];
    const elsewhere = await listening(({ url = "", headers }, response) => {
      heard.push({ path: url, key: headers["x-key"] });
      response.writeHead(404).end();
    });
    const given: unknown[] = [];
    const own = await listening(({ url = "", headers }, response) => {
      given.push(headers["x-key"]);
      const isAbout = url.startsWith("/.well-known/oauth-protected-resource");
      response.writeHead(isAbout ? 200 : 401, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ resource: `${own.url}/mcp`, authorization_servers: [elsewhere.url] }));
    });
    const first = mcpWorld();
    await first.end();
    const secrets = new SecretTextFile(join(first.folder, "secrets.json"));
    const entry = { url: `${own.url}/mcp`, headers: { "X-Key": "k3y" } };
    const world = mcpWorld({ secrets, servers: { tickets: entry } });
    try {
      await world.servers.refresh();
      await assert.rejects(world.servers.signIn("tickets", { open: async () => undefined }, never()));
      assert.ok(given.includes("k3y") && heard.length > 0);
      assert.deepEqual(
        heard.filter(({ key }) => key !== undefined),
        [],
      );
    } finally {
      await world.end();
      rmSync(first.folder, { recursive: true, force: true });
      await Promise.all([own.close(), elsewhere.close()]);
    }
  });

  it("a client's secret is held back from another authorization server, after the first one refused it too", async () => {
    const world = mcpWorld();
    await world.end();
    const secrets = new SecretTextFile(join(world.folder, "secrets.json"));
    const oauth = { clientId: "ours", clientSecret: "s3cret" };
    const place = { url: "https://x/mcp", oauth, secrets, learn: () => undefined };
    const kept = new KeptSignIn(place);
    try {
      await kept.saveClientInformation({ client_id: "ours", issuer: "https://first.example" });
      await kept.invalidateCredentials("client");
      await kept.invalidateCredentials("tokens");
      await assert.rejects(kept.clientInformation({ issuer: "https://evil.example" }), /sign out first/);
      await new KeptSignIn({ ...place, oauth: {} }).invalidateCredentials("client");
      assert.equal(
        await new KeptSignIn({ ...place, oauth: {} }).clientInformation(),
        undefined,
        "a registered one goes",
      );
    } finally {
      rmSync(world.folder, { recursive: true, force: true });
    }
  });

  it("a text that is too long is refused", async () => {
    const read = async (text: string) => {
      const client = { readResource: async () => ({ contents: [{ uri: "a:b", text }] }) };
      const ask: McpServer["ask"] = async question => question(client as never, { signal: never(), timeout: 1 });
      const server = { name: "odd", offered: undefined, ask } as unknown as McpServer;
      return (await readResource(server, "a:b", never())).text;
    };
    assert.equal((await read("A".repeat(1_000_000))).length, 1_000_000);
    await assert.rejects(read("A".repeat(1_000_001)), /cannot be had: it has more than 1,000,000 characters$/);
  });

  it("a stream of news may go on for ever, one message of it may not", async () => {
    const answering = async (listener: RequestListener, look: (url: string) => Promise<void>) => {
      const { url, close } = await listening(listener);
      try {
        await look(url);
      } finally {
        await close();
      }
    };
    const sending = (event: string, count: number): RequestListener => {
      return async (_, response) => {
        response.on("error", () => undefined);
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        for (let sent = 0; sent < count && !response.destroyed; sent++) {
          response.write(event);
          await new Promise(setImmediate);
        }
        response.end();
      };
    };
    const million = "x".repeat(1_000_000);
    const sizeOf = async (url: string) => {
      let bytes = 0;
      for await (const chunk of (await boundedFetch(url)).body ?? []) bytes += chunk.length;
      return bytes;
    };
    await answering(sending(`data: ${million}\r\n\r\n`, 40), async url => {
      assert.equal(await sizeOf(url), 40 * (million.length + 10));
    });
    const parts = Array.from({ length: 40 }, () => [Buffer.from(`data: ${million}\n`), Buffer.from("\n")]).flat();
    const body = new ReadableStream({ pull: to => (parts[0] ? to.enqueue(parts.shift()) : to.close()) });
    const apart = new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    assert.ok(await (await boundedFetch("http://x", {}, async () => apart)).text(), "empty lines by themselves");
    await answering(sending(million, 40), url => assert.rejects(sizeOf(url), /larger than 32 MB/));
  });
});
