/** bubblewrap's command line. */
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isWithin } from "../paths";
import { mountArguments } from "./mounts";
import type { View } from "./view";

/**
 * The one of the system first: where a profile of AppArmor lets bubblewrap make namespaces, it names that.
 * @param roots nothing is taken from the workspace
 */
export function findBubblewrap(path: string, roots: readonly string[]): string | undefined {
  const folders = path
    .split(delimiter)
    .filter(folder => isAbsolute(folder) && !roots.some(root => isWithin(root, folder)));
  return ["/usr/bin", "/usr/local/bin", ...folders].map(folder => join(folder, "bwrap")).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The kernel asks of these whether root writes, not with which privileges: the name of a program that it starts stands there. */
const KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr"].map(name => `/proc/${name}`);

const NAMESPACES = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc"];

/**
 * @param nested false: bubblewrap can keep what runs in it from making namespaces of its own
 * @param cwd absolute, links followed
 * @param filtered descriptor 4 is a filter of system calls
 */
export function bubblewrapArguments(
  { mounts }: Pick<View, "mounts">,
  cwd: string,
  { nested, filtered }: { nested: boolean; filtered: boolean },
): string[] {
  return [
    ...NAMESPACES,
    ...(nested ? [] : ["--disable-userns"]),
    ...(filtered ? ["--seccomp", "4"] : []),
    // root would keep them all, and could undo what is mounted here
    ...["--cap-drop", "ALL"],
    ...["--die-with-parent", "--new-session"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...(process.getuid?.() === 0 ? KERNEL.flatMap(path => ["--ro-bind-try", path, path]) : []),
    ...mountArguments(mounts),
    ...["--chdir", cwd, "--"],
  ];
}

/**
 * Runs the command's shell. With the last of the sandbox's processes but this one everything in it ends, so what the command
 * left behind gets its moment here, as it does outside. It says on descriptor 3 that the sandbox stands, and whether
 * processes were left.
 */
const WATCHER = `
echo started >&3
trap : TERM
"$@"
code=$?
others() { set -- /proc/[0-9]*; [ $# -gt 2 ]; }
tries=0
while others && [ $tries -lt 12 ]; do sleep 0.02; tries=$((tries + 1)); done
if others; then echo left >&3; fi
exit $code
`;

/** @param alone false: other processes are in sight, as on a Mac, and cannot be told from the command's */
export const watched = (command: readonly string[], alone = true): string[] =>
  alone
    ? ["/bin/sh", "-c", WATCHER, "sh", ...command]
    : ["/bin/sh", "-c", 'echo started >&3; exec "$@"', "sh", ...command];
export const hasStarted = (report: string): boolean => /^started$/m.test(report);
export const hasLeftSome = (report: string): boolean => /^left$/m.test(report);
