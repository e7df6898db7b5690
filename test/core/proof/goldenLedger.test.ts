/**
 * A session with compactions and ledgers of an older version, which split messages into sentences. What a page looks like is part of
 * the format: whatever breaks this test moves bytes that were sent, and breaks the prefix and the proof of sessions that people have.
 * Never write it anew.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { openSession } from "../../../src/core/agent/session/openSession";
import { canonicalJson } from "../../../src/core/context/compose";
import type { Ids } from "../../../src/core/ground/ports";
import { ledgerTexts } from "../../../src/core/log/ledger/text";
import { verifySession } from "../../../src/core/proof/verify";
import { runTurn, world } from "../../fakes/agent";
import { hash } from "../../fakes/hash";
import { settings, words } from "../../fakes/longConversation";
import { type Bytes, rebuildFrom, verifyBytes } from "../../fakes/proof";
import { MemoryDisk, MemoryStorage } from "../../fakes/storage";

function golden(folder: string): Bytes {
  const names = ["history.jsonl", "requests.jsonl", ...readdirSync(`${folder}/archive`).map(name => `archive/${name}`)];
  const load = (from: string, all: readonly string[]) =>
    new Map(all.map(name => [name, readFileSync(`${from}/${name}`)]));
  return { files: load(folder, names), blobs: load(`${folder}/blobs`, readdirSync(`${folder}/blobs`)) };
}

/** It goes on in a world of today. */
async function opened(folder: string) {
  const { files, blobs } = golden(folder);
  const disk = new MemoryDisk();
  const none = { snapshots: new Map(), meta: undefined, holder: undefined, waiting: [] };
  disk.sessions.set("ses_1", { files, blobs, ...none });
  const { ports, models } = world({ settings });
  models.reportsUsage = false;
  // The ids of the fakes would be those of the golden session again.
  const ids: Ids = { next: kind => `${ports.ids.next(kind)}b` };
  const session = await openSession({ ...ports, ids, storage: new MemoryStorage(disk) }, "ses_1");
  const say = async (text: string, answer = "Yes.") => {
    models.play({ text: answer });
    await runTurn(session, text);
  };
  const messages = () => models.requests.at(-1)?.prompt ?? [];
  const ledger = () =>
    messages()
      .flatMap(({ role, content }) => {
        const text = JSON.stringify(content);
        return role === "user" && text.includes("<earlier-words>") ? [text] : [];
      })
      .join("\n");
  const pages = () => ledgerTexts(session.history.conversation.ledger ?? []).map(({ text }) => text);
  const compact = async () => {
    models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] something more was done in these rounds" });
    await session.compaction.compact();
  };
  return { session, say, ledger, messages, pages, compact };
}

const folder = "test/golden/session.ledger3";
const REQUESTS = 22;

describe("a session with a ledger", () => {
  it("is proven, and says what its records say", async () => {
    const report = await verifyBytes(golden(folder));
    assert.deepEqual([report.defects, report.proven, report.requests], [[], REQUESTS, REQUESTS]);
  });

  it("is rebuilt to the same bytes", async () => {
    const expected = readFileSync(`${folder}/requests.sha256`, "utf8").trimEnd().split("\n");
    assert.equal(expected.length, REQUESTS);
    for (const [at, sha256] of expected.entries()) {
      const { content } = await rebuildFrom(golden(folder), at + 1);
      assert.equal(content && hash.sha256(canonicalJson(content)), sha256, `request ${at + 1}`);
    }
  });

  it("goes on with the pages that were sent, byte for byte", async () => {
    const { say, messages } = await opened(folder);
    const { content } = await rebuildFrom(golden(folder), REQUESTS);
    await say("And now?");
    const pages = (all: readonly unknown[] = []) =>
      JSON.stringify(all).match(/<earlier-words>.*?<\/earlier-words>/g) ?? [];
    assert.equal(pages(content?.messages).length, 3);
    assert.deepEqual(pages(messages()), pages(content?.messages));
  });

  it("has the same words also after undo and redo", async () => {
    const { session, say, ledger, pages } = await opened(folder);
    const standing = pages();
    await say("And now?");
    const before = ledger();
    await session.compaction.undo();
    await say("Undone.");
    assert.ok(pages().length < standing.length);
    await session.compaction.redo();
    assert.deepEqual(pages(), standing);
    await say("Redone.");
    assert.equal(ledger(), before);
    const report = await verifySession(session.history.files, hash);
    assert.deepEqual([report.defects, report.breaks.unexplained], [[], undefined]);
  });

  it("is compacted on: typed words stay, questions stand apart from them", async () => {
    const { session, say, ledger, compact } = await opened(folder);
    for (let at = 0; at < 4; at++) await say(`The host number ${at} is h${at}.example.`, words(2_600, "Yes."));
    await compact();
    await say("And now?");
    const said = ledger();
    assert.match(said, /question 1, turn 3: ‹Which database\?›, which the user answered in words of their own/);
    for (const sentence of [
      "The port is 8443.",
      "and SQLite in tests",
      "/srv/attic",
      "绝对不要修改发票目录。",
      "h1.example",
    ])
      assert.ok(said.includes(sentence), sentence);
    const report = await verifySession(session.history.files, hash);
    assert.deepEqual([report.defects, report.breaks.unexplained], [[], undefined]);
  });
});
