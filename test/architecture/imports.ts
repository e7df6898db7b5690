/** Reads what files import from each other and export. Files are given as path → text, so that tests can invent some. */
import { posix } from "node:path";

export type Files = ReadonlyMap<string, string>;

export type Import = {
  from: string;
  /** path of the project where the import is relative, else the name of a package (`node:fs`, `ai`) */
  to: string;
  typeOnly: boolean;
  /** what is imported, by its exported name; undefined: the whole module (`import()`, `* as name`) */
  names?: readonly string[];
  /** `export … from`: who imports `from` may use it too */
  passedOn: boolean;
};

/** The formatter puts every import and export at the beginning of a line; `import()` and `require()` stand anywhere. */
const statement = /^(import|export)\s+(type\s)?(?:([^"'`;]*?)\sfrom\s+)?["']([^"'\n]+)["']/gm;
const call = /\b(?:import|require)\(\s*["']([^"'\n]+)["']/g;
const declaration =
  /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (?:(\w+)|\{([^}]*)\} =)/gm;
const list = /^export (?:type )?\{([^}]*)\}/gm;

/** @returns all imports of the files */
export function importsOf(files: Files): Import[] {
  return [...files].flatMap(([from, text]) => [
    ...[...text.matchAll(statement)].map(([, word, type, what = "", to = ""]) => ({
      from,
      to: locate(files, from, to),
      typeOnly: !!type || /^\{(?:\s*type\s[^,}]*,?)+\s*\}$/.test(what),
      names: namesIn(what),
      passedOn: word === "export",
    })),
    ...[...text.matchAll(call)].map(([, to = ""]) => ({
      from,
      to: locate(files, from, to),
      typeOnly: false,
      passedOn: false,
    })),
  ]);
}

/** @returns the names that a file exports, in their order */
export function exportsOf(text: string): string[] {
  const declared = [...text.matchAll(declaration)].flatMap(([, name, several = ""]) => name ?? listed(several, "new"));
  return [...declared, ...[...text.matchAll(list)].flatMap(([, several = ""]) => listed(several, "new"))];
}

function namesIn(what: string): string[] | undefined {
  if (what.includes("*")) return undefined;
  const several = /\{([^}]*)\}/.exec(what)?.[1] ?? "";
  return listed(several, "old");
}

/** `a, type b as c` → a and b (old), or a and c (new). */
function listed(several: string, which: "old" | "new"): string[] {
  return several.split(",").flatMap(part => {
    const [old = "", renamed = old] = part
      .trim()
      .replace(/^type /, "")
      .split(/ as |: /);
    return old === "" ? [] : [which === "old" ? old : renamed];
  });
}

function locate(files: Files, from: string, to: string): string {
  if (!to.startsWith(".")) return to;
  const path = posix.join(posix.dirname(from), to);
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`];
  return candidates.find(candidate => files.has(candidate)) ?? path;
}
