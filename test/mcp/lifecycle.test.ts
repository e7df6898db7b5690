/** A server's start, its end and what happens in between, where several want something of it at once. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { connect } from "../../src/mcp/connection/connect";
import type { McpServers } from "../../src/mcp/servers";
import { listProcesses } from "../../src/node/shell/commandProcesses";
import { nodeClock } from "../../src/node/system";
import { eventually } from "../fakes/eventually";
import { callTool, mcpWorld, named, never } from "../fakes/mcp";
import { InSandbox, requireSandbox } from "../node/sandbox/inSandbox";

const busy = (mode: string, file: string) => ({
  ...{ command: process.execPath, args: [join(process.cwd(), "test/mcp/busyServer.mjs"), mode, file] },
});
const typed = (id: string) => `$\{input:${id}}`;
const runs = (pid: number) => listProcesses().some(one => one.pid === pid);

describe("a server's life", function () {
  this.timeout(60_000);
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.end());

  async function started(mode: string) {
    world = mcpWorld();
    const file = join(world.folder, "state");
    world.configure({ odd: busy(mode, file) });
    await world.servers.refresh();
    return { servers: world.servers, server: world.servers.server("odd"), file };
  }
  const pidIn = async (file: string) => {
    const look = () => existsSync(file) && readFileSync(file, "utf8") !== "" && readFileSync(file, "utf8");
    return Number(await eventually("the server has written its process id", look));
  };

  it("one that ends as soon as it said what it has is told so, with its last words, and starts again when it can", async () => {
    const { servers, server, file } = await started("dies-listed");
    for (let round = 0; round < 10; round++)
      await server.look(never()).then(
        () => server.ask(client => client.ping(), never()).catch(() => undefined),
        error => assert.match(String(error), /cannot be used: it ended with code 7\. It printed: my database is gone/),
      );
    writeFileSync(file, "mended");
    await server.look(never());
    assert.ok(server.tools?.length);
    assert.equal((await servers.views())[0]?.state, "running");
    assert.equal((await callTool(named(servers.list(new Set(["odd:echo"])), "odd:echo"), {})).text, "here");
  });

  it("one that dies while it says what it has is told so, too", async () => {
    const { servers, server } = await started("dies-listing");
    await assert.rejects(
      server.look(never()),
      /cannot be used: it ended with code 7\. It printed: my database is gone/,
    );
    assert.equal((await servers.views())[0]?.state, "failed");
    assert.match(await servers.log("odd"), /my database is gone/);
  });

  it("a start that one person called off is no failure of who comes next", async () => {
    const { server, file } = await started("hangs-once");
    const first = new AbortController();
    const called = server.look(first.signal);
    await pidIn(file);
    first.abort(new Error("stopped by hand"));
    await assert.rejects(called, /stopped by hand/);
    // It is still on its way out.
    await server.look(never());
    assert.ok(server.tools?.length);
  });

  it("while one ends no second one of it starts", async () => {
    const { servers, server } = await started("locks");
    await server.look(never());
    for (let round = 0; round < 3; round++) {
      const stopped = servers.stop("odd");
      await server.look(never());
      assert.ok(server.tools?.length);
      await stopped;
      assert.equal((await servers.views())[0]?.state, "running");
    }
  });

  it("when this process ends, all end at once: one that starts, one that is told to go, one that is configured no more", async function () {
    if (process.platform !== "linux") this.skip();
    world = mcpWorld();
    const files = ["starts", "goes", "gone"].map(name => join(world.folder, name));
    const [starts = "", goes = "", gone = ""] = files;
    const entries = { starts: busy("stubborn-start", starts), goes: busy("stubborn", goes) };
    world.configure({ ...entries, gone: busy("stubborn", gone) });
    const { servers } = world;
    await servers.refresh();
    const begun = servers.server("starts").look(never());
    begun.catch(() => undefined);
    for (const name of ["goes", "gone"]) await servers.server(name).look(never());
    const pids = await Promise.all(files.map(pidIn));
    assert.deepEqual(pids.map(runs), [true, true, true]);
    world.configure(entries);
    await servers.refresh();
    const stopped = servers.stop("goes");
    servers.killNow();
    // Nothing else gets a turn, as in a process that ends.
    spawnSync("sleep", ["0.2"]);
    assert.deepEqual(pids.map(runs), [false, false, false]);
    await stopped;
    await servers.close();
    await assert.rejects(begun);
  });

  it("a call whose server is configured otherwise by now has its answer first; the next goes to the new one", async () => {
    const { servers, server, file } = await started("keeps-calls");
    await server.look(never());
    const list = () => named(servers.list(new Set(["odd:echo"])), "odd:echo");
    const before = list();
    const called = callTool(before, {});
    const pid = await pidIn(file);
    world.configure({ odd: busy("calm", file) });
    await servers.refresh();
    await assert.rejects(callTool(before, {}), /odd cannot be used: It is configured no more, or otherwise by now/);
    await servers.server("odd").look(never());
    assert.equal((await callTool(list(), {})).text, "here");
    writeFileSync(`${file}.go`, "");
    assert.equal((await called).text, "done at last");
    await servers.close();
    if (process.platform === "linux") assert.equal(runs(pid), false);
  });

  it("a call whose server is configured no more, or that goes on when all are stopped, ends as an error that says so", async () => {
    const { servers, server, file } = await started("keeps-calls");
    const ends = async (then: () => Promise<void>) => {
      rmSync(file, { force: true });
      await servers.server("odd").look(never());
      const called = callTool(named(servers.list(new Set(["odd:echo"])), "odd:echo"), {});
      called.catch(() => undefined);
      await pidIn(file);
      await then();
      await assert.rejects(called, /odd is gone \(it was stopped\) and gave no answer.*effect is unknown/);
    };
    await ends(() => server.close());
    await ends(async () => {
      world.configure({});
      await servers.refresh();
    });
    world.configure({ odd: busy("keeps-calls", file) });
    await servers.refresh();
    await ends(async () => {
      world.configure({ odd: busy("calm", file) });
      await servers.refresh();
      await servers.close();
    });
  });

  it("one that is taken away while somebody waits for it is not started again", async () => {
    const { servers, server } = await started("locks");
    await server.look(never());
    const stopped = servers.stop("odd");
    const waits = server.look(never());
    const retired = server.retire(false);
    await assert.rejects(waits, /It is configured no more/);
    await Promise.all([stopped, retired]);
    assert.equal(server.runs, false);
  });

  it("a call that was prepared while the yes held starts nothing after it was taken back, nor does who waits", async () => {
    world = mcpWorld({ agrees: false });
    world.configure({ odd: busy("locks", join(world.folder, "state")) });
    const { servers } = world;
    await servers.refresh();
    const server = servers.server("odd");
    await servers.agree("odd", server.hash);
    await server.look(never());
    const prepared = await named(servers.list(new Set()), "odd:echo")?.prepare({}, {} as never);
    const stopped = servers.stop("odd");
    const waits = server.look(never());
    await Promise.all([assert.rejects(waits, /you have not approved/), servers.withdraw("odd"), stopped]);
    await assert.rejects(async () => prepared?.perform({ signal: never() } as never), /you have not approved/);
    assert.equal(server.runs, false);
  });

  it("a start that is called off while it asks for an input ends at once, asks for nothing more and starts nothing", async () => {
    const asked: string[] = [];
    const boxes = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const input = ({ id }: { id: string }) => boxes[asked.push(id) - 1]?.promise ?? Promise.resolve("");
    const inputs = ["a", "b"].map(id => ({ id, type: "promptString" }));
    world = mcpWorld({ inputs, sources: { environment: process.env, input } });
    const file = join(world.folder, "state");
    const { command, args } = busy("stubborn", file);
    world.configure({ odd: { command, args, env: { A: typed("a"), B: typed("b") } } });
    await world.servers.refresh();
    const server = world.servers.server("odd");
    const looked = server.look(never());
    looked.catch(() => undefined);
    await eventually("it asks for an input", () => asked.length > 0);
    await server.close();
    await assert.rejects(looked, /It was stopped/);
    for (const box of boxes) box.resolve("late");
    for (let round = 0; round < 20; round++) await turn();
    assert.deepEqual([asked, server.runs, existsSync(file)], [["a"], false, false]);
  });

  it("nothing starts for a signal that was raised before", async () => {
    world = mcpWorld();
    const begun: unknown[] = [];
    class Seen extends Set<never> {
      override add(each: never) {
        begun.push(each);
        return super.add(each);
      }
    }
    const launch = { type: "stdio", ...busy("calm", ""), env: {}, cwd: world.folder } as const;
    const heard = { onListsChanged: () => undefined, onClose: () => undefined, mayStart: async () => undefined };
    const deps = { version: "1", processes: new Seen(), clock: nodeClock, timeoutMs: () => 0, ...heard };
    await assert.rejects(connect(launch, deps, AbortSignal.abort(new Error("called off"))), /called off/);
    assert.deepEqual(begun, []);
  });

  describe("whose script is the workspace's", () => {
    const SERVER = `
      import { appendFileSync } from "node:fs";
      appendFileSync(process.argv[2], "run ");
      process.stdin.once("data", () => {
        if (process.argv[3]) appendFileSync(import.meta.filename, "\\n// changed");
        process.exit(1);
      });`;

    async function agreed(input: (script: string) => void, ...more: string[]) {
      const sources = {
        environment: process.env,
        input: async () => {
          input(script);
          return "typed";
        },
      };
      world = mcpWorld({ agrees: false, inputs: [{ id: "a", type: "promptString" }], sources });
      const [script, state] = [join(world.workspace, "server.mjs"), join(world.folder, "state")];
      writeFileSync(script, SERVER);
      const args = ["./server.mjs", state, ...more];
      world.configure({ odd: { command: process.execPath, args, env: { A: typed("a") } } });
      const { servers } = world;
      await servers.refresh();
      await servers.agree("odd", servers.server("odd").hash);
      return { check: servers.check("odd", never()), ran: () => existsSync(state) && readFileSync(state, "utf8") };
    }

    it("one that changed while the person was asked for an input does not run", async () => {
      const { check, ran } = await agreed(script => writeFileSync(script, `${SERVER} // changed`));
      await assert.rejects(check, /server\.mjs has changed since you approved it/);
      assert.equal(ran(), false);
    });

    it("one that changed at its first start is not started a second time for the older revision", async () => {
      const { check, ran } = await agreed(() => undefined, "changes");
      await assert.rejects(check, /server\.mjs has changed since you approved it/);
      assert.equal(ran(), "run ");
    });
  });

  it("a yes that is taken back in one window is none in the other, whose server stops", async () => {
    world = mcpWorld({ agrees: false });
    const entry = (name: string) => busy("calm", join(world.folder, name));
    world.configure({ odd: entry("a"), other: entry("b") });
    const [one, two] = [world.servers, world.again()];
    for (const each of [one, two]) await each.refresh();
    await one.agree("odd", one.server("odd").hash);
    await two.refresh();
    assert.equal((await two.check("odd", never())).state, "running");
    await one.withdraw("odd");
    // It writes what it remembers.
    await two.agree("other", two.server("other").hash);
    const states = async (servers = one) => (await servers.views()).map(({ state }) => state);
    await two.refresh();
    await two.server("odd").close();
    assert.deepEqual(await states(two), ["unasked", "idle"]);
    await one.refresh();
    assert.deepEqual(await states(one), ["unasked", "idle"]);
    const third = world.again();
    await third.refresh();
    assert.deepEqual(await states(third), ["unasked", "idle"]);
  });
});

describe("where a workspace's server starts", function () {
  this.timeout(60_000);
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world?.end());
  /** It says by its name what it could do. */
  const script = `const fs = require("fs");
    const can = work => { try { work(); return true; } catch { return false; } };
    const near = () => new Promise(say => require("http").get({ host: "127.0.0.1", port: 3128, path: "http://localhost:9/" },
      answer => say(answer.statusCode)).on("error", () => say("no proxy")));
    require("readline").createInterface({ input: process.stdin }).on("line", async line => {
      const { id, method } = JSON.parse(line);
      const does = [can(() => fs.readFileSync("a.txt")), can(() => fs.readFileSync(".env")), can(() => fs.writeFileSync("b.txt", "")),
        can(() => fs.writeFileSync(require("os").tmpdir() + "/b.txt", "")), process.env.KEY, await near()];
      const serverInfo = { name: does.join(), version: "" };
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo };
      const answer = method === "initialize" ? { result } : { error: { code: -32601, message: "no" } };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });`;
  const entry = { command: process.execPath, args: ["srv.js"], env: { KEY: "k3y" } };
  const confined = /^true,false,false,true,k3y,403/;
  const outside = /^true,true,true,true,k3y,no proxy/;
  const question = async (servers: McpServers) => JSON.stringify((await servers.views())[0]?.question?.detail ?? "");
  async function begin(own: object, { level = "servers", isOff = false } = {}) {
    world = mcpWorld({ [level]: { own } });
    for (const [name, text] of Object.entries({ "srv.js": script, "a.txt": "", ".env": "A=1" }))
      writeFileSync(join(world.workspace, name), text);
    const at = { base: world.folder, root: world.workspace, home: join(world.folder, "home") };
    const { sandbox } = new InSandbox({ at, sandbox: { isOff: () => isOff } });
    const servers = world.again({ sandbox, agrees: false });
    await servers.refresh();
    const asked = await question(servers);
    await servers.agree("own", servers.server("own").hash);
    const { identity = "" } = await servers.check("own", never());
    await sandbox.close();
    return { asked, identity, hash: servers.server("own").hash };
  }

  it("in the sandbox, which is asked: it changes nothing here, sees no secrets and reaches nothing near", async function () {
    await requireSandbox(this);
    const { asked, identity } = await begin(entry);
    assert.match(asked, /"runs":"in the sandbox: it can read the workspace and reach the internet/);
    assert.match(identity, confined);
  });

  it("outside where its entry says so, which is asked", async function () {
    await requireSandbox(this);
    const { asked, identity } = await begin({ ...entry, sandbox: false });
    assert.match(asked, /"runs":"outside the sandbox: it can do all that you can/);
    assert.match(identity, outside);
  });

  it("outside where there is none or it is switched off, and the user's own; nothing is said of one", async () => {
    for (const how of [{ isOff: true }, { level: "user" }]) {
      const { asked, identity } = await begin(entry, how);
      assert.doesNotMatch(asked, /sandbox/);
      assert.match(identity, outside);
      await world.end();
    }
  });

  it("a yes to one in the sandbox is none to the same outside", async function () {
    await requireSandbox(this);
    const inside = (await begin(entry)).hash;
    await world.end();
    assert.notEqual((await begin(entry, { isOff: true })).hash, inside);
  });

  it("what fails to start in it is told what to set", async function () {
    await requireSandbox(this);
    await assert.rejects(
      begin({ ...entry, args: ["-e", "process.exit(3)"] }),
      /code 3.*"sandbox": false in its entry/s,
    );
  });
});
