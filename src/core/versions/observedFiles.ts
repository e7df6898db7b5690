/** Files as they are, with somebody who looks on. */
import type { FileRef, Files } from "../ports";

/** @param seen is told each text that is read or written, with the hash of its stamp */
export function observedFiles(files: Files, seen: (ref: FileRef, text: string, sha256: string) => void): Files {
  return {
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
  };
}
