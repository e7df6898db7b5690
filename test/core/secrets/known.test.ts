/** Values of .env files and of the environment, found wherever they stand. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { looksSecret } from "../../../src/core/secrets/looksSecret";
import { createRedactor, namesSecret, redactingWriter } from "../../../src/core/secrets/redact";
import { MemoryBlobs } from "../../fakes/blobs";
import { hash } from "../../fakes/hash";
import { cases } from "../../fakes/soak";

const keyed = (text: string) => hash.sha256(`key ${text}`);
const mark = (name: string) => `\\[secret:${name}:[0-9a-f]{12}\\]`;

async function withEnv(text: string, environment: Record<string, string> = {}) {
  const redactor = createRedactor(keyed, { environment, envFiles: { read: async () => [text] } });
  await redactor.refresh("workspace");
  return redactor;
}

const inBase64 = (text: string) => Buffer.from(text).toString("base64");
const lines = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
const hex = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, "0");
const asciiJson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, sign => `\\u00${hex(sign)}`);

describe("known secrets", () => {
  const check = (title: string, env: string, text: string, expected: string) =>
    it(title, async () => {
      const redactor = await withEnv(env);
      const hidden = redactor.redact(text);
      assert.match(hidden, new RegExp(`^${expected}$`));
      assert.equal(redactor.redact(hidden), hidden);
      assert.equal(redactor.restore(hidden), text);
      assert.deepEqual(redactor.standing(hidden), []);
    });

  check(
    "anywhere",
    "API_KEY=x1y2z3x1y2z3",
    "(ax1y2z3x1y2z3b)x1y2z3x1y2z3",
    `\\(a${mark("API_KEY")}b\\)${mark("API_KEY")}`,
  );
  check("of eight characters", "DB_PASSWORD=hunter22", "psql hunter22", `psql ${mark("DB_PASSWORD")}`);
  check("no word of eight letters", "DB_PASSWORD=sunshine", "sunshine", "sunshine");
  const passedOn: readonly (readonly [string, (secret: string) => string])[] = [
    ["in base64", secret => Buffer.from(secret).toString("base64")],
    ["in base64 behind a name", secret => Buffer.from(`me:${secret}`).toString("base64")],
    ["in base64 between others", secret => Buffer.from(`abcd${secret}xyz`).toString("base64url")],
    ["in hex", secret => Buffer.from(secret).toString("hex")],
    ["in capital hex", secret => Buffer.from(secret).toString("hex").toUpperCase()],
    ["in base64 of base64", secret => inBase64(`{"auth":"${inBase64(`me:${secret}`)}"}`)],
    ...[60, 64, 76].flatMap((width): [string, (secret: string) => string][] =>
      [
        ["", "\n"],
        [", as Windows ends lines", "\r\n"],
        [", indented", "\n    "],
        [", as JSON has them", "\\n"],
      ].map(([how, end = ""]) => [
        `in base64 in lines of ${width}${how}`,
        // It begins a few characters before the end of a line.
        secret => lines(inBase64("o".repeat(width * 2.25 - 6) + secret + "p".repeat(100)), width).join(end),
      ]),
    ),
    ["in an address", secret => encodeURIComponent(secret)],
    [
      "in an address in small letters",
      secret => encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase()),
    ],
    ["in an address, a slash alone", secret => secret.replaceAll("/", "%2F")],
    ["in an address in an address", secret => encodeURIComponent(encodeURIComponent(secret))],
    ["in an address in that in an address", secret => encodeURIComponent(encodeURIComponent(encodeURI(secret)))],
    ["as PHP writes JSON", secret => asciiJson(secret).replaceAll("/", "\\/")],
    ["as JSON in ASCII has it", asciiJson],
    ["as JSON for a page has it", secret => secret.replace(/[+>/]/g, sign => `\\u00${hex(sign)}`)],
    ["as JSON has it in capitals", secret => secret.replace(/[+>/]/g, sign => `\\u00${hex(sign).toUpperCase()}`)],
    ["as JSON in JSON has it", secret => JSON.stringify(asciiJson(secret).replaceAll("/", "\\/")).slice(1, -1)],
    ["as JSON in an address has it", secret => encodeURIComponent(asciiJson(secret))],
    ["as Go's JSON has HTML", secret => secret.replaceAll("+", "\\u0026#43;").replaceAll(">", "\\u0026gt;")],
    ["as HTML has it", secret => secret.replace(/\W/gu, sign => `&#${sign.codePointAt(0)};`)],
    ["as HTML has it in hex", secret => secret.replace(/\W/gu, sign => `&#x${sign.codePointAt(0)?.toString(16)};`)],
    ["as HTML names it", secret => secret.replaceAll(">", "&gt;")],
    ["as HTML in HTML has it", secret => secret.replaceAll("+", "&amp;#43;").replaceAll(">", "&amp;gt;")],
    ["as a shell or an expression has it", secret => secret.replace(/[^\wä]/g, "\\$&")],
    ["as Python writes bytes", secret => secret.replace("ä", "\\xc3\\xa4").replace("+", "\\x2b")],
    ["as Git writes names", secret => secret.replace("ä", "\\303\\244")],
  ];
  for (const [how, pass] of passedOn)
    it(how, async () => {
      const secret = "x1y2/z3+ä~>?q9";
      const redactor = await withEnv(`API_KEY=${secret}`);
      const text = `before ${pass(secret)} after`;
      const hidden = redactor.redact(text);
      assert.match(hidden, new RegExp(`^before [\\w\\s\\\\]*${mark("API_KEY")}[\\w\\s\\\\+/]*={0,2} after$`));
      assert.equal(redactor.redact(hidden), hidden);
      assert.equal(redactor.restore(hidden), text);
    });
  check("in its file", "API_KEY='x1y2z3x1y2z3'", "1\tAPI_KEY='x1y2z3x1y2z3'", `1\tAPI_KEY='${mark("API_KEY")}'`);
  check(
    "the longer one where one contains the other",
    "A_KEY=x1y2z3x1y2z3\nB_KEY=x1y2z3x1y2z3-long1",
    "x1y2z3x1y2z3-long1 x1y2z3x1y2z3",
    `${mark("B_KEY")} ${mark("A_KEY")}`,
  );
  check("before shapes", `OPENAI_API_KEY=sk-${"a1B2".repeat(8)}`, `sk-${"a1B2".repeat(8)}`, mark("OPENAI_API_KEY"));
  check("a name with odd characters", "my.api.key=x1y2z3x1y2z3", "x1y2z3x1y2z3", mark("my_api_key"));
  check("with blanks", "DB_PASSWORD='correct horse battery'", '"correct horse battery"', `"${mark("DB_PASSWORD")}"`);
  check(
    "as its quotes have it",
    'A_KEY="x1\\"y2z3x1y2z3"',
    'x1\\"y2z3x1y2z3 x1"y2z3x1y2z3',
    `${mark("A_KEY")} ${mark("A_KEY")}`,
  );
  check("as JSON writes it", "A_KEY='x1\"y2z3\\x1y2z3'", '{"key":"x1\\"y2z3\\\\x1y2z3"}', `{"key":"${mark("A_KEY")}"}`);
  check(
    "cut off by a tool",
    `A_KEY=x1y2z3x1y2z3\nB_KEY=k9${"m4q7".repeat(6)}`,
    "a k9m4q7m4q7m4q7… [9 more]",
    `a ${mark("B_KEY")}… \\[9 more\\]`,
  );
  check(
    "nothing plain",
    "PORT=8080\nAUTH=true\nKEY_FILE=/etc/ssl/x1y2z3.pem",
    "8080 true /etc/ssl/x1y2z3.pem",
    "8080 true /etc/ssl/x1y2z3.pem",
  );
  check(
    "no placeholder, nor a part of one",
    "A_KEY=S3COND_KEY_1x9\nS3COND_KEY_1x9=x1y2z3x1y2z3",
    "x1y2z3x1y2z3 S3COND_KEY_1x9",
    `${mark("S3COND_KEY_1x9")} ${mark("A_KEY")}`,
  );
  check(
    "the words of a value over several lines, with numbers before them",
    'CA_KEY="first\nx1y2z3x1y2z3\nk9m4q7k9m4q7\n"',
    "1\tfirst\n2\tx1y2z3x1y2z3\n3\tk9m4q7k9m4q7",
    `1\tfirst\n2\t${mark("CA_KEY")}\n3\t${mark("CA_KEY")}`,
  );
  check(
    "JSON whole, and what is random in it",
    `GOOGLE_CREDENTIALS='{"type":"service_account","id":"x1y2z3x1y2z3"}'`,
    `{"type":"service_account","id":"x1y2z3x1y2z3"} {"type": "service_account", "id": "x1y2z3x1y2z3"}`,
    `${mark("GOOGLE_CREDENTIALS")} {"type": "service_account", "id": "${mark("GOOGLE_CREDENTIALS")}"}`,
  );

  it("of the environment too, with the same placeholder in every process", async () => {
    const environment = { API_TOKEN: "x1y2z3x1y2z3", HOME: "/home/x1y2z3x1y2z4", EMPTY: "" };
    const hidden = createRedactor(keyed, { environment }).redact("x1y2z3x1y2z3 x1y2z3x1y2z4");
    assert.match(hidden, new RegExp(`^${mark("API_TOKEN")} x1y2z3x1y2z4$`));
    assert.ok(namesSecret(hidden));
    const other = await withEnv("OTHER_TOKEN=x1y2z3x1y2z3", environment);
    assert.equal(other.redact("x1y2z3x1y2z3 x1y2z3x1y2z4"), hidden);
    assert.equal(createRedactor(keyed, { environment }).restore(hidden), hidden, "not before it was handed out");
  });

  it("that were put back are hidden where nothing but their value tells them", () => {
    const redactor = createRedactor(keyed);
    const hidden = redactor.redact("postgres://u:hunter2hunter2@db");
    assert.equal(redactor.restore(hidden), "postgres://u:hunter2hunter2@db");
    assert.match(redactor.redact("pw = hunter2hunter2"), new RegExp(`^pw = ${mark("url-password")}$`));
    redactor.restore(redactor.redact("postgres://u:postgres@db"));
    assert.equal(redactor.redact("postgres"), "postgres", "too short");
  });

  it("stay known when their file has others", async () => {
    let text = "API_KEY=x1y2z3x1y2z3";
    const redactor = createRedactor(keyed, { envFiles: { read: async () => [text] } });
    await redactor.refresh("workspace");
    text = "API_KEY=k9m4q7k9m4q7";
    await redactor.refresh("known");
    assert.match(
      redactor.redact("-x1y2z3x1y2z3 +k9m4q7k9m4q7"),
      new RegExp(`^-${mark("API_KEY")} \\+${mark("API_KEY")}$`),
    );
  });

  const value = fc
    .array(fc.constantFrom("a1", "B2", "c/", "3d", "é4", "=", "😀5"), { minLength: 8, maxLength: 20 })
    .map(parts => parts.join(""))
    // Too few characters, or too few different ones, are no secret.
    .filter(text => looksSecret({ name: "KEY", value: text }));
  const values = fc.uniqueArray(value, { minLength: 1, maxLength: 5 });
  const entries = (all: readonly string[]) => all.map((one, index) => `KEY_${index}='${one}'\n`).join("");

  it("redact twice is redact once, and restore undoes it", async () => {
    const filler = fc.oneof(fc.string(), fc.constantFrom(" ", "\n", "a1B2", "=", "[secret:", "x".repeat(50)));
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.oneof(filler, fc.nat(4)), { maxLength: 12 }), async (all, parts) => {
        const redactor = await withEnv(entries(all));
        const text = parts.map(part => (typeof part === "number" ? (all[part] ?? "") : part)).join("");
        const hidden = redactor.redact(text);
        for (const one of all) assert.ok(!hidden.includes(one));
        assert.equal(redactor.redact(hidden), hidden);
        assert.equal(redactor.restore(hidden), text);
      }),
      { numRuns: cases(300) },
    );
  });

  it("are found whatever each of their characters is written as, at their place in any text", async () => {
    const WAYS: readonly ((sign: string) => string)[] = [
      sign => sign,
      sign => (/\w/.test(sign) ? sign : `\\${sign}`),
      sign => `\\\\u00${hex(sign)}`,
      sign => `\\x${hex(sign)}`,
      sign => `%${hex(sign)}`,
      sign => `%25${hex(sign).toUpperCase()}`,
      sign => `&#${sign.charCodeAt(0)};`,
    ];
    const secret = "x1y2/z3+q9=>k4_m";
    const redactor = await withEnv(`API_KEY=${secret}`);
    const written = fc
      .array(fc.constantFrom(...WAYS), { minLength: secret.length, maxLength: secret.length })
      .map(ways => [...secret].map((sign, at) => ways[at]?.(sign)).join(""));
    const filler = fc.constantFrom(
      "",
      " ",
      "\n",
      "%",
      "\\ ",
      "&",
      "%2",
      "/ ",
      "é😀 ",
      "x".repeat(700),
      "%2f",
      "&amp;",
      "😀%2f%2b",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(filler, { maxLength: 6 }), written, fc.array(filler), async (before, way, after) => {
        const [start, end] = [`${before.join("")} `, ` ${after.join("")}`];
        const hidden = redactor.redact(start + way + end);
        assert.match(hidden, new RegExp(mark("API_KEY")));
        assert.equal(hidden.replace(new RegExp(mark("API_KEY")), ""), start + end);
        assert.equal(redactor.restore(hidden), start + way + end);
      }),
      { numRuns: cases(300) },
    );
  });

  it("are found in a stream, however it is cut", async () => {
    const redactor = await withEnv("A_KEY='x1 y2 z3 x1 y2'\nB_KEY=k9m4q7k9m4q7\nC_KEY=k9m4q7k9m4q7-and-m0re");
    const long = "k9m4q7k9m4q7-and-m0re k9m4q7k9m4q7 ".repeat(4000);
    const base64 = lines(inBase64("some words and k9m4q7k9m4q7, ".repeat(2000)), 76).join("\n");
    const text = `a x1 y2 z3 x1 y2\n${long}\n${base64}\nx1 y2 z3 x1 y2`;
    const expected = redactor.redact(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 6 }), async cuts => {
        const blobs = new MemoryBlobs();
        const writer = redactingWriter(blobs.writer(), redactor);
        const points = [0, ...[...cuts].sort((a, b) => a - b), text.length];
        for (let at = 1; at < points.length; at++) await writer.write(text.slice(points[at - 1], points[at]));
        assert.ok(blobs.text((await writer.finish()).sha256) === expected);
      }),
      { numRuns: 20 },
    );
  });

  it("that a command has just put into a file are found in what it printed", async () => {
    let text = "";
    const redactor = createRedactor(keyed, { envFiles: { read: async () => [text] } });
    const blobs = new MemoryBlobs();
    const writer = redactingWriter(blobs.writer(), redactor);
    text = "API_KEY=x1y2z3x1y2z3";
    await writer.write("x1y2z3x1y2z3\n");
    assert.match(blobs.text((await writer.finish()).sha256) ?? "", new RegExp(`^${mark("API_KEY")}\n$`));
  });
});
