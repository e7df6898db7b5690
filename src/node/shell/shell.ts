/** Commands on this machine. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Shell, ShellOutcome, ShellRun } from "../../core/ports";
import { isMissing } from "../errno";
import type { CommandProcesses } from "./commandProcesses";
import { runJob } from "./job";
import { posixLauncher, powershellLauncher, type ShellLauncher } from "./launcher";

interface NodeShellOptions {
  /** the environment that commands get a part of; default: this process's */
  env?: NodeJS.ProcessEnv;
  /** Variables that commands must not see beside the agent's own keys. */
  isSecret?(name: string): boolean;
  /** ms between the gentle and the hard end of a command; default 1,000 */
  killAfterMs?: number;
  /** ms that processes left behind get to finish on their own once the shell has ended; default 250 */
  graceMs?: number;
}

export class NodeShell implements Shell {
  readonly name: string;
  private readonly launcher: ShellLauncher;
  private readonly live = new Set<CommandProcesses>();

  constructor(private readonly options: NodeShellOptions = {}) {
    const env = options.env ?? process.env;
    this.launcher = process.platform === "win32" ? findPowershell(env) : findPosixShell(env);
    this.name = this.launcher.name;
  }

  async run(run: ShellRun): Promise<ShellOutcome> {
    await requireFolder(run.cwd);
    return runJob(run, this.launcher, {
      env: commandEnvironment(this.options.env ?? process.env, this.options.isSecret),
      killAfterMs: this.options.killAfterMs ?? 1000,
      graceMs: this.options.graceMs ?? 250,
      live: this.live,
    });
  }

  /** Ends every command that runs, hard and before this returns: for a process that is about to end itself. */
  killAll(): void {
    for (const processes of this.live) processes.kill();
  }
}

async function requireFolder(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  throw new Error(`The command was not run: its folder ${path} is not there.`);
}

function findPosixShell(env: NodeJS.ProcessEnv): ShellLauncher {
  const bash = ["/bin/bash", "/usr/bin/bash"].find(existsSync) ?? onPath("bash", env);
  return bash ? posixLauncher(bash, "bash") : posixLauncher("/bin/sh", "sh");
}

function findPowershell(env: NodeJS.ProcessEnv): ShellLauncher {
  const pwsh = onPath("pwsh.exe", env);
  return pwsh ? powershellLauncher(pwsh, "PowerShell 7") : powershellLauncher("powershell.exe", "Windows PowerShell");
}

function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  return folders.map(folder => join(folder, program)).find(existsSync);
}

// The environment of commands: no terminal, nobody who answers, and none of the agent's own secrets.

/** Keys that Strata itself uses; a command has no need of them, and its output goes to a model. */
const OWN_SECRETS = /^OPENAI_API_KEY$|^STRATA_.*(KEY|TOKEN|SECRET|PASSWORD)/i;

/** What an editor's process sets for itself and what would make a program started from it misbehave. */
const NOT_FOR_COMMANDS = /^(ELECTRON_.*|VSCODE_.*|FORCE_COLOR|CLICOLOR_FORCE|OLDPWD)$/;

const FIXED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  // asking for a password would wait for ever: fail instead
  GIT_TERMINAL_PROMPT: "0",
  // take the proposed message (merge, rebase --continue) instead of waiting for an editor that nobody closes
  GIT_EDITOR: "true",
};

function commandEnvironment(
  env: NodeJS.ProcessEnv,
  isSecret: (name: string) => boolean = () => false,
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !OWN_SECRETS.test(name) && !NOT_FOR_COMMANDS.test(name) && !isSecret(name),
  );
  return { ...Object.fromEntries(kept), ...FIXED };
}
