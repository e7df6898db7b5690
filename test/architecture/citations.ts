/** Comments cite only documents that a reader of the repository has. */
import type { Files } from "./imports";

const comment = /^\s*(?:\/?\*|\/\/|<!--|#).*|\s\/\/ .*|\/\*.*?\*\//gm;
/** A document of the project is written in capitals, or lies in `docs/`. */
const document = /(?<![\w./-])(?:[A-Z]{3,}|docs\/[\w/-]+)\.md\b/g;
/** `C-41`: a choice of CHOICES.md */
const choice = /\bC-\d+\b/g;
/** Our own documents have headings and no numbers. A standard's sections are cited with its name. */
const section = /\bsections? \d+|\bthe contract (?:names|says|asks|wants)/gi;
const standard = /\b(?:RFC|CommonMark|Unicode|ECMA|POSIX)\b/;
/** names of files that are the users', not the project's */
const ofUsers = ["AGENTS.md", "CLAUDE.md"];

/** Comments that cite a choice which CHOICES.md does not have (any more), a sentence for each. @param choices its text */
export function absentChoices(files: Files, choices: string): string[] {
  const known = new Set(choices.match(/(?<=^- \*\*)C-\d+\b/gm));
  return [...files].flatMap(([path, text]) =>
    [...text.matchAll(comment)]
      .flatMap(([words]) => words.match(choice) ?? [])
      .filter(id => !known.has(id))
      .map(id => `${path}: a comment cites ${id}, which CHOICES.md does not have`),
  );
}

/** An id is one choice's. */
export const doubleChoices = (choices: string): string[] => {
  const ids: string[] = choices.match(/(?<=^- \*\*)C-\d+\b/gm) ?? [];
  return ids.filter((id, at) => ids.indexOf(id) !== at);
};

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
