/** What messages can attach in the editor: a reader for each kind. */
import type {
  Attachments,
  Diagnostics,
  NothingToAttach,
  RepositoryChanges,
  SelectedText,
} from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { cellNumber, isUnsaved } from "../editor/documents";
import type { LastActiveEditor } from "../editor/lastActiveEditor";
import { selectedLines } from "../editor/selectionText";
import type { VSCodeFiles } from "../files/files";
import { withTimeout } from "../platform/async";
import { findRepositories, gitApi } from "./gitExtension";
import type { TerminalCommands } from "./terminal";

interface EditorAttachmentsDeps {
  diagnostics: Diagnostics;
  inUse: LastActiveEditor;
  terminals: TerminalCommands;
  files: VSCodeFiles;
  /** @param program Git, as VS Code found it. Rejects with the signal's reason, and where Git fails. */
  changes: ReadChanges;
}

type ReadChanges = (
  folder: string,
  signal: AbortSignal,
  program?: string,
) => Promise<RepositoryChanges | NothingToAttach>;

export function editorAttachments(deps: EditorAttachmentsDeps): Attachments {
  const { diagnostics, terminals, files, changes: read } = deps;
  return {
    problems: () => diagnostics.all(),
    selection: () => readSelection(files, deps.inUse),
    changes: async signal => {
      const folders = files.roots.map(({ path }) => path);
      if (folders.length === 0) return { nothing: "No folder on a disk is open, so there is no Git repository." };
      const limit = new AbortController();
      const within = AbortSignal.any([signal, limit.signal]);
      const changes = await withTimeout(() => gitChanges(folders, read, within), LIMIT_MS).finally(() => limit.abort());
      return changes === "late" ? { nothing: "Git did not answer in time." } : changes;
    },
    terminal: () => terminals.read(),
  };
}

/** The editor's selection, for `@selection`. */
export async function readSelection(
  files: VSCodeFiles,
  inUse: LastActiveEditor,
): Promise<SelectedText | NothingToAttach> {
  const editor = inUse.text();
  if (!editor) return { nothing: "No text editor is shown." };
  const { document, selections } = editor;
  // Read at once: a person may go on selecting.
  const ranges = selections
    .filter(selection => !selection.isEmpty)
    .toSorted((a, b) => a.start.compareTo(b.start))
    .map(selection => ({ ...selectedLines(selection.start, selection.end), text: document.getText(selection) }));
  if (ranges.length === 0) return { nothing: "Nothing is selected in the editor." };
  const { uri } = document;
  const [unsaved, cell] = [isUnsaved(document), cellNumber(uri)];
  const { path, inside } = (await files.refIfAny(uri)) ?? { path: files.pathOf(uri), inside: false };
  return { path, inside, unsaved, ...defined({ cell }), ranges };
}

/** ms until Git counts as not answering */
const LIMIT_MS = 15_000;

/**
 * Uncommitted changes, for `@changes`: of all repositories that VS Code's git extension knows in these folders or around them.
 * The extension itself would run what a repository's settings name. Rejects with the signal's reason when it is aborted.
 * @param folders absolute, '/' separators
 */
async function gitChanges(folders: readonly string[], read: ReadChanges, signal: AbortSignal) {
  const git = await gitApi(signal);
  if ("nothing" in git) return git;
  const repositories = await findRepositories(git, folders, signal);
  if (repositories.length === 0) return { nothing: "VS Code knows of no Git repository for this workspace." };
  const found = await Promise.all(
    repositories.map(({ rootUri }) => read(rootUri.fsPath, signal, git.git?.path || undefined)),
  );
  const changes = found.flatMap(each => ("nothing" in each ? [] : [each]));
  return changes.length > 0 ? changes : (found.find(each => "nothing" in each) ?? []);
}
