/** Merges of large texts, timed; bundled by bench/edit.mjs. */
import { mergeTexts } from "../../src/core/changes/edits/merge";

const LINES = 30_000;
const numbered = (line: (at: number) => string) => Array.from({ length: LINES }, (_, at) => line(at));
const joined = (lines: readonly string[]) => `${lines.join("\n")}\n`;

const unique = numbered(at => `const value${at} = compute(${at * 7});`);
const equal = numbered(() => "}");

function withLine(lines: readonly string[], at: number, ...put: string[]): string {
  return joined([...lines.slice(0, at), ...put, ...lines.slice(at + 1)]);
}

/** Name → a merge that gives what it should. */
export const merges: Record<string, () => void> = {
  "a line on each side": () =>
    expectMerged(joined(unique), withLine(unique, 100, "ours"), withLine(unique, LINES - 100, "theirs")),
  "a line on each side, 5 lines apart": () =>
    expectMerged(joined(unique), withLine(unique, 15_000, "ours"), withLine(unique, 15_005, "theirs")),
  "every 100th line on one side, one on the other": () => {
    const ours = joined(unique.map((line, at) => (at % 100 === 0 ? `${line} // ours` : line)));
    expectMerged(joined(unique), ours, withLine(unique, 15_050, "theirs"));
  },
  "all lines equal, one changed on each side": () =>
    expectMerged(joined(equal), withLine(equal, 100, "ours"), withLine(equal, LINES - 100, "theirs")),
  "all lines equal, one gone, one more": () =>
    expectMerged(joined(equal), withLine(equal, 100), withLine(equal, LINES - 100, "}", "theirs")),
  "all lines changed on one side: a conflict": () => {
    const { kind } = mergeTexts(joined(unique), joined(unique.map(line => `${line} `)), withLine(unique, 9, "theirs"));
    if (kind !== "conflict") throw new Error("it is no conflict");
  },
};

function expectMerged(base: string, ours: string, theirs: string): void {
  const merge = mergeTexts(base, ours, theirs);
  if (merge.kind !== "merged" || !merge.text.includes("theirs")) throw new Error("it was not merged");
}
