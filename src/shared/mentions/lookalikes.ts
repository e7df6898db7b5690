/** What begins with `@` in comments and prose and names no file: tags, decorators, packages, people. Pure. */
import { fileEndings, type Mention } from "./parse";

/** A word alone (`@param`, `@Injectable`, `@todo`) names no file in a comment; a path, an ending or quotes do. */
export function namesFile(text: string, mention: Mention): boolean {
  return isQuoted(text, mention) || /[/.:]/.test(mention.path) || mention.range !== undefined;
}

/** `@param` at the beginning of a line of a doc comment: its language completes that. @param line up to the cursor */
export function isDocTag(line: string): boolean {
  return /^\s*(?:\/\*\*|\*)\s*@[a-zA-Z]*$/.test(line);
}

/** Certainly something else: `@angular/core@17`, `@Get(`, `@app.route(`, an address with more after it. */
export function looksOtherwise(text: string, mention: Mention): boolean {
  if (isQuoted(text, mention)) return false;
  const next = text.charAt(mention.end);
  return next === "@" || (next === "(" && !mention.path.includes("/"));
}

/** `@types/*`: the packages of a scope. */
export function isScope(text: string, mention: Mention): boolean {
  return !isQuoted(text, mention) && /^[^/:]+\/$/.test(mention.path) && text.charAt(mention.end) === "*";
}

/** `mui/material/styles.css`: it reads as a file of an npm package; whose folder that is says its first part. */
export function mayBePackage({ path }: Mention): boolean {
  return /^[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*\/./.test(path);
}

/** Where a mention stands: in a prompt, in other text for people, in a comment of code. */
export type Surroundings = "prompt" | "prose" | "comment";

/** Whether nothing but a mention looks like that: its file, where it is missing, is a mistake. */
export function certain(text: string, mention: Mention, where: Surroundings): boolean {
  const { path, start, end } = mention;
  const [before, next] = [text.charAt(start - 1), text.charAt(end)];
  // A string of code; a pattern.
  if (/['"`]/.test(before) || (next === "*" && path.endsWith("/"))) return false;
  if (where !== "prompt" && looksLikeCode(text, mention)) return false;
  // C#, Objective-C and PowerShell have strings that begin so.
  if (where === "comment" && (isQuoted(text, mention) ? /[(=,]/ : /[=,]/).test(before)) return false;
  if (isQuoted(text, mention) || path.endsWith("/")) return true;
  if (next === "(") return false;
  const ending = endingOf(path);
  if (ending === undefined) return mention.range !== undefined && path.includes("/");
  if (fileEndings.has(ending) && !/^types\//.test(path)) return true;
  return path.includes("/") && /^[a-z][a-z0-9]*$/.test(ending) && path.split("/").length > 2;
}

/** Strings (`@"C:\temp"`), scopes (`@babel/`), aliases (`@/a.vue`), packages (`@three.js`), sizes of pictures (`@2x.png`). */
function looksLikeCode(text: string, mention: Mention): boolean {
  const { path } = mention;
  if (isQuoted(text, mention))
    return path.includes("\\") || !(path.endsWith("/") || fileEndings.has(endingOf(path) ?? ""));
  return /^[^/:]+\/$|^\/|^\d+x\.|^[a-z][a-z0-9-]*\.js$/.test(path);
}

function endingOf(path: string): string | undefined {
  return /[^/]\.([a-zA-Z0-9]{1,10})$/.exec(path)?.[1];
}

function isQuoted(text: string, mention: Mention): boolean {
  return text.charAt(mention.start + 1) === '"';
}
