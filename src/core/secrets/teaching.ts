/** Files and search that teach the redactor: an `.env` file that lies where nobody looks for one is known once it is touched. */

import { isEnvFile } from "../../shared/envFile";
import type { FileRef, Files, Redactor, Search } from "../ports";

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const holdsVariables = (ref: FileRef) => isEnvFile(nameOf(ref.absolute));

/** Reading and writing as before; also the editor's text with unsaved changes is learned from. */
export function teachingFiles(files: Files, { learn }: Pick<Redactor, "learn">): Files {
  return {
    get roots() {
      return files.roots;
    },
    resolve: input => files.resolve(input),
    stat: ref => files.stat(ref),
    async read(ref, maxBytes) {
      const file = await files.read(ref, maxBytes);
      if (file.kind === "text" && holdsVariables(ref)) learn(file.text);
      return file;
    },
    async apply(change) {
      const outcome = await files.apply(change);
      if (outcome.kind === "applied" && holdsVariables(change.ref)) learn(outcome.text);
      return outcome;
    },
    list: ref => files.list(ref),
  };
}

export function teachingSearch(search: Search, { learn }: Pick<Redactor, "learn">): Search {
  return {
    grep: (query, onLine, signal) =>
      search.grep(
        query,
        line => {
          if (isEnvFile(nameOf(line.path))) learn(line.text);
          return onLine(line);
        },
        signal,
      ),
    glob: (ref, pattern, signal) => search.glob(ref, pattern, signal),
    ignored: (folder, names, signal) => search.ignored(folder, names, signal),
  };
}
