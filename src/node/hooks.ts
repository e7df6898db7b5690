/**
 * Hooks as saved on disk, where this and other agents look for them, and what the person agreed to of a workspace's: by a hash of
 * their exact text and of the files that they name, in the person's own folder.
 */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, extname, join, relative, resolve } from "node:path";
import * as z from "zod";
import type {
  BrokenFile,
  FoundHooks,
  HookFile,
  HookScripts,
  Hooks,
  Logger,
  NamedScript,
  Root,
  ScriptsIn,
} from "../core/ports";
import { mapBounded, SerialQueue } from "../shared/async";
import { errorMessage } from "../shared/errorMessage";
import { makePrivateFolder, PathCache, readOr, replaceFile } from "./disk";
import { decode } from "./encoding";
import { nodeFileSystem } from "./fileSystem";
import { isWithin, tilde, withSlashes } from "./paths";
import { readHead, readRegular } from "./readRegular";

/** Of a workspace's folder, in their order. */
const WORKSPACE_FILES = [".claude/settings.json", ".claude/settings.local.json", ".strata/hooks.json"];
const MAX_BYTES = 1024 * 1024;
/** that the scripts of a file of hooks may name: each is looked for before every run */
const MAX_PLACES = 10_000;
const AT_ONCE = 16;
/** What installers and builds put there, and replace as a whole: it stays free for them in the sandbox. */
const MADE = /(?:^|\/)(?:node_modules|bower_components|vendor|\.?venv|__pycache__|target|dist|build|out)\//;

interface NodeHooksOptions {
  roots(): readonly Root[];
  /** the person's own settings folder: its `hooks.json` counts, agreements are kept there */
  configDir: string;
  /** absent: the person's home */
  home?: string;
  /** false: only the person's own */
  trusted(): boolean;
  logger: Logger;
  /** The scripts that run by agreements now: all of them, each time. */
  guard?(scripts: readonly string[]): void;
  /** A workspace's hooks wait for the person. */
  waiting?(path: string): void;
}

const agreedSchema = z.object({ version: z.literal(1), hooks: z.record(z.string(), z.object({ path: z.string() })) });
type Agreed = z.infer<typeof agreedSchema>;

interface ScriptFile {
  hash: string;
  /** what its text names */
  names: readonly NamedScript[];
}

type Read = { file: HookFile } | { broken: BrokenFile } | undefined;

export class NodeHooks implements Hooks {
  private readonly files: PathCache<Read>;
  private readonly scripts: PathCache<ScriptFile | undefined>;
  private readonly programs: PathCache<boolean>;
  private readonly writes = new SerialQueue();
  /** keys */
  private readonly agreedForNow = new Set<string>();

  constructor(private readonly options: NodeHooksOptions) {
    const failed = (path: string, error: unknown) =>
      options.logger.log("warning", "a file of hooks could not be read", { path, error: errorMessage(error) });
    this.files = new PathCache<Read>(undefined, failed);
    this.scripts = new PathCache<ScriptFile | undefined>(undefined, failed, true);
    this.programs = new PathCache<boolean>(false, failed, true);
  }

  async read(): Promise<FoundHooks> {
    const all = await Promise.all(this.places().map(place => this.readFile(place)));
    return {
      files: all.flatMap(read => (read && "file" in read ? [read.file] : [])),
      broken: all.flatMap(read => (read && "broken" in read ? [read.broken] : [])),
    };
  }

  async fingerprint(
    folder: string,
    words: readonly NamedScript[],
    scriptsIn: ScriptsIn,
  ): Promise<HookScripts | undefined> {
    const root = await realpath(folder).catch(() => folder);
    const found = new Map<string, { hash: string; runs: boolean }>();
    const look = async (named: string, runs: boolean, level: 1 | 2) => {
      const path = await realpath(named).catch(() => undefined);
      // A link that the workspace has is its own, wherever it leads.
      if (path === undefined || !(within(root, path) || within(root, named))) return [];
      const isRun = runs || (await this.programs.get(path, stats => isProgram(path, stats)));
      const file =
        isRun || (level === 1 && !isUnnamedKind(path))
          ? await this.scripts.get(path, stats => readScript(path, stats, scriptsIn))
          : undefined;
      if (!file) return [];
      found.set(path, { hash: file.hash, runs: isRun || (found.get(path)?.runs ?? false) });
      return [{ path, names: file.names }];
    };
    const named = await mapBounded(words, AT_ONCE, word => look(resolve(root, word.path), word.runs, 1));
    // What those start in turn, by a name that is of the project's folder or of their own. No deeper.
    const places = new Map<string, boolean>();
    for (const { path, names } of named.flat())
      for (const { path: name, runs } of names)
        for (const place of [resolve(root, name), resolve(dirname(path), name)])
          places.set(place, runs || (places.get(place) ?? false));
    if (places.size > MAX_PLACES) return undefined;
    // Most names lie in folders that are not there: a script names much that is none.
    const folders = [...new Set([...places.keys()].map(dirname))];
    const isThere = await mapBounded(folders, AT_ONCE, folder => access(folder).then(...yesOrNo));
    const there = new Set(folders.filter((_, at) => isThere[at]));
    const near = [...places].filter(([place]) => there.has(dirname(place)));
    await mapBounded(near, AT_ONCE, ([place, runs]) => look(place, runs, 2));
    const all = [...found].map(([path, { hash }]) => [withSlashes(relative(root, path)), hash] as const);
    const fingerprint = JSON.stringify(all.sort(([a], [b]) => (a < b ? -1 : 1)));
    const isKept = (path: string) => within(root, path) && !MADE.test(withSlashes(relative(root, path)));
    const scripts = [...found].flatMap(([path, { runs }]) => (runs && isKept(path) ? [path] : []));
    return { fingerprint, names: all.map(([name]) => name), scripts };
  }

  guard(scripts: readonly string[]): void {
    this.options.guard?.(scripts);
  }

  async hasAgreed(key: string): Promise<boolean> {
    return this.agreedForNow.has(key) || Object.hasOwn((await this.agreed()).hooks, key);
  }

  agree(key: string, path: string): Promise<void> {
    return this.change(hooks => ({ ...hooks, [key]: { path } }));
  }

  /** For as long as this process is: `--trust`. */
  agreeForNow(key: string): void {
    this.agreedForNow.add(key);
  }

  withdraw(key: string): Promise<void> {
    return this.change(({ [key]: _, ...others }) => others);
  }

  waiting(path: string): void {
    this.options.waiting?.(path);
  }

  /** The person's own first. */
  private places(): { path: string; shown: string; root?: Root }[] {
    const { configDir, home = homedir(), roots, trusted } = this.options;
    const own = [join(home, ".claude", "settings.json"), join(configDir, "hooks.json")];
    const several = roots().length > 1;
    return [
      ...own.map(path => ({ path, shown: tilde(path) })),
      ...(trusted() ? roots() : [])
        .flatMap(root =>
          WORKSPACE_FILES.map(name => ({
            path: join(root.path, name),
            shown: several ? `${root.name}:${name}` : name,
            root,
          })),
        )
        // Of a home that is opened as a workspace.
        .filter(({ path }) => !own.includes(path)),
    ];
  }

  private readFile({ path, shown, root }: { path: string; shown: string; root?: Root }): Promise<Read> {
    return this.files.get(path, async () => {
      try {
        const real = await realpath(path);
        if (root && !within(await realpath(root.path), real))
          return broken(shown, "It is a link out of the workspace.");
        const bytes = await readRegular(real, MAX_BYTES);
        const decoded = bytes && decode(bytes);
        if (!decoded) return broken(shown, "It is no text of at most 1 MB.");
        return { file: { path: shown, text: decoded.text, ...(root && { folder: withSlashes(root.path) }) } };
      } catch (error) {
        return broken(shown, errorMessage(error));
      }
    });
  }

  /** Read each time: another window may have asked. */
  private async agreed(): Promise<Agreed> {
    const none: Agreed = { version: 1, hooks: {} };
    const bytes = await readOr(nodeFileSystem, this.agreedPath).catch(() => undefined);
    if (!bytes) return none;
    try {
      return agreedSchema.parse(JSON.parse(bytes.toString("utf8")));
    } catch {
      // What cannot be read is asked again.
      return none;
    }
  }

  private change(made: (hooks: Agreed["hooks"]) => Agreed["hooks"]): Promise<void> {
    return this.writes.run(async () => {
      const { hooks } = await this.agreed();
      await makePrivateFolder(join(this.options.configDir, "hooks"));
      await replaceFile(nodeFileSystem, this.agreedPath, JSON.stringify({ version: 1, hooks: made(hooks) }));
    });
  }

  private get agreedPath(): string {
    return join(this.options.configDir, "hooks", "agreed.json");
  }
}

const yesOrNo = [() => true, () => false] as const;

const broken = (path: string, problem: string): Read => ({ broken: { path, problem } });

const within = (folder: string, path: string) => isWithin(withSlashes(folder), withSlashes(path));

/** What is no program and has no ending is what a hook keeps: `--state .claude/last`. */
const isUnnamedKind = (path: string) => extname(path) === "" && !/(?:make|rake|just|docker)file$/i.test(path);

/** It can be started by its name alone. That it may be says little: on some disks every file may. */
async function isProgram(path: string, stats: BigIntStats): Promise<boolean> {
  if (!stats.isFile()) return false;
  if (/\.(?:ps1|cmd|bat|exe|com)$/i.test(path)) return true;
  // A shell starts one without a first line for it, too.
  if ((stats.mode & 0o111n) !== 0n && /\.(?:ba|z|da|k)?sh$/i.test(path)) return true;
  const head = (await readHead(path, 4))?.bytes.toString("hex") ?? "";
  return PROGRAM.test(head);
}
/** "#!", or how programs of Linux, Windows and macOS begin. */
const PROGRAM = /^(?:2321|7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/;

/** undefined: it is no file. Of one too large to read, when it was written last stands for what is in it. */
async function readScript(path: string, stats: BigIntStats, scriptsIn: ScriptsIn): Promise<ScriptFile | undefined> {
  if (!stats.isFile()) return undefined;
  const bytes = await readRegular(path, MAX_BYTES);
  if (!bytes) return { hash: [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":"), names: [] };
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { hash, names: bytes.includes(0) ? [] : scriptsIn(bytes.toString("utf8"), path) };
}
