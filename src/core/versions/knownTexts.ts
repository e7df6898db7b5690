/**
 * The texts of files as the session read or left them, by the hash of their stamp: what an edit was meant for, so that it
 * can be merged with what changed since. In memory only, and bounded; secrets stand in them in clear.
 */

import type { Files } from "../ports";
import { observedFiles } from "./observedFiles";

/** UTF-16 units: 48 MB in memory at most */
const MAX_UNITS = 24 * 1024 * 1024;

export class KnownTexts {
  /** those used last stand last */
  private readonly texts = new Map<string, string>();
  private units = 0;

  constructor(private readonly most = MAX_UNITS) {}

  /** undefined: never seen, or seen too long ago */
  get(sha256: string): string | undefined {
    const text = this.texts.get(sha256);
    if (text === undefined) return undefined;
    this.texts.delete(sha256);
    this.texts.set(sha256, text);
    return text;
  }

  put(sha256: string, text: string): void {
    if (text.length > this.most / 2) return;
    if (this.get(sha256) !== undefined) return;
    this.texts.set(sha256, text);
    this.units += text.length;
    for (const [oldest, { length }] of this.texts) {
      if (this.units <= this.most) break;
      this.texts.delete(oldest);
      this.units -= length;
    }
  }
}

/** The same files; the text of each that is read or written is known from then on. */
export function rememberingFiles(files: Files, known: KnownTexts): Files {
  return observedFiles(files, (_, text, sha256) => known.put(sha256, text));
}
