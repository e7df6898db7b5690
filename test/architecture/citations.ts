/** Comments cite only documents that a reader of the repository has. */
import type { Files } from "./imports";

const comment = /^\s*(?:\/?\*|\/\/|<!--|#).*|\s\/\/ .*|\/\*.*?\*\//gm;
/** A document of the project is written in capitals, or lies in `docs/`. */
const document = /(?<![\w./-])(?:[A-Z]{3,}|docs\/[\w/-]+)\.md\b/g;
/** Our own documents have headings and no numbers. A standard's sections are cited with its name. */
const section = /\bsections? \d+|\bthe contract (?:names|says|asks|wants)/gi;
const standard = /\b(?:RFC|CommonMark|Unicode|ECMA|POSIX)\b/;
/** names of files that are the users', not the project's */
const ofUsers = ["AGENTS.md", "CLAUDE.md"];

/**
 * Comments that cite what is not there, a sentence for each line.
 * @param documents paths of the repository's documents
 */
export function absentCitations(files: Files, documents: readonly string[]): string[] {
  const known = new Set([...documents, ...ofUsers]);
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(comment)].flatMap(([words]) => {
      const absent = [...words.matchAll(document)].map(([name]) => name).filter(name => !known.has(name));
      const numbered = standard.test(words) ? [] : (words.match(section) ?? []);
      const [what] = [...absent, ...numbered];
      return what === undefined ? [] : [`${path}: a comment cites ${what}`];
    }),
  );
}
