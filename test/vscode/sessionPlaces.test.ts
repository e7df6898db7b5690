/** Several sessions in one window: the side bar's and those of tabs, each with its own conversation and draft. */

import assert from "node:assert/strict";
import { eventually } from "../fakes/eventually";
import { ended, startHost } from "../fakes/panelHost";
import { pluck } from "../fakes/pluck";
import { png } from "../fakes/png";

const say = async (client: ReturnType<ReturnType<typeof startHost>["panel"]>, text: string) => {
  await client.request("submit", { text, delivery: "steer" });
  await ended(client);
};

/** Each with a turn. */
async function sideAndTab() {
  const host = startHost();
  host.models.play({ text: "One." }, { text: "Two." });
  const [side, other] = [host.panel(), host.tab()];
  await side.request("open", {});
  await say(side, "side");
  await other.request("open", {});
  await say(other, "tab");
  return { ...host, side, other };
}

describe("sessions in tabs", () => {
  it("have a conversation each, and a new one in the side bar leaves them alone", async () => {
    const { panel, tab, models, sessions } = startHost();
    models.play({ text: "One." }, { text: "Two." }, { text: "Three." });
    const [side, first, second] = [panel(), tab(), tab()];
    for (const [client, text] of [
      [side, "in the side bar"],
      [first, "in the first tab"],
      [second, "in the second tab"],
    ] as const) {
      await client.request("open", {});
      await say(client, text);
    }
    const ids = [side, first, second].map(client => client.snapshot?.sessionId);
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual([first.kept.title, second.kept.title], ["in the first tab", "in the second tab"]);
    await side.request("newSession", {});
    assert.deepEqual([first.snapshot?.sessionId, second.snapshot?.sessionId], ids.slice(1));
    assert.equal(first.kinds(), "message message turnEnd");
    assert.equal(sessions.side.session?.id, side.snapshot?.sessionId);
  });

  it("may show the session of the side bar: both hear all of it", async () => {
    const { panel, tab, models } = startHost();
    models.play({ text: "Hello." });
    const side = panel();
    await side.request("open", {});
    const id = side.snapshot?.sessionId ?? "";
    await say(side, "hi");
    const second = tab({ id });
    await second.request("open", {});
    models.play({ text: "Again." });
    await say(second, "once more");
    await ended(side);
    assert.deepEqual(side.records, second.records);
  });

  it("come back after a reload with the session that they showed, and a lost one gives way to a new one", async () => {
    const { panel, tab, models, sessions, open } = startHost();
    models.play({ text: "Hello." });
    await panel().request("open", {});
    const before = tab();
    await before.request("open", {});
    await say(before, "hi");
    await sessions.close();
    const again = open();
    const after = again.tab({ ...before.kept });
    await after.request("open", {});
    assert.deepEqual(after.records, before.records);
    const lost = again.tab({ id: "ses_gone" });
    await lost.request("open", {});
    assert.notEqual(lost.kept.id, "ses_gone");
  });

  it("commands are about the one that a person is at; a closed tab gives its session back", async () => {
    const { side, other, sessions, ports } = await sideAndTab();
    assert.equal(sessions.current?.id, side.snapshot?.sessionId);
    await other.request("pageFocus", { focused: true });
    assert.equal((await sessions.show()).id, other.snapshot?.sessionId);
    other.link()?.dispose();
    assert.equal(sessions.current?.id, side.snapshot?.sessionId);
    await eventually("its lock is free", async () => {
      const files = await ports.storage.open(other.snapshot?.sessionId ?? "");
      const { writable } = files;
      await files.close();
      return writable;
    });
  });

  it("text for the composer goes where the person is", async () => {
    const { panel, tab, host } = startHost();
    const [side, other] = [panel(), tab()];
    await side.request("open", {});
    await other.request("open", {});
    await other.request("pageFocus", { focused: true });
    host.compose("@a.ts ");
    assert.deepEqual([side.composed.length, other.composed.length], [0, 1]);
  });

  it("of one session have one draft: a tab that opens takes it along, and what is sent leaves the other composers", async () => {
    const { panel, tab, models, drafts } = startHost();
    models.play({ text: "Hello." });
    const side = panel();
    const { sessionId: id } = await side.request("open", {});
    await side.request("keepDraft", { draft: "half a thought", inFlight: [] });
    await side.request("openSessionTab", { id });
    const moved = { type: "compose", op: "moved", text: "half a thought", focus: false };
    assert.deepEqual(side.composed, [moved]);
    const [other, third] = [tab({ id }), tab()];
    assert.equal((await other.request("open", {})).draft?.draft, "half a thought");
    await third.request("open", {});
    assert.ok(drafts.of(id));
    await other.request("submit", { text: "a whole thought", delivery: "steer" });
    await ended(other);
    assert.deepEqual(side.composed.slice(1), [{ ...moved, text: "a whole thought" }]);
    assert.deepEqual([other.composed, third.composed], [[], []]);
    await assert.rejects(other.request("submit", { text: " ", delivery: "steer" }));
    assert.equal(side.composed.length, 2, "what was not taken stays");
  });

  it("text for the composer waits for one: a page about the session has none, and another tab is not where the person is", async () => {
    const { panel, tab, host } = startHost();
    const composed: string[] = [];
    const page = host.connect(message => {
      if (message.type === "compose" || message.type === "reply") composed.push(message.type);
    }, "active");
    page.receive({ id: 1, method: "open", params: {} });
    await eventually("it is open", () => composed.includes("reply"));
    host.compose("@a.ts ");
    const other = tab();
    await other.request("open", {});
    const side = panel();
    await side.request("open", {});
    assert.deepEqual(composed, ["reply"]);
    assert.deepEqual(other.composed, []);
    assert.deepEqual(pluck(side.composed, "text"), ["@a.ts "]);
  });

  it("pages about the session that a person is at go along", async () => {
    const { other, host } = await sideAndTab();
    const posted: string[] = [];
    const page = host.connect(message => {
      if (message.type === "snapshot") posted.push(message.snapshot.sessionId);
      if (message.type === "reply") posted.push("opened");
    }, "active");
    page.receive({ id: 1, method: "open", params: {} });
    await eventually("it is open", () => posted.includes("opened"));
    await other.request("pageFocus", { focused: true });
    await eventually("it shows the tab's", () => posted.at(-1) === other.snapshot?.sessionId);
  });
});

describe("drafts", () => {
  const typed = (draft: string) => ({ draft, inFlight: [] });

  it("belong to their session, and come with it", async () => {
    const { panel, models } = startHost();
    models.play({ text: "One." });
    const client = panel();
    const { sessionId: first } = await client.request("open", {});
    await say(client, "one");
    await client.request("keepDraft", { ...typed("more of one"), sessionId: first });
    const { sessionId: second, draft } = await client.request("newSession", {});
    assert.equal(draft, undefined);
    await client.request("keepDraft", { ...typed("a new thing"), sessionId: second });
    const picture = await client.request("keepPicture", { name: "a.png", base64: png(4, 4).toString("base64") });
    assert.equal((await client.request("openSession", { id: first })).draft?.draft, "more of one");
    // The empty session is gone: what was typed for it waits for the next new one.
    await eventually("it was left", async () => (await client.request("sessions", {})).sessions.length === 1);
    const again = await client.request("newSession", {});
    assert.deepEqual([again.sessionId, again.draft?.draft], [second, "a new thing"]);
    models.play({ text: "A picture." });
    await client.request("submit", { text: "see [Picture 1: a.png]", delivery: "queue", pictures: [picture] });
  });

  it("of a session that a reload lost goes to the one in its place", async () => {
    const { panel, sessions, open } = startHost();
    const client = panel();
    const { sessionId } = await client.request("open", {});
    await client.request("keepDraft", { ...typed("unsent"), sessionId });
    await sessions.close();
    const snapshot = await open().panel().request("open", {});
    assert.equal(snapshot.draft?.draft, "unsent");
  });
});

describe("the trash", () => {
  it("takes a session that is shown, shows a new one in its place, and gives it back", async () => {
    const { panel, models } = startHost();
    models.play({ text: "Hello." });
    const client = panel();
    const { sessionId: id } = await client.request("open", {});
    await say(client, "hi");
    const { key } = await client.request("deleteSession", { id });
    assert.notEqual(client.snapshot?.sessionId, id);
    const { sessions, deleted = [] } = await client.request("sessions", {});
    assert.deepEqual([sessions.length, deleted.map(({ title }) => title)], [0, ["hi"]]);
    assert.equal((await client.request("restoreSession", { key })).id, id);
    await client.request("openSession", { id });
    assert.equal(client.kinds(), "message message turnEnd");
    await assert.rejects(client.request("restoreSession", { key }), /no longer in the trash/);
  });

  it("and names and turns that change are told to whoever shows a list, once for all of about now", async () => {
    const { panel, models } = startHost();
    models.play({ text: "Hello." });
    const [client, other] = [panel(), panel()];
    const { sessionId: id } = await client.request("open", {});
    await other.request("open", {});
    await say(client, "hi");
    await eventually("the turn was told", () => other.sessionsChanged > 0);
    for (const method of ["renameSession", "deleteSession"] as const) {
      const before = other.sessionsChanged;
      await client.request(method, { id, title: "Another name" });
      await eventually(`${method} was told`, () => other.sessionsChanged > before);
    }
    assert.ok(other.sessionsChanged < 10);
  });

  it("lets one go for good once the person said so, and says what went wrong while nobody waited", async () => {
    const { panel, models, done } = startHost();
    models.play({ text: "Hello." }, { text: "Hello." });
    const client = panel();
    const keys: string[] = [];
    for (const text of ["keep me", "go"]) {
      const { sessionId: id } = await client.request("newSession", {});
      await say(client, text);
      keys.push((await client.request("deleteSession", { id })).key);
    }
    const left = async () => ((await client.request("sessions", {})).deleted ?? []).map(({ title }) => title);
    for (const key of keys) await client.request("purgeSession", { key });
    await eventually("the one is gone", async () => (await left()).length === 1);
    assert.deepEqual(await left(), ["keep me"]);
    assert.deepEqual(done.filter(each => each.startsWith("may")).sort(), ["may go go?", "may keep me go?"]);
    await client.request("purgeSession", { key: keys[1] ?? "" });
    await eventually("it says so", () => done.some(each => each.includes("no longer in the trash")));
  });

  it("takes none that works, and none that another window writes: both stay as they are, and say so", async () => {
    const { panel, models, ports } = startHost();
    models.play({ text: "Long", hang: true });
    const client = panel();
    const { sessionId: id } = await client.request("open", {});
    await client.request("submit", { text: "work", delivery: "steer" });
    await assert.rejects(client.request("deleteSession", { id }), /is working/);
    await client.request("stop", {});
    await ended(client);
    await client.request("newSession", {});
    const elsewhere = await eventually("its lock is free", async () => {
      const files = await ports.storage.open(id);
      if (files.writable) return files;
      await files.close();
      return undefined;
    });
    await assert.rejects(client.request("deleteSession", { id }), /another window/);
    await elsewhere.close();
  });

  it("names and pins outlive it, in the log", async () => {
    const { panel, models, ports } = startHost();
    models.play({ text: "Hello." });
    const client = panel();
    const { sessionId: id } = await client.request("open", {});
    await say(client, "hi");
    await client.request("newSession", {});
    await client.request("renameSession", { id, title: "مرحبا 👩‍👩‍👧 e\u0301" });
    await client.request("pinSession", { id, pinned: true });
    await assert.rejects(client.request("renameSession", { id, title: "  " }), /needs a name/);
    const [session] = (await client.request("sessions", {})).sessions;
    assert.deepEqual([session?.title, session?.pinned], ["مرحبا 👩‍👩‍👧 e\u0301", true]);
    // Found by its new name, and still whole.
    assert.deepEqual((await client.request("searchSessions", { query: "é 👩‍👩‍👧", from: 0 })).hits, [{ id }]);
    const files = await ports.storage.open(id, { readOnly: true });
    assert.match((await files.read("history.jsonl")) ?? "", /"kind":"title".*"pinned":true/);
  });
});

describe("a search through all sessions", () => {
  it("finds titles at once and then what was said, a page at a time; a line that nobody said finds nothing", async () => {
    const { panel, models } = startHost();
    models.play({ text: "Use a (.*) group." }, { text: "Nothing of that." });
    const client = panel();
    const { sessionId: first } = await client.request("open", {});
    await say(client, "regular expressions");
    const { sessionId: second } = await client.request("newSession", {});
    await say(client, "the cafe\u0301 of totals");
    const find = async (query: string) => {
      const hits: { id: string; line?: { text: string } | undefined }[] = [];
      for (let from: number | null = 0; from !== null; ) {
        const page: { hits: typeof hits; next: number | null } = await client.request("searchSessions", {
          query,
          from,
        });
        hits.push(...page.hits);
        from = page.next;
      }
      return hits.map(({ id, line }) => [id, line?.text]);
    };
    assert.deepEqual(await find("(.*)"), [[first, "Use a (.*) group."]]);
    assert.deepEqual(await find("CAFÉ totals"), [[second, undefined]]);
    assert.deepEqual(await find("nothing that"), [[second, "Nothing of that."]]);
    assert.deepEqual(await find("nowhere"), []);
  });
});
