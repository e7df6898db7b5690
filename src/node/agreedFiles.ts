/**
 * The files that a workspace's hook or server command names, and the project's task files, as they are now: an agreement to the
 * command is bound to them. What those files start or load in turn is not looked at; the sandbox confines it.
 */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { homedir } from "node:os";
import { basename, extname, relative, resolve } from "node:path";
import type { AgreedScripts } from "../core/ground/ports";
import { isObject, parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import { TASK_FILES } from "../shared/obeyedFiles";
import { isWithin } from "../shared/paths";
import { PathCache } from "./disk";
import { isFolder, realIfThere, realOrSame, withSlashes } from "./paths";
import { hashHead, readHead } from "./readRegular";

/** of all commands of a file */
const MAX_WORDS = 2_000;
/** of one command, in which its words may lie */
const MAX_FOLDERS = 20;
const MAX_NAME = 500;
/** Beyond, its size and when it was written last stand for its content. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_PACKAGE = 1024 * 1024;
/** Builds replace these: the sandbox leaves them free. */
const MADE = /(?:^|\/)(?:node_modules|bower_components|vendor|\.?venv|__pycache__|target|dist|build|out)\//;
/** A hook's own log or state must not ask about the hook again. */
const STATE = /\.(?:json[cl5]?|txt|md|csv|tsv|log|lock|pid|tmp|db|sqlite3?)$/i;
/** The project's folder, as commands say it. */
const OWN_FOLDER =
  /\$\(\s*(?:pwd|git\s+rev-parse\s+--show-toplevel)[^()]{0,60}\)|`\s*pwd\s*`|\$\{?(?:CLAUDE_PROJECT_DIR|STRATA_PROJECT_DIR|PWD)(?::-[^}]{0,200})?\}?/g;
const WRITTEN = /(?:(^|[^=>-])>{1,2}\|?|\btee\s(?:\s*-[\w-]+\s)*)\s*["']?[^\s"';|&<>()]+/g;
const BREAKS = /[\s;|&()<>=,:`{}]+/;
/** The file behind one of these runs. */
const STARTS =
  /^(?:\.|source|exec|(?:.*\/)?(?:(?:ba|z|da|k)?sh|node|tsx|deno|bun|python|ruby|perl|php|lua|pwsh)[\d.]*(?:\.exe)?)$/i;
/** "#!", or how programs of Linux, Windows and macOS begin. */
const PROGRAM = /^(?:2321|7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/;

interface NamedWord {
  path: string;
  /** an interpreter is called with it */
  runs: boolean;
}

export class AgreedFiles {
  readonly #hashes: PathCache<string | undefined>;
  readonly #programs: PathCache<boolean>;

  /** @param failed told what could not be read */
  constructor(failed: (path: string, error: unknown) => void) {
    this.#hashes = new PathCache<string | undefined>(undefined, failed, true);
    this.#programs = new PathCache<boolean>(false, failed, true);
  }

  /**
   * @param folder absolute: base of relative names
   * @param roots of the workspace: files elsewhere do not count
   * @returns a sentence if there are too many to look at before every run
   */
  async of(folder: string, roots: readonly string[], commands: readonly string[]): Promise<AgreedScripts | string> {
    const root = realOrSame(folder);
    const all = [...new Set([root, ...roots.map(realOrSame)])];
    const named = commands.map(namesIn);
    if (named.reduce((sum, names) => sum + names.length, 0) > MAX_WORDS)
      return t("Its commands are too long: move them into scripts.");
    const isInside = (path: string) => all.some(each => isWithin(withSlashes(each), withSlashes(path)));
    const found = new Map<string, { hash: string; runs: boolean }>();
    for (const { path, runs } of named.flatMap(names => placesOf(names, root))) {
      const real = realIfThere(path);
      // A link in the workspace counts, wherever it leads.
      if (real === undefined || !(isInside(real) || isInside(path))) continue;
      const isRun = runs || (await this.#programs.get(real, stats => isProgram(real, stats)));
      const isTask = TASK_FILES.includes(basename(real));
      const counts = isRun || isTask || SCRIPT.test(real) || (extname(real) !== "" && !STATE.test(real));
      const hash = counts ? await this.#hashes.get(real, stats => hashOf(real, stats)) : undefined;
      if (hash !== undefined) found.set(real, { hash, runs: isRun || (found.get(real)?.runs ?? false) });
    }
    const shown = (path: string) => withSlashes(relative(root, path));
    const hashes = [...found]
      .map(([path, { hash }]) => [shown(path), hash] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const isKept = (path: string) => isInside(path) && !MADE.test(shown(path));
    return {
      fingerprint: JSON.stringify(hashes),
      names: hashes.map(([name]) => name),
      scripts: [...found].flatMap(([path, { runs }]) => (runs && isKept(path) ? [path] : [])),
    };
  }
}

/** The words of a command that may be files, quotes around the whole or a part of one taken away. */
function namesIn(command: string): NamedWord[] {
  const plain = command.replace(OWN_FOLDER, ".").replace(WRITTEN, "$1 ").replace(/\\(.)/gs, "$1");
  const found = new Map<string, NamedWord>();
  const add = (texts: readonly string[]) => {
    let before = "";
    for (const text of texts) {
      const path = text.replace(/^-\w(?=[./])/, "");
      const known = found.get(path)?.runs ?? false;
      if (path !== "" && path.length <= MAX_NAME) found.set(path, { path, runs: known || STARTS.test(before) });
      if (!text.startsWith("-")) before = text;
    }
  };
  add(plain.replace(/["']/g, "").split(BREAKS));
  add(plain.split(/["'\s;|&()<>=,:`{}]+/));
  add(plain.split(/["']/));
  return [...found.values()];
}

/** Seen from the project's folder and from each folder that a word names, with the task files there. */
function placesOf(names: readonly NamedWord[], root: string): NamedWord[] {
  const folders = new Set([root]);
  for (const { path } of names)
    for (const folder of [...folders]) {
      const place = resolve(folder, atHome(path));
      if (folders.size < MAX_FOLDERS && isFolder(place)) folders.add(place);
    }
  const tasks = TASK_FILES.map(path => ({ path, runs: false }));
  return [...folders].flatMap(folder =>
    [...names, ...tasks].map(({ path, runs }) => ({ path: resolve(folder, atHome(path)), runs })),
  );
}

const atHome = (path: string) => (/^~(?=$|\/)/.test(path) ? homedir() + path.slice(1) : path);

async function isProgram(path: string, stats: BigIntStats): Promise<boolean> {
  if (!stats.isFile()) return false;
  if (/\.(?:ps1|cmd|bat|exe|com)$/i.test(path)) return true;
  // A shell starts a file without a first line, too. That a file may be executed says little: on some disks every file may.
  if ((stats.mode & 0o111n) !== 0n && (SHELL_SCRIPT.test(path) || extname(path) === "")) return true;
  return PROGRAM.test((await readHead(path, 4))?.bytes.toString("hex") ?? "");
}

/** undefined: it is no file */
async function hashOf(path: string, stats: BigIntStats): Promise<string | undefined> {
  if (!stats.isFile()) return undefined;
  const { size } = stats;
  const head = basename(path) === "package.json" && size <= MAX_PACKAGE ? await readHead(path, MAX_PACKAGE) : undefined;
  if (head)
    return createHash("sha256")
      .update(withoutPackages(head.bytes.toString("utf8")))
      .digest("hex");
  const hash = await hashHead(path, MAX_BYTES);
  return hash !== undefined && size > MAX_BYTES ? `${hash}:${size}:${stats.mtimeNs}:${stats.ctimeNs}` : hash;
}

/** Installers change these fields all day. */
function withoutPackages(text: string): string {
  const json = parseJson(text);
  if (!isObject(json)) return text;
  const { version, dependencies, devDependencies, peerDependencies, optionalDependencies, ...rest } = json;
  return JSON.stringify(rest);
}

const SCRIPT =
  /\.(?:[cm]?[jt]sx?|py[wz]?|rb|pl|php|lua|r|jl|exs?|go|kts?|groovy|tcl|(?:ba|z|fi|da|k)?sh|ps1|cmd|bat|vbs|jar|dll|wasm)$/i;
const SHELL_SCRIPT = /\.(?:ba|z|da|k)?sh$/i;
