/**
 * What differs from a commit, as a patch for `git apply --binary`. The repository stays as it is, byte for byte: index and objects
 * are made in a folder of their own, and no program runs that the repository names.
 */
import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { t } from "../../shared/l10n";
import { gitAnswer } from "../askGit";
import { unlessMissing } from "../errno";
import { withSlashes } from "../paths";
import { findGit } from "../programs";
import { disarmedAround } from "./gitChanges";

/** ms: a large repository is read once whole */
const LIMIT_MS = 120_000;
const MOST = 256 * 1024 * 1024;
const DIFF = ["--cached", "--find-renames", "--ignore-submodules=dirty"];
const AS_PATCH = [
  ...["--patch", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"],
  ...["--src-prefix=a/", "--dst-prefix=b/"],
];

interface PatchedFile {
  /** '/' separators, from the repository's top */
  path: string;
  added: number;
  removed: number;
  binary?: true;
}

/** `commit` undefined: the repository has none yet, and the patch applies onto nothing. */
interface GitPatch {
  commit: string | undefined;
  files: PatchedFile[];
  bytes: Buffer;
}

/**
 * Never rejects: what cannot be said is a sentence.
 * @param folder absolute
 * @param except absolute: what lies in it is no change
 * @param commit from which on; absent: the newest
 */
export async function gitPatch(folder: string, except: string, commit?: string): Promise<GitPatch | { why: string }> {
  const program = findGit([folder]);
  if (program === undefined) return { why: t("Git is not installed.") };
  const own = await mkdtemp(join(tmpdir(), "strata-patch-"));
  try {
    const around = await disarmedAround(folder, program, AbortSignal.timeout(LIMIT_MS));
    const { repository, ...run } = around;
    if (!repository) return { why: t("The workspace is in no Git repository.") };
    return await patchOf(new Patching(repository.top, { ...run, most: MOST }, own), except, commit);
  } catch (error) {
    return { why: t("Git did not give it: {0}", error instanceof Error ? error.message : String(error)) };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function patchOf(git: Patching, except: string, asked: string | undefined): Promise<GitPatch> {
  const found = asked ?? (await git.say("rev-parse", "--verify", "--quiet", "HEAD^{commit}").catch(() => ""));
  const commit = found.trim() || undefined;
  const base = commit ?? (await git.say("hash-object", "-t", "tree", "--stdin")).trim();
  await git.readFiles(except);
  const counts = await git.say("diff-index", ...DIFF, "--numstat", "-z", base, "--");
  const bytes = await git.bytes("diff-index", ...DIFF, ...AS_PATCH, base, "--");
  return { commit, files: parseCounts(counts), bytes };
}

/** Git in a repository, with an index of its own. */
class Patching {
  private readonly env: NodeJS.ProcessEnv;

  constructor(
    private readonly top: string,
    private readonly run: Parameters<typeof gitAnswer>[1],
    private readonly own: string,
  ) {
    this.env = run.env;
  }

  /** The files as they are now, beside what the person's index knows of them. */
  async readFiles(except: string): Promise<void> {
    const [index, objects] = (await this.say("rev-parse", "--git-path", "index", "--git-path", "objects")).split("\n");
    const copy = join(this.own, "index");
    const there = resolve(this.top, index ?? "");
    const stats = await unlessMissing(stat(there), undefined);
    if (stats) {
      await copyFile(there, copy);
      // A file that changed in the instant in which the index was written is looked at again by this time.
      await utimes(copy, stats.atime, stats.mtime);
    }
    await mkdir(join(this.own, "objects"));
    Object.assign(this.env, {
      GIT_INDEX_FILE: copy,
      GIT_OBJECT_DIRECTORY: join(this.own, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: resolve(this.top, objects ?? ""),
    });
    const outside = withSlashes(relative(this.top, except));
    const isInside = outside !== "" && !outside.startsWith("../") && !isAbsolute(outside);
    const paths = [".", ...(isInside ? [`:(exclude,top,literal)${outside}`] : [])];
    // One that cannot be read keeps others from being there no more than it does in `git add`.
    await gitAnswer(this.top, { ...this.run, env: this.env }, ["add", "--all", "--ignore-errors", "--", ...paths]);
  }

  async say(...args: string[]): Promise<string> {
    return (await this.bytes(...args)).toString("utf8");
  }

  async bytes(...args: string[]): Promise<Buffer> {
    const { code, bytes, errors } = await gitAnswer(this.top, { ...this.run, env: this.env }, args);
    if (code !== 0) throw new Error(errors.trim() || `git ${args[0]} ended with ${code}`);
    return bytes;
  }
}

/** `added TAB removed TAB path NUL`; of a rename the path is empty, and the old and the new one follow. */
function parseCounts(text: string): PatchedFile[] {
  const fields = text.split("\0");
  const files: PatchedFile[] = [];
  for (let at = 0; at < fields.length - 1; at++) {
    const [added = "", removed = "", ...rest] = fields[at]?.split("\t") ?? [];
    const path = rest.join("\t");
    if (path === "") at += 2;
    const name = path === "" ? (fields[at] ?? "") : path;
    const binary = added === "-" ? { binary: true as const } : {};
    files.push({ path: name, added: Number(added) || 0, removed: Number(removed) || 0, ...binary });
  }
  return files;
}
