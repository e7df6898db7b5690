/** What becomes of a path or a URI that was dropped or pasted. */
import { FileError, type FileRef, type Files } from "../../core/ports";

interface PastedDeps {
  files: Pick<Files, "resolve" | "stat">;
  /** What an absolute path or a URI names; undefined: nothing that files are in, or no name at all */
  refOf(place: string): Promise<FileRef | undefined>;
  /** The mention of a file or folder; undefined: there is none */
  mentionOf(ref: FileRef): Promise<string | undefined>;
}

/**
 * @param place absolute, a URI, or relative to the workspace folder; `:line` or `:line:column` may stand behind it
 * @returns null: nothing of the workspace is there
 */
export async function mentionOfPasted(place: string, { files, refOf, mentionOf }: PastedDeps): Promise<string | null> {
  for (const { path, line } of readingsOf(place)) {
    const ref = (await refOf(path)) ?? (await relativeTo(path, files));
    const mention = ref && (await mentionOf(ref));
    if (mention) return line === undefined || mention.endsWith("/") ? mention : `${mention}:${line}`;
  }
  return null;
}

/** A file may be called `a:10`. */
function readingsOf(place: string): { path: string; line?: string }[] {
  const [, path, line] = /^(.+?):(\d{1,9})(?::\d{1,9})?$/.exec(place) ?? [];
  return path === undefined || line === undefined ? [{ path: place }] : [{ path: place }, { path, line }];
}

async function relativeTo(path: string, files: Pick<Files, "resolve">): Promise<FileRef | undefined> {
  if (/^(?:[/\\]|[a-z]:[/\\]|[\w+.-]+:\/\/)/i.test(path)) return undefined;
  try {
    return await files.resolve(path.replaceAll("\\", "/"));
  } catch (error) {
    // A path that leads nowhere, or that no file system takes, is no file's.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
