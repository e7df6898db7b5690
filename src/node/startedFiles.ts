/** The files that a command may start, as they are now: what an agreement to it is bound to, looked at before each start. */

import { createHash } from "node:crypto";
import { type BigIntStats, type Dirent, existsSync } from "node:fs";
import { access, constants, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, extname, join, relative, resolve } from "node:path";
import type { HookScripts, NamedScript, ScriptsIn } from "../core/ground/ports";
import { mapBounded } from "../shared/async";
import { t } from "../shared/l10n";
import { isWithin } from "../shared/paths";
import { isScriptName, isShellScriptName } from "../shared/scriptNames";
import { PathCache } from "./disk";
import { realIfThere, realOrSame, withSlashes } from "./paths";
import { hashHead, readHead } from "./readRegular";

/** of a script that is read for what it starts in turn */
const MAX_TEXT = 1024 * 1024;
/** Beyond, its size and when it was written last stand for what is in it. */
const MAX_BYTES = 512 * 1024 * 1024;
/** that scripts may name: each is looked for before every run */
const MAX_PLACES = 10_000;
/** in a folder of which each may be meant */
const MAX_FILES = 2_000;
const MAX_FOLDER_BYTES = 64n * 1024n * 1024n;
const AT_ONCE = 16;
/** What installers and builds put there, and replace as a whole: it stays free for them in the sandbox. */
const MADE = /(?:^|\/)(?:node_modules|bower_components|vendor|\.?venv|__pycache__|target|dist|build|out)\//;
/** Installers replace it with each package; its change is asked about all the same. */
const INSTALLED_BY = /[\\/](?:package|composer|deno)\.jsonc?$/;
/** By these alone a repository starts programs. */
const OF_GIT = /^(?:config|config\.worktree|hooks|attributes|info)$/;

interface ScriptFile {
  hash: string;
  size: bigint;
  /** what its text names */
  names: readonly NamedScript[];
}

interface Look {
  root: string;
  roots: readonly string[];
  scriptsIn: ScriptsIn;
  found: Map<string, { hash: string; runs: boolean }>;
  /** why it is too much; "": it is not */
  problem: string;
}

interface StartedFilesOptions {
  /** told what could not be read */
  failed(path: string, error: unknown): void;
  /** What a command only reads counts, too, where it has an ending and is none of what runs keep. */
  countsData: boolean;
}

export class StartedFiles {
  private readonly scripts: PathCache<ScriptFile | undefined>;
  private readonly programs: PathCache<boolean>;

  constructor(private readonly options: StartedFilesOptions) {
    this.scripts = new PathCache<ScriptFile | undefined>(undefined, options.failed, true);
    this.programs = new PathCache<boolean>(false, options.failed, true);
  }

  /**
   * @param folder absolute: what relative names are of
   * @param roots of the workspace: files elsewhere do not count
   * @returns why they are more than can be looked at before each start, a sentence
   */
  async of(
    folder: string,
    roots: readonly string[],
    words: readonly NamedScript[],
    scriptsIn: ScriptsIn,
  ): Promise<HookScripts | string> {
    const root = realOrSame(folder);
    const others = roots.map(realOrSame);
    const look: Look = { root, roots: [...new Set([root, ...others])], scriptsIn, found: new Map(), problem: "" };
    const named = await mapBounded(words, AT_ONCE, word => this.look(resolve(root, atHome(word.path)), word, 1, look));
    // What those start in turn, by a name that is of the project's folder or of their own. No deeper.
    const places = new Map<string, NamedScript>();
    for (const { path, names } of named.flat())
      for (const name of names)
        for (const place of [resolve(root, name.path), resolve(dirname(path), name.path)]) {
          const known = places.get(place);
          const whole = (name.whole || known?.whole) && { whole: true as const };
          places.set(place, { path: place, runs: name.runs || (known?.runs ?? false), ...whole });
        }
    if (places.size > MAX_PLACES)
      return t("Their commands and scripts name more files than can be looked at before every run.");
    // Most names lie in folders that are not there: a script names much that is none.
    const folders = [...new Set([...places.keys()].map(dirname))];
    const there = new Set(folders.filter(each => existsSync(each)));
    const near = [...places].filter(([place]) => there.has(dirname(place)));
    await mapBounded(near, AT_ONCE, ([place, name]) => this.look(place, name, 2, look));
    if (look.problem !== "") return look.problem;
    const all = [...look.found].map(([path, { hash }]) => [withSlashes(relative(root, path)), hash] as const);
    const fingerprint = JSON.stringify(all.sort(([a], [b]) => (a < b ? -1 : 1)));
    const isKept = (path: string) =>
      inside(look, path) &&
      !look.roots.includes(path) &&
      !INSTALLED_BY.test(path) &&
      !MADE.test(withSlashes(relative(root, path)));
    const scripts = [...look.found].flatMap(([path, { runs }]) => (runs && isKept(path) ? [path] : []));
    const isFolder = (hash: string) => hash.startsWith(ALL_OF);
    return { fingerprint, names: all.map(([name, hash]) => (isFolder(hash) ? `${name || "."}/` : name)), scripts };
  }

  private async look(named: string, word: NamedScript, level: 1 | 2, look: Look) {
    const path = realIfThere(named);
    if (path === undefined) return [];
    if (
      word.whole &&
      (inside(look, path) || inside(look, named) || isWithin(withSlashes(path), withSlashes(look.root)))
    ) {
      const isAbove = isWithin(withSlashes(path), withSlashes(look.root));
      if (await this.lookAtFolder(isAbove ? look.root : path, look)) return [];
    }
    // A link that the workspace has is its own, wherever it leads.
    if (!(inside(look, path) || inside(look, named))) return [];
    const isRun =
      word.runs ||
      (await this.programs.get(path, stats => isProgram(path, stats))) ||
      // A command's own, which a shell starts without a first line, too.
      (level === 1 &&
        isUnnamedKind(path) &&
        this.options.countsData &&
        (await access(path, constants.X_OK).then(...yesOrNo)));
    const counts = isRun || (level === 1 && (this.options.countsData ? !isUnnamedKind(path) : isScriptName(path)));
    const file = counts ? await this.scripts.get(path, stats => readScript(path, stats, look.scriptsIn)) : undefined;
    if (!file) return [];
    look.found.set(path, { hash: file.hash, runs: isRun || (look.found.get(path)?.runs ?? false) });
    const { task } = word;
    return [
      {
        path,
        names: file.names.filter(name => task === undefined || name.task === undefined || name.task === task),
      },
    ];
  }

  /** All that lies in a folder, as one. false: it is none */
  private async lookAtFolder(folder: string, look: Look): Promise<boolean> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (!entries) return false;
    if (look.found.has(folder) || look.problem !== "") return true;
    const lines: string[] = [];
    const seen = new Set<string>([folder]);
    let bytes = 0n;
    let files = 0;
    const walk = async (at: string, all: readonly Dirent[]): Promise<void> => {
      const isGit = /(?:^|[\\/])\.git$/.test(at);
      const kept = all.filter(({ name }) => (isGit ? OF_GIT.test(name) : !MADE.test(`${name}/`)));
      files += kept.length;
      await mapBounded(kept, AT_ONCE, async entry => {
        if (files > MAX_FILES || bytes > MAX_FOLDER_BYTES) return;
        const path = join(at, entry.name);
        const real = entry.isSymbolicLink() ? (realIfThere(path) ?? "") : path;
        const below =
          real === "" || entry.isFile()
            ? undefined
            : await readdir(real, { withFileTypes: true }).catch(() => undefined);
        const name = withSlashes(relative(folder, path));
        if (entry.isSymbolicLink()) lines.push(`${name} -> ${real}`);
        if (below && !seen.has(real)) {
          seen.add(real);
          await walk(path, below);
        } else if (!below && real !== "") {
          const file = await this.scripts.get(real, stats => readScript(real, stats, look.scriptsIn));
          bytes += file?.size ?? 0n;
          lines.push(`${name} ${file?.hash ?? ""}`);
        }
      });
    };
    await walk(folder, entries);
    if (files > MAX_FILES || bytes > MAX_FOLDER_BYTES) {
      const shown = withSlashes(relative(look.root, folder)) || "the workspace";
      look.problem = `What is started is only known when it runs: it may be any file in ${shown}, and these are more than can be looked at before every run (${MAX_FILES.toLocaleString("en-US")} files, 64 MB). Name the file by its path, or move this into your own settings.`;
    }
    const hash = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
    look.found.set(folder, { hash: ALL_OF + hash, runs: true });
    return true;
  }
}

const ALL_OF = "all of it: ";
const yesOrNo = [() => true, () => false] as const;
const inside = ({ roots }: Look, path: string) => roots.some(root => isWithin(withSlashes(root), withSlashes(path)));
const atHome = (path: string) => (/^~(?=$|\/)/.test(path) ? homedir() + path.slice(1) : path);

/** What is no program and has no ending is what a hook keeps: `--state .claude/last`. */
const isUnnamedKind = (path: string) => extname(path) === "" && !/(?:make|rake|just|docker)file$/i.test(path);

/** It can be started by its name alone. That it may be says little: on some disks every file may. */
async function isProgram(path: string, stats: BigIntStats): Promise<boolean> {
  if (!stats.isFile()) return false;
  if (/\.(?:ps1|cmd|bat|exe|com)$/i.test(path)) return true;
  // A shell starts one without a first line for it, too.
  if ((stats.mode & 0o111n) !== 0n && isShellScriptName(path)) return true;
  const head = (await readHead(path, 4))?.bytes.toString("hex") ?? "";
  return PROGRAM.test(head);
}
/** "#!", or how programs of Linux, Windows and macOS begin. */
const PROGRAM = /^(?:2321|7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/;

/** undefined: it is no file */
async function readScript(path: string, stats: BigIntStats, scriptsIn: ScriptsIn): Promise<ScriptFile | undefined> {
  if (!stats.isFile()) return undefined;
  const { size } = stats;
  const head = size <= MAX_TEXT ? await readHead(path, MAX_TEXT + 1) : undefined;
  if (!head || head.size > MAX_TEXT) {
    const hash = await hashHead(path, MAX_BYTES);
    if (hash === undefined) return undefined;
    return { hash: size > MAX_BYTES ? `${hash}:${size}:${stats.mtimeNs}:${stats.ctimeNs}` : hash, size, names: [] };
  }
  const { bytes } = head;
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { hash, size, names: bytes.includes(0) ? [] : scriptsIn(bytes.toString("utf8"), path) };
}
