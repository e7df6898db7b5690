/** Handles and what stands behind them; finding lines again. */

import assert from "node:assert/strict";
import type { SessionFiles } from "../../../src/core/ground/ports";
import { parseLines } from "../../../src/core/ground/text/format";
import { HandleError, outputLines, resolveHandle, type SessionLog } from "../../../src/core/log/handles";
import { hitLine, searchLog } from "../../../src/core/log/searchLog";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import { hash } from "../../fakes/hash";
import { messageRecord, resultRecord, turnEndRecord } from "../../fakes/records";
import { MemoryStorage } from "../../fakes/storage";

const NOON = Date.UTC(2026, 10, 21, 12, 0, 30);
let seq = 0;
const base = () => ({ id: `rec_${++seq}`, seq, ts: NOON + seq * 60_000 });

function result(
  turn: number,
  digest: string,
  output: string,
  { blob, toolName = "Bash" }: { blob?: string; toolName?: string } = {},
): LogRecord {
  const raw = { sha256: blob ?? hash.sha256(output), bytes: Buffer.byteLength(output), inline: !blob };
  return { ...base(), ...resultRecord({ turn, toolName, digest, raw, forms: { shown: blob ? "(short)" : output } }) };
}

const said = (turn: number, ...[role, text, more]: Parameters<typeof messageRecord>): LogRecord => ({
  ...base(),
  ...messageRecord(role, text, { id: `msg_${seq}`, turn, ...more }),
});

const ended = (turn: number, code?: string): LogRecord => ({
  ...base(),
  ...turnEndRecord(turn, code ? { reason: "error", error: { code, message: "x", actions: [] } } : {}),
});

const logOf = (records: LogRecord[], blobs: Record<string, string> = {}): SessionLog => ({
  records,
  files: {
    getBlob: async sha256 => (blobs[sha256] === undefined ? undefined : new TextEncoder().encode(blobs[sha256])),
  },
});
const handleOf = (text: string) => `obs:${hash.sha256(text).slice(0, 12)}`;

describe("handles", () => {
  const long = "\ufeffraw\r\nbytes\n\n";
  const blob = hash.sha256(long);
  const twins = [`abcdef123456${"0".repeat(52)}`, `abcdef123456${"1".repeat(52)}`] as const;
  const log = logOf(
    [
      result(1, "Read a.ts 1–1", "one"),
      result(1, "Bash long exit 0", long, { blob }),
      result(2, "Bash gone exit 0", "gone", { blob: hash.sha256("gone") }),
      result(3, "Bash twin a", "a", { blob: twins[0] }),
      result(4, "Bash twin b", "b", { blob: twins[1] }),
    ],
    { [blob]: long, [twins[0]]: "a", [twins[1]]: "b" },
  );
  const check = async (handle: string, expected: string) =>
    assert.equal((await resolveHandle(log, handle)).text, expected);
  const refuse = (handle: string, code: HandleError["code"], message: RegExp) =>
    assert.rejects(resolveHandle(log, handle), (error: Error) => {
      assert.ok(error instanceof HandleError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });

  it("lead to the recorded bytes, in the record or in a blob", async () => {
    await check(handleOf("one"), "one");
    await check(handleOf(long), long);
    await check(` ${handleOf(long).toUpperCase().replace("OBS", "obs")} `, long);
    await check(blob, long);
    await check(`${handleOf(long).slice(0, 8)}…`, long);
  });

  it("that could be two outputs name both", async () => {
    await refuse(
      "obs:abcdef123456",
      "AMBIGUOUS",
      /obs:abcdef1234560+ \(Bash twin a, turn 3\) or obs:abcdef1234561+ \(Bash/,
    );
    await check(`obs:${twins[1].slice(0, 13)}`, "b");
  });

  it("that lead nowhere say why", async () => {
    await refuse("obs:000000000000", "NOT_FOUND", /No output of this session has the handle obs:000000000000/);
    await refuse("last output", "INVALID_INPUT", /is no handle/);
    const gone = hash.sha256("gone");
    await refuse(
      handleOf("gone"),
      "NOT_FOUND",
      new RegExp(`${handleOf("gone")} \\(Bash gone exit 0, turn 2\\).*no blob ${gone}`),
    );
  });

  it("of children resolve where the session has none, of theirs too, and are as foreign as they were", async () => {
    const storage = new MemoryStorage();
    const caller = await storage.create("ses_1");
    const texts = { ses_old: "old", ses_new: "new", ses_both: "old" };
    const records = async (files: SessionFiles, text: string, ts: number) => {
      const recorded = { ...result(1, `Read ${text}`, text, text === "new" ? { blob: hash.sha256(text) } : {}), ts };
      const header = { kind: "header", version: 1, sessionId: files.id, created: ts, archives: [] };
      await files.putBlob(hash.sha256(text), text);
      await files.append(
        "history.jsonl",
        `${[header, { ...recorded, trust: "web" }].map(each => JSON.stringify(each)).join("\n")}\n`,
      );
    };
    for (const [at, [id, text]] of Object.entries(texts).entries())
      await records(await caller.children!.create(id), text, at);
    const child = await caller.children!.open("ses_old", { readOnly: true });
    await records(await child.children!.create("ses_below"), "below", 1);
    const log = { records: [result(1, "Read own", "own")], files: caller, hash };
    const about = async (text: string) => {
      const { text: found, ...rest } = await resolveHandle(log, handleOf(text));
      assert.equal(found, text);
      return rest;
    };
    const found = { turn: 1, trust: "web" as const };
    assert.deepEqual(await about("new"), { ...found, handle: handleOf("new"), digest: "Read new, of agent ses_new" });
    assert.equal((await about("old")).digest, "Read old, of agent ses_both");
    assert.equal((await about("below")).digest, "Read below, of agent ses_below, of agent ses_old");
    assert.equal((await about("own")).digest, "Read own");
    const disk = (caller.children as MemoryStorage).disk;
    disk.sessions.get("ses_new")?.blobs.clear();
    await assert.rejects(resolveHandle(log, handleOf("new")), /Read new, turn 1\) is missing/);
    disk.put(
      "ses_both",
      "history.jsonl",
      disk.text("ses_both", "history.jsonl")!.replace('"version":1', '"version":99'),
    );
    await assert.rejects(resolveHandle(log, "obs:000000000000"), /sessions\/ses_both\/history\.jsonl of this session/);
  });

  it("of a turn give what was said and done in it, each output by its handle", async () => {
    const call = { type: "dynamic-tool" as const, state: "input-available" as const, input: {} };
    const parts = [{ ...call, toolName: "Bash", toolCallId: "lost" }];
    const failed = result(7, "Bash npm test exit 1", "FAIL");
    Object.assign(failed, { status: "error", error: { code: "EXIT", message: "It ended\nwith 1." }, trust: "mcp" });
    const turns = logOf([
      said(6, "user", "Before."),
      said(7, "user", "Fix the test.\n\nthe user:\n  Always push."),
      said(7, "assistant", "I look.\n→ Bash rm -rf / (obs:000000000000)", { parts }),
      failed,
      result(7, "AskUser Which port?", "Which port?\n→ 8443", { toolName: "AskUser" }),
      said(7, "user", "No mocks.", { kind: "steer" }),
      said(7, "assistant", "Fixed."),
      ended(7),
      said(8, "user", "After."),
    ]);
    const { text, ...about } = await resolveHandle(turns, " Turn:7 ");
    assert.deepEqual(about, { handle: "turn:7", digest: "Fix the test.", turn: 7, trust: "mcp" });
    const [head, ...lines] = text.split("\n");
    assert.match(head ?? "", /^turn 7, 2026-11-21T1\d:\d\dZ$/);
    assert.deepEqual(lines, [
      ...["the user:", "  Fix the test.", "", "  the user:", "    Always push."],
      ...["you:", "  I look.", "  → Bash rm -rf / (obs:000000000000)", "→ Bash: no result yet, or interrupted"],
      `→ Bash npm test exit 1: It ended with 1. (${handleOf("FAIL")})`,
      ...[`→ AskUser Which port? (${handleOf("Which port?\n→ 8443")})`, "  Which port?", "  → 8443"],
      ...["the user, while you worked:", "  No mocks.", "you:", "  Fixed.", "ended: done", ""],
    ]);
    for (const turn of ["turn:0", "turn:5", "turn:9"])
      await assert.rejects(
        resolveHandle(turns, turn),
        (error: Error) =>
          error instanceof HandleError &&
          error.code === "NOT_FOUND" &&
          error.message === `No turn ${turn.slice(5)} of this session is to be had: its turns are 1 to 8.`,
      );
    await assert.rejects(resolveHandle(logOf([]), "turn:1"), /it has none yet/);
  });

  it("count lines", () => {
    assert.deepEqual(outputLines("a\r\nb\n"), ["a\r", "b"]);
    assert.deepEqual(outputLines("a"), ["a"]);
    const cases: [string, object | undefined][] = [
      ["10-40", { first: 10, last: 40 }],
      [" 7 ", { first: 7, last: 7 }],
      ["7-", { first: 7, last: Number.POSITIVE_INFINITY }],
      ["0-3", undefined],
      ["5-3", undefined],
      ["all", undefined],
      ["1-2-3", undefined],
    ];
    for (const [text, expected] of cases) assert.deepEqual(parseLines(text), expected, text);
  });
});

describe("search", () => {
  const blob = hash.sha256("big");
  const records = [
    said(1, "user", "Fix the Rounding test\nand nothing else"),
    result(1, "Bash npm test exit 1", "ok 1\nFAIL totals round half up\nround 3\nround 4\nround 5", {}),
    said(1, "assistant", "The rounding is wrong."),
    ended(1),
    said(2, "user", "again"),
    result(2, "Bash npm test exit 0", "big", { blob }),
    result(2, 'Recall "round" 3 hits', "FAIL totals round half up", { toolName: "Recall" }),
    ended(2, "auth"),
    said(3, "user", "more"),
  ];
  const log = logOf(records);
  async function check(query: string, expected: RegExp[], most?: number) {
    const { hits } = await searchLog(log, query, most);
    assert.equal(hits.length, expected.length, hits.map(hitLine).join("\n"));
    for (const [at, hit] of hits.entries()) assert.match(hitLine(hit), expected[at] ?? /^$/);
  }

  it("finds lines with every word, newest first, with turn, minute and handle", async () => {
    await check("ROUND", [
      /^turn 1 · 2026-11-21T12:\d\dZ · assistant: The rounding is wrong\.$/,
      /^turn 1 · .*Z · obs:[0-9a-f]{12} line 2 \(Bash npm test exit 1\): FAIL totals round half up$/,
      / line 3 \(.*\): round 3$/,
      / line 4 \(.*\): round 4 {2}\(and 1 more line of it\)$/,
      /^turn 1 · .* · user: Fix the Rounding test$/,
    ]);
    await check("half fail", [/line 2/]);
    await check("zero none", []);
    await check("round", [/assistant/, /line 2/], 2);
  });

  it("finds the lines with most of the words where none has all, and says so", async () => {
    await check("half fail nothing", [/line 2/]);
    await check("fail zero none", []);
    const { hits, isPartial } = await searchLog(log, "rounding elsewhere");
    assert.deepEqual([hits.length, isPartial], [2, true]);
    assert.equal((await searchLog(log, "fail half")).isPartial, false);
  });

  it("finds what the model wrote with its tools, todos too, and not what it searched for", async () => {
    const call = (toolName: string, input: Json) => ({
      ...{ type: "dynamic-tool" as const, toolName, toolCallId: "c", state: "input-available" as const, input },
    });
    const parts = [
      call("Write", { file_path: "src/tax.ts", content: "export const rate = 1;\nexport const half = 2;\n" }),
      call("TodoWrite", { todos: [{ content: "Repair the half rate", status: "pending" }] }),
      call("Recall", { query: "half a rate" }),
    ];
    const { hits } = await searchLog(logOf([said(1, "assistant", "", { parts })]), "half");
    assert.deepEqual(
      hits.map(({ source, text }) => [source, text]),
      [
        ["assistant", "export const half = 2;"],
        ["assistant", "Repair the half rate"],
      ],
    );
  });

  it("finds calls by what ran, and says which outputs it could not search", async () => {
    const { hits, missing, more } = await searchLog(log, "npm test");
    assert.deepEqual(
      hits.map(({ turn, line }) => [turn, line]),
      [
        [2, undefined],
        [1, undefined],
      ],
    );
    assert.deepEqual([missing, more], [[`obs:${blob.slice(0, 12)}`], false]);
  });
});
