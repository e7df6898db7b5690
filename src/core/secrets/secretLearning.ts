/** Files and search that teach the redactor: an `.env` file that lies where nobody looks for one is known once it is touched. */
import { isEnvFile } from "../../shared/envFile";
import type { FileRef, Files, Redactor, Search } from "../ports";
import { observedFiles } from "../versions/knownTexts";

const fileName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const holdsVariables = (ref: FileRef) => isEnvFile(fileName(ref.absolute));

/** Reading and writing as before; also the editor's text with unsaved changes is learned from. */
export function secretLearningFiles(files: Files, { learn }: Pick<Redactor, "learn">): Files {
  return observedFiles(files, (ref, text) => {
    if (holdsVariables(ref)) learn(text);
  });
}

export function secretLearningSearch(search: Search, { learn }: Pick<Redactor, "learn">): Search {
  return {
    grep: (query, onLine, signal) =>
      search.grep(
        query,
        line => {
          if (isEnvFile(fileName(line.path))) learn(line.text);
          return onLine(line);
        },
        signal,
      ),
    glob: (ref, pattern, signal) => search.glob(ref, pattern, signal),
    ignored: (folder, names, signal) => search.ignored(folder, names, signal),
  };
}
