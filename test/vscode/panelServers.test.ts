/** MCP servers as the panel's view of them knows them: with real servers behind it. */

import assert from "node:assert/strict";
import type { McpServerRow } from "../../src/shared/mcp";
import { eventually } from "../fakes/eventually";
import { mcpWorld, oddServer } from "../fakes/mcp";
import { mcpView } from "../fakes/mcpView";
import { startHost } from "../fakes/panelHost";

describe("MCP servers in the panel", () => {
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.end());

  async function open(options: Parameters<typeof mcpWorld>[0]) {
    const off: string[] = [];
    world = mcpWorld({ off: () => off, ...options });
    const view = mcpView(world.servers, off);
    const { panel, host } = startHost({ mcp: view.deps });
    world.servers.onDidChange(() => host.post({ type: "mcpChanged" }));
    const client = panel();
    await client.request("open", {});
    const rows = async () => (await client.request("mcpServers", {})).servers;
    const row = async (name: string) => (await rows()).find(each => each.name === name);
    /** the first row of that state */
    const inState = async (state: McpServerRow["state"]) => {
      let seen = -1;
      return eventually(`a server is ${state}`, async () => {
        // asked anew only once it was said that they changed
        if (client.mcpChanged === seen) return undefined;
        seen = client.mcpChanged;
        return (await rows()).find(each => each.state === state);
      });
    };
    return { client, host, row, rows, inState, ...view };
  }

  it("a workspace's server is agreed to as it was shown, started, stopped, and the yes is taken back", async () => {
    const { client, row, inState } = await open({ agrees: false, servers: { odd: oddServer("calm") } });
    const asked = await row("odd");
    assert.equal(asked?.state, "unasked");
    assert.match(JSON.stringify(asked?.question?.detail), /oddServer.mjs","calm"/);
    const { hash = "" } = asked ?? {};

    world.configure({ odd: oddServer("calm", "--more") });
    const changed = await row("odd");
    await assert.rejects(client.request("mcpAgree", { name: "odd", hash }), /was changed meanwhile/);
    assert.equal((await row("odd"))?.state, "unasked", "what was not shown does not start");

    await client.request("mcpAgree", { name: "odd", hash: changed?.hash ?? "" });
    const running = await inState("running");
    assert.deepEqual([running.agreed, running.tools?.count, running.question], [true, 9, undefined]);
    assert.ok(client.mcpChanged > 0, "the panel was told");
    await client.request("mcpAct", { name: "odd", act: "stop" });
    assert.equal((await row("odd"))?.state, "idle");
    await client.request("mcpAct", { name: "odd", act: "start" });
    await inState("running");
    await client.request("mcpAct", { name: "odd", act: "withdraw" });
    assert.equal((await row("odd"))?.state, "unasked");
    await client.request("mcpAct", { name: "odd", act: "start" });
    assert.equal((await row("odd"))?.state, "unasked", "without a yes nothing starts");
  });

  it("tools are switched one by one, a server as a whole; what a pattern switches off is said", async () => {
    const { client, row, off, inState } = await open({ servers: { odd: oddServer("calm") } });
    await row("odd");
    await client.request("mcpAct", { name: "odd", act: "start" });
    await inState("running");
    await client.request("mcpSwitch", { name: "odd:echo", on: false });
    const { lists } = await client.request("mcpLists", { name: "odd" });
    assert.deepEqual(
      lists?.tools.filter(tool => tool.off).map(({ name }) => name),
      ["odd:echo"],
    );
    assert.equal((await row("odd"))?.tools?.count, 8);
    await client.request("mcpSwitch", { name: "odd", on: false });
    assert.deepEqual([(await row("odd"))?.state, off], ["off", ["odd:echo", "odd"]]);
    await client.request("mcpSwitch", { name: "odd", on: true });
    assert.equal((await row("odd"))?.state, "idle", "it was stopped");
    off.push("odd:d*");
    await assert.rejects(client.request("mcpSwitch", { name: "odd:die", on: true }), /pattern in your settings/);
  });

  it("what fails is in its row, what it printed opens, what is no server is refused", async () => {
    const { client, row, done, inState } = await open({
      servers: { gone: { command: "/nowhere/at/all" }, loud: oddServer("calm") },
    });
    await row("gone");
    assert.deepEqual(await client.request("mcpLists", { name: "gone" }), {});
    await client.request("mcpAct", { name: "gone", act: "start" });
    assert.match((await inState("failed")).error ?? "", /nowhere/);
    await assert.rejects(client.request("mcpAct", { name: "loud", act: "log" }), /has no output/);
    await assert.rejects(client.request("mcpAct", { name: "other", act: "start" }), /no longer configured/);
    await client.request("mcpAct", { name: "loud", act: "configure" });
    assert.match(done.join(), /config .*mcp\.json/);
  });

  it("the view is asked for before a panel is there, or while it is", async () => {
    const { client, host } = await open({});
    host.show("context");
    assert.equal(client.shown, "context");
    const later = startHost();
    later.host.show("context");
    const opened = later.panel();
    await opened.request("open", {});
    assert.equal(opened.shown, "context");
  });
});
