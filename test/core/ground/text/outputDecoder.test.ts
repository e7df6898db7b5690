import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { OutputDecoder } from "../../../../src/core/ground/text/outputDecoder";

/** As `iconv` has it. */
function encoded(text: string, encoding: string): Buffer {
  const { status, stdout } = spawnSync("iconv", ["-f", "UTF-8", "-t", encoding], { input: text });
  assert.equal(status, 0, encoding);
  return stdout;
}

interface Read {
  text: string;
  isExact: boolean;
  notes: string[];
}

/** @param size of the chunks in which it comes; 0: one */
async function read(bytes: Uint8Array, known?: string, size = 0): Promise<Read> {
  const decoder = new OutputDecoder(async () => known);
  let text = "";
  const step = size || Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += step) text += await decoder.push(bytes.subarray(at, at + step));
  text += await decoder.end();
  return { text, isExact: decoder.isExact, notes: decoder.notes };
}

const noise = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7919 + (at >> 3) * 31) % 256);
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), noise(5000)]);
const UNKNOWN = "Bytes of the output that are no UTF-8, in no encoding that is known, are shown as \\xNN.";

describe("OutputDecoder", () => {
  describe("UTF-8 is as it was printed, however it is cut", () => {
    for (const text of [
      "plain\n",
      "中文 ö 😀\nline\n",
      "no end",
      "",
      "\x1b[31mred\x1b[0m\rover\b\tx\x07\n",
      "a\0b\0c\0",
      "9fc\x1f7ab\x1e\n".repeat(9),
      "a\x01b\x02c\x01\n",
      "\ufffd said so\n",
      "x".repeat(100_000),
    ])
      it(JSON.stringify(text.slice(0, 30)), async () => {
        for (const size of [0, 1, 2, 3, 5]) {
          if (size > 0 && text.length > 1000) continue;
          assert.deepEqual(await read(Buffer.from(text), undefined, size), { text, isExact: true, notes: [] });
        }
      });

    it("a mark of it at the beginning goes", async () => {
      assert.equal((await read(Buffer.from("\ufeff{}\n"))).text, "{}\n");
    });
  });

  describe("other encodings are read and said", () => {
    for (const [text, encoding, name] of [
      ["你好,世界\n成功\n", "GBK", "GB18030"],
      ["終了しました\nテスト\n", "SHIFT_JIS", "Shift_JIS"],
      ["終了しました\n", "EUC-JP", "EUC-JP"],
      ["안녕하세요\n", "EUC-KR", "EUC-KR"],
      ["繁體中文\n", "BIG5", "Big5"],
      ["Привет, мир\n", "CP1251", "Windows-1251"],
      ["Привет\n", "KOI8-R", "KOI8-R"],
      ["café déjà vu\n", "LATIN1", "Windows-1252"],
    ] as const)
      it(encoding, async () => {
        const notes = [`Of the output, what is no UTF-8 was read as ${name}.`];
        for (const size of [0, 1, 3])
          assert.deepEqual(await read(encoded(text, encoding), name, size), { text, isExact: false, notes });
      });

    it("beside lines of UTF-8, which stay what they are", async () => {
      const mixed = Buffer.concat([Buffer.from("首\n"), encoded("你好\n", "GBK"), Buffer.from("end 中\n")]);
      assert.equal((await read(mixed, "GB18030")).text, "首\n你好\nend 中\n");
    });

    for (const encoding of ["UTF-16", "UTF-16LE", "UTF-16BE"])
      it(encoding, async () => {
        for (const size of [0, 1, 3]) {
          // By its NULs it is known with the first few characters.
          if (encoding !== "UTF-16" && size > 0) continue;
          const { text, notes } = await read(encoded("two\nlines 中\n".repeat(20), encoding), undefined, size);
          assert.deepEqual(
            [text, notes],
            ["two\nlines 中\n".repeat(20), ["The output is UTF-16, and was read as that."]],
          );
        }
      });
  });

  describe("what nobody can read is shown byte by byte", () => {
    for (const [what, bytes, text] of [
      ["an encoding that is not known", encoded("café\n", "LATIN1"), "caf\\xE9\n"],
      ["a character that was cut", Buffer.from("中文").subarray(0, 4), "中\\xE6"],
      [
        "one within a line",
        Buffer.concat([Buffer.from("中文x"), Buffer.of(0xff), Buffer.from("y\n")]),
        "中文x\\xFFy\n",
      ],
      ["bytes that are no character", Buffer.of(0x41, 0xc0, 0x80, 0x0a), "A\\xC0\\x80\n"],
      ["a letter that was cut at the end of a line", Buffer.from("na\xc3\n", "latin1"), "na\\xC3\n"],
      ["one behind letters of two bytes", Buffer.from("Größe übersch\u00fc").subarray(0, -1), "Größe übersch\\xC3"],
      ["one before the end of a line with CR", Buffer.from("\xd0\r\n", "latin1"), "\\xD0\r\n"],
      ["one at the beginning of a line", Buffer.from("äöü\n").subarray(1), "\\xA4öü\n"],
      ["what is a character by chance", Buffer.of(0xb3, 0xc9, 0xb9, 0xa6, 0x0a), "\\xB3\\xC9\\xB9\\xA6\n"],
      ["half of a pair", Buffer.of(0xed, 0xa0, 0x80), "\\xED\\xA0\\x80"],
    ] as const)
      it(what, async () => {
        for (const size of [0, 1, 2])
          assert.deepEqual(await read(bytes, undefined, size), { text, isExact: false, notes: [UNKNOWN] });
      });

    for (const [text, length] of [
      ["Größe überschreitet die Länge", 9],
      ["naïve façade", 3],
      ["где файл", 8],
      ["価格は百円", 10],
      ["it’s", 4],
    ] as const)
      it(`no letters of the West are made of ${text} that \`cut -b\` cut`, async () => {
        const cut = Buffer.from(text).subarray(0, length);
        const { text: shown } = await read(Buffer.concat([cut, Buffer.from("\n")]), "Windows-1252");
        assert.match(shown, /^[^Ã]*(?:\\x[0-9A-F]{2})+\n$/);
      });

    it("a letter of the West at the end of a line is one", async () => {
      for (const text of ["café\n", "Où\r\n", "señor José\n", "déjà\n"])
        assert.equal((await read(encoded(text, "LATIN1"), "Windows-1252")).text, text);
    });

    it("a known encoding is not put on UTF-8 that was cut", async () => {
      assert.equal((await read(Buffer.from("中文字").subarray(0, 8), "GB18030")).text, "中文\\xE5\\xAD");
    });
  });

  describe("what is no text is counted, not poured out", () => {
    for (const [what, bytes, expected] of [
      ["a picture", PNG, /^\[5,016 bytes that are no text: a PNG picture\]\n$/],
      [
        "text before it",
        Buffer.concat([Buffer.from("a 中\n"), PNG]),
        /^a 中\n\[5,016 bytes that are no text: a PNG picture\]\n$/,
      ],
      [
        "text behind it",
        Buffer.concat([PNG, Buffer.from("\xff\ndone\n", "latin1")]),
        /^\[5,018 bytes [^\n]*\]\ndone\n$/,
      ],
      [
        "text right behind it",
        Buffer.concat([PNG, Buffer.from("\xffdone\n", "latin1")]),
        /^\[5,017 bytes [^\n]*\]\ndone\n$/,
      ],
      [
        "a program",
        Buffer.from("\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0", "latin1"),
        /^\[20 bytes .*: a program\]\n$/,
      ],
      [
        "gzip",
        spawnSync("gzip", ["-c"], { input: "x".repeat(500) }).stdout,
        /^\[\d+ bytes that are no text: gzip\]\n$/,
      ],
      ["noise", noise(30_000), /^\[30,000 bytes that are no text\]\n$/],
    ] as const)
      it(what, async () => {
        const { text, isExact } = await read(bytes);
        assert.match(text, expected);
        assert.equal(isExact, false);
      });

    it("and what comes behind it in another chunk is text again", async () => {
      const decoder = new OutputDecoder();
      const first = await decoder.push(PNG);
      assert.equal(
        first + (await decoder.push(Buffer.from("next\n"))),
        "[5,016 bytes that are no text: a PNG picture]\nnext\n",
      );
    });

    it("a line about a format is text", async () => {
      assert.deepEqual((await read(Buffer.from("GIF89a is a format, PK too\n"))).isExact, true);
    });
  });
});
