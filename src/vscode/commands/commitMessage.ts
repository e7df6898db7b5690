/** "Strata: Generate Commit Message": from what is staged, into the box of the Source Control view. */
import * as vscode from "vscode";
import { type CommitMessageDeps, writeCommitMessage } from "../../core/agent/smallCalls/commitMessage";
import type { NothingToAttach, RepositoryChanges } from "../../core/ground/ports";
import { NoModelError, SessionError } from "../../core/ground/ports";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { fileName } from "../../shared/paths";
import { findRepositories, type GitApi, gitApi, type Repository } from "../attachments/gitExtension";
import { choose, complain, inform, withProgress } from "../platform/messages";

export interface GenerateCommitMessageDeps extends CommitMessageDeps {
  /** the workspace's folders that are on a disk: absolute, '/' separators */
  folders(): readonly string[];
  /** @param program Git, as VS Code found it */
  readChanges(folder: string, signal: AbortSignal, program?: string): Promise<RepositoryChanges | NothingToAttach>;
  readSubjects(folder: string, signal: AbortSignal, program?: string): Promise<string[]>;
}

/** @param argument from the Source Control view: the provider whose title was clicked */
export async function generateCommitMessage(argument: unknown, deps: GenerateCommitMessageDeps): Promise<void> {
  const git = await gitApi(AbortSignal.timeout(GIT_MS));
  if ("nothing" in git) throw new SessionError(git.nothing);
  const repository = await pickRepository(argument, git, deps.folders());
  if (!repository) return;
  const program = git.git?.path || undefined;
  const write = async (signal: AbortSignal) => {
    const folder = repository.rootUri.fsPath;
    const [changes, subjects] = await Promise.all([
      deps.readChanges(folder, signal, program),
      deps.readSubjects(folder, signal, program),
    ]);
    if ("nothing" in changes) throw new SessionError(changes.nothing);
    return writeCommitMessage(changes, subjects, deps, signal);
  };
  try {
    const written = await withProgress(t("Strata: writing a commit message"), write);
    if (written) await fill(repository, written.result);
  } catch (error) {
    if (!(error instanceof NoModelError)) throw error;
    if (await complain(error.message, t("Choose Model"))) await vscode.commands.executeCommand("strata.chooseModel");
  }
}

const GIT_MS = 15_000;

/** undefined: nobody said which */
async function pickRepository(argument: unknown, git: GitApi, folders: readonly string[]) {
  const clicked = rootOf(argument);
  const known = git.repositories.find(({ rootUri }) => rootUri.toString() === clicked?.toString());
  if (known) return known;
  const all = await findRepositories(git, folders, AbortSignal.timeout(GIT_MS));
  if (all.length === 0) throw new SessionError(t("VS Code knows no Git repository for this workspace."));
  if (all.length === 1) return all[0];
  const items = all.map(repository => ({
    repository,
    label: fileName(repository.rootUri.path),
    description: repository.rootUri.fsPath,
    picked: repository.ui.selected,
  }));
  const options = { title: t("Generate Commit Message"), placeHolder: t("For which repository?") };
  return (await choose(items, options))?.repository;
}

/** Of what the Source Control view gives its commands. */
function rootOf(argument: unknown): vscode.Uri | undefined {
  const root = isObject(argument) ? argument.rootUri : undefined;
  return root instanceof vscode.Uri ? root : undefined;
}

/** What stood in the box can be put back: VS Code's own undo does not reach it. */
async function fill({ inputBox }: Repository, { text, ofAll }: { text: string; ofAll: boolean }): Promise<void> {
  const before = inputBox.value;
  inputBox.value = text;
  if (before.trim() === "" || before === text) {
    if (ofAll) void inform(t("Nothing is staged, so the message is about all changes."));
    return;
  }
  const replaced = ofAll
    ? t("Nothing is staged, so the message is about all changes. The previous message was replaced.")
    : t("The previous message was replaced.");
  const putBack = t("Put It Back");
  if ((await inform(replaced, putBack)) !== putBack) return;
  // What was typed since stays too.
  inputBox.value = inputBox.value === text ? before : `${before}\n\n${inputBox.value}`;
}
