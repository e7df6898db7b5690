/** Where a file is that a record names twice: by its URI, which is acted on, and by a path, which people read. */

/** undefined: it names no path */
export function uriToPath(uri: string): string | undefined {
  try {
    const { host, pathname } = new URL(uri);
    const path = decodeURIComponent(pathname);
    if (host) return `//${host}${path}`;
    return /^\/[a-zA-Z]:/.test(path) ? path.slice(1) : path;
  } catch {
    // no URI, or one that says no path
    return undefined;
  }
}

const withoutEnd = (path: string) => path.replace(/\/$/, "");

/** A path as FileRef.path; undefined: it lies in none of these folders. @param path absolute */
export function pathInRoots(path: string, roots: readonly { name: string; path: string }[]): string | undefined {
  const root = roots.find(each => path.startsWith(`${withoutEnd(each.path)}/`));
  const below = root && path.slice(withoutEnd(root.path).length + 1);
  return below !== undefined && roots.length > 1 ? `${root?.name}:${below}` : below;
}

interface NamedFile {
  uri: string;
  /** as FileRef.path */
  path: string;
}

/**
 * `here`: in one of these folders, and both name it. `elsewhere`: in none of them, or a secret in the path keeps it from being
 * compared. `differs`: the two name different files.
 * @param roots absolute
 */
export function recordedPlace({ uri, path }: NamedFile, roots: readonly string[]): "here" | "elsewhere" | "differs" {
  const real = uriToPath(uri);
  if (path.includes("[secret:")) return "elsewhere";
  if (real === undefined || !uri.startsWith("file:"))
    return path === uri || isEnd(path, real ?? uri) ? "elsewhere" : "differs";
  if (!isEnd(path, real) || /(^|\/)\.{1,2}(\/|$)/.test(real)) return "differs";
  const around = roots.filter(root => alike(real).startsWith(`${alike(withoutEnd(root))}/`));
  if (around.length === 0) return "elsewhere";
  const whole = around.map(root => alike(real.slice(withoutEnd(root).length + 1)));
  return [...whole, alike(real)].some(each => spellings(path).includes(each)) ? "here" : "differs";
}

/** A disk may take them for one name; which file is meant is the same then. */
const alike = (path: string): string => path.replaceAll("\\", "/").normalize("NFC").toLowerCase();

/** With the name of a root in front, and without it. */
const spellings = (path: string): string[] => [alike(path), alike(path.replace(/^[^/]*?:/, ""))];

/** Names of roots change, and roots too: the end of a path stays. */
export const isEnd = (path: string, real: string): boolean =>
  spellings(path).some(each => alike(real) === each || alike(real).endsWith(`/${each.replace(/^\//, "")}`));
