/** Files from before Unicode: `iconv` writes and reads them beside us. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TextFile } from "../../src/core/ground/ports";
import { decode, encodeChange, encodeNew } from "../../src/node/encoding";
import { NodeFiles } from "../../src/node/files";
import { temporaryFolder } from "../fakes/temporary";

const iconv = (text: string, to: string) => execFileSync("iconv", ["-f", "UTF-8", "-t", to], { input: text });

const TEXTS = {
  chinese: "// 初始化数据库连接，登录失败时返回错误信息",
  taiwanese: "// 初始化資料庫連線，登入失敗時傳回錯誤訊息",
  japanese: "// データベース接続を初期化する。失敗した場合はエラー",
  russian: "// Инициализация подключения к базе данных",
  french: "// Initialise la connexion à la base, déjà créée",
  greek: "// Σύνδεση με τη βάση δεδομένων",
} as const;

const inCode = (line: string) =>
  `#include <stdio.h>\nint main(void) {\n  int count = 0;\n  ${line}\n  for (int i = 0; i < 10; i++) { count += i; }\n  return count;\n}\n`;

/** What the text is in, and as what it is told. */
const TOLD: [keyof typeof TEXTS, string, string][] = [
  ["chinese", "GBK", "gbk"],
  ["taiwanese", "BIG5", "big5"],
  ["japanese", "SHIFT_JIS", "shift_jis"],
  ["russian", "WINDOWS-1251", "windows-1251"],
  ["french", "WINDOWS-1252", "windows-1252"],
  ["greek", "WINDOWS-1253", "windows-1253"],
];

describe("bytes from before Unicode", () => {
  for (const [language, encoding, told] of TOLD)
    for (const text of [TEXTS[language], inCode(TEXTS[language]).replaceAll("\n", "\r\n")])
      it(`are ${told}: ${language} in ${encoding}, ${text.length} characters`, async () => {
        const bytes = iconv(text, encoding);
        assert.deepEqual(await decode(bytes), { text, encoding: told, reading: "guessed" });
        const newText = `${text.replace("/", "/+")}\nmore ${TEXTS[language]}\n`;
        const made = encodeChange({ bytes, text, encoding: told, newText, path: "a.c" });
        assert.deepEqual(made, iconv(newText, encoding));
        const had = { text, isBytes: (found: Buffer) => found.equals(bytes) };
        assert.deepEqual(encodeNew(text, "a.c", undefined, had), bytes);
      });

  for (const [what, bytes] of [
    ["half a character of GBK at the end", Buffer.concat([iconv("// 初始化数据库连接", "GBK"), Buffer.of(0xd6)])],
    ["every byte", Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1))],
    ["noise", Buffer.from(Array.from({ length: 900 }, (_, i) => ((i * 7919) % 255) + 1))],
  ] as const)
    it(`that nobody can tell (${what}) stay as they are`, async () => {
      const decoded = await decode(bytes);
      assert.ok(decoded);
      const newText = `first\n${decoded.text}`;
      const made = encodeChange({ ...decoded, bytes, newText, path: "a" });
      assert.deepEqual(made, Buffer.concat([Buffer.from("first\n"), bytes]));
    });

  for (const [what, encoding, character] of [
    ["an emoji in GBK", "GBK", "😀"],
    ["a kanji in Shift_JIS that has none", "SHIFT_JIS", "𠮷"],
  ] as const)
    it(`take no character that they have not: ${what}`, async () => {
      const language = encoding === "GBK" ? "chinese" : "japanese";
      const bytes = iconv(`${TEXTS[language]}\n`, encoding);
      const decoded = await decode(bytes);
      assert.ok(decoded);
      const newText = `${decoded.text}${character}\n`;
      assert.throws(() => encodeChange({ ...decoded, bytes, newText, path: "a" }), {
        code: "IO",
        message: new RegExp(`its encoding is ${decoded.encoding}, which has no "${character}"`),
      });
    });

  it("that do not come back the same are kept where nobody changed them, and refused where somebody did", () => {
    // In Shift_JIS, 81CA and EEF9 are one character.
    const [first, odd] = [iconv(`${TEXTS.japanese}\n`, "SHIFT_JIS"), Buffer.from("a \xee\xf9 b\n", "latin1")];
    const bytes = Buffer.concat([first, odd, Buffer.from("last\n")]);
    const [text, encoding] = [new TextDecoder("shift_jis").decode(bytes), "shift_jis"];
    const change = (newText: string) => encodeChange({ bytes, text, encoding, newText, path: "a" });
    assert.deepEqual(change(text.replace("last", "end")), Buffer.concat([first, odd, Buffer.from("end\n")]));
    assert.throws(() => change(text.replace("a ", "A ")), /would not stay the same/);
  });

  for (const [what, text, stray] of [
    ["a byte in the middle", "größer und schöner \x00 für alle\n", [0xff]],
    ["half a character at the end", "größer und schöner\x00", [0xe4, 0xb8]],
    ["a line of Latin-1 in Chinese", "初始化数据库\ncaf\x00\n连接\n", [0xe9]],
  ] as const)
    it(`that are UTF-8 but for ${what} are read as UTF-8, and come back`, async () => {
      const [before = "", after = ""] = text.split("\0");
      const bytes = Buffer.concat([Buffer.from(before), Buffer.from(stray), Buffer.from(after)]);
      const decoded = await decode(bytes);
      assert.ok(decoded?.reading === "unknown" && decoded.text.startsWith(before) && decoded.text.endsWith(after));
      const made = encodeChange({ ...decoded, bytes, newText: `日\n${decoded.text}`, path: "a" });
      assert.deepEqual(made, Buffer.concat([Buffer.from("日\n"), bytes]));
      const newText = decoded.text.replace("\uFFFD", "?");
      assert.throws(() => encodeChange({ ...decoded, bytes, newText, path: "a" }), /would not stay the same/);
      const had = { text: decoded.text, isBytes: (found: Buffer) => found.equals(bytes) };
      assert.throws(() => encodeNew(decoded.text, "a", undefined, had), /are not known any more/);
    });

  for (const [what, bytes] of [
    ["an ELF head", Buffer.from("\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0", "latin1")],
    ["UTF-16 with half a character", Buffer.concat([Buffer.from("abc", "utf16le"), Buffer.of(65)])],
    ["a table of 32 bits", Buffer.from(new Uint32Array([65, 66, 67, 10]).buffer)],
  ] as const)
    it(`are no text: ${what}`, async () => assert.equal(await decode(bytes), undefined));
});

describe("a setting for files", () => {
  for (const [set, text, bytes] of [
    ["gbk", "中文", iconv("中文", "GBK")],
    ["shiftjis", "日本", iconv("日本", "SHIFT_JIS")],
    ["macroman", "é", iconv("é", "MACINTOSH")],
    ["windows-1252", "é", iconv("é", "WINDOWS-1252")],
  ] as const)
    it(`says what nobody could tell: ${set}`, async () => {
      const decoded = await decode(bytes, set);
      assert.deepEqual([decoded?.text, decoded?.reading], [text, "set"]);
      const made = encodeChange({
        bytes,
        text,
        encoding: decoded?.encoding ?? "",
        newText: `${text}${text}`,
        path: "a",
      });
      assert.deepEqual(made, Buffer.concat([bytes, bytes]));
    });

  it("counts for what can be read so, and never for what says by itself what it is", async () => {
    const read = async (bytes: Buffer, set: string) => (await decode(bytes, set))?.encoding;
    assert.equal(await read(Buffer.from("ascii"), "gbk"), "utf8");
    assert.equal(await read(Buffer.from("\uFEFFé"), "gbk"), "utf8bom");
    assert.equal(await read(Buffer.from("\uFEFFé", "utf16le"), "gbk"), "utf16le");
    assert.equal(await read(Buffer.from("é"), "utf8"), "utf8");
    assert.equal(await read(Buffer.from("é"), "no-such-encoding"), "utf8");
    assert.equal(await read(Buffer.from("é"), "cp437"), "utf8");
  });
});

describe("a file of which the encoding was told once", () => {
  const folder = temporaryFolder("encodings");
  let count = 0;

  /** A workspace whose files are in this encoding, one of them long; `files` has read that. */
  async function workspace(encoding: string, long: string) {
    const root = join(folder, String(++count));
    mkdirSync(root);
    const files = new NodeFiles([root]);
    const put = (name: string, content: string | Buffer) => writeFileSync(join(root, name), content);
    const read = async (name: string) => (await files.read(await files.resolve(name), 1e6)) as TextFile;
    put("long.c", iconv(inCode(long), encoding));
    return { files, put, read, bytes: (name: string) => readFileSync(join(root, name)) };
  }

  const sessions: [language: keyof typeof TEXTS, encoding: string][] = [
    ["chinese", "GBK"],
    ["japanese", "SHIFT_JIS"],
    ["french", "WINDOWS-1252"],
  ];

  for (const [language, encoding] of sessions)
    it(`stays in it whatever an edit leaves: ${encoding}`, async () => {
      const { files, put, read, bytes } = await workspace(encoding, TEXTS[language]);
      const one = TEXTS[language].match(/\p{L}/gu)?.find(letter => letter > "\x7f") ?? "";
      put("a.c", iconv(`${TEXTS[language]}\nint x;\n`, encoding));
      const ref = await files.resolve("a.c");
      for (const text of [`// ${one}\nint x;\n`, "int x;\n", `int y; // ${one}\n`, one, TEXTS[language]]) {
        const before = await read("a.c");
        const edits = [{ start: 0, end: before.text.length, text }];
        const made = await files.apply({ ref, base: before.stamp.sha256, edits });
        assert.equal(made.kind, "applied");
        assert.deepEqual(bytes("a.c"), iconv(text, encoding), text);
        assert.equal((await read("a.c")).text, text);
      }
    });

  it("stays in it for a session that goes on in another process", async () => {
    const { files, read, bytes } = await workspace("GBK", TEXTS.chinese);
    const { stamp, text } = await read("long.c");
    assert.equal(stamp.encoding, "gbk");
    for (const encoding of ["gbk", "GBK"]) {
      const [root] = files.roots;
      const again = new NodeFiles([root?.path ?? ""]);
      const ref = await again.resolve("long.c");
      again.recall(ref.uri, { ...stamp, encoding });
      const edits = [{ start: 0, end: text.length, text: "// 错误\n" }];
      const made = await again.apply({ ref, base: stamp.sha256, edits });
      assert.equal(made.kind === "applied" && made.stamp.encoding, encoding.toLowerCase());
      assert.deepEqual(bytes("long.c"), iconv("// 错误\n", "GBK"));
      await again.apply({
        ref,
        base: made.kind === "applied" ? made.stamp.sha256 : "",
        edits: [{ start: 0, end: 6, text }],
      });
    }
  });

  it("is UTF-8 once somebody made it that", async () => {
    const { put, read } = await workspace("GBK", TEXTS.chinese);
    assert.equal((await read("long.c")).encoding, "gbk");
    put("long.c", TEXTS.chinese);
    assert.deepEqual([(await read("long.c")).text, (await read("long.c")).encoding], [TEXTS.chinese, "utf8"]);
  });
});
