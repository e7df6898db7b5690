/** What a file exports and no other file imports is nobody's business but its own. */
import { exportsOf, type Files, type Import, importsOf } from "./imports";

/**
 * Exports without an importer, a sentence each.
 * @param files all that may import, tests and scripts too
 * @param judged which files' exports are looked at
 */
export function unusedExports(files: Files, judged: (path: string) => boolean): string[] {
  const importers = Map.groupBy(importsOf(files), ({ to }) => to);
  const used = (path: string, name: string): boolean =>
    (importers.get(path) ?? []).some(each => each.from !== path && takes(each, name));
  const takes = ({ from, names, passedOn }: Import, name: string): boolean => {
    if (names) return names.includes(name);
    return passedOn ? used(from, name) : new RegExp(`\\b${name}\\b`).test(files.get(from) ?? "");
  };
  return [...files]
    .filter(([path]) => judged(path))
    .flatMap(([path, text]) =>
      exportsOf(text).flatMap(name => (used(path, name) ? [] : [`${path}: nobody imports ${name}`])),
    );
}
