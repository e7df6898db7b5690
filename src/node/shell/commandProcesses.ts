/**
 * A command's processes: are they still there, and their end.
 * Its process group is not enough: `timeout` makes one of its own. Orphans are found by STRATA_COMMAND_ID.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Clock } from "../../core/ground/ports";
import { errno, unlessFails } from "../errno";
import { isProcessAlive, withoutInherited } from "../processes";
import { SYSTEM_PATH } from "../programs";

const isWindows = process.platform === "win32";
const TASKKILL = join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");

/** What was forked before a signal came is found by the next look. Windows' one look takes the whole tree. */
const HARD_ROUNDS = isWindows ? 1 : 8;

/** How far the search for a command's processes goes. "detached": also those that took care to be on their own. */
type Reach = "session" | "detached";

/** If this process is killed outright, another one has to end its commands. */
const needsHeir = (isConfined: boolean) => !isWindows && !(isConfined && process.platform === "linux");

/**
 * The shell leads a group and a session. What it starts mostly stays in its group; `timeout` and `set -m` make groups of
 * their own within the session, `setsid` makes a session. Those are children of the command's processes, or were while
 * their parents lived, or (Linux) were started with the command's variable.
 */
export class CommandProcesses {
  /** seen to be the command's: once their parents have ended, nothing else may tell */
  private readonly known = new Set<string>();

  /**
   * @param shell pid of a process that was started detached
   * @param variable "NAME=value", of this command alone, in the shell's environment
   */
  constructor(
    readonly shell: number,
    readonly variable: string,
    private readonly clock: Clock,
    /** It is the sandbox's own: with it all in it end at once. */
    readonly isConfined = false,
  ) {}

  /** Also true for zombies, as in a container without an init. */
  groupExists(): boolean {
    return isProcessAlive(isWindows ? this.shell : -this.shell);
  }

  /** At once, before this returns: for a process that is about to end itself. */
  kill(): void {
    if (isWindows) {
      spawnSync(TASKKILL, this.tree, { stdio: "ignore", windowsHide: true });
      return;
    }
    this.signal("SIGKILL", "detached");
    // what they started between the look and the signal
    this.signal("SIGKILL", "detached");
  }

  /** Gently, then hard after `killAfterMs`. Resolves when all are gone; false: some would not end. */
  async end(killAfterMs: number, reach: Reach): Promise<boolean> {
    if (await this.gone(killAfterMs, reach, this.signal("SIGTERM", reach))) return true;
    for (let round = 0; round < HARD_ROUNDS; round++) {
      if (await this.gone(2000 / HARD_ROUNDS, reach, this.signal("SIGKILL", reach))) return true;
    }
    // The kernel may hold a process (a dead network disk): it is not waited for.
    return false;
  }

  /** Waits until all are gone, also those started meanwhile, at most `ms`; false: some are still there. */
  async gone(ms: number, reach: Reach, found = this.find(reach)): Promise<boolean> {
    const end = this.clock.steady() + ms;
    let watched = found;
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      watched = watched.filter(isAlive);
      // Only now for those that came meanwhile: a look at everything takes milliseconds.
      if (watched.length === 0) watched = this.find(reach);
      if (watched.length === 0) return true;
      const left = end - this.clock.steady();
      if (left <= 0) return false;
      await this.clock.sleep(Math.min(pause, left));
    }
  }

  /** Processes that still run, detached ones too, as far as the system tells. */
  running(): { pid: number; command: string }[] {
    return this.find("detached").map(({ pid }) => ({ pid, command: commandOf(pid) }));
  }

  private find(reach: Reach): Process[] {
    const all = listProcesses();
    const own = all.find(({ pid }) => pid === process.pid);
    // Nothing is told of processes: the shell counts for all of its group.
    const { shell } = this;
    const group = { pid: shell, parent: 0, group: shell, session: shell, started: "" };
    if (!own) return this.groupExists() ? [group] : [];
    // Never this process or its group.
    const others = all.filter(({ pid, group }) => pid > 1 && pid !== own.pid && group !== own.group);
    const children = Map.groupBy(others, ({ parent }) => parent);
    const ours = new Set(others.filter(one => this.isOurs(one, own, reach)));
    // The set grows while it is gone through: children of children are found too.
    for (const { pid } of ours) for (const child of children.get(pid) ?? []) ours.add(child);
    for (const one of ours) this.known.add(processKey(one));
    return [...ours];
  }

  private isOurs(one: Process, own: Process, reach: Reach): boolean {
    if (one.group === this.shell || one.session === this.shell || this.known.has(processKey(one))) return true;
    // Processes older than this one cannot be its commands.
    return reach === "detached" && Number(one.started) >= Number(own.started) && startedWith(one.pid, this.variable);
  }

  /** @returns what it was sent to */
  private signal(name: "SIGTERM" | "SIGKILL", reach: Reach): Process[] {
    const found = this.find(reach);
    if (isWindows) {
      // Windows knows no groups and no gentle end: the whole tree goes at once. A tree that is gone already is an error to ignore.
      execFile(TASKKILL, this.tree, () => undefined);
      return found;
    }
    // All of the session is the command's: its groups go whole, with what is forked this very moment. Others go one by one:
    // a daemon that was there before may have started one of them for the command.
    const isWhole = ({ group, session }: Process) => group === this.shell || session === this.shell;
    const asked = this.isConfined && name === "SIGTERM" ? found.filter(({ group }) => group !== this.shell) : found;
    const targets = asked.map(one => (isWhole(one) ? -one.group : one.pid));
    for (const target of new Set(targets)) {
      try {
        process.kill(target, name);
      } catch (error) {
        if (errno(error) !== "ESRCH" && errno(error) !== "EPERM") throw error;
      }
    }
    return found;
  }

  /** for taskkill */
  private get tree(): string[] {
    return ["/pid", String(this.shell), "/T", "/F"];
  }
}

const processKey = ({ pid, started }: Process): string => `${pid} ${started}`;

// What runs on this machine, as far as it takes to tell whose it is. For Linux, and by `ps` for the other POSIX
// systems.

interface Process {
  pid: number;
  parent: number;
  group: number;
  /** 0: the system does not say */
  session: number;
  /** with the pid, names this process alone: pids are used again */
  started: string;
}

/** All but zombies. Empty: the system does not say. */
export function listProcesses(): Process[] {
  const found = process.platform === "linux" ? fromProc() : [];
  return found.length > 0 || process.platform === "win32" ? found : fromPs();
}

/** Cheaper than a list. Where only a list could tell one that took over the pid, that one counts as the process. */
function isAlive(asked: Process): boolean {
  if (process.platform === "linux") return readProc(asked.pid)?.started === asked.started;
  try {
    process.kill(asked.pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Linux alone; false also where it may not be read. What the process set for itself is not seen. */
function startedWith(pid: number, variable: string): boolean {
  const environ = unlessFails(() => readFileSync(`/proc/${pid}/environ`, "latin1"), "");
  return `\0${environ}`.includes(`\0${variable}\0`);
}

/** "": unknown */
function commandOf(pid: number): string {
  if (process.platform === "win32") return "";
  const told = unlessFails(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim(), "");
  if (told !== "" || process.platform === "linux") return told;
  const options = { encoding: "utf8", env: { PATH: SYSTEM_PATH } } as const;
  return spawnSync("ps", ["-p", String(pid), "-o", "args="], options).stdout?.trim() ?? "";
}

function fromProc(): Process[] {
  const names = unlessFails(() => readdirSync("/proc"), []);
  return names.flatMap(name => (/^\d+$/.test(name) && readProc(Number(name))) || []);
}

function readProc(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // "pid (name) state parent group session …"; the name may hold blanks and parentheses. The 22nd is the time of start.
    const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    return {
      pid,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      started: rest[15] ?? "",
    };
  } catch {
    // no /proc, or ended since the list was made
    return undefined;
  }
}

/** Each field is asked for by itself: what follows a "=" is a heading. Its sessions are addresses, or nothing. */
const PS = ["-A", "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart="];

/** Exported for its test: Linux has a `ps` too. */
export function fromPs(): Process[] {
  const { stdout } = spawnSync("ps", PS, { encoding: "utf8", env: { PATH: SYSTEM_PATH, LC_ALL: "C" } });
  return (stdout ?? "").split("\n").flatMap(line => {
    const [, pid, parent, group, state, started] = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.+?) *$/.exec(line) ?? [];
    if (started === undefined || state?.startsWith("Z")) return [];
    return { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, started };
  });
}

/**
 * A line is the commands that live, each as "shell:variable". Where the pipe closes it ends those of the last line, by group
 * and by variable, again after a moment: a process in the middle of its `exec` shows no variables.
 */
const HEIR = `
trap '' HUP INT QUIT TERM
while read -r line; do live=$line; done
for round in 1 2 3 4; do
  for one in $live; do
    case $one in :*) ;; *) kill -9 -"\${one%%:*}" ;; esac
    for found in $(cd /proc && grep -lsF "\${one#*:}" [0-9]*/environ); do
      kill -9 "\${found%/environ}"
    done
  done; sleep 0.1
done 2>/dev/null
`;

export class LiveCommands {
  private readonly running = new Set<CommandProcesses>();
  private heir: ChildProcess | undefined;

  /** Before a command starts, so that it is known where this process is killed before it hears of its shell. */
  expect(variable: string, isConfined: boolean): void {
    if (needsHeir(isConfined)) this.tellHeir(`:${variable}`);
  }

  add(processes: CommandProcesses): void {
    this.running.add(processes);
    this.tellHeir();
  }

  delete(processes: CommandProcesses): void {
    this.running.delete(processes);
    this.tellHeir();
  }

  /** Hard and before this returns. */
  kill(): void {
    for (const processes of this.running) processes.kill();
  }

  private tellHeir(...expected: string[]): void {
    const left = [...this.running].filter(({ isConfined }) => needsHeir(isConfined));
    const names = left.map(({ shell, variable }) => `${shell}:${variable}`);
    if (expected.length > 0)
      this.heir ??= startHeir(heir => {
        if (this.heir === heir) this.heir = undefined;
      });
    this.heir?.stdin?.write(`${[...names, ...expected].join(" ")}\n`);
  }
}

/** In a session of its own: a signal to this process's group does not end it. */
function startHeir(ended: (heir: ChildProcess) => void): ChildProcess {
  const options = { cwd: "/", env: { PATH: SYSTEM_PATH }, detached: true };
  const heir = withoutInherited(["pipe", "ignore", "ignore"], stdio =>
    spawn("/bin/sh", ["-c", HEIR, "strata"], { ...options, stdio }),
  );
  const onEnd = () => ended(heir);
  heir.once("error", onEnd).once("exit", onEnd).unref();
  heir.stdin?.on("error", onEnd);
  (heir.stdin as Socket | null)?.unref();
  return heir;
}
