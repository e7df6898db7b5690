/** Finds the file that a record names. */
import { uriToPath } from "../../../shared/filePlace";
import { t } from "../../../shared/l10n";
import { FileError, type FileRef, type Files } from "../../ground/ports";
import { unlessFileError } from "../../ground/ports/files";
import { MAX_EDIT_BYTES } from "../edits/fileEdit";

/**
 * By its path, else by its URI. Names of roots change, and a path may have a placeholder for a secret in it. Rejects with
 * FileError where neither leads to the file that was meant.
 */
export async function resolveRecordedFile(files: Files, { uri, path }: { uri: string; path: string }) {
  for (const input of [path, uri.startsWith("file:") ? uriToPath(uri) : uri]) {
    const found = input ? await unlessFileError(files.resolve(input), undefined) : undefined;
    if (found?.uri === uri) return found;
  }
  throw new FileError(
    "NOT_FOUND",
    t("{0} is not where it was when the agent changed it: its folder was moved, renamed or closed.", path),
  );
}

export interface TextNow {
  text: string;
  sha256: string;
}

/** null: there is no file; undefined: it is no text. Rejects with FileError where that cannot be told. */
export async function textNow(files: Files, ref: FileRef): Promise<TextNow | null | undefined> {
  try {
    const file = await files.read(ref, MAX_EDIT_BYTES);
    return file.kind === "text" ? { text: file.text, sha256: file.stamp.sha256 } : undefined;
  } catch (error) {
    if (error instanceof FileError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
