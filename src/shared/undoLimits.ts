/** Why an edit cannot be undone, in words for a person; the panel says it before somebody tries, the core when one did. */
import { t } from "./l10n";

/** Texts of more bytes are not kept. */
export const MAX_SNAPSHOT_BYTES = 5 * 1024 * 1024;

interface ChangeVersions {
  path: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
  unkept?: string | undefined;
}

/** undefined: what the file was before and after the edit was kept */
export function whyNoUndo({ path, before, after, unkept }: ChangeVersions): string | undefined {
  if (before !== undefined && after !== undefined) return undefined;
  const why = (unkept !== undefined && reasons()[unkept]) || reasons()["older-version"];
  return t("The edit of {0} can't be undone: {1} Open the diff to undo it by hand.", path, why ?? "");
}

const reasons = (): Record<string, string> => ({
  "too-large": t("files over 5 MB are not saved before an edit."),
  "not-text": t("the file's text has characters that can't be kept as they were."),
  "not-stored": t("the session's disk was full or not writable when the edit was made."),
  elsewhere: t("it was made in another workspace, in an imported session."),
  "older-version": t("it was made by an older version of Strata, which did not save files before an edit."),
});
