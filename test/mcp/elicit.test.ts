/** Servers that ask the person: forms and addresses, in both ways of the protocol, and the time that an answer takes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { QuestionAnswer, QuestionForm } from "../../src/shared/question";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";
import { callTool, limitsBy, mcpWorld, named, never, packaged } from "../fakes/mcp";

const none: ReadonlySet<string> = new Set();
const newest = { command: process.execPath, args: [join(process.cwd(), "test/mcp/newestServer.mjs")] };

const asking = { command: process.execPath, args: [join(process.cwd(), "test/mcp/askingServer.mjs")] };

type Answering = (form: QuestionForm, taken?: AbortSignal) => Promise<QuestionAnswer>;
const accept = (values: QuestionAnswer["values"] = {}): QuestionAnswer => ({ action: "accept", by: "user", values });

describe("a server that asks the person", function () {
  this.timeout(60_000);
  let world: ReturnType<typeof mcpWorld>;
  afterEach(() => world.end());

  async function tool(server: object, name: string, options: Parameters<typeof mcpWorld>[0] = {}) {
    world = mcpWorld({ servers: { demo: server }, ...options });
    await world.servers.refresh();
    await world.servers.server("demo").look(never());
    return named(world.servers.list(none), `demo:${name}`);
  }

  it("everything: every kind of field comes as a field of ours, and the answer goes back as it has it", async () => {
    const asked: QuestionForm[] = [];
    const answer: Answering = async form => {
      asked.push(form);
      return accept({
        ...{ name: "Ada", check: true, email: "ada@example.com", birthdate: "1815-12-10", integer: 7, number: 2.5 },
        ...{ untitledSingleSelectEnum: ["Joey"], titledMultipleSelectEnum: ["fish-1", "fish-3"] },
      });
    };
    const called = await callTool(
      await tool(packaged("server-everything", "stdio"), "trigger-elicitation-request"),
      {},
      never(),
      answer,
    );
    assert.equal(asked[0]?.server, "demo");
    assert.deepEqual(
      asked[0]?.fields.map(({ name, type }) => `${name} ${type}`),
      [
        ...["name text", "check boolean", "firstLine text", "email text", "homepage text", "birthdate text"],
        ...["integer number", "number number", "untitledSingleSelectEnum choice", "untitledMultipleSelectEnum choice"],
        ...["titledSingleSelectEnum choice", "titledMultipleSelectEnum choice", "legacyTitledEnum choice"],
      ],
    );
    const hero = asked[0]?.fields.find(({ name }) => name === "titledSingleSelectEnum");
    assert.deepEqual(hero?.type === "choice" && hero.options[0], {
      value: "hero-1",
      label: "Superman",
      description: "hero-1",
    });
    assert.match(called.text, /Ada/);
    assert.match(called.text, /"untitledSingleSelectEnum": "Joey"/);
    assert.match(called.text, /fish-3/);
  });

  for (const action of ["decline", "cancel"] as const) {
    it(`everything hears ${action} as the protocol says it`, async () => {
      const elicits = await tool(packaged("server-everything", "stdio"), "trigger-elicitation-request");
      const called = await callTool(elicits, {}, never(), async () => ({ action, by: "user" }));
      assert.match(called.text, new RegExp(action, "i"));
    });
  }

  it("everything is told of no form where nobody is there: it does not even offer the tool", async () => {
    const asks = await tool(packaged("server-everything", "stdio"), "trigger-elicitation-request", { elicits: false });
    assert.equal(asks, undefined);
  });

  it("the newest revision, whose answer is that it needs an answer", async () => {
    const asked: string[] = [];
    const answer: Answering = async form => {
      asked.push(form.message ?? "");
      return accept({ name: "Grace" });
    };
    const called = await callTool(await tool(newest, "name"), {}, never(), answer);
    assert.deepEqual(asked, ["Which name?"]);
    assert.match(called.text, /"action":"accept"/);
    assert.match(called.text, /Grace/);
  });

  it("waits for the person as long as it takes: the call's limit stands still", async () => {
    const clock = new FakeClock();
    const asks = await tool(asking, "ask", { timeoutMs: () => 400, clock: limitsBy(clock) });
    const called = await callTool(asks, {}, never(), async () => {
      await clock.advance(3_600_000);
      return accept({ word: "late" });
    });
    assert.match(called.text, /late/);
    const hanging = callTool(named(world.servers.list(none), "demo:hang"), {});
    await eventually("the call", () => clock.calls > 0);
    await clock.advance(400);
    await assert.rejects(hanging, /gave no answer within/);
  });

  it("an address is opened after a yes alone, and exactly that one", async () => {
    const opened: string[] = [];
    const openAddress = async (url: string) => opened.push(url) > 0;
    const asks = await tool(asking, "open", { openAddress });
    const urls: (string | undefined)[] = [];
    const say = (action: "accept" | "decline") =>
      callTool(asks, { url: "https://example.com/a?b=c" }, never(), async form => {
        urls.push(form.url);
        assert.deepEqual(opened, [], "not before the answer");
        return { action, by: "user" };
      });
    assert.match((await say("decline")).text, /decline/);
    assert.match((await say("accept")).text, /accept/);
    assert.deepEqual(opened, ["https://example.com/a?b=c"]);
    assert.deepEqual(urls, ["https://example.com/a?b=c", "https://example.com/a?b=c"]);
  });

  it("takes its question back: nobody is asked any more", async () => {
    const asks = await tool(asking, "withdraw");
    const called = await callTool(asks, {}, never(), async (_, taken) => {
      await new Promise(resolve => taken?.addEventListener("abort", resolve));
      return { action: "cancel", by: "stop" };
    });
    assert.match(called.text, /taken back/);
  });
});
