/** What a file exports and no other file imports is nobody's business but its own. */
import { exportsOf, type Files, type Import, importsOf } from "./imports";

/** A script that bundles a file of the product names it by its path from the project's folder. */
const bundled = /["'](?:\.\/)?((?:src|webview-ui)\/[\w./-]+\.tsx?)\\?["']/g;

/**
 * Exports without an importer, a sentence each.
 * @param files all that may import, tests and scripts too
 * @param judged which files' exports are looked at
 */
export function unusedExports(files: Files, judged: (path: string) => boolean): string[] {
  const importers = Map.groupBy([...importsOf(files), ...bundles(files)], ({ to }) => to);
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

function bundles(files: Files): Import[] {
  const scripts = [...files].filter(([path]) => path.endsWith(".mjs"));
  return scripts.flatMap(([from, text]) =>
    [...text.matchAll(bundled)].map(([, to = ""]) => ({ from, to, typeOnly: false, passedOn: false })),
  );
}
