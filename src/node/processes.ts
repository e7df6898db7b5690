import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { errno, unlessFails } from "./errno";

/** Also one of another user, to whom no signal may be sent. A pid may have been given to another process since. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) !== "ESRCH";
  }
}

/** Of `/proc/self/fdinfo`: it is closed where another program starts. */
const CLOSES = 0o2_000_000;

/**
 * The descriptors that this process was started with, beside its streams, and that its children would inherit: Node closes
 * its own, and the first 16 of those. Linux: elsewhere the system closes all.
 */
export function inheritedDescriptors(): number[] {
  if (process.platform !== "linux") return [];
  // There may be no /proc.
  return unlessFails(() => readdirSync("/proc/self/fd").map(Number).filter(isHandedOn), []);
}

function isHandedOn(fd: number): boolean {
  if (fd <= 2) return false;
  // "": the one by which the folder was listed.
  const about = unlessFails(() => readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"), "");
  const [, flags = "0"] = /^flags:\s*(\d+)/m.exec(about) ?? [];
  return about !== "" && (Number.parseInt(flags, 8) & CLOSES) === 0;
}

type ChildStream = "pipe" | "ignore" | number;

/** Starts a program that gets these streams and nothing else: what it would inherit leads nowhere there. */
export function withoutInherited<C>(
  stdio: readonly ChildStream[],
  start: (stdio: ChildStream[]) => C,
  inherited: readonly number[] = inheritedDescriptors(),
): C {
  const all = [...stdio];
  const others = inherited.filter(fd => fd >= stdio.length);
  if (others.length === 0) return start(all);
  const nowhere = openSync("/dev/null", "r");
  try {
    while (all.length <= Math.max(...others)) all.push("ignore");
    for (const fd of others) all[fd] = nowhere;
    return start(all);
  } finally {
    closeSync(nowhere);
  }
}
