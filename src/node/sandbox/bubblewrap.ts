/** bubblewrap's command line. Why: C-65. */
import { existsSync } from "node:fs";
import { findProgram } from "../programs";
import { mountArguments } from "./mounts";
import type { View } from "./view";

/** The one of the system first: where a profile of AppArmor lets bubblewrap make namespaces, it names that. */
export const findBubblewrap = (env: NodeJS.ProcessEnv, roots: readonly string[]): string | undefined =>
  ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].find(existsSync) ?? findProgram("bwrap", env, roots);

const NAMESPACES = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc"];

/** @param nested false: bubblewrap can forbid namespaces in it @param cwd absolute, links followed @param filtered descriptor 4 is a filter of system calls */
export const bubblewrapArguments = (
  { mounts }: View,
  cwd: string,
  { nested, filtered }: { nested: boolean; filtered: boolean },
): string[] => [
  ...NAMESPACES,
  ...(nested ? [] : ["--disable-userns"]),
  ...(filtered ? ["--seccomp", "4"] : []),
  // root would keep them all, and could undo these mounts
  ...["--cap-drop", "ALL"],
  ...["--die-with-parent", "--new-session"],
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  // Of the kernel's settings it is asked who writes, not with which privileges.
  ...(process.getuid?.() === 0 ? ["--remount-ro", "/proc"] : []),
  ...mountArguments(mounts),
  ...["--chdir", cwd, "--"],
];

/** Runs the command's shell. With its end all ends, so what the command left behind gets its moment here, as outside. Says on descriptor 3 whether processes were left. */
const WATCHER = `
trap : TERM
"$@"
code=$?
others() { set -- /proc/[0-9]*; [ $# -gt 2 ]; }
tries=0
while others && [ $tries -lt 12 ]; do sleep 0.02; tries=$((tries + 1)); done
if others; then echo left >&3; fi
exit $code
`;

export const watched = (command: readonly string[]): string[] => ["/bin/sh", "-c", WATCHER, "sh", ...command];
/** The shell itself says it, as the first thing that it does (shell/launcher.ts). */
export const hasStarted = (report: string): boolean => /^started$/m.test(report);
export const hasLeftSome = (report: string): boolean => /^left$/m.test(report);
