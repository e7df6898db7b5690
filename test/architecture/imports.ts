/** Reads import statements, and finds cycles among them. Files are given as path → text, so that tests can invent some. */
import { posix } from "node:path";

export type Import = { from: string; to: string; typeOnly: boolean };

/** The formatter puts every import and export at the beginning of a line; `import()` and `require()` stand anywhere. */
const statement = /^(?:import|export)\s+(type\s)?(?:[^"'`;]*?\sfrom\s+)?["']([^"'\n]+)["']/gm;
const call = /\b(?:import|require)\(\s*["']([^"'\n]+)["']/g;

/**
 * All imports of the files; relative ones come as paths of the project, others by name (`node:fs`, `ai`).
 * @param files path relative to the project (with `/`) → text
 */
export function importsOf(files: ReadonlyMap<string, string>): Import[] {
  return [...files].flatMap(([from, text]) => [
    ...[...text.matchAll(statement)].map(([, type, to = ""]) => ({
      from,
      to: locate(files, from, to),
      typeOnly: !!type,
    })),
    ...[...text.matchAll(call)].map(([, to = ""]) => ({ from, to: locate(files, from, to), typeOnly: false })),
  ]);
}

function locate(files: ReadonlyMap<string, string>, from: string, to: string): string {
  if (!to.startsWith(".")) return to;
  const path = posix.join(posix.dirname(from), to);
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`];
  return candidates.find(candidate => files.has(candidate)) ?? path;
}

/** Each cycle of value imports once, as `a → b → a`. Types are gone at run time and cannot tie a knot. */
export function cyclesOf(imports: readonly Import[]): string[] {
  const graph = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports) if (!typeOnly) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file].join(" → "));
    if (start >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
