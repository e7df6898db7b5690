/** A server's start, its end and what happens in between, where several want something of it at once. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { callTool, mcpWorld, named, never } from "../fakes/mcp";

const busy = (mode: string, file: string) => ({
  ...{ command: process.execPath, args: [join(process.cwd(), "test/mcp/busyServer.mjs"), mode, file] },
});
/** It runs: neither gone nor waiting to be counted. */
const runs = (pid: number) => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

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
    while (!existsSync(file) || readFileSync(file, "utf8") === "") await turn();
    return Number(readFileSync(file, "utf8"));
  };

  it("one that ends as soon as it said what it has is told so, with its last words, and starts again when it can", async () => {
    const { servers, server, file } = await started("dies-listed");
    for (let round = 0; round < 10; round++)
      await server.look(never()).then(
        () => server.ask(client => client.ping(), never()).catch(() => undefined),
        error => assert.match(String(error), /cannot be used: it ended with code 7\. It printed: my database is gone/),
      );
    writeFileSync(file, "mended");
    assert.ok((await server.look(never())).length > 0);
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
    assert.ok((await server.look(never())).length > 0);
  });

  it("while one ends no second one of it starts", async () => {
    const { servers, server } = await started("locks");
    await server.look(never());
    for (let round = 0; round < 3; round++) {
      const stopped = servers.stop("odd");
      assert.ok((await server.look(never())).length > 0);
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

  it("a call whose server is configured no more, or otherwise, ends as an error that says so; the next goes to the new one", async () => {
    const { servers, server, file } = await started("keeps-calls");
    await server.look(never());
    const list = () => named(servers.list(new Set(["odd:echo"])), "odd:echo");
    const before = list();
    const called = callTool(before, {});
    called.catch(() => undefined);
    await pidIn(file);
    world.configure({ odd: busy("calm", file) });
    await servers.refresh();
    await assert.rejects(called, /odd is gone \(it was stopped\) and gave no answer.*effect is unknown/);
    await assert.rejects(callTool(before, {}), /odd cannot be used: It is configured no more, or otherwise by now/);
    await servers.server("odd").look(never());
    assert.equal((await callTool(list(), {})).text, "here");
  });

  it("a yes that is taken back in one window is none in the other, whose server stops", async () => {
    world = mcpWorld({ agreesToAll: false });
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
