/** A command's process group: is it still there, and its end. */
import { execFile, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { errno } from "../errno";

const isWindows = process.platform === "win32";

/** @param pid of the group's leader: a process that was started detached */
export class ProcessGroup {
  constructor(private readonly pid: number) {}

  isAlive(): boolean {
    try {
      process.kill(isWindows ? this.pid : -this.pid, 0);
      return process.platform !== "linux" || hasLiving(this.pid);
    } catch (error) {
      // EPERM: someone is there who is not ours (setuid)
      return errno(error) === "EPERM";
    }
  }

  signal(name: "SIGTERM" | "SIGKILL"): void {
    if (isWindows) {
      // Windows knows no groups and no gentle end: the whole tree goes at once. A tree that is gone already is an error to ignore.
      execFile("taskkill", ["/pid", String(this.pid), "/T", "/F"], () => undefined);
      return;
    }
    try {
      process.kill(-this.pid, name);
    } catch (error) {
      if (errno(error) !== "ESRCH" && errno(error) !== "EPERM") throw error;
    }
  }

  /** At once, before this returns: for a process that is about to end itself. */
  kill(): void {
    if (isWindows)
      spawnSync("taskkill", ["/pid", String(this.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    else this.signal("SIGKILL");
  }

  /** Gently, then hard after `killAfterMs`. Resolves when the group is gone. */
  async end(killAfterMs: number): Promise<void> {
    this.signal("SIGTERM");
    if (await this.gone(killAfterMs)) return;
    this.signal("SIGKILL");
    // A process that the system itself holds (a dead network disk) ends when that lets go of it: not waited for.
    await this.gone(2000);
  }

  /** Waits until the group is gone, at most `ms`; false: it is still there. */
  async gone(ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    for (let pause = 1; this.isAlive(); pause = Math.min(pause * 2, 50)) {
      const left = end - performance.now();
      if (left <= 0) return false;
      await delay(Math.min(pause, left));
    }
    return true;
  }
}

/**
 * A group can hold nothing but dead processes that nobody reaps, as in a container without an init: they are gone for all
 * that matters. Only looked at while something is there.
 */
function hasLiving(group: number): boolean {
  try {
    return readdirSync("/proc").some(name => /^\d+$/.test(name) && isLivingMember(name, group));
  } catch {
    // no /proc: what kill() said stands
    return true;
  }
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // "pid (name) state parent group …"; the name may hold blanks and parentheses
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(pgrp) === group && state !== "Z" && state !== "X";
  } catch {
    // ended since the list was made
    return false;
  }
}
