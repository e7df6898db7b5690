/**
 * What differs between a commit and the newest one, the files as they stand, or a patch, by names of objects, as any version of Git
 * gives them. The repository stays as it is: index and objects are made in a folder of their own.
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SessionError } from "../../core/ground/ports";
import { t } from "../../shared/l10n";
import { blobName, type GitProgram, gitAnswer } from "../askGit";
import { unlessMissing } from "../errno";
import { findGit } from "../programs";
import { disarmedAround } from "./gitChanges";

/** ms: a large repository is read once whole */
const LIMIT_MS = 600_000;
/** A settings file changes neither what is written nor where. */
const PLAIN = ["-c", "core.splitIndex=false", "-c", "core.untrackedCache=false", "-c", "apply.ignoreWhitespace=no"];
const RAW = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none"];

export class GitRaw {
  private constructor(
    private readonly top: string,
    private readonly run: GitProgram,
  ) {}

  /** undefined: the folder is in no repository, or Git is not here. @param folder absolute */
  static async around(folder: string, stop: AbortSignal): Promise<GitRaw | undefined> {
    const program = findGit([folder]);
    if (program === undefined) return undefined;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
    const { repository, ...run } = await disarmedAround(folder, program, signal);
    // What stands in for an object would make another change of it.
    const env = { ...run.env, GIT_NO_REPLACE_OBJECTS: "1" };
    return repository && new GitRaw(repository.top, { ...run, env });
  }

  /** The whole name of a commit; undefined: it is not here. */
  async commit(name: string): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
    const { code, bytes } = await gitAnswer(this.top, this.run, args);
    return code === 0 ? bytes.toString("utf8").trim() : undefined;
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
    const own = await mkdtemp(join(tmpdir(), "strata-proof-"));
    try {
      const paths = await this.say(this.run.env, "rev-parse", "--git-path", "index", "--git-path", "objects");
      const [index = "", objects = ""] = paths.split("\n").map(path => resolve(this.top, path));
      await mkdir(join(own, "objects/info"), { recursive: true });
      await writeFile(join(own, "objects/info/alternates"), `${objects}\n`);
      const env = { ...this.run.env, GIT_INDEX_FILE: join(own, "index"), GIT_OBJECT_DIRECTORY: join(own, "objects") };
      const stats = state === "files" ? await unlessMissing(stat(index), undefined) : undefined;
      if (stats) {
        await copyFile(index, join(own, "index"));
        // By this time Git knows what to read again; never a later one.
        await utimes(join(own, "index"), stats.atime, Math.floor(stats.mtimeMs) / 1000);
      } else await this.say(env, "read-tree", base);
      if (state === "files") await this.say(env, "add", "--all");
      else await this.say(env, "apply", "--cached", "--whitespace=nowarn", "--", state.patch);
      return await this.differences(env, base, (await this.say(env, "write-tree")).trim());
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  private async differences(env: NodeJS.ProcessEnv, base: string, to: string) {
    const fields = (await this.say(env, ...RAW, base, to)).split("\0");
    // ":100644 100755 OLD NEW M", then the path
    return fields.flatMap((field, at) => {
      const [, mode = "", , oid = ""] = field.split(" ");
      return at % 2 === 0 && field !== "" ? [{ mode, oid, path: fields[at + 1] ?? "" }] : [];
    });
  }

  /** A byte is a character. */
  private async say(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
    const { code, bytes, errors } = await gitAnswer(this.top, { ...this.run, env }, [...PLAIN, ...args]);
    if (code === 0) return bytes.toString("latin1");
    throw new SessionError(t("Git did not say what changed. {0}", errors.trim()));
  }
}
