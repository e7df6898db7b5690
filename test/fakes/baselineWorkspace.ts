/** A workspace on a real disk with its baseline: what a command does to it, in words. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, type CommandChanges, type StateStore, StorageError } from "../../src/core/ground/ports";
import { NodeBaselines } from "../../src/node/baselines/baseline";
import { temporaryFolder } from "./temporary";

/** A repository without a commit, made once a process: to copy it costs less than five processes of Git. */
let template: string | undefined;

/** The folder becomes a repository whose first commit has all that is in it. */
export function beginRepository(folder: string): void {
  const run = (command: string, cwd: string) => execFileSync("bash", ["-c", command], { cwd, stdio: "pipe" });
  if (template === undefined) {
    template = temporaryFolder("repository");
    const settings = ["user.email a@b", "user.name n", "core.autocrlf false"].map(each => `git config ${each}`);
    run(["git init -q", ...settings].join(" && "), template);
  }
  cpSync(join(template, ".git"), join(folder, ".git"), { recursive: true });
  run("git add -A && git commit -qm one --allow-empty", folder);
}

export class BaselineWorkspace {
  readonly base = temporaryFolder("baseline");
  readonly folder = join(this.base, "work");
  readonly folders = [this.folder];
  readonly kept = new Map<string, Buffer>();
  readonly baseline;
  /** the session's own disk */
  full = false;

  constructor(options: { maxWaitMs?: number; mostWalked?: number; clock?: Clock } = {}) {
    mkdirSync(this.folder);
    const baselines = new NodeBaselines({
      folders: () => this.folders,
      scratch: join(this.base, "scratch"),
      logger: { log: () => undefined },
      // A machine that does much else takes longer than a person would wait.
      maxWaitMs: 60_000,
      ...options,
    });
    const store: StateStore = {
      put: async bytes => {
        if (this.full) throw new StorageError("DISK_FULL", "The disk is full.");
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        this.kept.set(sha256, Buffer.from(bytes));
        return sha256;
      },
      get: async sha256 => this.kept.get(sha256),
    };
    this.baseline = baselines.open(store);
  }

  write(path: string, text: string | Buffer): void {
    mkdirSync(join(this.folder, path, ".."), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  run(command: string): void {
    execFileSync("bash", ["-c", command], { cwd: this.folder, stdio: "pipe" });
  }

  git(): void {
    beginRepository(this.folder);
  }

  async around(command: string): Promise<Map<string, { before: string; after: string; made: boolean }>> {
    const after = await this.baseline.before();
    this.run(command);
    return this.told(await after());
  }

  told({ changes }: CommandChanges) {
    const say = (state: CommandChanges["changes"][number]["before"]): string => {
      if (state === null) return "nothing";
      if (state.type === "link") return `-> ${state.target}`;
      if (state.type === "unkept") return `unkept: ${state.why}`;
      return this.kept.get(state.sha256)?.toString("utf8") ?? "file";
    };
    return new Map(
      changes.map(({ path, before, after, made }) => [
        path.slice(this.folder.length + 1),
        { before: say(before), after: say(after), made },
      ]),
    );
  }

  async end(): Promise<void> {
    await this.baseline.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}
