/** Search with a ripgrep process. */
import { spawn } from "node:child_process";
import { lstat, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type FileRef, type GrepLine, type GrepQuery, type Root, type Search, SearchError } from "../core/ground/ports";
import { mapBounded } from "../shared/async";
import { errorMessage } from "../shared/errorMessage";
import { compileGlob, type PathTest } from "../shared/glob";
import { isIgnored } from "../shared/ignore";
import { innermostRoot, pathBelow, relativeTo } from "../shared/paths";
import { webEncoding } from "./encoding";
import { isMissing } from "./errno";
import { GrepParser } from "./grepParser";
import { guardedSearch, readIgnoreLevels } from "./ignoreFiles";
import { realPath, withSlashes } from "./paths";
import { isProgram } from "./programs";

interface RipgrepOptions {
  /** undefined: there is none, every search says so */
  ripgrepPath(): Promise<string | undefined>;
  roots(): readonly Root[];
  /** Globs of what is never searched, relative to each root (`files.exclude`). `.git` is left out anyway. */
  excludes?(): readonly string[];
  /** Ignore files do not count: for folders of which the content was chosen. */
  everything?: boolean;
  /** What settings say that files of a folder are in (`files.encoding`); absent, or undefined: each is UTF-8 or has a byte order mark. */
  encoding?(ref: FileRef): string | undefined;
}

/**
 * The same on every machine: no config file, no ignore file of the user's; ignore files count without a repository too.
 * Not sorted: ripgrep would search with one thread only. Links are not followed.
 */
const COMMON = ["--no-config", "--color=never", "--no-messages", "--hidden", "--no-require-git", "--no-ignore-global"];
const EVERYTHING = ["--no-ignore"];
const STATS_AT_ONCE = 64;

/** Where ripgrep runs and how what it prints is to be read. */
interface SearchPlace {
  path: string;
  /** the workspace's, links followed */
  roots: readonly Root[];
  /** absolute, '/' separators: the root, so that excludes start there; else the folder itself */
  cwd: string;
  /** what to search, relative to cwd: `.`, `./src` */
  target: string;
  isFile: boolean;
  /** absolute: the folder that is searched, or that holds the file */
  folder: string;
  /** the path below the folder that is searched, of a path that ripgrep printed */
  below(printed: string): string;
}

export class RipgrepSearch implements Search {
  private program: string | undefined;

  constructor(private readonly options: RipgrepOptions) {}

  async grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void> {
    const { args, accepts } = fileArguments(query);
    const place = await this.place(query.ref);
    const set = webEncoding(this.options.encoding?.(query.ref));
    const name = (printed: string) => {
      if (place.isFile) return query.ref.path;
      const below = place.below(printed);
      return accepts(below) ? pathBelow(query.ref.path, below) : undefined;
    };
    const parser = new GrepParser(query.mode, { name, line: onLine });
    const how = [...(set === undefined ? [] : [`--encoding=${set}`]), ...this.excludes()];
    const all = [...lineArguments(query), ...args, ...how, "--", place.target];
    await this.run(all, place, chunk => parser.push(chunk), signal);
  }

  async glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]> {
    const accepts = pathTest(pattern);
    const place = await this.place(ref);
    const found: string[] = [];
    const take = (below: string) => {
      if (accepts(below)) found.push(below);
      return true;
    };
    await this.list(place, this.excludes(), take, signal);
    const times = await mapBounded(found, STATS_AT_ONCE, below => fileMtime(join(ref.absolute, below)));
    signal.throwIfAborted();
    return found
      .map((below, at) => ({ path: pathBelow(ref.path, below), mtime: times[at] ?? -1 }))
      .filter(({ mtime }) => mtime >= 0)
      .sort((a, b) => b.mtime - a.mtime || (a.path < b.path ? -1 : 1));
  }

  /** Files below a folder that are not ignored, relative to it, in no order. Return false from `onFile` to end the list early. */
  async files(ref: FileRef, onFile: (below: string) => boolean, signal: AbortSignal): Promise<void> {
    await this.list(await this.place(ref), this.excludes(), onFile, signal);
  }

  private async list(place: SearchPlace, walk: string[], onFile: (below: string) => boolean, signal: AbortSignal) {
    if (place.isFile) throw new SearchError(`${place.path} is a file; name the folder to look in.`);
    const parser = new GrepParser("files_with_matches", { name: place.below, line: ({ path }) => onFile(path) });
    const args = [...COMMON, "--files", "--null", ...walk, "--", place.target];
    await this.run(args, place, chunk => parser.push(chunk), signal);
  }

  async ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    signal.throwIfAborted();
    const root = innermostRoot(await this.realRoots(), folder.absolute)?.path;
    const excludes = this.excluded();
    const levels = await readIgnoreLevels(folder.absolute);
    const ignored = new Set<string>();
    await mapBounded(names, STATS_AT_ONCE, async given => {
      const name = given.replace(/\/$/, "");
      const path = `${folder.absolute.replace(/\/$/, "")}/${name}`;
      const below = relativeTo(root ?? folder.absolute, path);
      const gone = name === ".git" || excludes.some(matches => matches(below));
      if (gone || isIgnored(levels, path, name !== given || (await isFolder(path)))) ignored.add(given);
    });
    signal.throwIfAborted();
    return ignored;
  }

  private excluded(): PathTest[] {
    return (this.options.excludes?.() ?? []).map(pathTest);
  }

  private excludes(): string[] {
    if (this.options.everything) return EVERYTHING;
    // after the query's own globs: the last one that fits decides
    return ["!.git", ...(this.options.excludes?.() ?? []).map(glob => `!${glob}`)].map(glob => `--glob=${glob}`);
  }

  private async place(ref: FileRef): Promise<SearchPlace> {
    const stats = await requireStat(ref);
    const isFile = stats.isFile();
    if (!isFile && !stats.isDirectory())
      throw new SearchError(`${ref.path} is a device, a pipe or a socket: it can't be searched.`);
    const folder = isFile ? withSlashes(dirname(ref.absolute)) : ref.absolute;
    const roots = await this.realRoots();
    const cwd = innermostRoot(roots, folder)?.path ?? folder;
    const prefix = [".", relativeTo(cwd, folder)].filter(Boolean).join("/");
    const target = isFile ? `${prefix}/${basename(ref.absolute)}` : prefix;
    const below = (printed: string) => withSlashes(printed).slice(prefix.length + 1);
    return { path: ref.path, roots, cwd, target, isFile, folder, below };
  }

  /** Links followed, as FileRef.absolute has it. */
  private realRoots(): Promise<Root[]> {
    return Promise.all(
      this.options.roots().map(async root => ({ ...root, path: withSlashes(await realPath(root.path)) })),
    );
  }

  private async run(args: string[], place: SearchPlace, take: (chunk: Buffer) => boolean, signal: AbortSignal) {
    signal.throwIfAborted();
    this.program ??= await this.options.ripgrepPath();
    if (!this.program) {
      throw new SearchError(
        "Search needs ripgrep, and none was found. Install the package @vscode/ripgrep or VS Code.",
      );
    }
    // Else starting it would fail, with words about arguments.
    if (args.some(arg => arg.includes("\0")))
      throw new SearchError("The pattern or glob holds a NUL character; write it as \\x00.");
    const { program } = this;
    const search = (until: AbortSignal) => runRipgrep(program, args, place.cwd, take, until);
    await (this.options.everything ? search(signal) : guardedSearch(place, this.excluded(), search, signal));
  }
}

/** What ripgrep looks for, and how it prints it. */
function lineArguments(query: GrepQuery): string[] {
  const args = [...COMMON, "--null", "--with-filename"];
  if (query.mode === "content") {
    args.push("--json");
    if (query.before > 0) args.push(`--before-context=${query.before}`);
    if (query.after > 0) args.push(`--after-context=${query.after}`);
  } else {
    args.push(query.mode === "count" ? "--count" : "--files-with-matches");
  }
  // so that $ stands before the \r of a CRLF file, as in the text that people see
  args.push("--crlf");
  if (query.ignoreCase) args.push("--ignore-case");
  const { pattern, spans } = enginePattern(query);
  if (spans) args.push("--multiline");
  if (query.multiline) args.push("--multiline-dotall");
  return [...args, `--regexp=${pattern}`];
}

/** In which files, and what is left to test on the paths that are printed. Throws SearchError for a bad glob. */
function fileArguments(query: GrepQuery): { args: string[]; accepts: PathTest } {
  const args = query.type === undefined ? [] : [`--type=${query.type}`];
  if (query.glob === undefined) return { args, accepts: () => true };
  const accepts = pathTest(query.glob);
  const name = query.glob.replace(/^(?:\.\/)?(?:\*\*\/)+/, "");
  // `--glob` would find ignored files too; a file type is asked after the ignore files, and fits names
  if (query.type !== undefined || !isPlainName(name)) return { args, accepts };
  return { args: [`--type-add=strataglob:${name}`, "--type=strataglob"], accepts };
}

function pathTest(glob: string): PathTest {
  try {
    return compileGlob(glob);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SearchError(error.message);
    throw error;
  }
}

/** ripgrep reads it as we do: brackets may be a name to us, and letters stand in each form of Unicode. */
const isPlainName = (glob: string): boolean => !/[/!\\[]|\*\*|[^\0-\x7f]/.test(glob) && !glob.startsWith("include:");

async function requireStat(ref: FileRef) {
  try {
    return await stat(ref.absolute);
  } catch (error) {
    if (isMissing(error)) throw new SearchError(`There is no ${ref.path} to search.`);
    throw new SearchError(`${ref.path} can't be searched: ${errorMessage(error)}`);
  }
}

/** Not a link to one, as for git and ripgrep, nor one that is gone. */
const isFolder = async (path: string) => (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;

/** -1: gone since it was found. */
const fileMtime = async (path: string) => (await stat(path).catch(() => undefined))?.mtimeMs ?? -1;

// Where a ripgrep can be found: the one that VS Code ships, else the packaged one.

/** The path of the package @vscode/ripgrep; undefined where it, or its part for this platform, is not installed. */
export const packagedRipgrep = (): Promise<string | undefined> =>
  import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );

/** The ripgrep of a VS Code, by version (1.139: ripgrep-universal). `appRoot` is `env.appRoot`. */
export async function vscodeRipgrep(appRoot: string): Promise<string | undefined> {
  const binary = process.platform === "win32" ? "rg.exe" : "rg";
  const machine = `${process.platform}-${process.arch}`;
  const places = [
    `node_modules/@vscode/ripgrep-universal/bin/${machine}`,
    `node_modules/@vscode/ripgrep-${machine}/bin`,
    "node_modules/@vscode/ripgrep/bin",
    "node_modules.asar.unpacked/@vscode/ripgrep/bin",
  ];
  return places.map(place => join(appRoot, place, binary)).find(isProgram);
}

const STDERR_LIMIT = 8192;

/** @param take gets what it prints; false: enough */
const runRipgrep = (
  program: string,
  args: string[],
  cwd: string,
  take: (chunk: Buffer) => boolean,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let complaint = "";
    let enough = false;
    let failure: unknown;
    const stop = () => child.kill("SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      if (enough) return;
      try {
        enough = !take(chunk);
      } catch (error) {
        failure = error;
        enough = true;
      }
      if (enough) stop();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (complaint.length < STDERR_LIMIT) complaint += chunk.toString("utf8");
    });
    child.on("error", error => {
      failure = new SearchError(`ripgrep could not be started (${program}): ${error.message}`);
      if (child.pid === undefined) finish(null, null);
    });
    child.on("close", finish);

    function finish(code: number | null, killedBy: NodeJS.Signals | null) {
      signal.removeEventListener("abort", stop);
      if (failure !== undefined) reject(failure);
      else if (enough) resolve();
      else if (signal.aborted) reject(signal.reason);
      else if (code === 0 || code === 1 || (code === 2 && complaint === "")) resolve();
      else if (code === null) reject(new SearchError(`ripgrep was ended by ${killedBy ?? "the system"}.`));
      else reject(new SearchError(complaint.replace(/^rg: /, "").trim() || `ripgrep ended with code ${code}.`));
    }
  });

const END = String.raw`\\(?:n|x0[aA]|x\{0*[aA]\}|u000[aA]|u\{0*[aA]\})`;
const RETURN = String.raw`\\(?:r|x0[dD]|x\{0*[dD]\}|u000[dD]|u\{0*[dD]\})`;
/** Line ends of a pattern (by name or by number), what a backslash takes its meaning from, sets with sets in them. */
const PARTS = new RegExp(
  String.raw`(?<end>${END}|\n)|(?<last>${RETURN})\$(?=$|[)|])|(?<spans>${RETURN})|\\.|\[\^?\]?(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\]\\])*\]?`,
  "gsu",
);
const ENDS_SET = /^\[(?!\^).*\\(?:[nr]|x0[aAdD])/s;

/** A pattern that means the same with line ends of both kinds: one that names a line end also means `\r\n`, and spans lines. */
export function enginePattern({ pattern, multiline }: { pattern: string; multiline: boolean }) {
  const isVerbose = /\(\?[a-zA-Z]*x/.test(pattern);
  // Who lets the dot mean a line end wants it to.
  let spans = multiline || /(?<!\\)\(\?[a-zA-Z]*s/.test(pattern);
  const made = pattern.replace(PARTS, (part: string, end?: string, last?: string, alone?: string) => {
    if (end === "\n" && isVerbose) return part;
    spans ||= (end ?? last ?? alone) !== undefined || ENDS_SET.test(part);
    if (end !== undefined) return String.raw`(?:\r?\n)`;
    // Where a line ends, the engine means before it; who writes `\r$` means the end itself.
    return last === undefined ? part : String.raw`${last}(?:\n|\z)`;
  });
  return { pattern: made, spans };
}
