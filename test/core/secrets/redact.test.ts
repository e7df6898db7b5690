import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { createRedactor, namesSecret, redactingWriter } from "../../../src/core/secrets/redact";
import { mapStrings } from "../../../src/shared/redacted";
import { MemoryBlobs } from "../../fakes/blobs";
import { hash } from "../../fakes/hash";

// Put together here, so that no scanner takes them for real ones.
const secrets = {
  "openai-key": `sk-${"proj-"}${"a1B2".repeat(8)}`,
  "github-token": `ghp_${"x9Y8".repeat(9)}`,
  "aws-key-id": `AKIA${"ABCD".repeat(4)}`,
  "slack-token": `xoxb-${"1234567890-"}abcdef`,
  "google-key": `AIza${"b".repeat(35)}`,
};
const dashes = "-----";
const body = Array.from(
  { length: 12 },
  (_, line) => `${String(line).padStart(2, "k")}Ab9${"xY/+".repeat(14)}zz`,
).concat("Qm9keQ==");
const pem = (type = "RSA ") =>
  [`${dashes}BEGIN ${type}PRIVATE KEY${dashes}`, ...body, `${dashes}END ${type}PRIVATE KEY${dashes}`].join("\n");
const make = () => createRedactor(text => hash.sha256(`key ${text}`));

describe("redactor", () => {
  for (const [name, secret] of Object.entries(secrets)) {
    it(`hides a ${name}, the same everywhere, and puts it back`, () => {
      const redactor = make();
      const text = `before ${secret} after ${secret}`;
      const hidden = redactor.redact(text);
      assert.ok(!hidden.includes(secret));
      assert.match(hidden, new RegExp(`^before (\\[secret:${name}:[0-9a-f]{12}\\]) after \\1$`));
      assert.equal(redactor.redact(hidden), hidden);
      assert.equal(redactor.restore(hidden), text);
      assert.equal(make().redact(text), hidden);
    });
  }
  it("hides tokens of services", () => {
    const long = "a1B2".repeat(16);
    const tokens = [
      ...[
        `hf_${long.slice(0, 34)}`,
        `SG.${long.slice(0, 22)}.${long.slice(0, 43)}`,
        `pypi-${long}`,
        `dckr_pat_${long}`,
      ],
      ...[
        `dop_v1_${"0af9".repeat(16)}`,
        `shpat_${"0af9".repeat(8)}`,
        `xapp-1-${long}`,
        `ya29.${long}`,
        `whsec_${long}`,
      ],
    ];
    for (const token of tokens) {
      const hidden = make().redact(`x=${token};`);
      assert.match(hidden, /^x=\[secret:service-token:[0-9a-f]{12}\];$/);
    }
    for (const text of ["hf_hub_download(repo)", "SG.name.other", "pypi-install", "shpat_", "whsec_test"])
      assert.equal(make().redact(text), text);
  });
  it("hides the password of an address, and nothing of a plain one", () => {
    assert.match(
      make().redact("postgres://u:hunter2hunter2@db/x"),
      /^postgres:\/\/u:\[secret:url-password:[0-9a-f]{12}\]@db\/x$/,
    );
    assert.equal(make().redact("https://example.com:8080/a@b"), "https://example.com:8080/a@b");
  });
  it("leaves code alone", () => {
    const code =
      'const sk = "sk-short"; git commit 3f2a9c; sk-learn-model-selection-and-more task-sk-1learn_model_selection';
    assert.equal(make().redact(code), code);
  });
  it("leaves an unknown placeholder as it stands", () => {
    assert.equal(make().restore("[secret:openai-key:0123456789ab]"), "[secret:openai-key:0123456789ab]");
  });
  it("says which placeholders stay, and why", () => {
    const redactor = make();
    const known = redactor.redact(secrets["openai-key"]);
    const key = redactor.redact(pem());
    const unknown = "[secret:openai-key:0123456789ab]";
    assert.deepEqual(redactor.standing(`${known} ${unknown} ${key}`), [
      { mark: unknown, why: "unknown" },
      { mark: key, why: "lines" },
    ]);
    assert.deepEqual([namesSecret(known), namesSecret("[secret:x]")], [true, false]);
  });
  it("maps every string of a value", () => {
    assert.deepEqual(
      mapStrings({ a: ["x", { b: "y" }], n: 1, z: null }, text => text + text),
      { a: ["xx", { b: "yy" }], n: 1, z: null },
    );
  });

  it("redacts what streams into a blob, however it is cut", async () => {
    const text = `line one\nexport KEY=${secrets["openai-key"]}\n${pem()}\n${"y".repeat(70_000)} ${secrets["github-token"]} end`;
    const expected = make().redact(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 6 }), async cuts => {
        const blobs = new MemoryBlobs();
        const writer = redactingWriter(blobs.writer(), make());
        const points = [0, ...[...cuts].sort((a, b) => a - b), text.length];
        for (let at = 1; at < points.length; at++) await writer.write(text.slice(points[at - 1], points[at]));
        const { sha256 } = await writer.finish();
        assert.equal(blobs.text(sha256), expected);
      }),
      { numRuns: 60 },
    );
  });

  it("redacts every secret of a line of megabytes, wherever the cut falls", async () => {
    const cutAt = 60 * 1024;
    const sorts = [
      secrets["openai-key"],
      `aws_secret_access_key = ${"aB3/".repeat(10)}`,
      "postgres://u:hunter2hunter2@db",
      JSON.stringify(pem("")),
    ];
    const plain = (secret: string) => secret.slice(-30, -6);
    const check = async (secret: string, before: number, filler: string) => {
      const text = `${filler.repeat(before).slice(0, before)} ${secret} ${filler.repeat(9000)}`.toWellFormed();
      const blobs = new MemoryBlobs();
      const writer = redactingWriter(blobs.writer(), make());
      for (let at = 0; at < text.length; at += 8000) await writer.write(text.slice(at, at + 8000));
      const written = blobs.text((await writer.finish()).sha256) ?? "";
      assert.ok(!written.includes(plain(secret)), `${secret.slice(0, 12)} after ${before}`);
      assert.ok(written === make().redact(text), `${secret.slice(0, 12)} after ${before}`);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.integer({ min: cutAt - 1500, max: cutAt + 4500 }),
        fc.constantFrom("y", "word ", "é", "😀"),
        check,
      ),
      { numRuns: 120 },
    );
  });

  it("passes on a long line without blanks or whole secrets in reach", async () => {
    const blobs = new MemoryBlobs();
    const writer = redactingWriter(blobs.writer(), make());
    const text = `eyJ${"a".repeat(200_000)}.eyJ${"b".repeat(200)}.${"c".repeat(20)} end`;
    await writer.write(text);
    assert.equal(blobs.text((await writer.finish()).sha256), make().redact(text));
  });
});

describe("private keys", () => {
  it("are known by their lines, also without the first characters of each", async () => {
    const body = [1, 2, 3].map(at => createHash("sha512").update(`line ${at}`).digest("base64").slice(0, 64));
    const dash = "-".repeat(5);
    const key = [`${dash}BEGIN PRIVATE KEY${dash}`, ...body, `${dash}END PRIVATE KEY${dash}`].join("\n");
    const redactor = createRedactor(text => createHash("sha256").update(text).digest("hex"));
    redactor.learnKeys(key);
    for (const from of [0, 1, 2, 5, 8]) {
      const cut = redactor.redact(body.map(line => `${line.slice(from)}\n`).join(""));
      for (const line of body) assert.ok(!cut.includes(line.slice(20, 40)), `${from}: ${cut}`);
    }
  });

  const check = (title: string, text: string, expected: RegExp) =>
    it(title, () => {
      const redactor = make();
      const hidden = redactor.redact(text);
      assert.match(hidden, expected);
      for (const line of body) assert.ok(!hidden.includes(line.slice(0, 30)), hidden);
      assert.equal(redactor.redact(hidden), hidden);
    });
  const numbered = (text: string, mark: (line: number) => string) =>
    text
      .split("\n")
      .map((line, index) => mark(index + 7) + line)
      .join("\n");
  const mark = /\[secret:private-key:[0-9a-f]{12}\]/.source;
  const cut = pem().split("\n").slice(0, 6).join("\n");

  check("whole", `a\n${pem("EC ")}\nb`, new RegExp(`^a\n${mark}\nb$`));
  check("of PGP", `a\n${pem("PGP ").replaceAll("KEY-", "KEY BLOCK-")}\nb`, new RegExp(`^a\n${mark}\nb$`));
  check(
    "with the line numbers of Read",
    numbered(`${pem()}\nafter`, line => `${line}\t`),
    new RegExp(`^7\t${mark}\n22\tafter$`),
  );
  check(
    "with those of Grep",
    numbered(pem(), line => `${line}${line === 7 ? ":" : "-"}`),
    new RegExp(`^7:${mark}$`),
  );
  check(
    "with Grep's paths",
    numbered(cut, line => `a/key.pem-${line}-`),
    new RegExp(`^a/key\\.pem-7-${mark}$`),
  );
  check("cut off, at the end", `a\n${cut}`, new RegExp(`^a\n${mark}$`));
  check(
    "cut off, and then a note",
    `${cut}\n(Lines 1–6 of 20. Go on with offset 7.)`,
    new RegExp(`^${mark}\n\\(Lines`),
  );
  check("cut off within a line", `${cut.slice(0, -50)}`, new RegExp(`^${mark}$`));
  check("cut off in the first line", `${cut.slice(0, 45)}`, new RegExp(`^${mark}$`));
  check(
    "encrypted and cut off",
    cut.replace("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"),
    new RegExp(`^${mark}$`),
  );
  check("in quotes over lines", pem().replace(/\n/g, '\\n" +\n  "'), new RegExp(`^${mark}$`));
  check(
    "indented",
    numbered(cut, () => "    "),
    new RegExp(`^ {4}${mark}$`),
  );
  check("one after the other", `${pem()}\n${cut}\n${pem("")}`, new RegExp(`^${mark}\n${mark}\n${mark}$`));

  it("is the same with line numbers and without, and never put back", () => {
    const redactor = make();
    const hidden = redactor.redact(pem());
    assert.equal(redactor.redact(numbered(pem(), line => (line === 7 ? "" : `   ${line}\t`))), hidden);
    assert.equal(redactor.restore(hidden), hidden);
  });
  it("on one line is put back, where it is whole", () => {
    const redactor = make();
    const line = JSON.stringify({ key: pem("") });
    assert.match(redactor.redact(line), new RegExp(`^\\{"key":"${mark}"\\}$`));
    assert.equal(redactor.restore(redactor.redact(line)), line);
    const half = redactor.redact(line.slice(0, 300));
    assert.equal(redactor.restore(half), half);
  });
  it("are not what code says of them", () => {
    const header = `${dashes}BEGIN RSA PRIVATE KEY${dashes}`;
    for (const code of [
      `if (text.startsWith("${header}")) {\n  return parse(text);\n}`,
      `  "${header}",\n  "${header.replace("RSA", "DSA")}",\n];`,
      `key.replace("${header}", "").replace("${header.replace("BEGIN", "END")}", "")`,
      `a/b.ts\n12:${header}\n\nc/d.ts\n7:${header}\n(2 hits in 2 files)`,
    ]) {
      assert.equal(make().redact(code), code);
    }
  });
});
