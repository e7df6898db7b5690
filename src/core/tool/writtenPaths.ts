/**
 * What a model writes for a path or a pattern, read where it has one meaning, before hooks, rules and tools see the call: in
 * quotes, as a URI, with backslashes, with a root's name in front, absolute in a pattern. A file under the very name
 * that was written is that (docs/tools.md).
 */
import { uriToPath } from "../../shared/filePlace";
import { escapeGlob } from "../../shared/glob";
import { isObject } from "../../shared/isObject";
import { innermostRoot, isWithin, relativeTo, withEnd } from "../../shared/paths";
import { toolTraits } from "../../shared/toolTraits";
import { type FileRef, type Files, type Root, ToolError } from "../ground/ports";
import { isOnDisk, unlessFileError } from "../ground/ports/files";
import { fromModelText } from "../ground/text/hiddenText";

export type PathLookup = Pick<Files, "roots" | "resolve" | "stat">;

const PATHS = ["file_path", "path"];
const PATTERNS: Readonly<Record<string, string>> = { Glob: "pattern", Grep: "glob" };

/** The input of a call with its paths as `Files` takes them. Throws ToolError for what names no file that can be reached. */
export async function locatedInput(toolName: string, input: unknown, files: PathLookup): Promise<unknown> {
  if (!isObject(input) || !toolTraits(toolName).rules.endsWith("Files")) return input;
  const located = { ...input };
  for (const key of PATHS) {
    const written = input[key];
    if (typeof written === "string" && written !== "") located[key] = await meantPath(files, fromModelText(written));
  }
  const key = PATTERNS[toolName] ?? "";
  const pattern = input[key];
  const folder = typeof located.path === "string" ? located.path : undefined;
  if (typeof pattern !== "string" || pattern === "") return located;
  const meant = await meantPattern(files, pattern, folder);
  return { ...located, [key]: meant.pattern, ...(meant.path !== undefined && { path: meant.path }) };
}

// ---------------------------------------------------------------- paths

const QUOTED = /^(?:(['"`])(.*)\1|["`]?(.*?)["`]?)$/s;
const DRIVE = /^([a-z]):[\\/]/i;
/** No file is called so. */
const ADDRESS = /^(?:[a-z][\w+.-]+:\/|untitled:)/i;

/** As `Files.resolve` takes it. Throws ToolError INVALID_INPUT. */
export async function meantPath(files: PathLookup, written: string): Promise<string> {
  const { roots } = files;
  const named = namedRoot(roots, written);
  const isCanonical = named && roots.length > 1 && written[named.name.length] === ":" && hasName(roots, named.name);
  const isOdd = named || /^[\s'"`@]|[\s'"`]$|[\\:]/.test(written);
  if (!isOdd || isCanonical || (await isThere(files, written))) return written;
  const bare = unquoted(written);
  const text = bare.startsWith("file:") ? ofUri(bare) : bare;
  if (ADDRESS.test(text) && !namedRoot(roots, text)) return requireEditors(files, text);
  const path = text.replaceAll("\\", "/");
  await requireNoDrive(files, path);
  const root = namedRoot(roots, path);
  if (root && !(await isThere(files, root.name))) return root.inRoot;
  // As mentions and compilers write it.
  const short = path.replace(/^@/, "").replace(/(?::\d+){1,2}(?:-\d+)?$/, "");
  for (const each of [path, root?.inRoot, short]) if (each !== undefined && (await isThere(files, each))) return each;
  return path;
}

export async function isThere(files: PathLookup, path: string): Promise<boolean> {
  const found = async () => (await files.stat(await files.resolve(path))) !== undefined;
  return path !== "" && unlessFileError(found(), false);
}

function unquoted(written: string): string {
  const [, , inner, bare] = QUOTED.exec(written.trim()) ?? [];
  const text = (inner ?? bare ?? "").trim();
  if (text !== "") return text;
  throw new ToolError("INVALID_INPUT", `${JSON.stringify(written)} names no file.`);
}

/** `file:///ws/a%20b.ts#L3`, and with fewer slashes. */
function ofUri(uri: string): string {
  const path = uriToPath(uri.replace(/#.*/s, ""));
  if (path !== undefined && !path.startsWith("//")) return path;
  throw new ToolError("INVALID_INPUT", `${uri} is no address of a file on this machine. Name the file by its path.`);
}

/** In an editor there are documents that were never saved, with addresses. */
async function requireEditors(files: PathLookup, address: string): Promise<string> {
  if (!isOnDisk(await files.resolve(address))) return address;
  throw new ToolError("INVALID_INPUT", `${address} is an address, and no file has it here. Name a file by its path.`);
}

/** Elsewhere than on Windows there are no drives. */
async function requireNoDrive(files: PathLookup, path: string): Promise<void> {
  if (!DRIVE.test(path)) return;
  const ref = await unlessFileError(files.resolve(path), undefined);
  if (ref && DRIVE.test(ref.absolute)) return;
  const words = `${path} is on a drive of Windows, and there are none here. Name the file by its path in the workspace.`;
  throw new ToolError("INVALID_INPUT", words);
}

const hasName = (roots: readonly Root[], name: string): boolean => roots.some(root => root.name === name);

/** The root whose name a path begins with, as the Explorer shows it: `app/src`, `app:src`, `app`. `inRoot`: the path there. */
function namedRoot(roots: readonly Root[], path: string): { name: string; inRoot: string } | undefined {
  const names = roots.flatMap(({ name, shownAs = name, ...root }) => [
    { ...root, name },
    { ...root, name: shownAs },
  ]);
  const named = names.find(({ name }) => path.startsWith(name) && /^(?:[/:]|$)/.test(path.slice(name.length)));
  if (!named) return undefined;
  const { name, path: folder } = named;
  return { name, inRoot: withEnd(folder) + path.slice(name.length + 1).replace(/^\/+/, "") };
}

// ---------------------------------------------------------------- patterns

/** @returns the pattern as seen from the folder that is searched; `path`: the root that the pattern names, one of several */
async function meantPattern(files: PathLookup, written: string, path: string | undefined) {
  const text = unquoted(written);
  const pattern = text.includes("/") || text.startsWith("\\") ? text : text.replaceAll("\\", "/");
  const [begun = "", not = "", head = ""] = /^(!?)([^*?[\]{},!]*)/.exec(pattern) ?? [];
  const named = begun.length < pattern.length ? head.replace(/(?<![^/:])[^/:]*$/, "") : head;
  const folder = await namedFolder(files, named, path);
  if (!folder) return { pattern };
  const place = path === undefined ? await placeOf(files, folder) : await files.resolve(path);
  const rest = pattern.slice(not.length + named.length);
  if (!isWithin(place.absolute, folder.absolute)) {
    // All that lies below is meant, and the call names what lies there.
    if (isWithin(folder.absolute, place.absolute) && /^\/?\*\*/.test(rest)) return { pattern: not + rest };
    const words = `${written} names a folder that does not lie in ${path ?? "one folder of the workspace"}. Name the folder as path, and a pattern below it.`;
    throw new ToolError("INVALID_INPUT", words);
  }
  const name = escapeGlob(relativeTo(place.absolute, folder.absolute));
  const seen = not + name + (name !== "" && /[/:]$/.test(named) ? "/" : "") + rest || "**";
  // Without a slash it would mean names at any depth.
  const anchored = /\/|^\*\*$/.test(seen) ? seen : seen.replace(/^!?/, "$&/");
  const isAll = path !== undefined || (files.roots.length === 1 && place.relative === "." && place.inside);
  return { pattern: anchored, ...(!isAll && { path: place.absolute }) };
}

/** The folder that a pattern names by an absolute path, `..`, `~` or a root's name. */
async function namedFolder(files: PathLookup, named: string, path: string | undefined): Promise<FileRef | undefined> {
  const isAbsolute = named.startsWith("/");
  const [, first = ""] = /^\/?([^/:]+)[/:]/.exec(`${named}/`) ?? [];
  const root = namedRoot(files.roots, named);
  const isUp = /(?:^|\/)\.\.(?:\/|$)/.test(named);
  if (first === "" || !(isAbsolute || isUp || root || /^~\//.test(named) || ADDRESS.test(named) || DRIVE.test(named)))
    return undefined;
  if (isUp && !isAbsolute) return files.resolve(path === undefined ? named : withEnd(path) + named);
  const ref = await files.resolve(root?.inRoot ?? (await meantPath(files, named)));
  if (!root && (!isAbsolute || innermostRoot(files.roots, ref.absolute))) return ref;
  // `/src/**` mostly means what lies in the workspace.
  const places = path === undefined ? files.roots.map(each => each.path) : [path];
  for (const place of places) if (await isThere(files, withEnd(place) + first)) return undefined;
  return root || (await isThere(files, `/${first}`)) ? ref : undefined;
}

async function placeOf(files: PathLookup, folder: FileRef): Promise<FileRef> {
  const root = innermostRoot(files.roots, folder.absolute);
  return root ? files.resolve(root.path) : folder;
}
