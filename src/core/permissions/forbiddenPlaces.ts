/** Paths that rules forbid to read or edit, for the sandbox, which cannot ask each time. */
import { isAboutFiles, type Rule } from "./rules";

/** Rules that deny one file or a whole folder (`secrets/**`). @returns paths as rules write them: absolute, `~/…`, or from each root */
export function forbiddenPlaces(rules: readonly Rule[]): { read: string[]; write: string[] } {
  const places: ReturnType<typeof forbiddenPlaces> = { read: [], write: [] };
  for (const rule of rules) {
    if (rule.kind !== "deny" || rule.problem !== undefined || rule.pattern === undefined) continue;
    const path = rule.pattern
      .trim()
      .replace(/^\.\//, "")
      .replace(/\/\*\*$/, "");
    if (path === "" || /[*?[\]{}!\\]/.test(path)) continue;
    if (isAboutFiles(rule, "read")) places.read.push(path);
    if (isAboutFiles(rule, "edit")) places.write.push(path);
  }
  return places;
}
