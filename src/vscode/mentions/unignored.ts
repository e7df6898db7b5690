/** Which of many paths that came are not ignored, with few questions. Pure. */

/** Of more than so many a new list is quicker than looking at each. */
const MOST_LEFT = 100;
const MOST_QUESTIONS = 500;

/**
 * Each folder is asked about once: of all that a build or an installation puts into an ignored one nothing else is asked.
 * @param paths relative to a root, '/' separators
 * @returns undefined: there are too many to tell
 */
export async function unignored(
  paths: Iterable<string>,
  isIgnored: (path: string) => Promise<boolean>,
): Promise<string[] | undefined> {
  const known = new Map<string, boolean>();
  const left: string[] = [];
  for (const path of paths) {
    let ignored = false;
    for (const above of [...foldersOf(path), path]) {
      if (!known.has(above) && known.size === MOST_QUESTIONS) return undefined;
      ignored = known.get(above) ?? (await isIgnored(above));
      known.set(above, ignored);
      if (ignored) break;
    }
    if (ignored) continue;
    if (left.length === MOST_LEFT) return undefined;
    left.push(path);
  }
  return left;
}

/** `a/b/c` lies in `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join("/"));
}
