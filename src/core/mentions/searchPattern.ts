/** A search for texts that may mention places. Pure. */

/**
 * A regular expression, to be used without regard to case, that matches where one of the paths or something in it is
 * mentioned in any way but through `..`: `@src/a.ts`, `@./src/a.ts`, `@app:src/a.ts`, `@"/work/app/src/a.ts"`. It is made of
 * what ripgrep and JavaScript read alike, and matches within a line.
 * @param paths relative to their workspace folders, with `/`
 * @param folders absolute paths of the workspace's folders, with `/`
 */
export function searchPattern(paths: readonly string[], folders: readonly string[]): string {
  const above = folders.map(folder => `${written(folder)}(?:/\\.?)*/`).join("|");
  const named = '(?:"(?:[^":/@]+:)?|(?:[\\w.-]+:)?)';
  // A name that goes on is another one.
  return `@${named}(?:\\.?/)*(?:${above})?(?:${paths.map(written).join("|")})(?:[^\\w-]|$)`;
}

/** Mentions escape quotes and backslashes, and may have more slashes than they need. */
function written(path: string): string {
  const parts = path.split("/").filter(part => part !== "");
  return parts.map(part => escaped(part.replace(/["\\]/g, "\\$&"))).join("/(?:\\.?/)*");
}

const escaped = (name: string) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
