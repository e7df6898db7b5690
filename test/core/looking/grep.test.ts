import assert from "node:assert/strict";
import type { Json } from "../../../src/shared/messages";
import { assertAnswer, type ExpectedAnswer, Harness, numbered } from "./harness";

async function check(roots: Record<string, Record<string, string>>, input: Json, expected: ExpectedAnswer) {
  const harness = new Harness(roots);
  const answer = await harness.call("Grep", input);
  assertAnswer(answer, expected);
  assert.equal(harness.blobs.open, 0, "no writer is left open");
  return { ...answer, harness };
}

const app = { "src/a.ts": "one\ntwo\nthree\nfour\nTwo\n", "src/b.ts": "two\n", "c.md": "nothing here\n" };

describe("Grep", () => {
  it("shows matching lines by file", async () => {
    const { data } = await check(
      { app },
      { pattern: "two" },
      {
        text: "src/a.ts\n2:two\n\nsrc/b.ts\n1:two\n(2 hits in 2 files)",
        digest: 'Grep "two" 2 hits in 2 files',
      },
    );
    assert.deepEqual(data.first, ["src/a.ts:2: two", "src/b.ts:1: two"]);
    await check(
      { app },
      { pattern: "two", "-i": true, path: "src/a.ts" },
      { text: "src/a.ts\n2:two\n5:Two\n(2 hits in 1 file)" },
    );
    await check(
      { app },
      { pattern: "one.two", multiline: true },
      { text: "src/a.ts\n1:one\n2:two\n(2 hits in 1 file)" },
    );
    await check(
      { app: { a: "x" }, lib: { b: "x" } },
      { pattern: "x" },
      { text: "app:a\n1:x\n\nlib:b\n1:x\n(2 hits in 2 files)" },
    );
  });

  it("shows context, with a gap marked", async () => {
    const text = { "a.txt": "x\n1\n2\n3\n4\n5\nx\n6\n" };
    await check(
      { app: text },
      { pattern: "x", "-C": 1 },
      { text: "a.txt\n1:x\n2-1\n--\n6-5\n7:x\n8-6\n(2 hits in 1 file)" },
    );
    await check(
      { app: text },
      { pattern: "x", "-A": 1 },
      { text: "a.txt\n1:x\n2-1\n--\n7:x\n8-6\n(2 hits in 1 file)" },
    );
    await check({ app: text }, { pattern: "x", "-B": 1 }, { text: "a.txt\n1:x\n--\n6-5\n7:x\n(2 hits in 1 file)" });
  });

  it("lists files, and counts", async () => {
    await check(
      { app },
      { pattern: "two", output_mode: "files_with_matches" },
      { text: "src/a.ts\nsrc/b.ts\n(2 files)" },
    );
    await check(
      { app },
      { pattern: "two", "-i": true, output_mode: "count" },
      { text: "src/a.ts:2\nsrc/b.ts:1\n(3 hits in 2 files)" },
    );
  });

  it("ends at head_limit and says that there is more", async () => {
    const { harness } = await check(
      { app: { a: numbered(50) } },
      { pattern: "line", head_limit: 2 },
      {
        text: "a\n1:line 1\n2:line 2\n(2 hits in 1 file)\nThere is more: raise head_limit, or narrow the search.",
      },
    );
    assert.equal(harness.search.delivered, 3);
    await check({ app: { a: "x\nx\n" } }, { pattern: "x", head_limit: 2 }, { text: "a\n1:x\n2:x\n(2 hits in 1 file)" });
  });

  it("beyond 100 lines shows every file's first hits, most hits first, and keeps all of it", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`f${index + 10}.txt`, numbered(index + 1, line => `hit ${line}`)]),
    );
    const { text, performed, harness } = await check(
      { app: many },
      { pattern: "hit" },
      { text: /^More than 100 lines/, digest: 'Grep "hit" 1,830 hits in 60 files' },
    );
    assert.match(text, /\nf69\.txt \(60\)\n1:hit 1\n2:hit 2\nf68\.txt \(59\)\n1:hit 1\n2:hit 2\n/);
    assert.match(
      text,
      /\nf20\.txt \(11\)\n1:hit 1\n2:hit 2\n… 10 more files with 55 hits\n\(1,830 hits in 60 files\)\nComplete output: Recall \{"handle":"obs:[0-9a-f]{12}"\}\./,
    );
    const raw = harness.blobs.text(performed?.raw?.sha256 ?? "") ?? "";
    assert.equal(raw.trim().split("\n").length, 1830);
    assert.ok(raw.startsWith("f10.txt:1:hit 1\n"));
  });

  it("lists 100 files and counts the rest", async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`f${index + 100}`, "x\n"]));
    const { text } = await check(
      { app: many },
      { pattern: "x", output_mode: "files_with_matches" },
      { text: /\n… 20 more files\n\(120 files\)\nComplete output: Recall \{"handle":"obs:/ },
    );
    assert.equal(text.split("\n")[99], "f199");
  });

  it("cuts long lines, and ends a search that floods", async () => {
    await check(
      { app: { a: `x${"y".repeat(1000)}` } },
      { pattern: "x" },
      { text: /^a\n1:xy{399}… \[601 more characters\]\n/ },
    );
    const { text, harness } = await check(
      { app: { a: numbered(30, () => "x".repeat(1_000_000)) } },
      { pattern: "x" },
      { status: "partial", text: /The search was ended after 20 MB of output; there is more\./ },
    );
    assert.ok(text.length < 12_000);
    assert.ok(harness.search.delivered < 30);
  });

  it("leaves out protected files of a folder; the one that is named was asked about", async () => {
    const files = { "src/a.ts": "x\n", ".env": "x=1\n", "api/.npmrc": "x\n", ".vscode/tasks.json": "x\n" };
    const { data } = await check(
      { app: files },
      { pattern: "x" },
      { text: "src/a.ts\n1:x\n(1 hit in 1 file)", digest: 'Grep "x" 1 hit in 1 file' },
    );
    assert.equal(data.protected, undefined);
    await check({ app: files }, { pattern: "x", path: ".env" }, { text: ".env\n1:x=1\n(1 hit in 1 file)" });
    await check({ app: files }, { pattern: "x", path: ".vscode" }, { text: /^\.vscode\/tasks\.json\n1:x\n/ });
    await check(
      { app: files, lib: { ".env": "x", "sub/b": "x" } },
      { pattern: "x", path: "lib:." },
      { text: "lib:sub/b\n1:x\n(1 hit in 1 file)" },
    );
  });

  it("says the same whatever is in protected files: else a password is found pattern by pattern", async () => {
    const answer = async (env: string, mode: string, pattern: string) => {
      const harness = new Harness({ app: { "a.ts": "other\n", ".env": env } });
      return JSON.stringify(await harness.call("Grep", { pattern, output_mode: mode, head_limit: 1 }));
    };
    for (const mode of ["content", "files_with_matches", "count"]) {
      for (const pattern of ["^password=h", "other|password=h"])
        assert.equal(await answer("password=hunter2\n", mode, pattern), await answer("nothing\n", mode, pattern));
    }
    assert.match(
      await answer("password=h", "content", "hunter"),
      /protected ones \(\.env, keys\) only where path names them/,
    );
  });

  it("of a folder outside that was asked about shows the files, not the protected ones", async () => {
    const harness = new Harness({ app: {} });
    harness.files.put("/etc/a", "x\n");
    harness.files.put("/etc/.ssh/id_rsa", "x\n");
    const { text } = await harness.call("Grep", { pattern: "x", path: "/etc" });
    assert.equal(text, "/etc/a\n1:x\n(1 hit in 1 file)");
  });

  it("says what is wrong", async () => {
    await check(
      { app },
      { pattern: "zzz", glob: "*.ts" },
      {
        text: "Nothing in . matches zzz. Ignored files were not searched, protected ones (.env, keys) only where path names them. Try it without glob and type.",
      },
    );
    await check({ app }, { pattern: "two", path: "scr" }, { status: "NOT_FOUND", text: /Nearest: src\./ });
    const harness = new Harness({ app });
    await assert.rejects(harness.call("Grep", { pattern: "(" }), /regex parse error/);
    await assert.rejects(harness.call("Grep", { pattern: "x", type: "cobol" }), /unrecognized file type: cobol/);
    assert.equal(harness.blobs.open, 0);
  });

  it("says when the complete output could not be stored", async () => {
    const harness = new Harness({ app: { a: numbered(200) } });
    harness.blobs.failWrites = new Error("the disk is full");
    const { status, text, performed } = await harness.call("Grep", { pattern: "line" });
    assert.equal(status, "ok");
    assert.match(text, /could not be stored: the disk is full$/);
    assert.equal(performed?.raw, undefined);
    assert.equal(harness.blobs.open, 0);
  });
});
