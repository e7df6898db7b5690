/** What older servers ask of this side: the workspace's folders and the person's model, off until allowed. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { SaidNo, type SamplingRequest } from "../../src/core/ground/ports";
import { FakeClock } from "../fakes/clock";
import { callTool, limitsBy, mcpWorld, named, never, packaged } from "../fakes/mcp";

describe("roots and sampling", () => {
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.end());

  async function open(options: Parameters<typeof mcpWorld>[0] = {}) {
    world = mcpWorld({
      servers: { every: packaged("server-everything", "stdio") },
      maxToolTokens: () => 1e6,
      ...options,
    });
    await world.servers.refresh();
    await world.servers.server("every").look(never());
    const tools = () => world.servers.list(new Set());
    return (tool: string, input: object = {}) => callTool(named(tools(), `every:${tool}`), input);
  }

  it("a server that nobody allowed anything is told that there is neither", async () => {
    await open();
    const names = world.servers.list(new Set()).map(({ name }) => name);
    assert.deepEqual(
      names.filter(name => /root|sampling/.test(name)),
      [],
    );
  });

  it("the folders are told to those that the setting names, until it is taken back", async () => {
    let allowed = ["ev*"];
    const call = await open({ tellsRoots: () => allowed });
    assert.ok((await call("get-roots-list")).text.includes(pathToFileURL(world.workspace).href));
    allowed = [];
    await world.servers.check("every", never());
    assert.equal(named(world.servers.list(new Set()), "every:get-roots-list"), undefined);
  });

  it("a person who reads for longer than a call may take still answers it", async () => {
    const clock = new FakeClock();
    const answer = async () => {
      await clock.advance(3_600_000);
      return { text: "Late.", model: "small" };
    };
    const call = await open({
      timeoutMs: () => 400,
      clock: limitsBy(clock),
      sampling: { names: () => ["every"], answer },
    });
    assert.match((await call("trigger-sampling-request", { prompt: "Greet me" })).text, /Late\./);
  });

  it("the model is asked with the server's name and bounds, and a no is the server's answer", async () => {
    const asked: SamplingRequest[] = [];
    let allowed = ["every"];
    const answers = [{ text: "Hello.", model: "small" }];
    const answer = async (request: SamplingRequest) => {
      asked.push(request);
      const next = answers.shift();
      if (!next) throw new Error("The user did not allow it.");
      return next;
    };
    const call = await open({ sampling: { names: () => allowed, answer } });
    const input = { prompt: "Greet me", maxTokens: 50_000 };
    assert.match((await call("trigger-sampling-request", input)).text, /Hello\./);
    assert.deepEqual([asked[0]?.server, asked[0]?.maxTokens], ["every", 2_000]);
    assert.match(asked[0]?.messages[0]?.text ?? "", /Greet me/);
    const refused = await call("trigger-sampling-request", input).then(
      ({ done }) => JSON.stringify(done),
      (error: unknown) => String(error),
    );
    assert.match(refused, /did not allow it/);
    allowed = [];
    await call("trigger-sampling-request", input).catch(() => undefined);
    assert.equal(asked.length, 2, "what was taken back is not asked of anybody");
  });

  it("after a no nobody is asked once more, until the server is started by hand, and its row says so", async () => {
    let asked = 0;
    const answer = async () => {
      asked += 1;
      throw new SaidNo("The user did not allow it.");
    };
    const call = await open({ sampling: { names: () => ["every"], answer } });
    const tries = async () =>
      call("trigger-sampling-request", { prompt: "Greet me" }).then(
        ({ text }) => text,
        (error: unknown) => String(error),
      );
    const row = async () => (await world.servers.views())[0];
    assert.equal((await row())?.asksNoMore, undefined);
    let told = 0;
    world.servers.onDidChange(() => {
      told += 1;
    });
    assert.match(await tries(), /did not allow it/);
    assert.ok(told > 0, "the view is told");
    assert.equal((await row())?.asksNoMore, true);
    assert.match(await tries(), /said no, and is not asked again until they restart it/);
    assert.equal(asked, 1);
    // A server that ends itself is started again with the next call: that is nobody's yes.
    await world.servers.server("every").close();
    assert.match(await tries(), /said no/);
    assert.equal(asked, 1);
    await world.servers.check("every", never());
    assert.equal((await row())?.asksNoMore, undefined);
    assert.match(await tries(), /did not allow it/);
    assert.equal(asked, 2);
  });
});
