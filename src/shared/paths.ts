/** Paths with '/' between their parts, whatever the platform has; the root of a disk may be a folder like any other. */

/** What stands behind the last '/'. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** What stands before the last '/'; "" at the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** With one '/' at its end: what the paths of all that lies in it begin with. */
export const withEnd = (folder: string): string => (folder.endsWith("/") ? folder : `${folder}/`);

/** `path` lies in `folder`, at any depth, and is not it. Both absolute. */
export const isBelow = (folder: string, path: string): boolean => path !== folder && path.startsWith(withEnd(folder));

/** As `isBelow`, or is it. */
export const isWithin = (folder: string, path: string): boolean => path === folder || isBelow(folder, path);

/** The path below `folder`, "" for the folder itself. */
export const relativeTo = (folder: string, absolute: string): string =>
  absolute === folder ? "" : absolute.slice(withEnd(folder).length);

/** The innermost root that holds a path. */
export const innermostRoot = <R extends { path: string }>(roots: readonly R[], absolute: string): R | undefined =>
  roots.filter(({ path }) => isWithin(path, absolute)).sort((a, b) => b.path.length - a.path.length)[0];

/** The name for people of something below a folder: FileRef.path of `below` in the folder that `folder` names. */
export function pathBelow(folder: string, below: string): string {
  if (folder === ".") return below;
  if (folder.endsWith(":.")) return folder.slice(0, -1) + below;
  return withEnd(folder) + below;
}

/** An absolute path without `.`, `..` and doubled slashes. */
export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** `to` seen from `folder`, as `normalPath`; `~` stays at its beginning. */
export function joinPath(folder: string, to: string): string {
  const isHome = to === "~" || to.startsWith("~/");
  const path = normalPath(to.startsWith("/") || isHome ? to : `${folder}/${to}`);
  return path.startsWith("/~") ? path.slice(1) : path;
}
