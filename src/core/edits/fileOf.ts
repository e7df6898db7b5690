/** The file that a record names, as it is found now. */
import { FileError, type FileRef, type Files } from "../ports";

/**
 * By its path, else by its URI: names of roots change, and a path may have a placeholder for a secret in it. Rejects with
 * FileError where neither leads to the file that was meant.
 */
export async function fileOf(
  files: Pick<Files, "resolve">,
  { uri, path }: { uri: string; path: string },
): Promise<FileRef> {
  const named = await resolved(files, path);
  if (named?.uri === uri) return named;
  const absolute = uri.startsWith("file:") ? pathOf(uri) : uri;
  const found = absolute === undefined ? undefined : await resolved(files, absolute);
  if (found?.uri === uri) return found;
  throw new FileError(
    "NOT_FOUND",
    `${path} is not where it was when the agent changed it: its folder was moved, renamed or closed.`,
  );
}

async function resolved(files: Pick<Files, "resolve">, input: string): Promise<FileRef | undefined> {
  try {
    return await files.resolve(input);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

function pathOf(uri: string): string | undefined {
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
