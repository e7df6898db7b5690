import assert from "node:assert/strict";
import { createRedactor } from "../../../src/core/secrets/redact";
import { png } from "../../fakes/png";
import { assertAnswer, type ExpectedAnswer, Harness, numbered } from "./harness";

const PNG = png(2, 2);
const notebook = (...cells: object[]) => JSON.stringify({ nbformat: 4, cells });

/** Reads, and compares status and text; a pattern where only a part matters. */
async function check(
  content: string | Uint8Array | undefined,
  input: { offset?: number; limit?: number },
  expected: ExpectedAnswer,
  path = "src/a.ts",
): Promise<Harness> {
  const harness = new Harness({ app: content === undefined ? {} : { [path]: content } });
  const answer = await harness.call("Read", { file_path: path, ...input });
  assertAnswer(answer, expected);
  return harness;
}

describe("Read", () => {
  it("numbers the lines and remembers the version", async () => {
    const harness = await check("a\nb\n", {}, { text: "1\ta\n2\tb", digest: "Read src/a.ts 1–2" });
    assert.equal(harness.stamps.size, 1);
    await check("a\r\nb\rc", {}, { text: "1\ta\n2\tb\n3\tc" });
    await check(Buffer.from("efbbbf61", "hex"), {}, { text: "1\ta" });
    await check(Buffer.from("fffe6100", "hex"), {}, { text: "1\ta" });
  });

  it("reads a part, and says how to go on", async () => {
    await check(
      numbered(9),
      { offset: 3, limit: 2 },
      { text: "3\tline 3\n4\tline 4\n(Lines 3–4 of 9. Go on with offset 5.)" },
    );
    await check(numbered(9), { offset: 9 }, { text: "9\tline 9\n(Lines 9–9 of 9.)" });
    await check(numbered(9), { offset: 0, limit: 1 }, { text: /^1\tline 1\n/ });
    const short = numbered(2500, () => "x");
    await check(short, {}, { text: /\n2000\tx\n\(Lines 1–2000 of 2500\. Go on with offset 2001\.\)$/ });
    await check(short, { limit: 2400 }, { text: /\(Lines 1–2400 of 2500\. Go on with offset 2401\.\)$/ });
  });

  it("stops at 12,000 tokens, never in the middle", async () => {
    const harness = new Harness({ app: { "a.txt": numbered(1000, () => "x".repeat(300)) } });
    const { text, data } = await harness.call("Read", { file_path: "a.txt" });
    const last = Number(data.last);
    assert.ok(last > 100 && last < 130, `${last}`);
    assert.equal(data.truncated, true);
    assert.match(text, new RegExp(`Go on with offset ${last + 1}\\.\\)$`));
    assert.equal(text.split("\n").length, last + 1);
  });

  it("cuts long lines with a note", async () => {
    await check("x".repeat(2500), {}, { text: /^1\tx{2000}… \[500 more characters\]$/ });
  });

  it("says what is wrong", async () => {
    await check("", {}, { text: "src/a.ts is empty.", digest: "Read src/a.ts (empty)" });
    await check(
      "a\n",
      { offset: 7 },
      {
        status: "INVALID_INPUT",
        text: /^src\/a\.ts has 1 line: offset 7 is past the end\. Use an offset from 1 to 1\.$/,
      },
    );
    await check(
      Buffer.from([1, 0, 2]),
      {},
      { status: "BINARY", text: /is a binary file \(unknown type, 3 B\)\. Read shows text and images only/ },
    );
    await check(Buffer.from("504b0304ff00", "hex"), {}, { status: "BINARY", text: /application\/zip, 6 B/ });
    await check(
      "x".repeat(21 * 1024 * 1024),
      {},
      {
        status: "TOO_LARGE",
        text: /has 21 MB; Read takes files of up to 20 MB\. Search it with Grep, or .* sed -n '1,200p' 'src\/a\.ts'$/,
      },
    );
  });

  it("suggests LS for a folder and the nearest names for what is missing", async () => {
    const harness = new Harness({ app: { "src/utils.ts": "x", "src/main.ts": "x", "test/helper.ts": "x" }, lib: {} });
    const cases: [string, string, RegExp][] = [
      ["src", "INVALID_INPUT", /^app:src is a folder\. Use LS/],
      ["src/util.ts", "NOT_FOUND", /^app:src\/util\.ts does not exist\. Nearest: app:src\/utils\.ts\.$/],
      ["src/helper.ts", "NOT_FOUND", /Nearest: app:test\/helper\.ts\.$/],
      ["helper.js", "NOT_FOUND", /Nearest: app:test\/helper\.ts\.$/],
      ["scr/main.ts", "NOT_FOUND", /Nearest: app:src\/main\.ts, app:src\.$/],
      ["zzz.py", "NOT_FOUND", /Nothing has a similar name: look with LS or Glob\.$/],
      ["/etc/nothing", "NOT_FOUND", /^\/etc\/nothing does not exist/],
      ["a[1].ts", "NOT_FOUND", /does not exist/],
    ];
    for (const [path, status, text] of cases) {
      const answer = await harness.call("Read", { file_path: path });
      assert.equal(answer.status, status);
      assert.match(answer.text, text);
    }
  });

  it("shows the editor's text, and says when it is not on disk", async () => {
    const harness = new Harness({ app: { "a.ts": "disk\n" } });
    harness.files.edit("a.ts");
    assert.equal((await harness.call("Read", { file_path: "a.ts" })).text, "1\tdisk");
    harness.files.edit("a.ts", "typed\n");
    const { text, data } = await harness.call("Read", { file_path: "a.ts" });
    assert.match(text, /This is the editor's text with unsaved changes; the file on disk differs\.\n1\ttyped$/);
    assert.equal(data.from, "editor");
  });

  it("notes a file that others changed; a changed time alone is no change", async () => {
    const harness = new Harness({ app: { "a.ts": "one\n" } });
    await harness.call("Read", { file_path: "a.ts" });
    harness.files.touch("a.ts");
    assert.equal((await harness.call("Read", { file_path: "a.ts" })).text, "1\tone");
    harness.files.put("a.ts", "two\n");
    const { text, data } = await harness.call("Read", { file_path: "a.ts" });
    assert.equal(text, "Note: a.ts was modified externally.\n1\ttwo");
    assert.equal(data.modifiedExternally, true);
  });

  it("says which text it shows, and only names what stands; asks for the rules around every file", async () => {
    const cells = notebook({ cell_type: "markdown", source: "a" }, { cell_type: "markdown", source: "b" });
    const harness = new Harness({ app: { "a.txt": numbered(2500), "b.ipynb": cells, "c.txt": "", "d.png": PNG } });
    const reads = async (file_path: string, more = {}) => {
      const { performed } = await harness.call("Read", { file_path, ...more });
      return performed?.reads?.map(({ first, last }) => [first, last]);
    };
    assert.deepEqual(await reads("a.txt"), [[1, 2000]]);
    assert.deepEqual(await reads("a.txt", { offset: 2400, limit: 500 }), [[2400, 2500]]);
    assert.deepEqual(await reads("b.ipynb"), [[1, 2]]);
    assert.equal(await reads("c.txt"), undefined);
    assert.equal(await reads("d.png"), undefined);
    await harness.call("Read", { file_path: "nothing.txt" });
    assert.deepEqual(harness.opened, ["a.txt", "a.txt", "b.ipynb", "c.txt", "d.png"]);

    const { uri } = await harness.files.resolve("b.ipynb");
    const sha256 = harness.stamps.get(uri)?.sha256 ?? "";
    const of = { messageId: "msg_1", callId: "c", handle: "obs:1", sha256 };
    harness.standing.set(uri, [{ ...of, step: 4, first: 1, last: 2 }]);
    const { text, digest, data, performed } = await harness.call("Read", { file_path: "b.ipynb" });
    const stands = "unchanged since your Read in step 4 of this turn; the text stands there.";
    assert.equal(text, `b.ipynb cells 1–2 are ${stands}`);
    assert.equal(digest, "Read b.ipynb 1–2 (cells) · unchanged");
    assert.deepEqual([data.lines, performed?.reads, performed?.restates?.step], [undefined, undefined, 4]);
    const part = await harness.call("Read", { file_path: "b.ipynb", offset: 1, limit: 1 });
    assert.equal(part.text, `b.ipynb cell 1 is ${stands} The file has 2; go on with offset 2.`);
  });

  it("of a part that begins within a private key shows no line of the key", async () => {
    const body = Array.from({ length: 4 }, (_, line) => `${line}Ab9`.repeat(16));
    const pem = ["-----BEGIN PRIVATE KEY-----", ...body, "-----END PRIVATE KEY-----"];
    const { redact } = createRedactor(text => text.length.toString(16).padStart(64, "0"));
    const harness = new Harness({ app: { "a.pem": ["first", ...pem, "last", ""].join("\n") } });
    for (let offset = 1; offset <= 8; offset += 1) {
      for (const limit of [1, 2, 20]) {
        const { text } = await harness.call("Read", { file_path: "a.pem", offset, limit });
        assert.doesNotMatch(redact(text), /Ab9/, `offset ${offset}, limit ${limit}`);
      }
    }
    const { text } = await harness.call("Read", { file_path: "a.pem", offset: 6 });
    const masked = "[line of a private key]";
    assert.equal(text, `6\t${masked}\n7\t${masked}\n8\tlast\n(Lines 6–8 of 8.)`);
  });

  it("attaches images", async () => {
    const harness = new Harness({ app: { "a.png": PNG } });
    const { performed, text } = await harness.call("Read", { file_path: "a.png" });
    assert.match(text, /^Image attached: a\.png \(image\/png, \d+ B\)/);
    assert.deepEqual(
      performed?.images?.map(({ mediaType, path }) => ({ mediaType, path })),
      [{ mediaType: "image/png", path: "a.png" }],
    );
    // It is made smaller before it is kept.
    const large = new Harness({ app: { "b.png": Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]) } });
    assert.equal((await large.call("Read", { file_path: "b.png" })).performed?.images?.length, 1);
  });

  it("shows notebooks as cells", async () => {
    const text = notebook(
      { cell_type: "markdown", source: ["# Title\n", "words"] },
      {
        cell_type: "code",
        source: "1 + 1",
        outputs: [{ output_type: "execute_result", data: { "text/plain": ["2"], "image/png": "…" } }],
      },
      { cell_type: "code", source: "boom()", outputs: [{ output_type: "error", ename: "NameError", evalue: "boom" }] },
    );
    const cells = [
      "[Cell 1 of 3: markdown]\n# Title\nwords",
      "[Cell 2 of 3: code]\n1 + 1\nOutput: 2 (image/png not shown)",
      "[Cell 3 of 3: code]\nboom()\nOutput: NameError: boom",
    ];
    await check(text, {}, { text: cells.join("\n"), digest: "Read a.ipynb 1–3 (cells)" }, "a.ipynb");
    await check(
      text,
      { offset: 2, limit: 1 },
      { text: `${cells[1]}\n(Cells 2–2 of 3. Go on with offset 3.)` },
      "a.ipynb",
    );
    await check(notebook(), {}, { text: "a.ipynb is a notebook without cells." }, "a.ipynb");
    await check("{}", {}, { text: "1\t{}" }, "a.ipynb");
  });
});
