/** Folders that commands in the sandbox have for themselves: for temporary files while this process lives, for caches longer. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessFails } from "../errno";
import { FOLDER_MODE } from "../fileSystem";
import { isProcessAlive } from "../processes";
import { bytesOf, namesIn } from "./quietRead";
import { systemCallFilter } from "./syscalls";

const PREFIX = "strata-sandbox-";

/** Of settings without lines that may hold a token. Rather a line too few than one too many: no list of tokens' shapes. */
const MAX_BYTES = 256 * 1024;
const SECRET_WORD = /auth|token|pass|pwd|secret|credential|key|cookie|session|otp\b|\bpat\b|bearer|private|cert|-----/i;
/** who logs in, in front of a host */
const LOGIN = /:\/\/[^/\s"']*@/;
/** letters and digits mixed, as no word is */
const RANDOM = /(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{16,}/i;
const HEADER = /^\s*\[.*\]\s*$/;

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
    return dirname(this.of("tmp"));
  }

  /**
   * `tmp`: for `/tmp`, the same for all commands of this process. `taken`: where what they made that they must not is put. @throws where
   * neither place takes files
   */
  of(name: "tmp" | "taken" | "settings" | "gate" | "filter"): string {
    this.made ??= this.make();
    const path = join(this.made, name);
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
    return path;
  }

  /** ms: this moment as the file system has it, to be held against what was changed since */
  get moment(): number {
    const path = this.of("taken");
    chmodSync(path, FOLDER_MODE);
    return lstatSync(path).ctimeMs;
  }

  /** a file with the filter of system calls */
  get filter(): string {
    const path = join(this.of("filter"), "calls");
    if (!existsSync(path)) writeFileSync(path, systemCallFilter() ?? "", { mode: 0o400 });
    return path;
  }

  /** Settings of a tool as a copy without tokens; undefined: there is nothing to copy. */
  settingsCopy(path: string): string | undefined {
    // A link in its place may lead to a hidden file.
    const bytes = bytesOf(path, MAX_BYTES, constants.O_NOFOLLOW);
    if (!bytes) return undefined;
    const text = withoutTokens(bytes.toString("utf8"));
    const copy = join(this.of("settings"), createHash("sha256").update(`${path}\0${text}`).digest("hex"));
    if (existsSync(copy)) return copy;
    // A full disk leaves half of it: that is none.
    const isMade = unlessFails(() => {
      writeFileSync(`${copy}.new`, text, { mode: 0o600 });
      renameSync(`${copy}.new`, copy);
      return true;
    }, false);
    return isMade ? copy : undefined;
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

/** A section whose name is left out goes as a whole, and so do the lines that go on behind one. */
export function withoutTokens(text: string): string {
  let isDropped = false;
  let isSection = false;
  const kept = text.split(/\r?\n/).filter(line => {
    const isHeader = HEADER.test(line);
    const goesOn = !isHeader && isDropped && (isSection || (/^\s+\S/.test(line) && !/[=:]/.test(line)));
    if (goesOn) return false;
    isDropped = SECRET_WORD.test(line) || LOGIN.test(line) || RANDOM.test(line);
    isSection = isDropped && isHeader;
    return !isDropped;
  });
  return kept.join("\n");
}
