/** What the operating system says when something fails. */

/** The code of a failure (`ENOENT`), "" where it has none. */
export function errno(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** There is no room for what was to be written: on the disk, or of what this user may take of it. */
export const isDiskFull = (error: unknown): boolean => errno(error) === "ENOSPC" || errno(error) === "EDQUOT";

/** The system has no room for one more look: what is there is not known, however often somebody says that it is nothing. */
export const isExhausted = (error: unknown): boolean =>
  ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO"].includes(errno(error));

/** There is nothing at that path. */
export function isMissing(error: unknown): boolean {
  const code = errno(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** `otherwise` where there is nothing at the path that is worked on. */
export async function unlessMissing<T, O>(work: Promise<T>, otherwise: O): Promise<T | O> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}

/** As `unlessMissing`, of what is looked up at once. Node's own `throwIfNoEntry` throws where a folder on the way is a file. */
export function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
