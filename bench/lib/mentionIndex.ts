/** What bench/mentions.mjs measures: the index of paths and `fzf` on the same list with the same queries. */
import { PathIndex } from "../../src/vscode/mentions/pathIndex";
import { Random } from "../../test/fakes/random";
import { entriesOf, fzfOver } from "../../test/fixtures/mentions/rank";
import { manyPaths } from "./manyPaths";

export { hasContext, ranks } from "../../test/fixtures/mentions/rank";

const ROOT = "root";
/** As many as a menu asks for. */
const LIMIT = 50;

export const paths = manyPaths;

export function build(files: readonly string[]): PathIndex {
  const index = new PathIndex(ROOT);
  index.add(files);
  return index;
}

export function searching(index: PathIndex, current: string): (query: string) => number {
  const near = { current: { root: ROOT, path: current }, open: [], recent: [] };
  return query => index.search(query, near, LIMIT).length;
}

export function fzfSearching(files: readonly string[]): (query: string) => number {
  const fzf = fzfOver(entriesOf(files), LIMIT);
  return query => fzf.find(query).length;
}

/** Beginnings of names, initials of their words, folder and name, in turn; so many letters each. */
export function typedQueries(files: readonly string[], letters: number, count: number): string[] {
  const random = new Random(letters);
  const queries: string[] = [];
  while (queries.length < count) {
    const [name = "", folder = ""] = random.pick(files).split("/").reverse();
    const initials =
      name
        .replace(/([a-z])([A-Z])/g, "$1 $2")
        .match(/[a-zA-Z]+/g)
        ?.map(word => word.slice(0, 2))
        .join("") ?? "";
    const kinds = [name, initials, `${folder.slice(0, Math.ceil(letters / 2) - 1)}/${name}`];
    const query = (kinds[queries.length % kinds.length] ?? "").slice(0, letters).toLowerCase();
    if (query.length === letters) queries.push(query);
  }
  return queries;
}
