/**
 * Empty folders in the place of what a task in the background must not make: for hours nobody can tell whether a name that
 * comes into being is the task's doing or a person's. Over a folder something can be mounted, and the person may fill it.
 */
import { mkdirSync, rmdirSync } from "node:fs";

export class Placeholders {
  private readonly made = new Set<string>();
  private commands = 0;

  /** A command begins. While one is there they stay: what is mounted over a folder goes with it. */
  enter(): void {
    this.commands += 1;
  }

  leave(): void {
    this.commands -= 1;
    if (this.commands === 0) this.remove();
  }

  /** @returns whether it is there now */
  make(path: string): boolean {
    try {
      mkdirSync(path);
      this.made.add(path);
      return true;
    } catch {
      // it has just been made, or nobody may make it
      return false;
    }
  }

  has(path: string): boolean {
    return this.made.has(path);
  }

  remove(): void {
    for (const path of this.made) {
      try {
        rmdirSync(path);
      } catch {
        // somebody has put something into it, or removed it
      }
    }
    this.made.clear();
  }
}
