/** What a model sees of an output: of Bash's result, as it is shown while its turn runs and as it is kept afterwards. */
import { OutputDigest } from "../../../../../src/core/commands/output/outputDigest";
import { commandForms } from "../../../../../src/core/commands/taskTools";
import { estimateTokens } from "../../../../../src/core/ground/text/estimate";
import { compressResult } from "../../../../../src/core/tool/resultForms";
import { success } from "../../../../../src/core/tool/tool";
import type { Output } from "./kit";

const SHA256 = "3fa9c1d2e4b5aaaa";

interface Seen {
  shown: string;
  kept: string;
}

export function seen({ stdout = "", stderr = "" }: Pick<Output, "stdout" | "stderr">): Seen {
  const digest = new OutputDigest();
  digest.push("stdout", stdout);
  digest.push("stderr", stderr);
  digest.end();
  const data = { command: "npm run ci", exitCode: 0, signal: null, durationMs: 2_000, ...digest.facts() };
  const { result } = success({ data, text: digest.render({ sha256: SHA256 }), digest: "Bash" });
  const forms = compressResult(result, `obs:${SHA256.slice(0, 12)}`, commandForms);
  return { shown: forms.shown, kept: forms.kept ?? forms.shown };
}

interface Measured {
  /** "tsc: error TS1005" for each string that is not there */
  missing: string[];
  /** mean of one output */
  tokens: number;
}

/** @param part of one line */
export const isSeen = (text: string, part: string): boolean => text.includes(part) || text.includes(inJson(part));

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** @param count of tokens: the repository's estimate where none is given */
export function measure(outputs: readonly Output[], form: keyof Seen, count = estimateTokens): Measured {
  const missing: string[] = [];
  let tokens = 0;
  for (const output of outputs) {
    const text = seen(output)[form];
    tokens += count(text);
    missing.push(...output.matters.filter(part => !isSeen(text, part)).map(part => `${output.name}: ${part}`));
  }
  return { missing, tokens: tokens / outputs.length };
}
