/** Real commands in the real sandbox, with a home folder of their own. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxAccess, SandboxPolicy, ShellOutcome, ShellRun } from "../../../src/core/ground/ports";
import { missingWords, NO_SANDBOX } from "../../../src/core/ground/ports/shell";
import { NodeSandbox } from "../../../src/node/sandbox/sandbox";
import { NodeShell } from "../../../src/node/shell/shell";
import { putFile } from "../../fakes/temporary";

export type Ran = ShellOutcome & { out: string };
type Files = Record<string, string>;

interface Setup {
  /** below the workspace's folder */
  files?: Files;
  /** below the home folder */
  home?: Files;
  network?: readonly string[];
  /** default: "write" */
  access?: SandboxAccess;
  /** folders of another one, in the place of new ones */
  at?: Pick<InSandbox, "base" | "root" | "home">;
  env?: NodeJS.ProcessEnv;
  /** a script in the place of bubblewrap */
  program?: string;
  killAfterMs?: number;
  sandbox?: Partial<ConstructorParameters<typeof NodeSandbox>[0]>;
  shell?: Partial<ConstructorParameters<typeof NodeShell>[0]>;
}

/** Beside the compiled tests: the sandbox has a `/tmp` of its own, and nothing in this machine's is in sight. */
const place = join(process.cwd(), "out", "sandboxed");

export class InSandbox {
  readonly base: string;
  readonly root: string;
  readonly home: string;
  readonly shell: NodeShell;
  readonly sandbox: NodeSandbox;
  private readonly policy: SandboxPolicy;

  constructor({
    files = {},
    home = {},
    network = [],
    access = "write",
    at,
    env = {},
    program,
    killAfterMs = 20_000,
    sandbox = {},
    shell = {},
  }: Setup = {}) {
    mkdirSync(place, { recursive: true });
    this.base = at?.base ?? realpathSync(mkdtempSync(join(place, "s-")));
    this.root = at?.root ?? this.make("ws", files);
    this.home = at?.home ?? this.make("home", home);
    const all = { ...process.env, HOME: this.home, GIT_CONFIG_NOSYSTEM: "1", ...env };
    const bubblewrap = join(this.base, "bwrap");
    if (program !== undefined) writeFileSync(bubblewrap, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    this.sandbox = new NodeSandbox({
      ...{ roots: () => [{ path: this.root }], ownFolders: [join(this.base, "own")] },
      ...{
        keep: join(this.base, "keep"),
        home: this.home,
        env: all,
        ...(program !== undefined && { bubblewrap }),
        ...sandbox,
      },
    });
    this.shell = new NodeShell({ env: all, sandbox: this.sandbox, killAfterMs, ...shell });
    this.policy = { kind: "sandbox", network, access };
  }

  run(command: string, more: Partial<ShellRun> = {}): Promise<Ran> {
    return this.start(command, { sandbox: this.policy, ...more });
  }

  /** A task in the background. */
  long(command: string, more: Partial<ShellRun>): Promise<Ran> {
    return this.start(command, { sandbox: this.policy, ...more }, {});
  }

  /** As a person would run it. */
  outside(command: string): Promise<Ran> {
    return this.start(command, { sandbox: NO_SANDBOX });
  }

  async close(): Promise<void> {
    this.shell.killAll();
    await this.sandbox.close();
    rmSync(this.base, { recursive: true, force: true });
    // What was put aside outlives the sandbox.
    const left = readdirSync(tmpdir()).filter(name => name.startsWith(`strata-sandbox-${process.pid}-`));
    for (const name of left) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }

  private async start(
    command: string,
    more: Partial<ShellRun>,
    limit: Pick<ShellRun, "timeoutMs"> = { timeoutMs: 60_000 },
  ): Promise<Ran> {
    let out = "";
    const outcome = await this.shell.run({
      ...{ command, cwd: this.root, sandbox: NO_SANDBOX, ...limit, signal: new AbortController().signal },
      onOutput: (_, chunk) => {
        out += Buffer.from(chunk).toString();
      },
      ...more,
    });
    return { ...outcome, out };
  }

  private make(name: string, files: Files): string {
    const folder = join(this.base, name);
    mkdirSync(folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) putFile(join(folder, path), text);
    return folder;
  }
}

/** A suite of real commands. */
export function needsSandbox(suite: Mocha.Suite): void {
  suite.timeout(60_000);
  suite.beforeAll(function () {
    return requireSandbox(this);
  });
}

/** Where this machine has no sandbox, tests say so and are skipped. */
export async function requireSandbox(test: Mocha.Context): Promise<void> {
  // Its own `/tmp` would hide what these look at: a project that lies there says nothing of one that lies elsewhere.
  if (/^\/(?:var\/)?tmp\//.test(realpathSync(process.cwd()))) {
    console.log(
      "      skipped: the project lies in /tmp, and the sandbox has one of its own. Put it elsewhere to try this.",
    );
    return test.skip();
  }
  const box = new InSandbox();
  const state = await box.sandbox.state();
  await box.close();
  if (state.kind === "ready") return;
  console.log(`      skipped: ${missingWords(state)}`);
  test.skip();
}
