/** What runs on this machine, as far as it takes to tell whose it is. For Linux, and by `ps` for the other POSIX systems. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  pid: number;
  parent: number;
  group: number;
  /** 0: the system does not say */
  session: number;
  /** with the pid, names this process alone: pids are used again */
  started: string;
}

/** All that live; one that is dead and that nobody has reaped does not. Empty: the system does not say. */
export function listProcesses(): Process[] {
  const found = process.platform === "linux" ? fromProc() : [];
  return found.length > 0 || process.platform === "win32" ? found : fromPs();
}

/** Cheaper than a list. Where only a list could tell one that took over the pid, that one counts as the process. */
export function isAlive(asked: Process): boolean {
  if (process.platform === "linux") return readProc(asked.pid)?.started === asked.started;
  try {
    process.kill(asked.pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Linux alone; false also where it may not be read. What the process set for itself is not seen. */
export function startedWith(pid: number, variable: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${variable}\0`);
  } catch {
    return false;
  }
}

function fromProc(): Process[] {
  try {
    return readdirSync("/proc").flatMap(name => (/^\d+$/.test(name) && readProc(Number(name))) || []);
  } catch {
    return [];
  }
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
  const { stdout } = spawnSync("ps", PS, { encoding: "utf8", env: { PATH: process.env.PATH, LC_ALL: "C" } });
  return (stdout ?? "").split("\n").flatMap(line => {
    const [, pid, parent, group, state, started] = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.+?) *$/.exec(line) ?? [];
    if (started === undefined || state?.startsWith("Z")) return [];
    return { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, started };
  });
}
