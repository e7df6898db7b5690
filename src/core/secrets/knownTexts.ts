/** The texts of files as the session read or left them, by hash: an edit that was meant for one can be merged. In memory only, bounded; secrets stand in them in clear. */
import type { ApplyEdits, FileRef, Files } from "../ground/ports";

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
export const rememberingFiles = (files: Files, known: KnownTexts): Files =>
  observedFiles(files, (_, text, sha256) => known.put(sha256, text));

/** Files as they are. @param seen is told each text that is read or written, with the hash of its stamp */
export const observedFiles = (files: Files, seen: (ref: FileRef, text: string, sha256: string) => void): Files => ({
  ...(files.applyTogether && {
    async applyTogether(changes: readonly ApplyEdits[]) {
      const outcome = (await files.applyTogether?.(changes)) ?? { kind: "stale" as const };
      if (outcome.kind === "stale") return outcome;
      for (const [index, file] of outcome.files.entries()) {
        const ref = changes[index]?.ref;
        if (ref && file.kind === "applied") seen(ref, file.text, file.stamp.sha256);
      }
      return outcome;
    },
  }),
  get roots() {
    return files.roots;
  },
  resolve: input => files.resolve(input),
  stat: ref => files.stat(ref),
  async read(ref, maxBytes) {
    const file = await files.read(ref, maxBytes);
    if (file.kind === "text") seen(ref, file.text, file.stamp.sha256);
    return file;
  },
  async apply(change) {
    const outcome = await files.apply(change);
    if (outcome.kind === "applied") seen(change.ref, outcome.text, outcome.stamp.sha256);
    return outcome;
  },
  removeFile: (ref, base) => files.removeFile(ref, base),
  list: ref => files.list(ref),
  renamedTo: async ref => files.renamedTo?.(ref),
});
