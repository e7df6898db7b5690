/** What a person does at the very moment in which something is written: nothing is lost, and nothing sent twice. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import type { Delivery } from "../../../../src/core/agent/session/userMessages";
import { SessionError, StorageError } from "../../../../src/core/ground/ports";
import { resolveHandle } from "../../../../src/core/log/handles";
import { verifySession } from "../../../../src/core/proof/verify";
import { last, read, runTurn, start, world } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";
import { transcript } from "../../../fakes/model";
import { MemoryStorage } from "../../../fakes/storage";

/** Runs `meanwhile` once, while the first append that holds these words is on its way. */
function during({ history }: Session, words: string, meanwhile: () => Promise<unknown> | undefined): void {
  const { files } = history;
  const append = files.append.bind(files);
  files.append = async (name, text) => {
    if (!text.includes(words)) return append(name, text);
    files.append = append;
    await meanwhile();
    return append(name, text);
  };
}

const pause = () => new Promise(resolve => setImmediate(resolve));

/** A turn that runs a command until `release`, and a steering message for its next step. */
async function steered(text: string, delivery: Delivery = "steer") {
  const held = Promise.withResolvers<void>();
  const agent = await start({ mode: "auto", shell: { "*": { before: held.promise } } });
  const { session, models, shell } = agent;
  models.play({ calls: [{ name: "Bash", input: { command: "slow" } }] }, { text: "One." }, { text: "Two." });
  await session.submit("first");
  await eventually("command 1 runs", () => shell.runs[0]);
  await session.submit(text, delivery);
  const pendingId = session.history.conversation.pending[0]?.pendingId ?? "";
  return { ...agent, pendingId, release: () => held.resolve() };
}

/** A queued message that Stop holds. */
async function held() {
  const agent = await start();
  const { session, models } = agent;
  models.play({ text: "Half", hang: true });
  await session.submit("go");
  await eventually("text streams", () => session.live().find(({ type }) => type === "text"));
  await session.submit("later", "queue");
  await session.stop();
  return { ...agent, pendingId: session.history.conversation.pending[0]?.pendingId ?? "" };
}

describe("at the same moment", () => {
  it("a message that is being sent can be neither removed nor edited: who tries is told", async () => {
    const { session, models, pendingId, release } = await steered("do it");
    const refused: Promise<void>[] = [];
    during(session, '"text":"do it"', async () => {
      refused.push(assert.rejects(session.messages.remove(pendingId), SessionError));
      refused.push(assert.rejects(session.messages.edit(pendingId, "do that"), SessionError));
    });
    release();
    await session.idle();
    assert.equal(refused.length, 2);
    await Promise.all(refused);
    assert.match(transcript(models.requests[1]!).at(-1)!, /^user: do it$/);
  });

  it("an edit that is being written is in what is sent", async () => {
    const { session, models, shell, pendingId, release } = await steered("do it");
    assert.equal(shell.runs.length, 1);
    during(session, '"op":"edited"', async () => {
      release();
      for (let times = 0; times < 20; times++) await pause();
    });
    await session.messages.edit(pendingId, "do that");
    await session.idle();
    assert.match(transcript(models.requests[1]!).at(-1)!, /^user: do that$/);
  });

  it("a message under edit is sent when that is done, as it is then, and what is queued behind it waits too", async () => {
    const { session, models, pendingId, release } = await steered("do it");
    await session.submit("then that", "queue");
    session.messages.beginEdit(pendingId);
    release();
    await session.idle();
    assert.equal(models.requests.length, 2);
    assert.doesNotMatch(transcript(models.requests[1]!).join(), /do it/);
    await session.messages.edit(pendingId, "do that");
    assert.equal(session.state, "idle");
    session.endEdit(pendingId);
    await session.idle();
    assert.equal(models.requests.length, 4);
    assert.match(transcript(models.requests[2]!).at(-1)!, /^user: do that$/);
    assert.match(transcript(models.requests[3]!).at(-1)!, /^user: then that$/);
  });

  it("an edit of what does not wait sends nothing, nor does one of what Stop held", async () => {
    const { session, pendingId, models } = await held();
    session.messages.beginEdit(pendingId);
    session.endEdit(pendingId);
    session.endEdit();
    assert.deepEqual([session.state, models.requests.length], ["idle", 1]);
    assert.throws(() => session.messages.beginEdit("none"), SessionError);
  });

  it("an edit of what could not be sent sends nothing", async () => {
    const { session, models, pendingId, release } = await steered("do it", "queue");
    during(session, '"text":"do it"', () => Promise.reject(new StorageError("DISK_FULL", "full")));
    release();
    await session.idle();
    session.messages.beginEdit(pendingId);
    session.endEdit(pendingId);
    await session.idle();
    assert.deepEqual([models.requests.length, session.messages.isDue(pendingId)], [2, true]);
  });

  it("a held message that is sent twice goes out once", async () => {
    const { session, models, pendingId } = await held();
    let second: Promise<void> | undefined;
    during(session, '"kind":"message"', async () => {
      second = assert.rejects(session.sendPending(pendingId), SessionError);
    });
    await session.sendPending(pendingId);
    await session.idle();
    await second;
    assert.equal(models.requests.length, 2);
    assert.deepEqual(session.history.conversation.pending, []);
  });

  it("a message that comes after the end of a failed turn, and before the session is idle, is sent", async () => {
    const { session, models } = await start();
    models.play({ fail: { code: "auth", message: "no key", retryable: false } }, { text: "Now." });
    let sent: Promise<void> | undefined;
    session.subscribe(event => {
      if (event.type === "record" && event.record.kind === "turnEnd") sent ??= session.submit("but this?");
    });
    await runTurn(session, "go");
    await sent;
    await session.idle();
    assert.deepEqual(session.history.conversation.pending, []);
    assert.match(transcript(models.requests[1]!).at(-1)!, /but this\?/);
  });

  it("a window that takes over changes nothing before it has read what the other one wrote", async () => {
    const agent = world();
    const first = await createSession(agent.ports);
    agent.models.play({ text: "One." }, { text: "Two." }, { text: "Three." });
    await runTurn(first, "first");
    const second = await openSession({ ...agent.ports, storage: new MemoryStorage(agent.disk) }, first.id);
    await runTurn(first, "second");
    const { files } = second.history;
    const readFile = files.read.bind(files);
    const reading = Promise.withResolvers<void>();
    files.read = async name => {
      const text = await readFile(name);
      await reading.promise;
      return text;
    };
    await first.close();
    assert.ok(files.writable);
    await assert.rejects(second.submit("third"), SessionError);
    reading.resolve();
    await eventually("this window can write", () => !second.readOnly);
    await runTurn(second, "third");
    const numbers = second.history.records.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => at + 1),
    );
    assert.equal(second.history.conversation.turn, 3);
  });

  it("an output whose secret becomes known while it waits to be written can be had by its handle", async () => {
    const value = "plainvalue1234567890";
    const agent = await start({ files: { "src/a.ts": `x = "${value}"\n` }, mode: "auto" });
    const { session, models, ports } = agent;
    models.play({ calls: [{ name: "LS", input: {} }, read("src/a.ts")] }, { text: "ok" });
    during(session, '"kind":"result"', async () => {
      for (let times = 0; times < 20; times++) await pause();
      ports.redactor.learn(`API_KEY=${value}\n`);
    });
    await runTurn(session, "go");
    const { forms, raw } = last(session, "result");
    assert.ok(!forms.shown.includes(value));
    const output = await resolveHandle(session.history, `obs:${raw?.sha256.slice(0, 12)}`);
    assert.equal(output.text, forms.shown);
    assert.deepEqual((await verifySession(session.history.files, hash)).defects, []);
  });

  it("a window that only reads is told how full the model's window is, also where rules are cut", async () => {
    const agent = world();
    const first = await createSession(agent.ports);
    await runTurn(first, "first");
    const read = async () => [{ path: "AGENTS.md", text: "x", cutBytes: 5, trust: "rules" as const }];
    const rules = { nested: async () => [], read, imported: new Set<string>() };
    const other = { ...agent.ports, rules, storage: new MemoryStorage(agent.disk) };
    const second = await openSession(other, first.id);
    assert.ok(second.readOnly);
    assert.ok((await second.compaction.use()).tokens > 0);
    assert.deepEqual((await second.compaction.preview()).removed, []);
  });
});
