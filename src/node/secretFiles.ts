/** What placeholders for secrets stand for, in a file that only the user can read (docs/context.md). */
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, SecretVault } from "../core/ground/ports";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { makeFolder, readOr, removeFile, replaceFile, takeGuard } from "./disk";
import { errno, ifThere } from "./errno";
import { FILE_MODE, nodeFileSystem } from "./fileSystem";
import { nodeClock } from "./system";

/** A guard this old (ms) was left behind: writing takes some milliseconds. */
const STALE = 5_000;
const WAIT = 20;
const MAX_TRIES = 500;

export class SecretFile implements SecretVault {
  private readonly path: string;

  constructor(
    private readonly folder: string,
    private readonly clock: Clock = nodeClock,
  ) {
    this.path = join(folder, "redaction.secrets.json");
  }

  async read(): Promise<string | undefined> {
    const bytes = await readOr(nodeFileSystem, this.path);
    if (bytes && process.platform !== "win32" && ((await stat(this.path)).mode & 0o077) !== 0) {
      await chmod(this.path, FILE_MODE);
    }
    return bytes?.toString("utf8");
  }

  update(change: (kept: string | undefined) => string): Promise<void> {
    return this.alone(async () => replaceFile(nodeFileSystem, this.path, change(await this.read())));
  }

  setAside(text: string): Promise<string> {
    return this.alone(async () => {
      const aside = join(this.folder, "redaction.secrets.broken.json");
      if ((await this.read()) === text) await rename(this.path, aside);
      return aside;
    });
  }

  /** One process at a time. */
  private async alone<T>(work: () => Promise<T>): Promise<T> {
    await makeFolder(nodeFileSystem, this.folder);
    const guard = `${this.path}.lock`;
    await waitForGuard(guard, this.clock);
    try {
      return await work();
    } finally {
      await removeFile(nodeFileSystem, guard);
    }
  }
}

async function waitForGuard(guard: string, clock: Clock): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (await takeGuard(nodeFileSystem, guard, STALE, clock)) return;
    await clock.sleep(WAIT);
  }
  throw new Error(`${guard} is held by another process`);
}

// The key of placeholders for secrets (docs/context.md): a file that only the user can read.

const BYTES = 32;

/** Hashes under a key: the same text reads the same, and without the key says nothing of itself. */
export const keyedHash =
  (key: Uint8Array): ((text: string) => string) =>
  text =>
    createHmac("sha256", key).update(text).digest("hex");

/**
 * Reads the key of this user, or makes one. Where it can be neither read nor written (a home folder that is read-only), a
 * key for this process alone: the same secret then has another placeholder in the next run, and `warn` says so.
 */
export function userKey(configDir: string, warn: (text: string) => void): Uint8Array {
  try {
    return keptKey(configDir);
  } catch (error) {
    warn(
      t(
        "{0} cannot be used ({1}): placeholders for secrets will differ from run to run.",
        configDir,
        errorMessage(error),
      ),
    );
    return randomBytes(BYTES);
  }
}

function keptKey(configDir: string): Uint8Array {
  const path = join(configDir, "redaction.key");
  const kept = ifThere(() => readKey(path));
  if (kept) return kept;
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomBytes(BYTES).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another process made it meanwhile: its key counts.
    if (errno(error) !== "EEXIST") throw error;
  }
  return readKey(path);
}

const readKey = (path: string): Uint8Array => Buffer.from(readFileSync(path, "utf8").trim(), "hex");
