/** Settings of tools for the sandbox: copies without lines that may hold a token. Rather a line too few than one too many: no list of tokens' shapes. */
import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 256 * 1024;
const SECRET_WORD = /auth|token|pass|pwd|secret|credential|key|cookie|session|otp\b|\bpat\b|bearer|private|cert|-----/i;
/** who logs in, in front of a host */
const LOGIN = /:\/\/[^/\s"']*@/;
/** letters and digits mixed, as no word is */
const RANDOM = /(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{16,}/i;
const HEADER = /^\s*\[.*\]\s*$/;

export class SettingsCopies {
  private readonly known = new Map<string, { stamp: string; copy: string }>();

  /** @param folder where the copies are, private */
  constructor(private readonly folder: () => string) {}

  /** @returns the copy; undefined: there is nothing to copy */
  of(path: string): string | undefined {
    let opened: number | undefined;
    try {
      // A pipe in its place would never end.
      opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const stats = fstatSync(opened, { bigint: true });
      if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
      const copy = join(this.folder(), createHash("sha256").update(path).digest("hex"));
      const stamp = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
      const known = this.known.get(path);
      if (known?.stamp !== stamp || known.copy !== copy || !existsSync(copy))
        writeFileSync(copy, withoutTokens(readFileSync(opened, "utf8")), { mode: 0o600 });
      this.known.set(path, { stamp, copy });
      return copy;
    } catch {
      // Gone or unreadable.
      return undefined;
    } finally {
      if (opened !== undefined) closeSync(opened);
    }
  }
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
