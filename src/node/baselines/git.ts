/**
 * What Git knows of a repository's files, for baselines. Nothing is written into the repository: no index, no ref, no object. Git is
 * started where its index is another than before, and for contents: a file's times tell whether it is as the index has it.
 */
import { randomUUID } from "node:crypto";
import { lstatSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { mapBounded } from "../../shared/async";
import { t } from "../../shared/l10n";
import { folderOf, isWithin } from "../../shared/paths";
import { askGit, bytesFromGit, type GitProgram } from "../askGit";
import { disarmedGit, gitWithoutPrograms, repositoryAround } from "../disarmedGit";
import { ifThere } from "../errno";
import { withSlashes } from "../paths";
import { textOf } from "../sandbox/quietRead";
import { gitEnvironment } from "../shell/gitChanges";

/** ms; bytes of one answer: contents of all files that a command changed */
const LIMIT_MS = 30_000;
const MAX_ANSWER = 512 * 1024 * 1024;
/** files that are asked for with what a person's filters make of them */
const FILTERS_AT_ONCE = 8;
/** entries of an index that are read before others have their turn */
const ENTRIES_IN_A_ROW = 2_000;

/** `oid`: name of the object with its content. Times in ns, size and ino as they were then, cut to 32 bits. */
export interface IndexedFile {
  oid: string;
  isLink: boolean;
  mtime: number;
  ctime: number;
  ino: number;
  size: number;
}

/** What the index has directly in one folder. */
export interface IndexedFolder {
  /** undefined: in conflict */
  files: Map<string, IndexedFile | undefined>;
  folders: Set<string>;
}

export interface GitIndex {
  /** Stays the same as long as Git does not write it. */
  version: string;
  /** ns since the epoch: when it was written */
  written: number;
  /** by absolute path */
  folders: ReadonlyMap<string, IndexedFolder>;
  /** folders of submodules: absolute */
  submodules: readonly string[];
}

/** Where Git's own data of a folder begin: its path, and which one it is; undefined: it is in no repository. */
export function dotGitAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const stats = lstatSync(join(at, ".git"), { throwIfNoEntry: false });
    if (stats) return `${at} ${stats.ino}`;
    if (dirname(at) === at) return undefined;
  }
}

export class GitRepository {
  private constructor(
    /** absolute, '/' separators */
    readonly top: string,
    private readonly folder: string,
    private readonly paths: { index: string; own: string; common: string },
    /** files that say what Git ignores beside `.gitignore`, the weakest first */
    readonly excludes: readonly string[],
    /** It starts no program that the repository names. */
    private readonly git: GitProgram,
  ) {}

  /** undefined: the folder is in no repository, or Git is not to be run in it */
  static async open(folder: string, program: string): Promise<GitRepository | undefined> {
    const own = gitEnvironment();
    const env = { ...own, ...gitWithoutPrograms(own) };
    const ask = (...args: string[]) => askGit(folder, { program, env, signal: AbortSignal.timeout(LIMIT_MS) }, args);
    const where = ["--git-path", "index", "--git-path", "info/exclude"];
    const [found = "", named] = await Promise.all([
      ask("rev-parse", "--show-toplevel", "--git-dir", "--git-common-dir", ...where),
      ask("config", "--path", "--get", "core.excludesFile"),
    ]);
    const lines = found.trimEnd().split(/\r?\n/);
    if (lines.length !== 5) return undefined;
    const [top = "", gitFolder = "", common = "", index = "", exclude = ""] = lines.map(line =>
      withSlashes(isAbsolute(line) ? line : join(folder, line)),
    );
    if (!isWithin(top, folder)) return undefined;
    const usual = join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "git", "ignore");
    const excludes = [named?.replace(/\r?\n$/, "") || usual, exclude];
    return new GitRepository(top, folder, { index, own: gitFolder, common }, excludes, {
      program,
      env,
      most: MAX_ANSWER,
    });
  }

  isCurrent = (index: GitIndex): boolean => this.stamp().version === index.version;

  private stamp(): { version: string; written: number } {
    const stats = ifThere(() => statSync(this.paths.index, { bigint: true }));
    if (!stats) return { version: "none", written: 0 };
    return { version: `${stats.size} ${stats.mtimeNs} ${stats.ino}`, written: Number(stats.mtimeNs) };
  }

  /** The index; the one that is known where Git has not written it since. Rejects where Git fails. */
  async index(known: GitIndex | undefined): Promise<GitIndex> {
    const stamp = this.stamp();
    if (known?.version === stamp.version) return known;
    if (stamp.version === "none") return { ...stamp, folders: new Map(), submodules: [] };
    const args = ["--literal-pathspecs", "ls-files", "--full-name", "--stage", "--debug", "-z", "--", "."];
    const listed = await askGit(this.folder, { ...this.git, signal: AbortSignal.timeout(LIMIT_MS) }, args);
    if (listed === undefined) throw new Error(t("Git cannot read its index"));
    const folders = new Map<string, IndexedFolder>();
    const submodules: string[] = [];
    let entries = 0;
    for (const [, mode, oid = "", stage, name, , c, cn, m, mn, ino, size, flags = ""] of listed.matchAll(ENTRY)) {
      entries += 1;
      if (entries % ENTRIES_IN_A_ROW === 0) await setImmediate();
      const path = `${this.top}/${name}`;
      if (mode === "160000") submodules.push(path);
      // A sparse checkout leaves it out.
      else if ((Number.parseInt(flags, 16) & SKIP_WORKTREE) === 0) {
        const times = { mtime: Number(m) * 1e9 + Number(mn), ctime: Number(c) * 1e9 + Number(cn) };
        const file = { oid, isLink: mode === "120000", ...times, ino: Number(ino), size: Number(size) };
        const { files } = this.folderIn(folders, folderOf(path));
        files.set(path.slice(folderOf(path).length + 1), stage === "0" ? file : undefined);
      }
    }
    return { ...stamp, folders, submodules };
  }

  private folderIn(folders: Map<string, IndexedFolder>, path: string): IndexedFolder {
    const known = folders.get(path);
    if (known) return known;
    const made: IndexedFolder = { files: new Map(), folders: new Set() };
    folders.set(path, made);
    if (isWithin(this.top, folderOf(path))) this.folderIn(folders, folderOf(path)).folders.add(path);
    return made;
  }

  /** Changes with its branch, its commit and its stashes. */
  head(): string {
    const { own, common } = this.paths;
    const head = textOf(`${own}/HEAD`);
    const [, ref] = /^ref: (\S+)/.exec(head) ?? [];
    const packed = () => textOf(`${common}/packed-refs`).split("\n");
    const commit = textOf(`${common}/${ref}`) || packed().find(line => line.endsWith(` ${ref}`));
    const stashes = textOf(`${common}/logs/refs/stash`).split("\n").length;
    // Where refs are kept in another form, with any of them.
    return [head, commit, stashes, textOf(`${common}/reftable/tables.list`)].join("\n");
  }

  /**
   * Contents of files that were as the index has them. Only a content of the file's own length is given: the stored one may
   * be another text than the file had (line ends, filters).
   */
  async contents(files: readonly StoredFile[]): Promise<ReadonlyMap<string, Buffer>> {
    const stored = await this.objects(files.map(({ oid }) => oid));
    const found = new Map<string, Buffer>();
    const others = files.filter(({ path, oid, size }) => {
      const bytes = stored.get(oid);
      if (bytes?.length === size) found.set(path, bytes);
      return bytes && bytes.length !== size;
    });
    const checkedOut = others.length > 0 ? await this.checkedOut(others) : [];
    for (const [{ path, size }, bytes] of checkedOut) if (bytes?.length === size) found.set(path, bytes);
    return found;
  }

  /** As Git would write them into the folder: by one process, or by one for each where a filter fails or a name has no place in a line. */
  private async checkedOut(files: readonly StoredFile[]): Promise<(readonly [StoredFile, Buffer | undefined])[]> {
    const around = { ...this.git, env: gitEnvironment(), signal: AbortSignal.timeout(LIMIT_MS) };
    const repository = await repositoryAround(this.top, around);
    // Filters are programs that a repository names.
    if (!repository) return [];
    const git = { ...around, env: { ...around.env, ...disarmedGit(around.env, [repository]) } };
    const below = ({ path }: StoredFile) => path.slice(this.top.length + 1);
    const listed = files.filter(file => !/^[ \t]|\n/.test(below(file)));
    // Git tells lengths from before the filter: so a mark tells where each begins.
    const mark = ` ${randomUUID()}\n`;
    const batch = ["cat-file", `--batch=%(objectname)${mark.trimEnd()}`, "--filters", "--buffer"];
    const input = listed.map(file => `${file.oid} ${below(file)}\n`).join("");
    const [, ...parts] = (await bytesFromGit(this.top, git, batch, input))?.toString("latin1").split(mark) ?? [];
    const end = (at: number) => -1 - (at < parts.length - 1 ? (listed[at]?.oid.length ?? 0) : 0);
    const made = parts.map(
      (part, at) => [listed[at] as StoredFile, Buffer.from(part.slice(0, end(at)), "latin1")] as const,
    );
    const left = parts.length > 0 ? files.filter(file => !listed.includes(file)) : files;
    const alone = await mapBounded(left, FILTERS_AT_ONCE, async file => {
      const args = ["cat-file", "--filters", `--path=${below(file)}`, file.oid];
      return [file, await bytesFromGit(this.top, git, args)] as const;
    });
    return [...made, ...alone];
  }

  private async objects(oids: readonly string[]): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const args = ["cat-file", "--batch", "--buffer"];
    const git = { ...this.git, signal: AbortSignal.timeout(LIMIT_MS) };
    const bytes = (await bytesFromGit(this.top, git, args, `${oids.join("\n")}\n`)) ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(10, at);
      if (end < 0) break;
      const [oid = "", type, size] = bytes.toString("utf8", at, end).split(" ");
      at = end + 1;
      if (type === "blob") found.set(oid, bytes.subarray(at, at + Number(size)));
      // One that is missing has no size.
      if (type !== "missing") at += Number(size) + 1;
    }
    return found;
  }
}

type StoredFile = IndexedFile & { path: string };

/** As `git ls-files --stage --debug -z` prints one. */
const ENTRY =
  /(\d+) ([0-9a-f]+) (\d)\t([^\0]*)\0( {2})ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/g;
/** Git's flag of an entry that a sparse checkout leaves out. */
const SKIP_WORKTREE = 0x40000000;
