/** What rules forbid to read and to edit, for whoever cannot ask each time: the sandbox. */
import { isAboutFiles, type Rule } from "./rules";

interface ForbiddenPlaces {
  /** files and folders as rules write them: absolute, `~/…`, or seen from each folder of the workspace */
  read: string[];
  write: string[];
}

/** Of rules that forbid, those that name one file or a whole folder (`secrets/**`): what is in a pattern only a look at each name finds. */
export function forbiddenPlaces(rules: readonly Rule[]): ForbiddenPlaces {
  const places: ForbiddenPlaces = { read: [], write: [] };
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
