/** Running commands. */
import { inSentences } from "../../../shared/format";
import { t } from "../../../shared/l10n";

export interface ShellRun {
  command: string;
  /** absolute folder to start in */
  cwd: string;
  sandbox: SandboxPolicy;
  /** It runs unasked, since it only reads: no program is found in a folder of the workspace that stands in PATH. */
  onlyReads?: boolean;
  /** Nor does this one: the approval did not cover such a folder. */
  distrustsPath?: true;
  /** absent: the command may take as long as it likes */
  timeoutMs?: number;
  signal: AbortSignal;
  /** what it reads from standard input; absent: nothing */
  input?: string;
  /** variables beside those that all commands get */
  env?: Readonly<Record<string, string>>;
  /**
   * It reads with Git: where it starts and in these folders (absolute) Git starts no program that a repository names, and looks
   * into no other repository. Absent: Git does as it does
   */
  disarmsGit?: readonly string[];
  /** Output in arrival order. May return a promise: the command is held until it resolves (back pressure). */
  onOutput(stream: "stdout" | "stderr", chunk: Uint8Array): void | Promise<void>;
}

export interface ShellOutcome {
  /** null: killed by a signal */
  exitCode: number | null;
  signal: string | null;
  /** "refused": it did what the sandbox ends commands for, see `refused` */
  ended: "exited" | "timeout" | "aborted" | "refused";
  durationMs: number;
  /** the folder in which the command's shell ended */
  cwd: string;
  /** processes that the command left behind and that were ended with it */
  leftBehind: boolean;
  /** some could not be ended, or hold the output and are none that could be found: a daemon, another user's */
  mayRunOn: boolean;
  /** those of them that the system names; absent or empty: none */
  running?: readonly { pid: number; command: string }[];
  /** What it made in the workspace and must not, and where that lies now; absent: nothing. `now` "": it had removed that again; as `path`: it is still there. */
  refused?: readonly { path: string; now: string }[];
  /** hosts that the sandbox did not let it, or another command at the same time, reach; absent: none */
  refusedHosts?: readonly string[];
}

export interface Shell {
  /** The locale's encoding, by a name that `TextDecoder` knows; absent or undefined: UTF-8. */
  readonly encoding?: string | undefined;
  /** for L1: "bash", "PowerShell 7" */
  readonly name: string;
  /**
   * Why a program with this name is not surely one of the machine, also without folders of the workspace in PATH: a part of a
   * sentence. Absent, or undefined: it is
   */
  doubtOf?(program: string): string | undefined;
  /**
   * Runs the command in its own session, without a terminal. A time-out or abort kills all that it started, in other process
   * groups (`timeout`, `set -m`) and sessions (`setsid`) too, and resolves when all of it is gone. A daemon of a command
   * that ended by itself stays; its later output is dropped. Rejects only if the shell cannot start.
   */
  run(run: ShellRun): Promise<ShellOutcome>;
}

// What confines commands.

/** `read`: the workspace is read-only and there is no network, also where hosts are named. */
export type SandboxAccess = "read" | "write";

/** What confines a command. A shell must refuse one that it cannot keep. */
export type SandboxPolicy =
  | { readonly kind: "none" }
  /**
   * Reads the system, the workspace and of homes what tools need, but no secrets; writes in the workspace and a temporary
   * folder of its own, reaches no network but these hosts: `registry.npmjs.org`, `*.example.com`, `example.com:8443`. `keeps`: files
   * and folders (absolute) that it cannot change
   */
  | {
      readonly kind: "sandbox";
      readonly network: readonly string[];
      readonly access: SandboxAccess;
      readonly keeps?: readonly string[];
    };

export const NO_SANDBOX: SandboxPolicy = { kind: "none" };

export type SandboxState =
  /** `name`: "bubblewrap" */
  | { readonly kind: "ready"; readonly name: string }
  /** `why`: a sentence for people. `how`: another one, what to do about it. `command`: what gets it, to be run by a person */
  | { readonly kind: "missing"; readonly why: string; readonly how?: string; readonly command?: string };

export interface Sandbox {
  /** Found out by a real run at the first call, then known for as long as this process lives. Never rejects. */
  state(): Promise<SandboxState>;
}

/** Why commands cannot be confined here and what gets it, in a line. */
export const missingWords = ({ why, how, command }: Extract<SandboxState, { kind: "missing" }>): string =>
  inSentences([why, how, command && t("To get it: `{0}`", command)]);
