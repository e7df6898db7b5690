import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { OutputDecoder } from "../../../../src/core/ground/text/outputDecoder";

/** As `iconv` has it. */
function encoded(text: string, encoding: string): Buffer {
  const { status, stdout } = spawnSync("iconv", ["-f", "UTF-8", "-t", encoding], { input: text });
  assert.equal(status, 0, encoding);
  return stdout;
}

/** @param size of the chunks in which it comes; 0: one */
function read(bytes: Uint8Array, locale?: string, size = 0) {
  const decoder = new OutputDecoder(locale);
  let text = "";
  const step = size || Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += step) text += decoder.push(bytes.subarray(at, at + step));
  text += decoder.end();
  return { text, isExact: decoder.isExact, notes: decoder.notes };
}

const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
const NOT_TEXT = "Bytes of the output that are not text are shown as \uFFFD or counted.";

describe("OutputDecoder", () => {
  for (const text of [
    "plain\n",
    "中文 ö 😀\nline\n",
    "no end",
    "",
    "\x1b[31mred\x1b[0m\rover\b\tx\x07\n",
    "a\0中\0c\0",
  ])
    it(`reads UTF-8 however it is cut: ${JSON.stringify(text.slice(0, 30))}`, () => {
      for (const locale of [undefined, "gbk"])
        for (const size of [0, 1, 2, 3, 5])
          assert.deepEqual(read(Buffer.from(text), locale, size), { text, isExact: true, notes: [] });
    });

  it("leaves a byte order mark out", () => {
    assert.equal(read(Buffer.from("\ufeff{}\n")).text, "{}\n");
  });

  for (const [text, encoding, locale] of [
    ["ascii\n你好,世界\n成功\n", "GBK", "gbk"],
    ["終了しました\nテスト\n", "SHIFT_JIS", "shift_jis"],
    ["Привет, мир\n", "CP1251", "windows-1251"],
    ["two\nlines 中\n", "UTF-16", undefined],
  ] as const)
    it(`reads ${encoding} in the locale's encoding or by its mark, and says so`, () => {
      const name = locale ?? "utf-16le";
      const notes = [`The output is not UTF-8 and was read as ${name}.`];
      assert.deepEqual(read(encoded(text, encoding), locale), { text, isExact: false, notes });
    });

  it("marks what is not UTF-8 where the locale is", () => {
    const text = "caf\uFFFD\n中\n";
    for (const size of [0, 1, 2])
      assert.deepEqual(read(Buffer.concat([encoded("café\n", "LATIN1"), Buffer.from("中\n")]), undefined, size), {
        ...{ text, isExact: false, notes: [NOT_TEXT] },
      });
  });

  it("marks a character that was cut at the end", () => {
    assert.equal(read(Buffer.from("中文").subarray(0, 4), "gbk").text, "中\uFFFD");
  });

  it("counts binary data, until text follows", () => {
    const decoder = new OutputDecoder("gbk");
    const shown = [Buffer.from("a 中"), PNG, Buffer.of(0xff, 0xfe), Buffer.from("next\n"), PNG];
    const text = shown.map(chunk => decoder.push(chunk)).join("") + decoder.end();
    assert.equal(text, "a 中\n[18 bytes that are not text]\nnext\n[16 bytes that are not text]\n");
    assert.deepEqual([decoder.isExact, decoder.notes], [false, [NOT_TEXT]]);
  });
});
