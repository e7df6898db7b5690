/** LS: a folder's entries, folders first, without ignored ones. */
import * as z from "zod";
import description from "../../../prompts/tools/ls.md";
import { defined } from "../../shared/defined";
import { compileGlob } from "../../shared/glob";
import { type DirectoryEntry, type FileRef, ToolError } from "../ground/ports";
import { count, counted, size } from "../ground/text/format";
import { number, pick } from "../ground/text/json";
import { type FindPorts, resolvePlaces, statPlace } from "../tool/resolvePlaces";
import { firstEntries, type ResultForms } from "../tool/resultForms";
import { type CallContext, defineTool, lookingCall, success, type ToolOutcome } from "../tool/tool";

const MAX_ENTRIES = 500;
const KEPT_ENTRIES = 10;

const input = z.object({
  path: z.string().min(1).optional().describe("Default: the workspace"),
  depth: z.int().min(1).max(10).optional().describe("Default: 1"),
  ignore: z.array(z.string()).optional().describe("Globs to leave out"),
});

export const lsTool = (ports: FindPorts) =>
  defineTool({
    name: "LS",
    description,
    input,
    effect: "read",
    forms,
    async prepare(asked) {
      const skip = compileIgnore(asked.ignore ?? []);
      const places = await resolvePlaces(ports, asked.path);
      const title = `List ${places.map(place => place.path).join(", ")}`;
      const found = (call: CallContext) => listing(ports, skip, call, asked.depth ?? 1);
      return lookingCall("LS", { title, targets: places }, call => list(places, found(call)));
    },
  });

const forms: ResultForms = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "directory", "files", "directories", "total"),
    ...firstEntries(facts, KEPT_ENTRIES, { listed: number(facts, "listed"), one: "entry", plural: "entries", handle }),
  }),
  folded: facts => counted(number(facts, "total"), "entry", "entries"),
};

type Skip = (path: string, isFolder: boolean) => boolean;

/** Here `dist/` is the folder of that name at any depth, and `dist/**` that folder too: what it would show is empty. */
function compileIgnore(globs: readonly string[]): Skip {
  try {
    const matchers = globs.map(glob => compileGlob(glob.length > 1 ? glob.replace(/\/$/, "") : glob));
    return (path, isFolder) => matchers.some(matches => matches(path) || (isFolder && matches(`${path}/`)));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ToolError(
      "INVALID_INPUT",
      `ignore has a glob that cannot be read: ${error.message} Write globs like "*.log" or "dist/**".`,
    );
  }
}

/** What one call asked for and found, over all of its folders. */
const listing = (ports: FindPorts, skip: Skip, call: CallContext, depth: number) => ({
  ...{ ports, skip, call, depth, directories: 0, files: 0, left: MAX_ENTRIES },
  ...{ lines: [] as string[], hidden: [] as string[], first: [] as string[] },
  /** entries that were found and not shown */
  cut: 0,
});
type FolderListing = ReturnType<typeof listing>;

async function list(places: readonly FileRef[], found: FolderListing): Promise<ToolOutcome> {
  for (const place of places) {
    const stat = await statPlace(found.ports, place, found.call);
    if (stat.type !== "directory") {
      const words = `${place.path} is a file (${size(stat.size)}), not a folder. Use Read to see it.`;
      throw new ToolError("INVALID_INPUT", words);
    }
    found.lines.push(place.path === "." ? "./" : `${place.path}/`);
    await walk(found, place, "", 1);
  }
  const paths = places.map(place => place.path).join(", ");
  const total = found.directories + found.files;
  const counts = `${counted(found.directories, "folder")}, ${counted(found.files, "file")}`;
  const notes = [
    total === 0 ? "(empty)" : `(${counts})`,
    found.cut > 0 &&
      `… ${counted(found.cut, "more entry", "more entries")} not shown: list a folder below, or use Glob.`,
    found.hidden.length > 0 && hiddenNote(found.hidden),
  ].filter(note => note !== false);
  return success({
    data: {
      directory: paths,
      files: found.files,
      directories: found.directories,
      total,
      listed: total - found.cut,
      hidden: found.hidden.length,
      first: found.first,
      ...defined({ truncated: found.cut > 0 || undefined }),
    },
    text: [...found.lines, ...notes].join("\n"),
    digest: `LS ${paths} ${counts}`,
  });
}

/** @param shown the folder's path below the one that was asked for, "" for that itself */
async function walk(found: FolderListing, folder: FileRef, shown: string, level: number): Promise<void> {
  const { ports, skip, call, depth } = found;
  call.signal.throwIfAborted();
  const all = await ports.files.list(folder);
  const names = all.map(entry => entry.name);
  const ignored = await ports.search.ignored(folder, names, call.signal);
  for (const entry of all.sort(foldersFirst)) {
    const isFolder = entry.type === "directory";
    const name = isFolder ? `${entry.name}/` : entry.name;
    const absolute = `${folder.absolute.replace(/\/$/, "")}/${entry.name}`;
    const relative = shown === "" ? entry.name : `${shown}/${entry.name}`;
    if (ignored.has(entry.name) || skip(relative, isFolder)) {
      found.hidden.push(name);
      continue;
    }
    if (isFolder) found.directories += 1;
    else found.files += 1;
    if (found.left === 0) {
      found.cut += 1;
      continue;
    }
    found.left -= 1;
    if (found.first.length < KEPT_ENTRIES) found.first.push(isFolder ? `${relative}/` : relative);
    const note = isFolder ? "" : entry.type === "file" ? `  ${size(entry.size)}` : "  (not a regular file)";
    const line = `${"  ".repeat(level)}${name}${note}`;
    const below = isFolder && level < depth ? await ports.files.resolve(absolute) : undefined;
    // A link may lead outside, to a folder that is listed in its own place, or in a circle.
    const isLink = below !== undefined && below.absolute !== absolute;
    found.lines.push(isLink ? `${line}  (link to ${below.path})` : line);
    if (below && !isLink) await walk(found, below, relative, level + 1);
  }
}

const foldersFirst = (a: DirectoryEntry, b: DirectoryEntry) =>
  Number(b.type === "directory") - Number(a.type === "directory") || (a.name < b.name ? -1 : 1);

function hiddenNote(hidden: readonly string[]): string {
  const names = hidden.slice(0, 5).join(", ");
  return `(${count(hidden.length)} hidden by ignore rules: ${names}${hidden.length > 5 ? ", …" : ""})`;
}
