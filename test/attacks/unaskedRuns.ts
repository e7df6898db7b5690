/** Runs for real, in a folder to throw away, what would run unasked and without a sandbox, and tells what became of it. */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { planCommand } from "../../src/core/commands/commandPlan";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import type { CommandFacts } from "../../src/core/permissions/commandFacts";
import { decide } from "../../src/core/permissions/policy";
import { parseRules } from "../../src/core/permissions/rules";
import type { Verdict } from "../../src/core/permissions/verdict";
import { NodeFiles } from "../../src/node/files";
import { NodeShell } from "../../src/node/shell/shell";
import type { PermissionMode } from "../../src/shared/settingValues";
import { putFile } from "../fakes/temporary";

type RuleTexts = Partial<Record<"allow" | "ask" | "deny", readonly string[]>>;

/** Of which no output may have a part. */
const SECRETS = {
  ".env": "PROTECTED-ENV",
  "src/prod.env": "PROTECTED-ENV",
  "secret/a": "DENIED-TEXT",
  "../outer/f.txt": "OUTSIDE-TEXT",
} as const;

export class UnaskedRuns {
  /** of the workspace; beside it lie `outer`, to which the link `x` leads, and `home` */
  readonly root: string;
  private readonly files: NodeFiles;
  private readonly env: NodeJS.ProcessEnv;
  private before = "";

  /** @param base an empty folder of its own */
  constructor(
    private readonly base: string,
    readonly rules: RuleTexts = { deny: ["Read(secret/**)"] },
    more: NodeJS.ProcessEnv = {},
  ) {
    this.root = join(base, "ws");
    for (const folder of ["home", "ws", "outer"]) mkdirSync(join(base, folder), { recursive: true });
    for (const [path, text] of Object.entries(SECRETS)) this.put(path, `KEY=${text}\n`);
    for (const path of [
      "src/a.ts",
      "src/b.ts",
      "src/deep/c.ts",
      "-rf",
      "*",
      "push",
      "a b",
      "a/b/f.txt",
      "package.json",
    ])
      this.put(path, "{}\n");
    symlinkSync("../outer", join(this.root, "x"));
    symlinkSync("a/b", join(this.root, "link"));
    this.env = { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: join(base, "home"), ...more };
    this.git("init", "-q");
    this.git("add", "src/a.ts", "src/b.ts", "src/deep", "secret/a", "package.json");
    this.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
    this.files = new NodeFiles([this.root]);
    this.look();
  }

  /** @param path from the workspace */
  put(path: string, text: string, mode = 0o644): void {
    putFile(join(this.root, path), text, mode);
  }

  git(...args: string[]): string {
    const env = { PATH: process.env.PATH, HOME: this.env.HOME, GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", args, { cwd: this.root, encoding: "utf8", stdio: "pipe", env });
  }

  /** What is there now is as it is to be. */
  look(): void {
    this.before = this.listed(this.base);
  }

  async decided(command: string, mode: PermissionMode = "auto", confined?: "offline") {
    const cwd = this.root;
    const { facts } = await planCommand(command, cwd, this.files, this.shell());
    const about = { toolName: "Bash", effects: ["command" as const], targets: [], namesSecret: false };
    const action = {
      ...{ ...about, detail: { type: "command" as const, command, cwd }, command: facts, input: { command } },
      ...(confined && { confined }),
    };
    const { allow = [], ask = [], deny = [] } = this.rules;
    const state = { mode, trusted: true, ownFolders: [], grants: [], runEverything: false, trustsAllContent: true };
    const verdict: Verdict = decide(action, { ...state, rules: parseRules({ allow, ask, deny }) });
    return { verdict, facts };
  }

  private shell(): NodeShell {
    return new NodeShell({ env: this.env, roots: () => [this.root], isSecret: () => false });
  }

  /** All of them in one shell, each by itself. @returns what they printed, and what they should not have done, "" for nothing */
  async run(commands: readonly { command: string; facts: CommandFacts }[]): Promise<{ out: string; harm: string }> {
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const [first] = commands;
    const command =
      commands.length === 1 && first
        ? first.command
        : commands.map(each => `(eval ${quoted(each.command)}) </dev/null 2>&1`).join("\n");
    const folders = commands.flatMap(({ facts }) => facts.gitFolders ?? []);
    let out = "";
    await this.shell().run({
      ...{ command, cwd: this.root, sandbox: NO_SANDBOX, onlyReads: true, timeoutMs: 120_000 },
      ...(folders.length > 0 && { disarmsGit: [...new Set(folders)] }),
      signal: new AbortController().signal,
      onOutput: (_, chunk) => {
        if (out.length < 4_000_000) out += Buffer.from(chunk).toString();
      },
    });
    const shown = [...new Set(Object.values(SECRETS))].filter(secret => out.includes(secret));
    const after = this.listed(this.base);
    const changed = after === this.before ? [] : [`files: ${difference(this.before, after)}`];
    return { out, harm: [...shown.map(secret => `shows ${secret}`), ...changed].join("; ") };
  }

  /** Names, sizes and times of all files but Git's own lists, which reading may not change either but by their times. */
  private listed(folder: string): string {
    if (!existsSync(folder)) return "";
    return readdirSync(folder)
      .sort()
      .map(name => {
        const path = join(folder, name);
        const { mtimeMs, size, mode } = lstatSync(path);
        const isFolder = (mode & 0o170000) === 0o040000;
        return isFolder ? `${path}/\n${this.listed(path)}` : `${path} ${size} ${mtimeMs}\n`;
      })
      .join("");
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }
}

function difference(before: string, after: string): string {
  const old = new Set(before.split("\n"));
  const now = after.split("\n");
  const gone = before.split("\n").filter(line => !now.includes(line));
  return [...now.filter(line => !old.has(line)), ...gone.map(line => `- ${line}`)].join(", ");
}
