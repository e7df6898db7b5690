/**
 * Text from files, models, servers and people is as long and as odd as it likes: reading it takes time that grows with its
 * length, never with its square or worse. For each of these some line took minutes once, or for ever.
 */
import assert from "node:assert/strict";
import { composeSummary } from "../../src/core/context/compaction/summaryText";
import { parseLines, sanitizeText } from "../../src/core/ground/text/format";
import { toModelText } from "../../src/core/ground/text/hiddenText";
import { growLedger } from "../../src/core/log/ledger/pages";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { looksSecret } from "../../src/core/secrets/looksSecret";
import { createRedactor, parseEnv } from "../../src/core/secrets/redact";
import { failureFacts } from "../../src/models/failureFacts";
import { TextReader } from "../../src/models/react/textReader";
import { parseIgnoreFile } from "../../src/shared/ignore";
import { exactText, plainText, visibleLine } from "../../src/shared/shown";
import { commentAt } from "../../src/vscode/mentions/inDocument";
import { highlight } from "../../webview-ui/src/markdown/highlight";
import { codeTarget, linkTarget, splitOutput, splitReferences } from "../../webview-ui/src/markdown/links";
import { noBlocks, readBlocks } from "../../webview-ui/src/markdown/Markdown";

const times = (piece: string, characters = 300_000) => piece.repeat(Math.ceil(characters / piece.length));
/** The separator is no line end, but `.` does not match it. */
const SEPARATOR = "\u2028";

const slots = { goal: "", files: [], moreFiles: 0, environment: "" };
const compose = (text: string) => composeSummary({ slots, said: { text }, standing: [] });
const ledgerOf = (text: string) => growLedger([], [{ recordId: "r", turn: 1, text }], 100);
const place = (name: string) => ({ inside: true, relative: name, absolute: `/ws/${name}`, path: name }) as never;

const { redact } = createRedactor(text => `${text.length}`);
const nearSecrets = [
  ...["apikey=", "password: ", "x:", "://a:", "Bearer ", "M.", "eyJa.", "glpat-", '"auth":"', "1234567890:AA", "sig="],
  ...[
    "hvs.",
    "AccountKey=",
    "_auth=",
    "key-0a",
    "-us1",
    "Q~",
    "secret_",
    "dp.pt.",
    "https://hooks.slack.com/services/",
  ],
];

const readings: Record<string, () => unknown> = {
  ...Object.fromEntries(nearSecrets.map(near => [`what is nearly a secret: ${near}`, () => redact(times(near))])),
  "a summary of blank lines": () => compose(`x${times("\n")}y`),
  "a summary of number signs": () => compose(`${times("#")} ${times(" ")}`),
  "a person's message of one word without end": () => ledgerOf(times("x")),
  "a person's message of placeholders": () => ledgerOf(times("[secret:A:0123456789ab]")),
  "lines of a recall": () => parseLines(`0-${times("\t")}x`),
  "a comment of stars": () => commentAt(`/*${times("*")}]]`, 5, "css"),
  "a file's name of dots": () => protectedBecause(place(times(". ")), []),
  "a file's name of colons": () => protectedBecause(place(`${times(":")}\nx`), []),
  "a value of backslashes in an .env file": () => parseEnv(`A_TOKEN="${times("\\")}x`),
  "blanks before a value in an .env file": () => parseEnv(`A_TOKEN=${times("\t")}${SEPARATOR}`),
  "an address with a password": () => looksSecret({ name: "DATABASE_URL", value: `://${times("::")}` }),
  "a value of placeholders": () => looksSecret({ name: "API_TOKEN", value: times("[secret:") }),
  "an opening bracket before blanks": () => sanitizeText(`<${times(" ")}`),
  "an attachment's tag before blanks": () => toModelText(`<attachment${times(" ")}`),
  "half marks and hidden characters": () => toModelText(times("⟦U+") + times("\u200d⟦U+200B⟧")),
  "half signs and hidden characters": () => exactText(times("\\u{") + times("\u0301\u200b\\u{200b}")),
  "a server's answer of tags": () => failureFacts({ statusCode: 500, responseBody: times("<a") }),
  "an error's code": () => failureFacts(Object.assign(new Error("x"), { code: `E${times("SIGNATURE")}!` })),
  "blanks in an ignore file": () => parseIgnoreFile(`${times("a\t")}${times("\t")}x`),
  "sequences without an end": () =>
    plainText(times("\u001b]0;") + times("\u001b[") + times("\u009b0") + times("\u009d")),
  "blank lines of a command": () => visibleLine(times(" \n") + times(" ")),
  "a link's address": () => linkTarget(`${times("#")}%0A`),
  "a word of an answer": () => splitReferences(times("+.")),
  "a word that ends as a file": () => splitReferences(`${times("a/")}a.ts:1x`),
  "names in names": () => splitReferences(times("a.ts:1")),
  "a path in code": () => codeTarget(`${times("a ")}/${times("a/")}`),
  "a line of an output": () => splitOutput(`  File "${times("a ")}`),
  "quotes within quotes": () => readBlocks(noBlocks, `${times("> ")}\nx`),
  "quotes within quotes, without blanks": () => readBlocks(noBlocks, times(">")),
  "lists within lists": () => readBlocks(noBlocks, `${times("- ")}x`),
  "emphasis without an end": () => readBlocks(noBlocks, times("a_")),
  "a line of an answer with many marks": () => answered("a < `b`. "),
  "a written call that is long": () => answered('Action: Write[{"content": "'),
  "dollars in an answer": () => readBlocks(noBlocks, times("$a ")),
  "formulas without an end": () => readBlocks(noBlocks, times("t\n\\[\n\\(a\n")),
  "brackets in an answer": () => readBlocks(noBlocks, times("![")),
  "odd code": () => ["csharp", "markdown", "ruby"].map(language => highlight(times("a", 20_000), language)),
  "more code than is coloured": () => highlight(times("[", 60_000), "markdown"),
};

/** An answer that comes in 30,000 pieces. */
function answered(piece: string): void {
  const reader = new TextReader([], true);
  for (let count = 0; count < 30_000; count += 1) reader.push(piece);
  reader.end({ isCut: false, hasCalls: false });
}

describe("long and odd text is read in time", function () {
  this.timeout(20_000);
  for (const [what, read] of Object.entries(readings)) it(what, () => void read());

  it("and means what it meant", () => {
    const values = (line: string) => parseEnv(line).map(({ value }) => value);
    assert.deepEqual(values('A="a\\"b" # c'), ['a\\"b', 'a"b']);
    assert.deepEqual(values('A="C:\\dir\\"'), ["C:\\dir\\", "C:dir\\"]);
    assert.deepEqual(values("A='open"), ["open"]);
    const keeps = (line: string, path: string) => parseIgnoreFile(line).every(({ test }) => !test(path));
    assert.deepEqual([keeps("a  \t", "a"), keeps("a\\  ", "a "), keeps("a\\  ", "a")], [false, false, true]);
    for (const name of [".git. ", ".GIT", ".env::$DATA", ".env. ."]) assert.ok(protectedBecause(place(name), []), name);
    assert.deepEqual(
      splitReferences("see c++ src/a.ts:3, ./b.ts:4:5.").map(({ target }) => target.kind),
      [...["none", "file", "none", "file", "none"]],
    );
  });
});
