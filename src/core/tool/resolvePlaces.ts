/** How file tools find what a model named, and what they say when it is not there. */
import { escapeGlob } from "../../shared/glob";
import { nearestNames } from "../../shared/nearestNames";
import type { FileRef, FileStat, Files, Search } from "../ground/ports";
import { FileError, onlyFor, SearchError, ToolError } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { counted } from "../ground/text/format";
import { deletedStamps, renameTarget } from "../log/stamps";
import type { CallContext } from "./tool";
import { isThere } from "./writtenPaths";

/** so deep is looked for what a path outside the workspace ends with */
const MOST_FOLDERS = 12;

export interface FindPorts {
  files: Files;
  search: Search;
}

/** The folder a search or listing starts from, or the one file; all roots where nothing was named. */
export async function resolvePlaces(ports: FindPorts, input: string | undefined): Promise<FileRef[]> {
  if (input !== undefined) return [await ports.files.resolve(input)];
  if (ports.files.roots.length === 0)
    throw new ToolError("NOT_FOUND", "No folder is open, so there is nothing to search. Name an absolute path.");
  return Promise.all(ports.files.roots.map(root => ports.files.resolve(root.path)));
}

/**
 * A glob as it is meant below a folder: a file or folder with the very name that it begins with (`app/[locale]`, `{a}`, `!(x)`)
 * is meant literally.
 */
export async function meantGlob(ports: FindPorts, place: FileRef, glob: string): Promise<string> {
  if (!/[[\]{}!]/.test(glob)) return glob;
  const parts = glob.replace(/^\.\//, "").split("/");
  const isNot =
    glob.startsWith("!") && !(await isThere(ports.files, `${place.absolute.replace(/\/$/, "")}/${parts[0]}`));
  if (isNot) return `!${await meantGlob(ports, place, glob.slice(1))}`;
  const names: string[] = [];
  for (const part of parts) {
    const path = [place.absolute.replace(/\/$/, ""), ...names, part].join("/");
    const isName = part !== "" && part !== ".." && !part.startsWith("**");
    if (!isName || !(await isThere(ports.files, path))) break;
    names.push(part);
  }
  return [...names.map(escapeGlob), ...parts.slice(names.length)].join("/");
}

/** Throws NOT_FOUND with the nearest names. */
export async function statPlace(ports: FindPorts, ref: FileRef, call: CallContext): Promise<FileStat> {
  const stat = await ports.files.stat(ref);
  if (!stat) throw await notFound(ports, ref, call);
  return stat;
}

/** A text or binary file; throws for folders (suggests LS), pipes and devices. */
export async function statFile(ports: FindPorts, ref: FileRef, call: CallContext): Promise<FileStat> {
  const stat = await statPlace(ports, ref, call);
  if (stat.type === "file") return stat;
  const why =
    stat.type === "directory"
      ? "is a folder. Use LS to list it, then name a file."
      : "is not a regular file (a device, socket or pipe).";
  throw new ToolError("INVALID_INPUT", `${ref.path} ${why}`, { path: ref.path });
}

/**
 * NOT_FOUND for a file outside the workspace, found out without anybody being asked: so it names files of the workspace alone.
 * undefined: it exists, may not be looked at, or is on another machine.
 */
export async function absentOutside(ports: FindPorts, ref: FileRef, call: CallContext): Promise<ToolError | undefined> {
  if (ref.absolute.startsWith("//") || (await unlessFileError(ports.files.stat(ref), true)) !== undefined)
    return undefined;
  const nearest = await meantInside(ports, ref, call);
  const roots = ports.files.roots.map(root => root.path);
  const place = roots.length > 0 ? ` The workspace is ${roots.join(", ")}: name files by their path in it.` : "";
  const words = `${ref.path} does not exist.${nearest.length > 0 ? ` Nearest: ${nearest.join(", ")}.` : ""}${place}`;
  return new ToolError("NOT_FOUND", words, { path: ref.path, nearest });
}

/** Models guess where a workspace lies: `/workspace/src/a.ts` is its `src/a.ts`. */
async function meantInside(ports: FindPorts, ref: FileRef, call: CallContext): Promise<string[]> {
  const parts = ref.absolute.split("/");
  for (let from = Math.max(1, parts.length - MOST_FOLDERS); from < parts.length; from += 1) {
    for (const root of ports.files.roots) {
      const found = await unlessFileError(ports.files.resolve([root.path, ...parts.slice(from)].join("/")), undefined);
      if (!found || call.protectedBecause(found) !== undefined) continue;
      if (await unlessFileError(ports.files.stat(found), undefined)) return [found.path];
    }
  }
  return sameName(ports, parts.at(-1) ?? "", call);
}

async function notFound(ports: FindPorts, ref: FileRef, call: CallContext): Promise<ToolError> {
  const done = { stamps: deletedStamps(ref, call) };
  const renamed = await renameTarget(ports, ref, call);
  if (renamed) {
    const words = `${ref.path} does not exist: it was renamed to ${renamed.path}. Read it there.`;
    const data = { path: ref.path, renamedTo: renamed.path, nearest: [renamed.path] };
    return new ToolError("NOT_FOUND", words, data, done);
  }
  const nearest = await nearestPaths(ports, ref, call);
  const next =
    nearest.length > 0 ? `Nearest: ${nearest.join(", ")}.` : "Nothing has a similar name: look with LS or Glob.";
  return new ToolError("NOT_FOUND", `${ref.path} does not exist. ${next}`, { path: ref.path, nearest }, done);
}

/** Files of the same name elsewhere first, then what resembles it in the nearest folder that exists; at most 5. */
async function nearestPaths(ports: FindPorts, ref: FileRef, call: CallContext): Promise<string[]> {
  const parts = ref.absolute.split("/");
  const name = parts.at(-1) ?? "";
  const elsewhere = ref.inside ? await sameName(ports, name, call) : [];
  const siblings = await similarSiblings(ports, parts, protectionFilter(ref, call));
  return [...new Set([...elsewhere, ...siblings])].slice(0, 5);
}

async function sameName(ports: FindPorts, name: string, call: CallContext): Promise<string[]> {
  // What a glob would read as a pattern is not worth escaping for a suggestion.
  if (name === "" || /[*?[\]{}!\\]/.test(name)) return [];
  const stem = name.replace(/\.[^.]*$/, "");
  const pattern = stem.length > 1 && stem !== name ? `**/{${name},${stem}.*}` : `**/${name}`;
  const found = await Promise.all(
    ports.files.roots.map(root => {
      const matches = ports.files.resolve(root.path).then(ref => ports.search.glob(ref, pattern, call.signal));
      // A suggestion that cannot be had: the error at hand is still the one to tell.
      return unlessFileError(matches, []).catch(onlyFor(SearchError, () => []));
    }),
  );
  const paths = found.flat().map(file => file.path);
  const isExact = (path: string) => path === name || path.endsWith(`/${name}`);
  return [...paths.filter(isExact), ...paths.filter(path => !isExact(path))].slice(0, 3);
}

async function similarSiblings(ports: FindPorts, parts: readonly string[], shows: (file: FileRef) => boolean) {
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    const folder = parts.slice(0, depth).join("/") || "/";
    const wanted = parts[depth] ?? "";
    try {
      const ref = await ports.files.resolve(folder);
      const stat = await ports.files.stat(ref);
      if (stat?.type !== "directory") continue;
      const there = (await ports.files.list(ref)).map(entry => entry.name);
      const paths = nearestNames(wanted, there).map(name => `${folder === "/" ? "" : folder}/${name}`);
      const refs = await Promise.all(paths.map(path => ports.files.resolve(path)));
      return refs.filter(shows).map(found => found.path);
    } catch (error) {
      if (error instanceof FileError) return [];
      throw error;
    }
  }
  return [];
}

/**
 * Which files below a folder are shown: not the protected ones, which are asked about one by one, by name. What a protected
 * folder itself is asked for (`.vscode`, one outside the workspace) was asked with it.
 * @param hidden gets the paths of those that are not
 */
export function protectionFilter(place: FileRef, call: CallContext, hidden?: Set<string>): (file: FileRef) => boolean {
  const asked = call.protectedBecause(place);
  return file => {
    const reason = call.protectedBecause(file);
    const shown = reason === undefined || reason === asked;
    if (!shown) hidden?.add(file.path);
    return shown;
  };
}

export function protectedNote(hidden: ReadonlySet<string>): string {
  const sorted = [...hidden].sort();
  const names = sorted.slice(0, 5).join(", ") + (sorted.length > 5 ? ", …" : "");
  return `${counted(sorted.length, "protected file")} left out (${names}): name the file as file_path to ask for it.`;
}
