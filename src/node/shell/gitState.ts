/**
 * What differs between a commit and the newest one, the files as they stand, or a patch: as a patch for `git apply --binary`, and by
 * names of objects, as any version of Git gives them. The repository stays as it is, byte for byte: index and objects are made in a
 * folder of their own, and no program runs that the repository names.
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { SessionError } from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import type { RunResult } from "../../shared/runResult";
import { askGit, blobName, type GitProgram, gitAnswer } from "../askGit";
import { unlessMissing } from "../errno";
import { realPath, withSlashes } from "../paths";
import { findGit } from "../programs";
import { disarmedAround } from "./gitChanges";

/** ms: a large repository is read once whole */
const LIMIT_MS = 600_000;
/** bytes of a patch */
const MOST = 256 * 1024 * 1024;
/** A settings file changes neither what is written nor where. */
const PLAIN = ["-c", "core.splitIndex=false", "-c", "core.untrackedCache=false", "-c", "apply.ignoreWhitespace=no"];
const RAW = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none"];
const DIFF = ["diff-index", "--cached", "--find-renames", "--ignore-submodules=dirty"];
const AS_PATCH = [
  ...["--patch", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"],
  ...["--src-prefix=a/", "--dst-prefix=b/"],
];

/** `commit` undefined: the repository has none yet, and the patch applies onto nothing. */
interface GitPatch {
  commit: string | undefined;
  files: NonNullable<RunResult["files"]>;
  bytes: Buffer;
  /** what Git says of files that it could not read */
  missing?: string;
}

/**
 * Never rejects: what cannot be said is a sentence.
 * @param folder absolute
 * @param out absolute: what lies in it is no change
 * @param commit from which on; absent: the newest; null: from nothing
 */
export async function gitPatch(
  folder: string,
  out: string,
  commit?: string | null,
): Promise<GitPatch | { why: string }> {
  try {
    const except = await realPath(out);
    const git = await GitState.around(folder, AbortSignal.timeout(LIMIT_MS));
    return git ? await git.patch(except, commit) : { why: t("The workspace is in no Git repository.") };
  } catch (error) {
    return { why: errorMessage(error) };
  }
}

/** Whether the repository around a folder has this file. Never rejects: where Git does not say, it has not. @param path absolute */
export async function isTracked(folder: string, path: string): Promise<boolean> {
  const git = await GitState.around(folder, AbortSignal.timeout(LIMIT_MS)).catch(() => undefined);
  return (await git?.has(path).catch(() => false)) ?? false;
}

export class GitState {
  private constructor(
    private readonly top: string,
    private readonly run: GitProgram,
  ) {}

  /** undefined: the folder is in no repository, or Git is not here. @param folder absolute */
  static async around(folder: string, stop: AbortSignal): Promise<GitState | undefined> {
    const program = findGit([folder]);
    if (program === undefined) return undefined;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
    const { repository, ...run } = await disarmedAround(folder, program, signal);
    // What stands in for an object would make another change of it.
    const env = { ...run.env, GIT_NO_REPLACE_OBJECTS: "1" };
    return repository && new GitState(repository.top, { ...run, env, most: MOST });
  }

  /** The whole name of a commit; undefined: it is not here. */
  async commit(name: string): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    return (await askGit(this.top, this.run, args))?.trim();
  }

  /** @param path absolute */
  async has(path: string): Promise<boolean> {
    const args = ["ls-files", "--error-unmatch", "--", `:(literal)${path}`];
    return (await askGit(this.top, this.run, args)) !== undefined;
  }

  /** Of the files as they stand. Rejects with SessionError where Git does not tell. */
  async patch(except: string, asked?: string | null): Promise<GitPatch> {
    const commit = asked === null ? undefined : (asked ?? (await this.commit("HEAD")));
    const base = commit ?? (await this.say(this.run.env, "hash-object", "-t", "tree", "--stdin")).trim();
    return this.aside(async env => {
      const missing = await this.addFiles(env, except);
      const counts = await this.answer(env, [...DIFF, "--numstat", "-z", base, "--"]);
      const bytes = await this.answer(env, [...DIFF, ...AS_PATCH, base, "--"]);
      return { commit, files: parseCounts(counts.toString("utf8")), bytes, ...defined({ missing }) };
    });
  }

  /**
   * `sha256`: of a line "mode oid path" for each, sorted by its bytes. Rejects with SessionError where Git does not tell, as of a
   * patch that does not apply.
   * @param patch absolute
   * @param carried bytes of a file that does not count where it is one of them
   */
  async changes(base: string, state: "commit" | "files" | { patch: string }, carried?: Uint8Array) {
    const files = await this.stateOf(base, state);
    const oid = carried && blobName(carried, base);
    const counted = files.filter(file => file.oid !== oid);
    const lines = counted.map(file => `${file.mode} ${file.oid} ${file.path}`).sort();
    const paths = counted.map(({ path }) => join(this.top, Buffer.from(path, "latin1").toString("utf8")));
    return { paths, sha256: createHash("sha256").update(lines.join("\n"), "latin1").digest("hex") };
  }

  private async stateOf(base: string, state: "commit" | "files" | { patch: string }) {
    if (state === "commit") return this.differences(this.run.env, base, "HEAD");
    return this.aside(async env => {
      if (state === "files") await this.addFiles(env);
      else {
        await this.say(env, "read-tree", base);
        await this.say(env, "apply", "--cached", "--whitespace=nowarn", "--", state.patch);
      }
      return this.differences(env, base, (await this.say(env, "write-tree")).trim());
    });
  }

  /** With an index and objects of its own. */
  private async aside<T>(work: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
    const own = await mkdtemp(join(tmpdir(), "strata-git-"));
    try {
      await mkdir(join(own, "objects/info"), { recursive: true });
      await writeFile(join(own, "objects/info/alternates"), `${await this.place("objects")}\n`);
      const places = { GIT_INDEX_FILE: join(own, "index"), GIT_OBJECT_DIRECTORY: join(own, "objects") };
      return await work({ ...this.run.env, ...places });
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  /** The files as they are now, beside what the person's index knows of them. @returns what Git says of those it could not read */
  private async addFiles(env: NodeJS.ProcessEnv, except = ""): Promise<string | undefined> {
    const index = await this.place("index");
    const stats = await unlessMissing(stat(index), undefined);
    const own = env.GIT_INDEX_FILE ?? "";
    if (stats) {
      await copyFile(index, own);
      // By this time Git knows what to read again; never a later one.
      await utimes(own, stats.atime, Math.floor(stats.mtimeMs) / 1000);
    }
    const outside = except && withSlashes(relative(this.top, except));
    const isInside = outside !== "" && !outside.startsWith("../") && !isAbsolute(outside);
    const paths = isInside ? ["--", ".", `:(exclude,top,literal)${outside}`] : [];
    // One that cannot be read keeps no other from being there.
    const args = [...PLAIN, "add", "--all", "--ignore-errors", ...paths];
    const { code, errors } = await gitAnswer(this.top, { ...this.run, env }, args);
    if (code > 1) throw new SessionError(t("Git did not say what changed. {0}", errors.trim()));
    return code === 0 ? undefined : errors.trim();
  }

  /** Of the repository: absolute, or from its top. */
  private async place(name: string): Promise<string> {
    const path = await this.answer(this.run.env, ["rev-parse", "--git-path", name]);
    return resolve(this.top, path.toString("utf8").trimEnd());
  }

  private async differences(env: NodeJS.ProcessEnv, base: string, to: string) {
    const raw = await this.say(env, ...RAW, base, to);
    return [...raw.matchAll(DIFFERENCE)].map(([, mode = "", oid = "", path = ""]) => ({ mode, oid, path }));
  }

  /** A byte is a character. */
  private async say(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
    return (await this.answer(env, args)).toString("latin1");
  }

  private async answer(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Buffer> {
    const { code, bytes, errors } = await gitAnswer(this.top, { ...this.run, env }, [...PLAIN, ...args]);
    if (code === 0) return bytes;
    throw new SessionError(t("Git did not say what changed. {0}", errors.trim()));
  }
}

/** ":100644 100755 OLD NEW M", then the path */
const DIFFERENCE = /:\d+ (\d+) \w+ (\w+) [^\0]*\0([^\0]*)\0/g;
/** "added TAB removed TAB path"; of a rename the path is empty, and the old and the new one follow */
const COUNTS = /(\d+|-)\t(\d+|-)\t(?:\0[^\0]*\0)?([^\0]*)\0/g;

const parseCounts = (text: string) =>
  [...text.matchAll(COUNTS)].map(([, added = "", removed = "", path = ""]) => {
    const binary = added === "-" ? { binary: true as const } : {};
    return { path, added: Number(added) || 0, removed: Number(removed) || 0, ...binary };
  });
