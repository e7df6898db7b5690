/** A whole agent with a real shell on real files: what rewinds are tested on. Times of commands are real. */
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import type { DiskStates } from "../../src/core/ground/ports";
import { NodeBaselines } from "../../src/node/baselines/baseline";
import { diskStates } from "../../src/node/baselines/diskStates";
import { NodeFiles } from "../../src/node/files";
import { NodeShell } from "../../src/node/shell/shell";
import { nodeClock } from "../../src/node/system";
import { runTurn, world } from "./agent";
import { beginRepository } from "./baselineWorkspace";
import { putFile, temporaryFolder } from "./temporary";

interface RewoundOptions {
  git?: boolean;
  /** what stands between the agent and its files */
  disk?(disk: DiskStates): DiskStates;
}

export class RewoundAgent {
  readonly base = temporaryFolder("rewind");
  readonly folder = join(this.base, "app");
  readonly agent = world({ mode: "auto" });
  readonly ports;
  session!: Session;

  private constructor({ disk = same => same }: RewoundOptions) {
    mkdirSync(this.folder);
    this.ports = {
      ...this.agent.ports,
      files: new NodeFiles([this.folder]),
      clock: nodeClock,
      shell: new NodeShell({ graceMs: 0 }),
      baselines: new NodeBaselines({
        folders: () => [this.folder],
        scratch: join(this.base, "scratch"),
        logger: this.agent.ports.logger,
        maxWaitMs: 20_000,
      }),
      disk: disk(diskStates),
    };
    // An editor there is none.
    delete (this.ports as { unsaved?: unknown }).unsaved;
  }

  static async start(files: Record<string, string> = {}, options: RewoundOptions = {}): Promise<RewoundAgent> {
    const { git = false } = options;
    const agent = new RewoundAgent(options);
    for (const [path, text] of Object.entries(files)) agent.write(path, text);
    if (git) beginRepository(agent.folder);
    agent.session = await createSession(agent.ports);
    return agent;
  }

  write(path: string, text: string | Buffer): void {
    putFile(join(this.folder, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  chmod(path: string, mode: number): void {
    chmodSync(join(this.folder, path), mode);
  }

  run(command: string): string {
    return execFileSync("bash", ["-c", command], { cwd: this.folder, stdio: "pipe" }).toString();
  }

  /** A turn in which the agent runs commands, or writes files: `path=text`. */
  async turn(...calls: (string | { path: string; text: string })[]): Promise<number> {
    const asked = calls.map((call): { name: string; input: Record<string, string> } =>
      typeof call === "string"
        ? { name: "Bash", input: { command: call } }
        : { name: "Write", input: { file_path: call.path, content: call.text } },
    );
    this.agent.models.play(...asked.map(call => ({ text: "I do it.", calls: [call] })), { text: "Done." });
    await runTurn(this.session, `do ${calls.length}`);
    const { turn } = this.session.history.conversation;
    // What commands did is found out behind the turn; whoever looks waits for it.
    await this.session.rewind.preview(turn);
    return turn;
  }

  state(): Record<string, string> {
    return stateOf(this.folder);
  }

  async reopen(): Promise<void> {
    await this.session.close();
    this.session = await openSession(this.ports, this.session.id);
  }

  async end(): Promise<void> {
    await this.session.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** All files with what they hold, where links lead, and permissions; not of `.git`. */
export function stateOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const found = entries.flatMap(entry => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory() || /(^|\/)\.git\//.test(name)) return [];
    if (entry.isSymbolicLink()) return [[name, `-> ${readlinkSync(path)}`]];
    return [[name, `${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path).toString("latin1")}`]];
  });
  return Object.fromEntries(found.sort());
}
