/**
 * What Git knows of a repository's files, for baselines: read only. Nothing is written into the repository: no index, no ref,
 * no object. Clean files can be read from Git's objects, so they are not copied.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import type { FileState } from "../../shared/fileStates";
import { t } from "../../shared/l10n";
import { disarmedGit, mayBeInRepository, repositoryAround } from "../disarmedGit";
import { isMissing } from "../errno";
import { withSlashes } from "../paths";
import { gitEnvironment } from "../shell/gitChanges";
import { sha256Of } from "./look";

/** ms */
const LIMIT_MS = 30_000;
/** bytes of one answer */
const MAX_ANSWER = 512 * 1024 * 1024;
/** Of more files than this the index is read whole: a command line has its limits. */
const PATHS_AT_ONCE = 200;
/** Git reads an object's name and a path in each line, and takes off blanks between them. */
const NOT_IN_A_LINE = /^[ \t]|\n/;

/** `oid`: name of the object with its content */
export interface IndexedFile {
  oid: string;
  isLink: boolean;
  isProgram: boolean;
}

/** A file that is not as the index has it. */
interface StatusEntry {
  /** absolute */
  path: string;
  /** as the index has it; undefined: not in it, or in conflict */
  indexed?: IndexedFile;
}

interface RepositoryStatus {
  entries: StatusEntry[];
  /** its branch, commit and number of stashes, as Git writes them */
  head: string;
  /** folders below it that are repositories of their own: absolute */
  nested: string[];
}

/** Which version of the index it was: stays the same as long as Git does not write it. */
export interface IndexCopy {
  path: string;
  version: string;
}

export class GitRepository {
  private constructor(
    /** absolute, '/' separators */
    readonly top: string,
    private readonly folder: string,
    private readonly indexPath: string,
    private readonly program: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** undefined: the folder is in no repository, or Git is not to be run in it */
  static async open(folder: string, program: string): Promise<GitRepository | undefined> {
    const own = gitEnvironment();
    if (!mayBeInRepository(folder, own)) return undefined;
    const repository = await repositoryAround(folder, { program, env: own, signal: AbortSignal.timeout(LIMIT_MS) });
    if (!repository) return undefined;
    const { top } = repository;
    const env = { ...own, ...disarmedGit(own, [repository]) };
    const index = (await run(program, ["rev-parse", "--git-path", "index"], folder, { env })).text().trimEnd();
    if (!index) return undefined;
    const absolute = withSlashes(top);
    const indexPath = index.startsWith("/") || /^[A-Za-z]:/.test(index) ? index : `${withSlashes(folder)}/${index}`;
    return new GitRepository(absolute, folder, indexPath, program, env);
  }

  /** false: it was deleted, or made a part of the one around it */
  isThere(): boolean {
    return existsSync(`${this.top}/.git`) && existsSync(dirname(this.indexPath));
  }

  async indexVersion(): Promise<string> {
    try {
      const { size, mtimeNs, ino } = await stat(this.indexPath, { bigint: true });
      return `${size} ${mtimeNs} ${ino}`;
    } catch (error) {
      if (isMissing(error)) return "none";
      throw error;
    }
  }

  /** @param path where the copy goes; `none`: there is no index yet, so the copy is of nothing */
  async copyIndex(path: string): Promise<IndexCopy> {
    const version = await this.indexVersion();
    if (version === "none") return { path: `${path}.none`, version };
    const { atime, mtimeNs } = await stat(this.indexPath, { bigint: true });
    try {
      await copyFile(this.indexPath, path);
    } catch (error) {
      // Half a copy would only fill the disk further.
      await rm(path, { force: true });
      throw error;
    }
    // Git compares contents of files that are as young as their index: a copy must not look younger than it is.
    await utimes(path, atime, Number(mtimeNs / 1000n) / 1e6);
    return { path, version };
  }

  /** What differs from an index. Rejects where Git fails. */
  async status(index: IndexCopy): Promise<RepositoryStatus> {
    const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
    args.push("--branch", "--show-stash", "--no-ahead-behind");
    const { text, code, errors } = await this.git([...args, "--", "."], index);
    if (code !== 0) throw new Error(`git status ended with ${code}: ${errors.slice(0, 300)}`);
    const status: RepositoryStatus = { entries: [], head: "", nested: [] };
    for (const line of text().split("\0")) this.addEntry(status, line);
    return status;
  }

  private addEntry(status: RepositoryStatus, line: string): void {
    const kind = line[0];
    if (/^# (?:branch\.(?:oid|head)|stash) /.test(line)) status.head += line;
    else if (kind === "?") {
      const path = `${this.top}/${line.slice(2)}`;
      if (path.endsWith("/")) status.nested.push(path.slice(0, -1));
      else status.entries.push({ path });
    } else if (kind === "u") {
      status.entries.push({ path: `${this.top}/${afterFields(line, 10)}` });
    } else if (kind === "1" && line[3] !== ".") {
      const [, , , , mode = "", , , oid = ""] = line.split(" ", 8);
      const path = `${this.top}/${afterFields(line, 8)}`;
      status.entries.push({ path, indexed: { oid, isLink: mode === "120000", isProgram: mode === "100755" } });
    }
  }

  /** Folders of submodules that stand clean, too: absolute. */
  async submodules(): Promise<string[]> {
    if (!existsSync(`${this.top}/.gitmodules`)) return [];
    const args = ["config", "--file", ".gitmodules", "--null", "--get-regexp", "^submodule\\..*\\.path$"];
    const { text } = await this.git(args, undefined, this.top);
    return text()
      .split("\0")
      .flatMap(entry => (entry.includes("\n") ? [`${this.top}/${entry.slice(entry.indexOf("\n") + 1)}`] : []));
  }

  /**
   * Contents of files that were as the index has them. Only a content of the file's own length is given: the stored one may
   * be another text than what stood there (line ends, filters).
   */
  async contents(
    files: readonly { path: string; oid: string }[],
    index: IndexCopy,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const [sizes, stored] = await Promise.all([this.sizes(files, index), this.objects(files.map(({ oid }) => oid))]);
    const found = new Map<string, Buffer>();
    const others = files.filter(({ path, oid }) => {
      const bytes = stored.get(oid);
      if (!bytes || (bytes.length > 0 && bytes.length !== sizes.get(path))) return bytes !== undefined;
      found.set(path, bytes);
      return false;
    });
    for (const [path, bytes] of await this.checkedOut(others, index))
      if (bytes.length === (sizes.get(path) ?? bytes.length)) found.set(path, bytes);
    return found;
  }

  /** As Git would write them into the folder: by one process, but for those that it cannot make or be asked for together. */
  private async checkedOut(files: readonly { path: string; oid: string }[], index: IndexCopy) {
    const found = new Map<string, Buffer>();
    for (const { path, oid } of files.filter(({ path }) => NOT_IN_A_LINE.test(this.below(path)))) {
      const args = ["cat-file", "--filters", `--path=${this.below(path)}`, oid];
      const { code, bytes } = await this.git(args, index, this.top);
      if (code === 0) found.set(path, bytes);
    }
    let left = files.filter(({ path }) => !NOT_IN_A_LINE.test(this.below(path)));
    while (left.length > 0) {
      const answered = await this.untilOneFails(left, index);
      for (const [path, bytes] of answered) found.set(path, bytes);
      left = left.slice(answered.size + 1);
    }
    return found;
  }

  /** Git ends at the first that a filter cannot make. It tells lengths from before the filter: so a mark tells where one begins. */
  private async untilOneFails(files: readonly { path: string; oid: string }[], index: IndexCopy) {
    const mark = ` ${randomUUID()}\n`;
    const args = ["cat-file", `--batch=%(objectname)${mark.trimEnd()}`, "--filters", "--buffer"];
    const input = files.map(({ path, oid }) => `${oid} ${this.below(path)}\n`).join("");
    const { code, bytes } = await this.git(args, index, this.top, input);
    const found = new Map<string, Buffer>();
    let at = bytes.indexOf(mark) + mark.length;
    for (const { path, oid } of files) {
      if (at < mark.length) break;
      const next = bytes.indexOf(mark, at);
      if (next < 0 && code !== 0) break;
      found.set(path, bytes.subarray(at, (next < 0 ? bytes.length : next - oid.length) - 1));
      at = next + mark.length;
    }
    return found;
  }

  private below(path: string): string {
    return path.slice(this.top.length + 1);
  }

  /** How long the files were when they went into the index; none of those that Git has to look at anew. */
  private async sizes(files: readonly { path: string }[], index: IndexCopy): Promise<Map<string, number>> {
    const paths = files.length > PATHS_AT_ONCE ? [] : files.map(({ path }) => this.below(path));
    const args = ["--literal-pathspecs", "ls-files", "--full-name", "--debug", "-z", "--", ...paths];
    const { text } = await this.git(args, index, this.top);
    const sizes = text().matchAll(/([^\0]*)\0 {2}ctime:[^\0]*?size: (\d+)\tflags: [0-9a-f]+\n/g);
    return new Map(
      [...sizes].flatMap(([, name, size]) => (size === "0" ? [] : [[`${this.top}/${name}`, Number(size)]])),
    );
  }

  private async objects(oids: readonly string[]): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    if (oids.length === 0) return found;
    const { bytes } = await this.git(["cat-file", "--batch", "--buffer"], undefined, this.top, `${oids.join("\n")}\n`);
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

  private git(args: readonly string[], index?: IndexCopy, cwd = this.folder, input?: string): Promise<GitAnswer> {
    const env = index ? { ...this.env, GIT_INDEX_FILE: index.path } : this.env;
    return run(this.program, args, cwd, { env, input });
  }
}

/**
 * Git knows of permissions only whether it is a program: where that is as it was, the rest is taken to be so too, but that
 * its owner could read and write it, as all that Git checks out.
 */
export function fromGit(file: IndexedFile, bytes: Buffer | undefined, after: FileState): FileState {
  if (!bytes) return { type: "unkept", why: t("Git does not have it byte for byte") };
  if (file.isLink) return { type: "link", target: bytes.toString("utf8") };
  const sha256 = sha256Of(bytes);
  const mode = after?.type === "file" ? after.mode : undefined;
  const isProgram = mode !== undefined && (mode & 0o100) !== 0;
  const usual = file.isProgram ? 0o755 : 0o644;
  return { type: "file", sha256, mode: mode !== undefined && isProgram === file.isProgram ? mode | 0o600 : usual };
}

/** The rest of a line after its first fields, which one space separates. */
function afterFields(line: string, fields: number): string {
  let at = 0;
  for (let count = 0; count < fields; count++) at = line.indexOf(" ", at) + 1;
  return line.slice(at);
}

interface GitAnswer {
  code: number | null;
  bytes: Buffer;
  errors: string;
  text(): string;
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  { env, input }: { env: NodeJS.ProcessEnv; input?: string | undefined },
): Promise<GitAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
  const child = spawn(program, args, {
    cwd,
    env,
    windowsHide: true,
    signal: AbortSignal.timeout(LIMIT_MS),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const parts: Buffer[] = [];
  let length = 0;
  let errors = "";
  child.stdout.on("data", (part: Buffer) => {
    length += part.length;
    parts.push(part);
    if (length > MAX_ANSWER) child.kill();
  });
  child.stderr.on("data", (part: Buffer) => {
    if (errors.length < 1_000) errors += part.toString("utf8");
  });
  // It may end before it has read all.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  child.on("error", reject);
  child.on("close", code => {
    const bytes = Buffer.concat(parts);
    resolve({ code, bytes, errors, text: () => bytes.toString("utf8") });
  });
  return promise;
}
