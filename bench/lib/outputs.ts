/** What `bench/outputs.mjs` measures: the fixture of the tests, and how fast lines are looked at. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { OutputDigest } from "../../src/core/commands/outputDigest";
import { outputs } from "../../test/core/ground/text/outputs";
import { accessLogs } from "../../test/core/ground/text/outputs/accessLogs";
import { manyFailures, otherFailures } from "../../test/core/ground/text/outputs/failures";
import type { Output } from "../../test/core/ground/text/outputs/kit";
import { isSeen, measure, seen } from "../../test/core/ground/text/outputs/measure";
import { others } from "../../test/core/ground/text/outputs/others";
import { recorded } from "../../test/core/ground/text/outputs/recorded";

const o200k = (text: string) => encode(text).length;

function figures(name: string, of: readonly Output[]) {
  const strings = of.flatMap(({ matters }) => matters).length;
  return (["shown", "kept"] as const).map(form => {
    const { missing, tokens } = measure(of, form);
    return {
      name,
      form,
      outputs: of.length,
      strings,
      missing: missing.length,
      tokens,
      o200k: measure(of, form, o200k).tokens,
    };
  });
}

export const seenOf = (root: string) => [
  ...figures("known programs", outputs()),
  ...figures("others", others()),
  ...figures("programs as recorded", recorded(root)),
];

/** Of 20 failures, the names that are seen, by program; with what is seen of answers of 5xx in logs. */
export function namesSeen() {
  const runs = [...manyFailures(20), ...otherFailures(20)].map(({ program, output, names }) => {
    const { shown, kept } = seen({ stdout: output });
    const count = (text: string) => names.filter(name => isSeen(text, name)).length;
    return { program, shown: count(shown), kept: count(kept), tokens: o200k(shown) };
  });
  const logs = accessLogs();
  const lines = logs.flatMap(({ matters }) => matters).length;
  return { runs, answers: { logs: logs.length, lines, missing: measure(logs, "shown").missing.length } };
}

/** Millions of characters a second. */
export function speed(bytes = 30e6): number {
  const text = outputs()
    .map(({ stdout = "", stderr = "" }) => stdout + stderr)
    .join("");
  const times = Math.ceil(bytes / text.length);
  const digest = new OutputDigest();
  const from = performance.now();
  for (let at = 0; at < times; at += 1) digest.push("stdout", text);
  digest.end();
  digest.render();
  return (text.length * times) / 1e3 / (performance.now() - from);
}
