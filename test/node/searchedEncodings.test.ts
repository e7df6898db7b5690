/** Files in other encodings are searched as they are read. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeFiles } from "../../src/node/files";
import { packagedRipgrep, RipgrepSearch } from "../../src/node/ripgrep";
import { engineEncoding } from "../../src/node/searchedEncodings";
import { callsOnDisk } from "../fakes/onDisk";

const iconv = (text: string, to: string) => execFileSync("iconv", ["-f", "UTF-8", "-t", to], { input: text });

const FIVE = {
  "a/gbk.c": iconv("int x;\n// 初始化数据库连接，登录失败时返回错误 one\nint plain; // one\n", "GBK"),
  "b/sjis.c": iconv("// データベース接続を初期化する one\n", "SHIFT_JIS"),
  "c/kr.c": iconv("// 데이터베이스 연결을 초기화한다 one\n", "EUC-KR"),
  "d/ru.c": iconv("// Инициализация подключения к базе данных one\n", "WINDOWS-1251"),
  "e/utf8.c": "// 初始化数据库连接 データベース 데이터베이스 базе one\n",
  "f/utf16.c": iconv("\uFEFF// 数据库 one\n", "UTF-16LE"),
  "g/big5.c": iconv("// 初始化資料庫連線，登入失敗時傳回錯誤訊息 one\n", "BIG5"),
};

describe("files too short to say their encoding", () => {
  const short = { "s/short.c": iconv("// 配置 one\n", "GBK") };

  it("are searched as the others are", async () => {
    const { texts } = await callsOnDisk({ ...short, "a.c": FIVE["a/gbk.c"] }, [["Grep", { pattern: "配置" }]]);
    assert.match(texts[0] ?? "", /s\/short\.c\n1:\/\/ 配置 one/);
  });

  it("are counted where nothing is found, and no others tell", async () => {
    const { texts } = await callsOnDisk(short, [
      ["Grep", { pattern: "配置" }],
      ["Grep", { pattern: "配置", glob: "*.ts" }],
      ["Grep", { pattern: "nowhere" }],
      ["Grep", { pattern: "one" }],
    ]);
    const note = / Of 1 file nobody can tell the encoding, so only ASCII was searched there: s\/short\.c\. /;
    assert.match(texts[0] ?? "", note);
    for (const text of texts.slice(1)) assert.doesNotMatch(text, note);
    assert.match(texts[3] ?? "", /1 hit/);
  });
});

describe("a workspace of many encodings", () => {
  for (const [pattern, found] of [
    ["数据库", ["a/gbk.c:2", "e/utf8.c:1", "f/utf16.c:1"]],
    ["データベース", ["b/sjis.c:1", "e/utf8.c:1"]],
    ["데이터베이스", ["c/kr.c:1", "e/utf8.c:1"]],
    ["базе", ["d/ru.c:1", "e/utf8.c:1"]],
    ["БАЗЕ", []],
    ["資料庫.*one", ["g/big5.c:1"]],
    ["\\p{Han}{3}", ["a/gbk.c:2", "b/sjis.c:1", "e/utf8.c:1", "f/utf16.c:1", "g/big5.c:1"]],
    [
      "//.*one",
      ["a/gbk.c:2", "a/gbk.c:3", "b/sjis.c:1", "c/kr.c:1", "d/ru.c:1", "e/utf8.c:1", "f/utf16.c:1", "g/big5.c:1"],
    ],
    [
      "one",
      ["a/gbk.c:2", "a/gbk.c:3", "b/sjis.c:1", "c/kr.c:1", "d/ru.c:1", "e/utf8.c:1", "f/utf16.c:1", "g/big5.c:1"],
    ],
    ["^int", ["a/gbk.c:1", "a/gbk.c:3"]],
  ] as const)
    it(`is searched in each one's own: ${pattern}`, async () => {
      const { texts } = await callsOnDisk(FIVE, [
        ["Grep", { pattern }],
        ["Grep", { pattern, output_mode: "files_with_matches" }],
        ["Grep", { pattern, output_mode: "count" }],
        ["Grep", { pattern, glob: "*.c", "-i": false, head_limit: 50 }],
      ]);
      const [text = "", files = "", count = "", again = ""] = texts;
      const lines: string[] = [];
      let path = "";
      for (const line of text.split("\n")) {
        if (/^\w\/\w+\.c$/.test(line)) path = line;
        const number = /^(\d+):/.exec(line)?.[1];
        if (number) lines.push(`${path}:${number}`);
      }
      assert.deepEqual(lines, found, text);
      const names = [...new Set(found.map(each => each.replace(/:\d+$/, "")))];
      assert.deepEqual(files.match(/^\w\/\w+\.c$/gm) ?? [], names, files);
      assert.deepEqual((count.match(/^\w\/\w+\.c(?=:)/gm) ?? []).sort(), names, count);
      if (found.length > 0) assert.equal(again, text);
      assert.ok(!/[ÖÐÃ\uFFFD]/.test(text), text);
    });

  for (const [path, encoding, told] of [
    ["a/gbk.c", "GBK", /read as GBK, which is a guess/],
    ["b/sjis.c", "SHIFT_JIS", /read as Shift_JIS, which is a guess/],
    ["c/kr.c", "EUC-KR", /read as EUC-KR, which is a guess/],
    ["d/ru.c", "WINDOWS-1251", /read as Windows-1251, which is a guess/],
    ["e/utf8.c", "UTF-8", /^1\t/],
    ["f/utf16.c", "UTF-16LE", /^1\t/],
    ["g/big5.c", "BIG5", /read as Big5, which is a guess/],
  ] as const)
    it(`is read and edited in each one's own: ${path}`, async () => {
      const before = execFileSync("iconv", ["-f", encoding, "-t", "UTF-8"], { input: FIVE[path] }).toString();
      const word = /[^\0-\x7f\uFEFF]+/.exec(before)?.[0] ?? "";
      const { texts, first } = await callsOnDisk({ [path]: FIVE[path] }, [
        ["Read", { file_path: path }],
        ["Edit", { file_path: path, old_string: word, new_string: `${word} ${word}` }],
        ["Edit", { file_path: path, old_string: "one\n", new_string: "😀\n" }],
        ["Read", { file_path: path }],
      ]);
      assert.match(texts[0] ?? "", told);
      assert.ok(texts[0]?.includes(word), texts[0]);
      assert.match(texts[1] ?? "", /^Edited/);
      const isWide = /^(?:UTF|GB)/.test(encoding);
      if (!isWide) assert.match(texts[2] ?? "", /which has no "😀"/);
      const after = before.replace(word, `${word} ${word}`);
      if (encoding !== "GBK") assert.deepEqual(first, iconv(isWide ? after.replace("one\n", "😀\n") : after, encoding));
      assert.ok(texts[3]?.includes(`${word} ${word}`), texts[3]);
    });

  it("says of what nobody can tell that it is not known, and keeps its bytes", async () => {
    const bytes = Buffer.concat([Buffer.from("const x = 1\n// "), iconv("中文", "GBK"), Buffer.from("\n")]);
    const { texts, first } = await callsOnDisk({ "a.js": bytes }, [
      ["Read", { file_path: "a.js" }],
      ["Edit", { file_path: "a.js", old_string: "x = 1", new_string: "x = 2" }],
      ["Edit", { file_path: "a.js", old_string: "x = 2", new_string: "x = 日" }],
    ]);
    assert.match(texts[0] ?? "", /a\.js is not UTF-8, and its encoding is not known/);
    assert.match(texts[1] ?? "", /^Edited/);
    assert.match(texts[2] ?? "", /not known, nobody knows what "日" is/);
    assert.deepEqual(first, Buffer.from(bytes.toString("latin1").replace("x = 1", "x = 2"), "latin1"));
  });

  it("marks bytes that are not of the encoding that a file is in, and keeps them", async () => {
    const bytes = Buffer.from(
      "// größer, schöner \xff\nconst x = 1\n"
        .replace("ö", "\xc3\xb6")
        .replace("ß", "\xc3\x9f")
        .replace("ö", "\xc3\xb6"),
      "latin1",
    );
    const { texts, first } = await callsOnDisk({ "a.js": bytes }, [
      ["Read", { file_path: "a.js" }],
      ["Edit", { file_path: "a.js", old_string: "schöner ⟦U+10FEFF⟧", new_string: "日 ⟦U+10FEFF⟧" }],
    ]);
    assert.match(texts[0] ?? "", /UTF-8 with bytes in it that are not/);
    assert.match(texts[0] ?? "", /größer, schöner ⟦U\+10FEFF⟧/);
    assert.match(texts[1] ?? "", /^Edited/);
    assert.ok(first.includes(Buffer.concat([Buffer.from("größer, 日 "), Buffer.of(0xff, 10)])), texts[1]);
  });

  it("is searched as settings say", async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "strata-encoding-")));
    try {
      // Two characters tell nobody what they are in.
      await writeFile(join(root, "a.txt"), iconv("中文 one\n", "GBK"));
      const files = new NodeFiles([root]);
      const lines = async (set: string | undefined) => {
        const search = new RipgrepSearch({
          ripgrepPath: packagedRipgrep,
          roots: () => files.roots,
          encoding: () => set,
        });
        const found: string[] = [];
        const plain = { mode: "content" as const, before: 0, after: 0, ignoreCase: false, multiline: false };
        const query = { ...plain, pattern: "中文", ref: await files.resolve(".") };
        await search.grep(query, ({ text }) => found.push(text) > 0, new AbortController().signal);
        return found;
      };
      assert.deepEqual(await lines("gbk"), ["中文 one"]);
      assert.deepEqual(await lines(undefined), []);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("has the names that ripgrep knows", async () => {
    const names = [
      "gbk",
      "gb18030",
      "shiftjis",
      "eucjp",
      "euckr",
      "cp950",
      "big5hkscs",
      "windows1251",
      "windows1252",
      "iso88592",
      "iso885915",
      "koi8r",
      "koi8u",
      "macroman",
      "cp866",
      "gb2312",
      "windows874",
      "Shift_JIS",
      "iso88591",
    ];
    const rg = (await packagedRipgrep()) ?? "rg";
    for (const name of names) {
      const label = engineEncoding(name);
      assert.ok(label, name);
      execFileSync(rg, ["--no-config", `--encoding=${label}`, "x", "-"], { input: "x" });
    }
    for (const name of ["utf8", "utf8bom", "utf16le", "cp437", undefined])
      assert.equal(engineEncoding(name), undefined);
  });
});
