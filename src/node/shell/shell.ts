/** Commands on this machine. */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Clock, NamedValue, SandboxPolicy, Shell, ShellOutcome, ShellRun } from "../../core/ground/ports";
import { disarmedGit, gitWithoutPrograms, repositoryAround } from "../disarmedGit";
import { unlessFails } from "../errno";
import { isFolder } from "../paths";
import { inheritedDescriptors } from "../processes";
import { doubtOf, findProgram, SYSTEM_PATH, trustedPath } from "../programs";
import { SANDBOX_VARIABLES } from "../sandbox/places";
import type { NodeSandbox } from "../sandbox/sandbox";
import { nodeClock } from "../system";
import { LiveCommands } from "./commandProcesses";
import { type JobOptions, runJob, SandboxError } from "./job";
import { type Launch, posixLauncher, powershellLauncher, type ShellLauncher } from "./launcher";
import { PipeSupply } from "./output";

interface NodeShellOptions {
  /** the environment that commands get a part of; default: this process's */
  env?: NodeJS.ProcessEnv;
  /** Variables that commands must not see beside the agent's own keys. */
  isSecret?(name: string): boolean;
  /** In the sandbox such a variable is there only where a person named it; default: none is one */
  looksSecret?(variable: NamedValue): boolean;
  /** folders of the workspace: links followed, with '/' separators */
  roots?(): readonly string[];
  /** `strata.bash.env`: which variables commands get; default: all */
  variables?(): readonly string[];
  /** absent: a command that is to run in one is not run */
  sandbox?: NodeSandbox;
  /** ms between the gentle and the hard end of a command; default 1,000 */
  killAfterMs?: number;
  /** ms that processes left behind get to finish on their own once the shell has ended; default 250 */
  graceMs?: number;
  /** ms for which output is still taken from what stays (a daemon) once the shell has ended; default 100 */
  outputMs?: number;
  /** default: this machine's */
  clock?: Clock;
}

/** The shell of this process: from here on no command can read the keys that the process itself was started with. */
export function ownShell(isSecret: (name: string) => boolean, options: NodeShellOptions): NodeShell {
  concealVariables(name => OWN_SECRETS.test(name) || isSecret(name));
  return new NodeShell({ isSecret, ...options });
}

/** for Git to say what a repository names */
const GIT_MS = 10_000;

/** to put the sandbox around a command */
const MAX_ATTEMPTS = 4;

export class NodeShell implements Shell {
  readonly name: string;
  readonly encoding: string | undefined;
  private readonly launcher: ShellLauncher;
  private readonly live = new LiveCommands();
  private readonly supply = new PipeSupply();
  private inherited: readonly number[] | undefined;

  constructor(private readonly options: NodeShellOptions = {}) {
    const env = options.env ?? process.env;
    const roots = options.roots?.() ?? [];
    this.launcher = process.platform === "win32" ? findPowershell(env, roots) : findPosixShell(env, roots);
    this.name = this.launcher.name;
    this.encoding = localeEncoding(env);
  }

  /** The same for other folders. */
  elsewhere = (place: NodeShellOptions) => new NodeShell({ ...this.options, ...place });

  doubtOf(program: string): string | undefined {
    const { env = process.env, roots } = this.options;
    return doubtOf(program, env, roots?.() ?? []);
  }

  async run(run: ShellRun): Promise<ShellOutcome> {
    if (!isFolder(run.cwd)) throw new Error(`The command was not run: its folder ${run.cwd} is not there.`);
    const { env = process.env, sandbox } = this.options;
    const given = commandEnvironment(env, this.options, run.sandbox.kind !== "none");
    const trusted = trustedEnvironment(run, given, this.options.roots?.() ?? []);
    const seen = run.disarmsGit ? { ...trusted, ...(await disarmed(run, trusted)) } : trusted;
    this.inherited ??= inheritedDescriptors();
    const options = {
      killAfterMs: this.options.killAfterMs ?? 1000,
      graceMs: this.options.graceMs ?? 250,
      outputMs: this.options.outputMs ?? 100,
      clock: this.options.clock ?? nodeClock,
      live: this.live,
      supply: this.supply,
      inherited: this.inherited,
    };
    if (run.sandbox.kind === "none") return runJob(run, this.launch(run), { ...options, env: seen });
    if (!sandbox) throw new Error("The command was not run: there is no sandbox here.");
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.runConfined(run, run.sandbox, sandbox, { ...options, env: seen });
      } catch (error) {
        // A file or a socket that was to be hidden went away at this moment: what there is is looked at anew.
        if (!(error instanceof SandboxError) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async runConfined(
    run: ShellRun,
    policy: Extract<SandboxPolicy, { kind: "sandbox" }>,
    sandbox: NodeSandbox,
    options: JobOptions,
  ): Promise<ShellOutcome> {
    const place = { cwd: run.cwd, env: options.env, long: run.timeoutMs === undefined };
    const confined = await sandbox.confine(policy, this.launch(run), place);
    const { env, confinement } = confined;
    const job = { ...options, env, confinement };
    const outcome = await runJob({ ...run, cwd: confined.cwd }, confined.launch, job);
    const refusedHosts = sandbox.refusedHosts();
    return { ...outcome, ...(refusedHosts.length > 0 && { refusedHosts }) };
  }

  private launch({ command, input, sandbox }: ShellRun): Launch {
    return this.launcher.launch(command, input !== undefined && sandbox.kind === "none");
  }

  /** Ends every command that runs, hard and before this returns: for a process that is about to end itself. */
  killAll(): void {
    this.live.kill();
  }
}

/** In the sandbox what a repository's own drivers do comes to nothing: there Git need not be asked for them. */
async function disarmed(run: ShellRun, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const program = findProgram(process.platform === "win32" ? "git.exe" : "git", env, []);
  if (run.sandbox.kind !== "none" || program === undefined) return gitWithoutPrograms(env);
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(GIT_MS)]);
  const found = [run.cwd, ...(run.disarmsGit ?? [])].map(folder =>
    // Git refuses one that it cannot be asked about here.
    repositoryAround(folder, { program, env, signal }).catch(() => undefined),
  );
  return disarmedGit(
    env,
    (await Promise.all(found)).filter(one => one !== undefined),
  );
}

/** As the locale has it ("zh_CN.GBK"); undefined: UTF-8, unset, or a name that `TextDecoder` does not know. */
function localeEncoding({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): string | undefined {
  const [, charset = "utf-8"] = /\.([\w-]+)/.exec(LC_ALL || LC_CTYPE || LANG || "") ?? [];
  const name = charset.replace(/^(?:euc(?!-)|sjis)/i, SPELLED);
  const encoding = unlessFails(() => new TextDecoder(name).encoding, "utf-8");
  return encoding === "utf-8" ? undefined : encoding;
}

/** Names of the C library as the web spells them: "eucJP", "eucKR", "SJIS". */
const SPELLED = (name: string) => (name.toLowerCase() === "euc" ? "euc-" : "shift_jis");

function findPosixShell(env: NodeJS.ProcessEnv, roots: readonly string[]): ShellLauncher {
  const bash = ["/bin/bash", "/usr/bin/bash"].find(existsSync) ?? findProgram("bash", env, roots);
  return bash ? posixLauncher(bash, "bash") : posixLauncher("/bin/sh", "sh");
}

function findPowershell(env: NodeJS.ProcessEnv, roots: readonly string[]): ShellLauncher {
  const pwsh = findProgram("pwsh.exe", env, roots);
  const old = join(env.SystemRoot ?? "C:\\Windows", "System32", "WindowsPowerShell", "v1.0", "powershell.exe");
  return pwsh ? powershellLauncher(pwsh, "PowerShell 7") : powershellLauncher(old, "Windows PowerShell");
}

// The environment of commands: no terminal, no prompts, and none of the agent's own secrets.

/** Keys that Strata itself uses; a command has no need of them, and its output goes to a model. */
const OWN_SECRETS = /^OPENAI_API_KEY$|^OTEL_EXPORTER_OTLP_(?:TRACES_)?HEADERS$|^STRATA_.*(KEY|TOKEN|SECRET|PASSWORD)/i;

/**
 * What an editor's process sets for itself and what would make a program started from it misbehave: options of the shell that Strata was
 * started from, and folders that its `cd` looks in first.
 */
const NOT_FOR_COMMANDS =
  /^(ELECTRON_.*|VSCODE_.*|FORCE_COLOR|CLICOLOR_FORCE|OLDPWD|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|CDPATH|POSIXLY_CORRECT)$/;

const FIXED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  // asking for a password would wait for ever: fail instead
  GIT_TERMINAL_PROMPT: "0",
  // take the proposed message (merge, rebase --continue) instead of opening an editor
  GIT_EDITOR: "true",
};

/** Without them next to nothing runs. */
const ALWAYS =
  /^(PATH|Path|HOME|USER|LOGNAME|USERNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|SystemRoot|COMSPEC|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMFILES|ProgramFiles|WINDIR|windir)$/;

/** What of this process's environment a command gets (`strata.bash.env`): names with `*`; with `!` not these; later ones count. */
export function commandEnvironment(
  env: NodeJS.ProcessEnv,
  { isSecret = () => false, looksSecret = () => false, variables }: NodeShellOptions = {},
  isConfined = false,
): NodeJS.ProcessEnv {
  const rules = (variables?.() ?? ["*"]).flatMap(text =>
    isConfined && text === "*"
      ? SANDBOX_VARIABLES.map(name => variableRule(name))
      : variableRule(text, !text.includes("*")),
  );
  const isGiven = (name: string, value: string) => {
    if (ALWAYS.test(name)) return true;
    const rule = rules.findLast(({ pattern }) => pattern.test(name));
    return rule?.given === true && (!isConfined || rule.isNamed || !looksSecret({ name, value }));
  };
  const kept = Object.entries(env).filter(
    ([name, value = ""]) =>
      !OWN_SECRETS.test(name) && !NOT_FOR_COMMANDS.test(name) && !isSecret(name) && isGiven(name, value),
  );
  return { ...Object.fromEntries(kept), ...FIXED };
}

/** @param isNamed a person named this one variable, so its value is not judged */
function variableRule(text: string, isNamed = false): { given: boolean; isNamed: boolean; pattern: RegExp } {
  const given = !text.startsWith("!");
  const names = (given ? text : text.slice(1)).split("*").map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return { given, isNamed, pattern: new RegExp(`^${names.join(".*")}$`, process.platform === "win32" ? "i" : "") };
}

/** What makes a shell do something before a command, or makes words of a command mean something else. */
const CHANGES_WORDS =
  /^(?:BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|IFS|POSIXLY_CORRECT|GREP_OPTIONS|RIPGREP_CONFIG_PATH|LESSOPEN|LESSCLOSE|TAR_OPTIONS|NODE_OPTIONS|MANOPT|MANROFFOPT|PERL5OPT|PERL5LIB|JQ_.*)$/;

/**
 * Without a sandbox nothing else is given: a variable may make any program load a library (`NODE_OPTIONS`, `PERLLIB`), write a file
 * (`GIT_TRACE`, `NODE_V8_COVERAGE`) or read another repository (`GIT_DIR`), and each release of one may know a further one.
 */
const HARMLESS =
  /^(?:PATH|HOME|USER|LOGNAME|USERNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|TERM|NO_COLOR|COLUMNS|LINES|LS_COLORS|XDG_\w+|PAGER|GIT_PAGER|MANPAGER|GIT_EDITOR|GIT_TERMINAL_PROMPT|GIT_CONFIG_(?:COUNT|(?:KEY|VALUE)_\d+|GLOBAL|SYSTEM|NOSYSTEM)|GIT_(?:AUTHOR|COMMITTER)_\w+|GIT_CEILING_DIRECTORIES|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY|API_VERSION)|SYSTEMROOT|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMFILES|WINDIR)$/i;
/** Folders from which code is loaded: an empty one is the folder that a command runs in, as `$X:/lib` makes it where X is not set. */
const LIBRARIES = /^(?:LD_LIBRARY_PATH|DYLD_(?:FALLBACK_)?(?:LIBRARY|FRAMEWORK)_PATH)$/;

/**
 * A command that was judged by its words gets no variable that changes their meaning, and no library of the workspace; it, and one whose
 * approval did not cover the folders in PATH, starts no program of the workspace by name.
 * @param roots folders of the workspace
 */
function trustedEnvironment(
  { onlyReads, distrustsPath, sandbox }: ShellRun,
  env: NodeJS.ProcessEnv,
  roots: readonly string[],
): NodeJS.ProcessEnv {
  if (!onlyReads && !distrustsPath) return env;
  const isGiven = (name: string) =>
    sandbox.kind === "none" ? HARMLESS.test(name) || LIBRARIES.test(name) : !CHANGES_WORDS.test(name);
  const given = Object.entries(env).flatMap(([name, value = ""]): [string, string][] => {
    if (name.toUpperCase() === "PATH") return [[name, trustedPath(value, roots) || SYSTEM_PATH]];
    if (!onlyReads) return [[name, value]];
    if (!isGiven(name)) return [];
    const trusted = LIBRARIES.test(name) ? trustedPath(value, roots) : value;
    return LIBRARIES.test(name) && trusted === "" ? [] : [[name, trusted]];
  });
  return Object.fromEntries(given);
}

/** Of `/proc/self/stat`, counted behind the name: where in memory the environment begins. */
const ENV_START = 47;

/**
 * What this process was started with stays readable for every command of the same user (`/proc/$PPID/environ`), also once
 * `process.env` has it no more.
 *
 * Linux: the values of these variables go from the block that other processes can read; `process.env` keeps them. Elsewhere
 * nothing is done: macOS and Windows let no program write there without native code.
 */
function concealVariables(isSecret: (name: string) => boolean): void {
  const secret = Object.keys(process.env).filter(name => isSecret(name) && process.env[name]);
  if (secret.length === 0 || process.platform !== "linux") return;
  try {
    // Set anew, it has a place of its own; the one it came in is not needed any more.
    for (const name of secret) process.env[name] = String(process.env[name]);
    blank(isSecret);
  } catch {
    // no /proc, or one that is not to be written: a container that forbids it
  }
}

function blank(isSecret: (name: string) => boolean): void {
  const block = readFileSync("/proc/self/environ");
  const stat = readFileSync("/proc/self/stat", "latin1");
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENV_START]);
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const found = Buffer.alloc(block.length);
    readSync(memory, found, 0, found.length, start);
    // Anything but the same bytes there: it is not what it was taken for.
    if (!found.equals(block)) return;
    for (let at = 0; at < block.length; ) {
      const end = block.indexOf(0, at);
      const sign = block.indexOf("=", at);
      if (end < 0) return;
      if (sign > at && sign < end && isSecret(block.toString("utf8", at, sign)))
        writeSync(memory, Buffer.alloc(end - sign - 1), 0, end - sign - 1, start + sign + 1);
      at = end + 1;
    }
  } finally {
    closeSync(memory);
  }
}
