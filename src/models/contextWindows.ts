/** How much well-known models read, in tokens: what fits into a request, where that is less than the whole window. */

import { isNear } from "../shared/nearAddress";
import { settingsSchema } from "../shared/settings";

/** The first that fits the name counts. A name that is not here is asked for: a wrong size costs more than a question. */
const windows: readonly [RegExp, number][] = [
  [/\bgpt-4\.1\b/, 1_047_576],
  [/\bgpt-5/, 272_000],
  [/\bgpt-4o\b|\bgpt-4-turbo\b/, 128_000],
  [/\bgpt-oss\b/, 131_072],
  [/\bo[134](?:-mini|-pro)?\b/, 200_000],
  [/\bclaude-/, 200_000],
  [/\bgemini-[23]/, 1_048_576],
  [/\bgrok-(?:4|code)/, 256_000],
  [/\bdeepseek-(?:chat|reasoner|v3|r1)/, 128_000],
  [/\bkimi-k2/, 131_072],
  [/\bqwen3-coder\b/, 262_144],
  [/\bglm-4\.[67]\b/, 200_000],
  [/\bglm-4\.5\b/, 128_000],
  [/\bllama-?3\.[123]\b|\bllama-?4\b|\bmistral-large\b|\bdevstral\b|\bmistral-medium\b/, 128_000],
];

/**
 * undefined: nobody knows. A server of one's own reads what it was started with, whatever the model could.
 * @param host where it runs, with its port or without
 */
export function knownWindow(id: string, host: string): number | undefined {
  if (isNear(new URL(`http://${host}`).hostname)) return undefined;
  return windows.find(([name]) => name.test(id.toLowerCase()))?.[1];
}

const units: Record<string, number> = { k: 1000, m: 1_000_000 };

/** `128k`, `1M`, `200,000`; undefined: no size that a window can have */
export function tokensWritten(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d[\d.,_ ]*)([km]?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const factor = units[unit.toLowerCase()] ?? 1;
  return usableWindow(Math.round(Number(digits.replaceAll(factor === 1 ? /[.,_ ]/g : /[,_ ]/g, "")) * factor));
}

/** undefined: the setting takes no such size */
export function usableWindow(tokens: number): number | undefined {
  return settingsSchema.shape["model.contextWindow"].safeParse(tokens).data || undefined;
}
