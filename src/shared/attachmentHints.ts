/** What can be mentioned beside files, in words for people. */
import { t } from "./l10n";
import type { AttachmentKind } from "./mentions/attachments";

const hints: Readonly<Record<AttachmentKind, () => string>> = {
  problems: () => t("Errors and warnings of the whole workspace, as the editor lists them"),
  selection: () => t("What is selected in the editor, with its file and lines"),
  changes: () => t("What Git lists as not committed: the diff and the names of new files"),
  terminal: () => t("The last command of the active terminal and its output, if it ran after Strata started"),
};

export const attachmentHint = (kind: AttachmentKind): string => hints[kind]();
