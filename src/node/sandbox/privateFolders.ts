/** Folders that commands in the sandbox have for themselves: for temporary files while this process lives, for caches longer. */
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FOLDER_MODE } from "../fileSystem";
import { isProcessAlive } from "../processes";
import { namesIn } from "./quietRead";
import { systemCallFilter } from "./syscalls";

const PREFIX = "strata-sandbox-";

interface PrivateFoldersOptions {
  /** where temporary files go on this machine */
  tmp: string;
  /** where caches may stay; also for temporary files, where `tmp` takes none */
  keep: string;
}

export class PrivateFolders {
  private made: string | undefined;

  constructor(private readonly options: PrivateFoldersOptions) {}

  /** what all of them but the caches lie in */
  get all(): string {
    return dirname(this.temporary);
  }

  /** for `/tmp`; the same for all commands of this process. @throws where neither place takes files */
  get temporary(): string {
    return this.folder("tmp");
  }

  /** what commands made that they must not is put there */
  get taken(): string {
    return this.folder("taken");
  }

  get settings(): string {
    return this.folder("settings");
  }

  /** ms: this moment as the file system has it, to be held against what was changed since */
  get moment(): number {
    const path = this.taken;
    chmodSync(path, FOLDER_MODE);
    return lstatSync(path).ctimeMs;
  }

  get gate(): string {
    return this.folder("gate");
  }

  /** a file with the filter of system calls */
  get filter(): string {
    const path = join(this.folder("filter"), "calls");
    if (!existsSync(path)) writeFileSync(path, systemCallFilter() ?? "", { mode: 0o400 });
    return path;
  }

  cache(name: string): string {
    const path = join(this.options.keep, "caches", name);
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
    return path;
  }

  /** Removes the temporary ones; `taken` stays unless it is empty. */
  async close(): Promise<void> {
    const { made } = this;
    this.made = undefined;
    if (made) await removeMade(made);
  }

  /** Before this returns: for a process that is about to end itself. */
  closeNow(): void {
    const { made } = this;
    this.made = undefined;
    if (made && namesIn(join(made, "taken")).length === 0) rmSync(made, { recursive: true, force: true });
  }

  private folder(name: string): string {
    this.made ??= this.make();
    const path = join(this.made, name);
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
    return path;
  }

  private make(): string {
    const { tmp, keep } = this.options;
    try {
      return newFolder(tmp);
    } catch {
      mkdirSync(keep, { recursive: true, mode: FOLDER_MODE });
      return newFolder(keep);
    }
  }
}

function newFolder(base: string): string {
  removeLeft(base);
  return mkdtempSync(join(base, `${PREFIX}${process.pid}-`));
}

/** What a process left behind that was killed. */
function removeLeft(base: string): void {
  for (const name of namesIn(base)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) void removeMade(join(base, name));
  }
}

/** Never rejects: it may be another user's. */
async function removeMade(path: string): Promise<void> {
  await rm(join(path, "tmp"), { recursive: true, force: true }).catch(() => undefined);
  if (namesIn(join(path, "taken")).length === 0)
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
