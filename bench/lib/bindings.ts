/** What would be proposed for a rules file, and how long reading one takes. */
import { bindingsIn, rulesOf } from "../../src/core/permissions/sentences";
import { defaultSettings } from "../../src/shared/settings";

const read = (text: string) =>
  bindingsIn([{ path: "AGENTS.md", text, cutBytes: 0, trust: "rules" }], { get: () => defaultSettings });

export const proposed = (text: string): string[] =>
  read(text).proposed.flatMap(({ entry, against }) => (against ? [] : rulesOf(entry)));

/** ms, the median of several */
export function readingTime(text: string): number {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    read(text);
    return performance.now() - start;
  });
  return times.sort((one, other) => one - other)[4] ?? 0;
}
