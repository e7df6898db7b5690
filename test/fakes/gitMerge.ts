/** What git makes of a three-way merge: a reference that shares no code with ours. */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "./temporary";

export interface Sides {
  base: string;
  ours: string;
  theirs: string;
}

const names = ["ours", "base", "theirs"] as const;
/** processes at once */
const AT_ONCE = 4;
/** Cases that one process merges. A process takes far longer to start than to merge. */
const TOGETHER = 20;
const MARKER = 40;

/** The merged texts, in order; undefined: git sees a conflict. Rejects where there is no git. */
export async function gitMerges(cases: readonly Sides[]): Promise<(string | undefined)[]> {
  const folder = temporaryFolder("git-merge");
  try {
    const merged: (string | undefined)[] = new Array(cases.length);
    const batches = batchesOf(cases);
    let next = 0;
    const work = async () => {
      for (let at = next++; at < batches.length; at = next++) {
        const batch = batches[at] as number[];
        const results = await mergeTogether(
          join(folder, String(at)),
          batch.map(index => cases[index] as Sides),
        );
        for (const [place, index] of batch.entries()) merged[index] = results[place];
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return merged;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function gitMerge(sides: Sides): Promise<string | undefined> {
  const [merged] = await gitMerges([sides]);
  return merged;
}

/** Places of cases; those whose last line has no end are merged alone, since what follows would give it one. */
function batchesOf(cases: readonly Sides[]): number[][] {
  const ends = (sides: Sides) => names.every(name => sides[name] === "" || sides[name].endsWith("\n"));
  const places = [...cases.keys()];
  const together = places.filter(place => ends(cases[place] as Sides));
  const batches = places.filter(place => !ends(cases[place] as Sides)).map(place => [place]);
  for (let at = 0; at < together.length; at += TOGETHER) batches.push(together.slice(at, at + TOGETHER));
  return batches;
}

/** Between two cases: lines that stand nowhere else, so that no change reaches over them. */
const between = (place: number) =>
  Array.from({ length: 6 }, (_, line) => `between case ${place} and the next, line ${line}\n`).join("");

async function mergeTogether(path: string, cases: readonly Sides[]): Promise<(string | undefined)[]> {
  const alone = cases.length === 1;
  const files = names.map(name => ({
    path: `${path}.${name}`,
    text: alone ? (cases[0]?.[name] ?? "") : cases.map((sides, place) => sides[name] + between(place)).join(""),
  }));
  await Promise.all(files.map(file => writeFile(file.path, file.text)));
  const merged = await mergeFile(files.map(file => file.path));
  let rest = merged;
  return cases.map((_, place) => {
    const end = alone ? rest.length : rest.indexOf(between(place));
    const text = rest.slice(0, end);
    rest = rest.slice(end + (alone ? 0 : between(place).length));
    return text.includes("<".repeat(MARKER)) ? undefined : text;
  });
}

function mergeFile(paths: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ["merge-file", "-p", "-q", `--marker-size=${MARKER}`, ...paths];
    execFile("git", args, { maxBuffer: 64e6, encoding: "utf8" }, (error, stdout) => {
      // Its code is the number of conflicts (127 at most); beyond that it is a failure.
      if (error && !(typeof error.code === "number" && error.code > 0 && error.code <= 127)) reject(error);
      else resolve(stdout);
    });
  });
}
