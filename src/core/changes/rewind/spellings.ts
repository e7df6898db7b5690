/**
 * Names that differ in their spelling only, on a disk that takes them for one file: what happens to one happens to the other.
 * A file that was renamed so is put back as any other; where more than that was done, both names stay.
 */

import { uriToPath } from "../../../shared/filePlace";
import { spelling } from "../../../shared/fileStates";
import type { DiskStates } from "../../ground/ports";
import { isOnDisk, unlessFileError } from "../../ground/ports/files";
import { staysWords } from "../timeline/refusals";

/** Those of which each may be another's file, in another spelling. */
function alike<T extends { uri: string }>(files: readonly T[]): T[][] {
  // A path, not an address: there `Ü` and `ü` are %C3%9C and %C3%BC.
  const spelled = Map.groupBy(files, ({ uri }) => spelling(uriToPath(uri) ?? uri));
  return [...spelled.values()].filter(({ length }) => length > 1);
}

/** Files that are there under the name of another one of these only: under their own there is none. */
export async function aliases<T extends { uri: string }>(files: readonly T[], disk: DiskStates): Promise<Set<T>> {
  const found = new Set<T>();
  for (const file of alike(files).flat()) {
    const path = isOnDisk(file) ? uriToPath(file.uri) : undefined;
    if (path !== undefined && (await unlessFileError(disk.isAlias(path), false))) found.add(file);
  }
  return found;
}

/** What is planned for a file; undefined: nothing. `why`: a sentence */
type SpellingPlan = { why: string } | { kind: "exact"; from: unknown; to: unknown } | { kind: "merge" } | undefined;

/** As they were planned, but for names of one file that would get into each other's way: these stay. */
export function apart<T extends { uri: string; path: string }, P extends SpellingPlan>(
  plans: ReadonlyMap<T, P>,
  aliased: ReadonlySet<T>,
): Map<T, P | { why: string }> {
  const settled = new Map<T, P | { why: string }>(plans);
  for (const names of alike([...plans.keys()])) {
    const others = names.filter(name => aliased.has(name)).map(name => plans.get(name));
    const own = names.filter(name => !aliased.has(name)).map(name => plans.get(name));
    const isCreated = others.some(plan => plan && "kind" in plan);
    const isPlain = others.every(plan => !plan || "why" in plan || plan.kind === "exact");
    const isFree = own.every(plan => plan && "kind" in plan && plan.kind === "exact" && plan.to === null);
    if (!isCreated || (isPlain && isFree)) continue;
    for (const name of names) {
      const rest = names.filter(other => other !== name).map(({ path }) => path);
      settled.set(name, { why: staysWords(name.path, { kind: "one place", others: rest }) });
    }
  }
  return settled;
}
