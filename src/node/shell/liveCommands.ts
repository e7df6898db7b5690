/**
 * The commands that run. They end with this process, however that ends: where it is killed outright, a small shell that it started
 * sees the pipe from it close. (Processes in bubblewrap end by themselves.)
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { withoutInherited } from "../processes";
import { SYSTEM_PATH } from "../programs";
import type { CommandProcesses } from "./commandProcesses";

/** It is told of each command that begins and ends. Where the pipe closes it ends those that are left, by group and by variable. */
const HEIR = `
trap '' HUP INT QUIT TERM
live=' '
while read -r sign shell variable; do
  case $sign in
    begun) live="$live$shell:$variable " ;;
    ended) live="\${live%% $shell:$variable *} \${live#* $shell:$variable }" ;;
  esac
done
for round in 1 2; do
  for one in $live; do
    kill -9 -"\${one%%:*}"
    for found in $(grep -lsF "\${one#*:}" /proc/[0-9]*/environ); do
      found=\${found%/environ}
      kill -9 "\${found#/proc/}"
    done
  done
done 2>/dev/null
`;

export class LiveCommands {
  private readonly running = new Set<CommandProcesses>();
  private heir: ChildProcess | undefined;

  add(processes: CommandProcesses): void {
    this.running.add(processes);
    if (!processes.needsHeir) return;
    // A new one hears of all.
    const untold = this.heir ? [processes] : [...this.running].filter(each => each.needsHeir);
    this.heir ??= startHeir(heir => {
      if (this.heir === heir) this.heir = undefined;
    });
    for (const each of untold) this.tell("begun", each);
  }

  delete(processes: CommandProcesses): void {
    this.running.delete(processes);
    if (processes.needsHeir) this.tell("ended", processes);
  }

  /** Hard and before this returns. */
  kill(): void {
    for (const processes of this.running) processes.kill();
  }

  private tell(sign: "begun" | "ended", { shell, variable }: CommandProcesses): void {
    this.heir?.stdin?.write(`${sign} ${shell} ${variable}\n`);
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
