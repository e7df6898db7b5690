import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/text/estimate";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import { hash } from "../../fakes/hash";
import { Harness, numbered } from "./harness";

function record(output: string, shown = output): LogRecord {
  const raw = { sha256: hash.sha256(output), bytes: output.length, inline: shown === output };
  return {
    ...{ id: "r", seq: 1, ts: Date.UTC(2026, 10, 21), kind: "result", messageId: "m", callId: "c", toolName: "Bash" },
    ...{ turn: 2, step: 1, status: "success", digest: "Bash npm test exit 0", durationMs: 1, forms: { shown }, raw },
  };
}
const handleOf = (output: string) => `obs:${hash.sha256(output).slice(0, 12)}`;

async function check(
  outputs: string[],
  input: Json,
  expected: { status?: string; text: string | RegExp; digest?: string },
) {
  const harness = new Harness();
  for (const output of outputs) {
    harness.records.push(record(output, "(short)"));
    harness.blobs.blobs.set(hash.sha256(output), Buffer.from(output));
  }
  const answer = await harness.call("Recall", input);
  assert.equal(answer.status, expected.status ?? "ok", answer.text);
  if (typeof expected.text === "string") assert.equal(answer.text, expected.text);
  else assert.match(answer.text, expected.text);
  if (expected.digest) assert.equal(answer.digest, expected.digest);
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

  it("says what is missing", async () => {
    await check([], {}, { status: "INVALID_INPUT", text: /a handle \(obs:…\), a query, or source "runs"/ });
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
