import assert from "node:assert/strict";
import { createSession } from "../../../src/core/agent/session/openSession";
import { SessionSearch } from "../../../src/core/log/sessionSearch";
import { runTurn, world } from "../../fakes/agent";
import { FakeClock } from "../../fakes/clock";
import { MemoryStorage } from "../../fakes/storage";

const DAY = 24 * 60 * 60_000;

/** Sessions of one line each, and which of them a search opened. */
async function library(lines: Record<string, string>) {
  const storage = new MemoryStorage();
  const clock = new FakeClock();
  const opened: string[] = [];
  const updated: Record<string, number> = {};
  const write = async (id: string, text: string) => {
    const files = await storage.open(id).catch(() => storage.create(id));
    const header = { kind: "header", version: 1, sessionId: id, created: 0, archives: [] };
    const metadata = { ts: 1, turn: 1, step: 0, runId: "r", kind: "normal" };
    const message = { id: `msg_${id}`, role: "user", parts: [{ type: "text", text }], metadata };
    const record = { kind: "message", id: `rec_${id}`, seq: 1, ts: 1, parentId: null, message };
    await files.replace("history.jsonl", `${JSON.stringify(header)}\n${JSON.stringify(record)}\n`);
    await files.close();
    updated[id] = (updated[id] ?? clock.now() - 2 * DAY) + 1;
  };
  for (const [id, text] of Object.entries(lines)) await write(id, text);
  const search = new SessionSearch({
    storage: {
      open(id, options) {
        opened.push(id);
        return storage.open(id, options);
      },
    },
    list: async () => Object.keys(lines).map(id => ({ id, title: "", updated: updated[id] ?? 0 })),
    clock,
  });
  /** ids that were found, and those that were opened for it */
  const find = async (query: string) => {
    opened.length = 0;
    const hits: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const page: Awaited<ReturnType<typeof search.next>> = await search.next(query, from);
      hits.push(...page.hits.map(({ id }) => id));
      from = page.next;
    }
    return { hits, opened: opened.toSorted() };
  };
  return { find, write, updated, clock };
}

describe("a search that is asked again", () => {
  it("letters and their marks that join over the end of a word are no longer word", async () => {
    const { find } = await library({ a: "é" });
    assert.deepEqual((await find("e")).hits, []);
    assert.deepEqual((await find("e\u0301")).hits, ["a"]);
  });

  it("of many at once the newest come first", async () => {
    const many = Array.from({ length: 100 }, (_, at) => [`s${at}`, at % 3 === 0 ? "yes" : "no"] as const);
    const { find } = await library(Object.fromEntries(many));
    const expected = many.flatMap(([id, text]) => (text === "yes" ? [id] : []));
    assert.deepEqual((await find("yes")).hits, expected);
  });
});

describe("earlier sessions, which the agent may ask for", () => {
  const playing = async (settings: object) => {
    const { ports, models } = world({ settings });
    const first = await createSession(ports);
    models.play({ text: "Noted." });
    await runTurn(first, "Retry three times, then give up.");
    await first.close();
    const session = await createSession(ports);
    models.play({ calls: [{ name: "Recall", input: { source: "sessions", query: "give up" } }] }, { text: "Three." });
    await runTurn(session, "How often do we retry?");
    return models.requests.slice(-2).map(({ prompt }) => JSON.stringify(prompt));
  };

  it("come with their title and day, and nothing of them unasked", async () => {
    const [before, after] = await playing({});
    assert.doesNotMatch(before ?? "", /give up/);
    assert.match(
      after ?? "",
      /session \\+"Retry three times, then give up\.\\+", \d{4}-\d\d-\d\d, 1 turn\\+n {2}turn 1 · [^ ]+ · user: Retry three times/,
    );
  });

  it("are not read where the person turned it off", async () => {
    const [, after] = await playing({ "recall.sessions": false });
    assert.match(after ?? "", /DENIED: The user has turned off that earlier sessions are read/);
    assert.doesNotMatch(after ?? "", /three times/);
  });
});
