/** What messages can attach in the editor: a reader for each kind. */
import type { Attachments, Diagnostics } from "../../core/ports";
import type { VSCodeFiles } from "../files/files";
import { gitChanges } from "./editorAttachments";
import type { EditorSelection } from "./selection";
import type { TerminalCommands } from "./terminal";

export interface EditorAttachmentsDeps {
  diagnostics: Pick<Diagnostics, "all">;
  selection: EditorSelection;
  terminals: TerminalCommands;
  files: Pick<VSCodeFiles, "diskRoots">;
}

export function editorAttachments({ diagnostics, selection, terminals, files }: EditorAttachmentsDeps): Attachments {
  const folders = () => files.diskRoots.map(({ path }) => path);
  return {
    problems: () => diagnostics.all(),
    selection: () => selection.read(),
    changes: signal => gitChanges(folders(), signal),
    terminal: () => terminals.read(),
  };
}
