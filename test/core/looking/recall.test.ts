import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/ground/text/estimate";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import { hash } from "../../fakes/hash";
import { messageRecord, resultRecord } from "../../fakes/records";
import { assertAnswer, type ExpectedAnswer, Harness, numbered } from "./harness";

function record(output: string, shown = output): LogRecord {
  const raw = { sha256: hash.sha256(output), bytes: output.length, inline: shown === output };
  const more = { toolName: "Bash", turn: 2, digest: "Bash npm test exit 0", forms: { shown }, raw };
  return { ...{ id: "r", seq: 1, ts: Date.UTC(2026, 10, 21) }, ...resultRecord(more) };
}
const handleOf = (output: string) => `obs:${hash.sha256(output).slice(0, 12)}`;

async function check(outputs: string[], input: Json, expected: ExpectedAnswer) {
  const harness = new Harness();
  for (const output of outputs) {
    harness.records.push(record(output, "(short)"));
    harness.blobs.blobs.set(hash.sha256(output), Buffer.from(output));
  }
  const answer = await harness.call("Recall", input);
  assertAnswer(answer, expected);
  return answer;
}

describe("Recall", () => {
  const three = "a\r\n\tb\nc\n";
  const handle = handleOf(three);

  it("gives an output whole, as it was recorded", () =>
    check(
      [three],
      { handle },
      { text: `${three}(${handle}, whole: Bash npm test exit 0, turn 2.)`, digest: `Recall ${handle} whole` },
    ));

  it("gives lines of it, and says how to go on", async () => {
    await check(
      [three],
      { handle, lines: "2" },
      {
        text: `\tb\n(${handle}, lines 2–2 of 3: Bash npm test exit 0, turn 2. Go on with lines "3-3".)`,
      },
    );
    await check([three], { handle, lines: "2-99" }, { text: /^\tb\nc\n\(obs:.*, lines 2–3 of 3: [^"]*\)$/ });
    await check([three], { handle, lines: "4-" }, { status: "INVALID_INPUT", text: /3 lines: there is no line 4/ });
    await check([three], { handle, lines: "x" }, { status: "INVALID_INPUT", text: /"10-40"/ });
  });

  it("is bounded as Read is, and every line can be reached", async () => {
    const long = numbered(9_000, line => `line ${line} ${"x".repeat(20)}`);
    let next: string | undefined = "1-";
    const lines: string[] = [];
    for (let calls = 0; next !== undefined; calls += 1) {
      assert.ok(calls < 20);
      const { text } = await check([long], { handle: handleOf(long), lines: next }, { text: /./ });
      assert.ok(estimateTokens(text) < 12_100);
      lines.push(...text.split("\n").slice(0, -1));
      next = /Go on with lines "([^"]+)"/.exec(text)?.[1];
    }
    assert.equal(`${lines.join("\n")}\n`, long);
    const one = "y".repeat(100_000);
    const { data } = await check(
      [one],
      { handle: handleOf(one) },
      { text: /y… \[88,000 more characters\]\n.*1–1 of 1, cut/ },
    );
    assert.equal(data.truncated, true);
  });

  it("finds lines in one output, and in everything", async () => {
    const found = `2\t\tb\n(1 line of ${handle} with "B": Bash npm test exit 0, turn 2)`;
    await check([three], { handle, query: "B" }, { text: found, digest: `Recall ${handle} "B" 1 line` });
    await check(
      [three, "nothing"],
      { query: "C" },
      {
        text: `turn 2 · 2026-11-21T00:00Z · ${handle} line 3 (Bash npm test exit 0): c`,
        digest: 'Recall "C" 1 hit',
      },
    );
    await check([three], { query: "zebra" }, { text: /^Nothing in this session has a line with zebra/ });
    const many = Array.from({ length: 30 }, (_, at) => `needle ${at}`);
    const { text } = await check(many, { query: "needle" }, { text: /needle 29/ });
    assert.equal(text.split("\n").length, 21);
    assert.match(text, /\(The newest 20 are shown; there may be more/);
  });

  it("lists the turns, and those with words", async () => {
    await check(["x"], { source: "runs" }, { text: /^turn 2 · running · "" · 1 call: Bash npm test exit 0$/ });
    await check(["x"], { source: "runs", query: "zebra" }, { text: "No turn fits." });
  });

  it("gives a turn by its number, a part of it too", async () => {
    const text =
      /^turn 2, 2026-11-21T00:00Z\n→ Bash npm test exit 0 \(obs:\w{12}\)\n\(turn:2, whole: without words, turn 2\.\)$/;
    await check(["x"], { handle: "turn:2" }, { text, digest: "Recall turn:2 whole" });
    await check(["x"], { handle: "turn:2", lines: "2" }, { text: /^→ Bash npm test.*\n\(turn:2, lines 2–2 of 2/ });
    await check(["x"], { handle: "turn:2", query: "NPM" }, { text: /^2\t→ Bash npm test/ });
    await check(["x"], { handle: "turn:3" }, { status: "NOT_FOUND", text: /No turn 3 .* its turns are 1 to 2\./ });
  });

  describe("in earlier sessions", () => {
    const say = (turn: number, role: "user" | "assistant", text: string) => ({
      ...{ id: `rec${turn}${role}`, seq: turn, ts: Date.UTC(2026, 10, turn) },
      ...messageRecord(role, text, { id: `m${turn}${role}`, turn }),
    });
    const page = (text: string) => ({ ...record(text), id: "page", seq: 9, trust: "mcp", digest: "server page" });
    async function library(sessions: Record<string, object[]>) {
      const harness = new Harness();
      for (const [at, [id, records]] of Object.entries(sessions).entries()) {
        const files = await harness.sessions.create(id);
        const header = { kind: "header", version: 1, sessionId: id, created: 0, archives: [] };
        await files.replace("history.jsonl", [header, ...records].map(line => `${JSON.stringify(line)}\n`).join(""));
        await files.close();
        const updated = Date.UTC(2026, 9, 1 + at);
        await harness.sessions.writeMeta({ id, title: `Title of ${id}`, created: 0, updated, turns: records.length });
      }
      const ask = (query?: string) => harness.call("Recall", { source: "sessions", ...(query && { query }) });
      return { harness, ask };
    }

    it("finds lines, each with its session and date, and none of its own or of the wrong words", async () => {
      const { ask } = await library({
        a: [say(1, "user", "Retry three times.\nnothing"), say(2, "assistant", "I retry.")],
        b: [say(1, "user", "Something else.")],
        ses_now: [say(1, "user", "Retry now.")],
        titled: [],
      });
      const { text, status, digest } = await ask("RETRY");
      assert.equal(status, "ok");
      assert.equal(
        text,
        'session "Title of a", 2026-10-01, 2 turns\n  turn 2 · 2026-11-02T00:00Z · assistant: I retry.\n  turn 1 · 2026-11-01T00:00Z · user: Retry three times.',
      );
      assert.equal(digest, 'Recall earlier sessions "RETRY" 1 session');
      assert.match((await ask("titled")).text, /^session "Title of titled", 2026-10-04, 0 turns$/);
      assert.match((await ask("zebra")).text, /^No earlier session of this workspace has a line with zebra/);
      assert.deepEqual((await ask()).text.match(/(?<=Title of )\w+/g), ["titled", "b", "a"]);
    });

    it("says whose a line is: what a server said stays a server's", async () => {
      const { ask } = await library({ a: [page("the retry page")], b: [say(1, "user", "retry")] });
      assert.equal((await ask("retry")).performed?.trust, "mcp");
      assert.equal((await ask("Title")).performed?.trust, undefined);
    });

    it("takes 2,000 tokens at most, and says that there is more", async () => {
      const line = "retry ".repeat(30);
      const many = Array.from({ length: 60 }, (_, at) => [`s${at}`, [say(1, "user", line), say(2, "user", line)]]);
      const { ask } = await library(Object.fromEntries(many));
      const { text, data } = await ask("retry");
      assert.ok(estimateTokens(text) <= 2_000, `${estimateTokens(text)}`);
      assert.ok(estimateTokens(text) > 1_500, `${estimateTokens(text)}`);
      assert.match(text, /There may be more in \d+ older sessions, which were not searched: add words to narrow it/);
      assert.equal(data.truncated, true);
      assert.ok(estimateTokens((await ask()).text) <= 2_000);
    });

    it("reads no session where the person turned it off, and names one that cannot be read", async () => {
      const { harness, ask } = await library({ a: [say(1, "user", "retry")], newer: [] });
      harness.sessions.disk.put("newer", "history.jsonl", '{"kind":"header","version":99}\nretry\n');
      const { text, status } = await ask("retry");
      assert.match(text, /user: retry\n\(1 session could not be read\.\)$/);
      assert.equal(status, "partial");
      harness.recallsSessions = false;
      assert.equal((await ask("retry")).status, "DENIED");
      const both = await harness.call("Recall", { source: "sessions", handle: "turn:1" });
      assert.equal(both.status, "INVALID_INPUT");
    });
  });

  it("says what is missing", async () => {
    await check(
      [],
      {},
      { status: "INVALID_INPUT", text: /a handle \(obs:…\), a query, or source "runs" or "sessions"/ },
    );
    await check([], { handle: "", query: " " }, { status: "INVALID_INPUT", text: /Say what to recall/ });
    await check([], { query: "x", lines: "1" }, { status: "INVALID_INPUT", text: /give its handle too/ });
    await check([], { handle: "obs:000000000000" }, { status: "NOT_FOUND", text: /No output of this session/ });
    const harness = new Harness();
    harness.records.push(record("gone", "(short)"));
    const answer = await harness.call("Recall", { handle: handleOf("gone") });
    assert.equal(answer.status, "NOT_FOUND");
    assert.match(answer.text, new RegExp(`no blob ${hash.sha256("gone")}`));
    const search = await harness.call("Recall", { query: "anything" });
    assert.equal(search.status, "partial");
    assert.match(search.text, new RegExp(`Not searched, their blobs are missing or damaged: ${handleOf("gone")}`));
  });
});
