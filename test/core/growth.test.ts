/**
 * What meets text of others takes at most eight times as long for four times of it: four in line, sixteen by its square. Measured in
 * processor time of this thread, the least of several runs. Each of these took minutes once.
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { planEdits } from "../../src/core/changes/edits/planEdits";
import { findHunks } from "../../src/core/changes/timeline/hunks";
import { OutputDigest } from "../../src/core/commands/output/outputDigest";
import { changeWithRanges, toldLines } from "../../src/core/ground/text/diff";
import { parseSettingsFile } from "../../src/core/ground/text/json";
import { TerminalText } from "../../src/core/ground/text/terminalText";
import { readHooks } from "../../src/core/guidance/hooks/entry";
import { managedLayer } from "../../src/core/permissions/levels";
import { readCommand } from "../../src/core/permissions/plain/commandReading";
import { LineRedactor } from "../../src/core/secrets/lineRedactor";
import { createRedactor } from "../../src/core/secrets/redact";
import { asItIs } from "../fakes/redact";
import { soak } from "../fakes/soak";

const hash = (text: string) => createHmac("sha256", "key").update(text).digest("hex");
const redactor = createRedactor(hash);
/** A line without an end passes in pieces of 64 KB: there have to be several. */
const FEW = { output: 140_000, other: 25_000 };
const MANY = 2_000_000;
const MOST = 8;
/** ms: below it a ratio says nothing */
const TOO_SHORT = 20;

/** The same text as long as it is asked for; numbers in it differ. */
const repeated = (piece: (at: number) => string) => (characters: number) => {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < characters; at += 1) {
    const part = piece(at);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
};
const digits = (at: number) => hash(`${at}`).slice(0, 36);

/** Through what a command's output passes, in pieces as a pipe gives them. */
function passOutput(text: string): void {
  const lines = new LineRedactor(redactor.redact, redactor.safeEnd);
  const digest = new OutputDigest();
  for (let at = 0; at < text.length; at += 65_536) digest.push("stdout", lines.push(text.slice(at, at + 65_536)));
  digest.push("stdout", lines.end());
  digest.end();
  digest.render();
  digest.facts();
}

function replaceAll(text: string): void {
  const { newText } = planEdits(text, [{ oldText: "a", newText: "bc", replaceAll: true }], "a.txt");
  changeWithRanges({ uri: "file:///a.txt", path: "a.txt" }, text, newText);
  toldLines(text, newText, asItIs);
  const lines = (whole: string) => whole.split("\n");
  findHunks(lines(text), lines(newText), lines(newText));
}

const outputs: Record<string, (at: number) => string> = {
  "tokens joined by dots": at => `ghp_${digits(at)}.`,
  "tokens joined by bars": at => `npm_${digits(at)}|`,
  "key ids joined by slashes": at => `AKIA${digits(at).slice(0, 16).toUpperCase()}/`,
  "addresses with passwords": at => `a://u:${digits(at).slice(0, 12)}@`,
  "passwords joined as in an address": at => `password=${digits(at).slice(0, 20)}&`,
  "tokens of bots": at => `1234567890:AA${digits(at).slice(0, 33)}:`,
  "tokens that were cut": at => `ghp_${digits(at)}…`,
  "tokens in colours": at => `\u001b[32mghp_${digits(at)}\u001b[0m`,
  "tokens between letters of no alphabet": at => `密ghp_${digits(at)}`,
  "words without an end": digits,
};

const readings: Record<string, { make(characters: number): string; read(text: string): unknown }> = {
  "one piece of an output in colours": {
    make: repeated(at => `\u001b[32m${at}\u001b[0m `),
    read: text => new TerminalText(() => undefined).push(text),
  },
  ...Object.fromEntries(
    Object.entries(outputs).map(([what, piece]) => [
      `an output of ${what}`,
      { make: repeated(piece), read: passOutput },
    ]),
  ),
  "replace_all, a place in each line": { make: repeated(() => "a\n"), read: replaceAll },
  "replace_all in one line": { make: repeated(() => "a "), read: replaceAll },
  "a command of folders": { make: repeated(() => "cd a && "), read: text => readCommand(text, "/ws") },
  "a command of parts": { make: repeated(at => `x${at};`), read: text => readCommand(text, "/ws") },
  "settings within each other": { make: repeated(() => "["), read: parseSettingsFile },
  "settings side by side": { make: repeated(at => `{"a":${at}},`), read: text => parseSettingsFile(`[${text}]`) },
};

/** ms of this thread, the least of several */
function least(work: () => unknown, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

function growsWithItsLength({ make, read }: (typeof readings)[string], characters: number, rounds = [1, 4, 10]): void {
  const [once, more] = [make(characters), make(4 * characters)];
  read(make(10_000));
  const took = { once: 0, more: 0 };
  for (const times of rounds) {
    took.more = least(() => read(more), times);
    if (took.more < TOO_SHORT) return;
    took.once = least(() => read(once), times);
    if (took.more <= MOST * took.once) return;
  }
  assert.fail(
    `${took.once.toFixed(1)} ms for ${characters} characters, ${took.more.toFixed(1)} ms for four times as many`,
  );
}

describe("time grows with the text", function () {
  this.timeout(120_000);
  for (const [what, reading] of Object.entries(readings)) {
    const isOutput = what.startsWith("an output");
    const inQuick = !isOutput || ["dots", "passwords", "end"].some(word => what.endsWith(word));
    if (inQuick) it(what, () => growsWithItsLength(reading, isOutput ? FEW.output : FEW.other));
    soak("expressions", () =>
      it(`${what}, up to 8 MB`, () => growsWithItsLength(reading, MANY, [1, 2])).timeout(900_000),
    );
  }
});

describe("what is beyond the limits", () => {
  it("settings that are nested without an end are an error in one sentence", () => {
    for (const open of ["[", '{"a":']) {
      const text = open.repeat(100_000);
      assert.deepEqual(parseSettingsFile(text), { problem: "it is nested too deeply" });
      const { problems } = readHooks({ path: ".claude/settings.json", text });
      assert.deepEqual(problems, [".claude/settings.json cannot be read: it is nested too deeply."]);
      assert.equal(managedLayer({ place: "/etc/strata", text }).problem, "it is nested too deeply");
    }
  });
});
