/** A command's changes to the workspace, as the log has them; empty lists have no field. */
import { pathInRoots } from "../../shared/filePlace";
import type { StateChange } from "../../shared/fileStates";
import { plural, t } from "../../shared/l10n";
import { type CommandChanges, type Files, StorageError } from "../ground/ports";
import type { History } from "../log/history";

/** @param byEditor files that the editor saved meanwhile, which cannot be told from the command's */
export async function commandFiles(
  history: History,
  { changes, gaps }: CommandChanges,
  byEditor: ReadonlySet<string>,
  roots: Files["roots"],
) {
  const named = (path: string) => pathInRoots(path, roots) ?? path;
  const found = changes.map(
    ({ uri, path, before, after, made }): StateChange => ({
      ...{ uri, path: named(path), before, after },
      ...(made && { made }),
      ...(byEditor.has(uri) && { shared: true }),
    }),
  );
  const { lost, ...kept } = await keep(history, found);
  return { kind: "commandFiles" as const, files: found.length, ...kept, gaps: [...gaps, ...lost] };
}

/** `lost`: what a rewind cannot put back, a sentence each */
async function keep(history: History, found: readonly StateChange[]) {
  if (found.length === 0) return { lost: [] };
  try {
    return { list: await keepList(history, found), lost: [] };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const why = error.code === "DISK_FULL" ? t("the disk was full") : error.message;
    return {
      lost: [
        plural(
          found.length,
          "What a command changed (1 file) could not be kept: {1}.",
          "What a command changed ({0} files) could not be kept: {1}.",
          why,
        ),
      ],
    };
  }
}

/** @returns its sha256: the list is a snapshot. Rejects with StorageError. */
export async function keepList({ files, hash }: History, list: readonly StateChange[]) {
  const text = JSON.stringify(list);
  const sha256 = hash.sha256(text);
  await files.putSnapshot(sha256, text);
  return sha256;
}
