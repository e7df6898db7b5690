/** Settings of tools for the sandbox: copies without lines that may hold a token. Rather a line too few than one too many: no list of tokens' shapes. */
import { createHash } from "node:crypto";
import { constants, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf } from "./quietRead";

const MAX_BYTES = 256 * 1024;
const SECRET_WORD = /auth|token|pass|pwd|secret|credential|key|cookie|session|otp\b|\bpat\b|bearer|private|cert|-----/i;
/** who logs in, in front of a host */
const LOGIN = /:\/\/[^/\s"']*@/;
/** letters and digits mixed, as no word is */
const RANDOM = /(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{16,}/i;
const HEADER = /^\s*\[.*\]\s*$/;

/** @param folder private @returns the copy; undefined: there is nothing to copy */
export function settingsCopy(path: string, folder: string): string | undefined {
  // A link in its place may lead to what is hidden.
  const bytes = bytesOf(path, MAX_BYTES, constants.O_NOFOLLOW);
  if (!bytes) return undefined;
  const text = withoutTokens(bytes.toString("utf8"));
  const copy = join(folder, createHash("sha256").update(`${path}\0${text}`).digest("hex"));
  if (!existsSync(copy)) writeFileSync(copy, text, { mode: 0o600 });
  return copy;
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
