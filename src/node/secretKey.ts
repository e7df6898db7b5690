/** The key of placeholders for secrets (CONTEXT.md, section 11): a file that only the user can read. */
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, isMissing } from "./errno";

const BYTES = 32;

/** Hashes under a key: the same text reads the same, and without the key says nothing of itself. */
export function keyedHash(key: Uint8Array): (text: string) => string {
  return text => createHmac("sha256", key).update(text).digest("hex");
}

/**
 * Reads the key of this user, or makes one. Where it can be neither read nor written (a home folder that is read-only), a
 * key for this process alone: the same secret then has another placeholder in the next run, and `warn` says so.
 */
export function userKey(configDir: string, warn: (text: string) => void): Uint8Array {
  try {
    return keptKey(configDir);
  } catch (error) {
    warn(`${configDir} cannot be used (${errorMessage(error)}): placeholders for secrets will differ from run to run.`);
    return randomBytes(BYTES);
  }
}

function keptKey(configDir: string): Uint8Array {
  const path = join(configDir, "redaction.key");
  try {
    return readKey(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomBytes(BYTES).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another process made it meanwhile: its key counts.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readKey(path);
}

function readKey(path: string): Uint8Array {
  return Buffer.from(readFileSync(path, "utf8").trim(), "hex");
}
