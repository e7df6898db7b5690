/** Links between the documents, and out of those that the package carries. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const link = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g;

/** As VS Code and GitHub make them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );

/** @param documents paths from the root. @returns a sentence for each link that leads nowhere */
export function brokenLinks(
  root: string,
  documents: readonly string[],
  isCarried: (path: string) => boolean,
): string[] {
  return documents.flatMap(path => {
    const text = readFileSync(join(root, path), "utf8").replace(/```[\s\S]*?```/g, "");
    return [...text.matchAll(link)].flatMap(([, target = "", anchor]) => {
      const to = target === "" ? path : normalize(join(dirname(path), target)).replaceAll("\\", "/");
      if (!existsSync(join(root, to))) return [`${path}: ${to} is not there`];
      if (isCarried(path) && !isCarried(to)) return [`${path}: ${to} is not in the package`];
      const hasAnchor = anchor === undefined || anchorsOf(readFileSync(join(root, to), "utf8")).includes(anchor);
      return hasAnchor ? [] : [`${path}: ${to} has no heading for #${anchor}`];
    });
  });
}
