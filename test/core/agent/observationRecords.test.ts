/** What is recorded of an observation: every handle that stands in one of its forms leads to the recorded bytes. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { observationRecords } from "../../../src/core/agent/observation";
import { decodeLog, encodeLine } from "../../../src/core/log/codec";
import { resolveHandle } from "../../../src/core/log/handles";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord, RecordOf } from "../../../src/shared/records";
import { hash } from "../../fakes/hash";
import { asItIs } from "../../fakes/redact";
import { cases } from "../../fakes/soak";
import { Harness, numbered } from "../looking/harness";

const header = { kind: "header" as const, version: 1, sessionId: "ses_1", created: 1, archives: [] };
const place = { runId: "run_1", turn: 1, step: 1, messageId: "msg_1" };

async function recorded(harness: Harness, toolName: string, input: Json): Promise<RecordOf<"result">> {
  const { performed } = await harness.call(toolName, input);
  assert.ok(performed);
  const call = { type: "dynamic-tool" as const, toolName, toolCallId: "c", state: "input-available" as const, input };
  const [record] = await observationRecords(place, call, performed, {
    files: {
      putBlob: async (sha256, content) =>
        void harness.blobs.blobs.set(sha256, typeof content === "string" ? new TextEncoder().encode(content) : content),
    },
    hash,
    redact: asItIs,
    forms: harness.tools.get(toolName)?.forms,
  });
  assert.ok(record?.kind === "result");
  const seq = harness.records.length + 1;
  const stored = { ...record, id: `rec_${seq}`, seq, ts: 1 } as RecordOf<"result">;
  harness.records.push(stored);
  return stored;
}

/** As the log is read again. */
const reopened = (records: LogRecord[]) => decodeLog([header, ...records].map(encodeLine).join("")).records;

describe("what is recorded of an observation", () => {
  const words = fc.constantFrom(
    "ok",
    "error: x",
    "FAIL y",
    "…",
    "漢字",
    "same",
    "\r50%",
    "\u001b[31mred",
    "\ufeff",
    "",
  );
  const line = fc.array(words, { maxLength: 6 }).map(parts => parts.join(" "));
  const output = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 60 }))
    .map(([lines, times]) =>
      Array.from({ length: times }, (_, at) => lines.map(text => `${text} ${at}\n`).join("")).join(""),
    );

  it("every handle in any form resolves to the recorded bytes, after opening again too", async () => {
    let named = 0;
    await fc.assert(
      fc.asyncProperty(output, fc.constantFrom("Bash", "Read", "Grep", "Glob"), async (text, tool) => {
        const files = Object.fromEntries(text.split("\n").map((content, at) => [`f${at}.txt`, content]));
        const shell = { run: { output: [["stdout", text] as const] } };
        const harness = new Harness({ app: tool === "Glob" ? files : { "a.txt": text } }, { shell });
        const inputs: Record<string, Json> = {
          ...{ Bash: { command: "run" }, Read: { file_path: "a.txt" } },
          ...{ Grep: { pattern: "." }, Glob: { pattern: "*" } },
        };
        const { forms, raw } = await recorded(harness, tool, inputs[tool] ?? {});
        const handles = JSON.stringify(forms).match(/\bobs:[0-9a-f]{12}\b/g) ?? [];
        named += handles.length;
        for (const records of [harness.records, reopened(harness.records)]) {
          const log = { records, files: { getBlob: async (sha256: string) => harness.blobs.blobs.get(sha256) } };
          for (const handle of new Set(handles)) {
            assert.equal(hash.sha256((await resolveHandle(log, handle)).text), raw?.sha256);
          }
        }
      }),
      { numRuns: cases(1_000) },
    );
    assert.ok(named > cases(300), `${named} handles`);
  }).timeout(180_000);

  it("keeps a long script behind a handle, what was written to a file in the file", async () => {
    const script = `node <<'END'\n${numbered(900)}\nEND`;
    const harness = new Harness({ app: {} }, { shell: { "*": { output: [["stdout", "ok\n"]] } } });
    const ran = await recorded(harness, "Bash", { command: script, description: "checks" });
    const handle = /obs:[0-9a-f]{12}/.exec(JSON.stringify(ran.forms.input))?.[0] ?? "";
    const log = {
      records: harness.records,
      files: { getBlob: async (sha256: string) => harness.blobs.blobs.get(sha256) },
    };
    assert.equal((await resolveHandle(log, handle)).text, script);
    const wrote = await recorded(harness, "Write", { file_path: "a.txt", content: numbered(900) });
    assert.match(JSON.stringify(wrote.forms.input), /more characters, left out here: see a\.txt\]/);
    assert.equal(wrote.inputTexts, undefined);
  });

  it("stores the forms with the record; what shown says already is not said again", async () => {
    const harness = new Harness(
      { app: { "a.txt": "one\n" } },
      { shell: { run: { output: [["stdout", numbered(900)]] } } },
    );
    const long = await recorded(harness, "Bash", { command: "run" });
    assert.deepEqual(Object.keys(long.forms), ["shown", "folded"]);
    assert.equal(long.raw?.inline, false);
    const short = await recorded(harness, "Read", { file_path: "a.txt" });
    assert.deepEqual(short.forms, { shown: "1\tone" });
    assert.deepEqual(short.raw, { sha256: hash.sha256("1\tone"), bytes: 5, inline: true });
  });
});
