/** What Git knows of a repository's files; nothing is written into it. Git is started for another index than before, and for contents: a file's times tell whether it is as the index has it. */
import { lstatSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { t } from "../../shared/l10n";
import { folderOf, isWithin } from "../../shared/paths";
import { askGit, type GitProgram, gitAnswer } from "../askGit";
import { gitWithoutPrograms } from "../disarmedGit";
import { ifThere } from "../errno";
import { withSlashes } from "../paths";
import { bytesOf, textOf } from "../sandbox/quietRead";
import { gitEnvironment } from "../shell/gitChanges";
import { MAX_KEPT, sha256Of } from "./diskStates";

/** ms; bytes of one answer, and of all files that a command changed; of those that are asked for at once */
const LIMIT_MS = 30_000;
const MAX_ANSWER = 512 * 1024 * 1024;
const MAX_BATCH = 64 * 1024 * 1024;
/** entries of an index that are read before others have their turn */
const ENTRIES_IN_A_ROW = 2_000;

/** `oid`: name of the object with its content. Times in ns, size and ino as they were then, cut to 32 bits. */
export interface IndexedFile {
  oid: string;
  isLink: boolean;
  /** A filter, an encoding or a keyword: whatever its times say, the object is not what the file has. */
  isConverted?: true;
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
    // Git is at the top when it opens it.
    const excludes = [named === undefined ? usual : resolve(top, named.replace(/\r?\n$/, "")), exclude];
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
    const [listed, others] = await Promise.all([
      this.listed("--stage", "--debug", "--", "."),
      this.listed("--", ".", ...CONVERTED),
    ]);
    const converted = new Set<string | undefined>(others.split("\0"));
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
        const isConverted = converted.has(name) && { isConverted: true as const };
        const file = { oid, isLink: mode === "120000", ...isConverted, ...times, ino: Number(ino), size: Number(size) };
        const { files } = this.folderIn(folders, folderOf(path));
        files.set(path.slice(folderOf(path).length + 1), stage === "0" ? file : undefined);
      }
    }
    return { ...stamp, folders, submodules };
  }

  private async listed(...args: string[]): Promise<string> {
    const git = { ...this.git, signal: AbortSignal.timeout(LIMIT_MS) };
    const listed = await askGit(this.folder, git, ["ls-files", "--full-name", "-z", ...args]);
    if (listed === undefined) throw new Error(t("Git cannot read its index"));
    return listed;
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

  /** Contents of files that were as the index has them, byte for byte. Never rejects: what Git does not give is left out. */
  async contents(files: readonly StoredFile[]): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>();
    for (const batch of batchesOf(files)) {
      const stored = await this.objects(batch.map(({ oid }) => oid)).catch(() => new Map<string, Buffer>());
      for (const file of batch) {
        const bytes = this.asOnDisk(file, stored.get(file.oid));
        if (bytes) found.set(file.path, bytes);
      }
    }
    return found;
  }

  /** A file of the length that Git stores has those bytes: a change of line ends makes it longer. Git's extension for large files stores which one it is. */
  private asOnDisk({ isLink, size }: StoredFile, stored: Buffer | undefined): Buffer | undefined {
    if (!stored || isLink) return stored;
    const [, sha256 = "", length] = LARGE_FILE.exec(stored.toString("latin1", 0, MAX_POINTER)) ?? [];
    if (Number(length) === size) {
      const path = `${this.paths.common}/lfs/objects/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
      const bytes = bytesOf(path, size);
      return bytes && sha256Of(bytes) === sha256 ? bytes : undefined;
    }
    if (stored.length === size) return stored;
    const bytes = Buffer.from(stored.toString("latin1").replace(/(?<!\r)\n/g, "\r\n"), "latin1");
    return bytes.length === size ? bytes : undefined;
  }

  private async objects(oids: readonly string[]): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const args = ["cat-file", "--batch", "--buffer"];
    const git = { ...this.git, signal: AbortSignal.timeout(LIMIT_MS) };
    const { bytes } = await gitAnswer(this.top, git, args, `${oids.join("\n")}\n`);
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

/** What is too large, or too much in all, is in none. */
function batchesOf(files: readonly StoredFile[]): StoredFile[][] {
  const batches: StoredFile[][] = [];
  let all = 0;
  let room = -1;
  for (const file of files) {
    if (file.size > MAX_KEPT || all + file.size > MAX_ANSWER) continue;
    all += file.size;
    if (file.size > room) {
      batches.push([]);
      room = MAX_BATCH;
    }
    room -= file.size;
    batches.at(-1)?.push(file);
  }
  return batches;
}

/** As `git ls-files --stage --debug -z` prints one. */
const ENTRY =
  /(\d+) ([0-9a-f]+) (\d)\t([^\0]*)\0( {2})ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/g;
/** Git's flag of an entry that a sparse checkout leaves out. */
const SKIP_WORKTREE = 0x40000000;
/** What Git's extension for large files stores: which one, and its bytes. */
const LARGE_FILE =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d+)\n/;
const MAX_POINTER = 1024;
/** Leaves the files that Git stores as other bytes than they have, and not by their line ends or as large ones. */
const CONVERTED = ["!filter", "filter=lfs"].map(filter => `:(exclude,attr:${filter} !ident !working-tree-encoding)`);
