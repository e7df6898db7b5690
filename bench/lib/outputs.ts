/** What `bench/outputs.mjs` measures: the fixture of the tests, and how fast lines are looked at. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { OutputDigest } from "../../src/core/commands/output/outputDigest";
import type { Output } from "../../test/core/commands/output/outputs/kit";
import { measure } from "../../test/core/commands/output/outputs/measure";
import { others } from "../../test/core/commands/output/outputs/others";
import { recorded } from "../../test/core/commands/output/outputs/recorded";

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
  ...figures("others", others()),
  ...figures("programs as recorded", recorded(root)),
];

/** Millions of characters a second. */
export function speed(root: string, bytes = 30e6): number {
  const text = recorded(root)
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
