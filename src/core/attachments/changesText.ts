/** What Git says is not committed, as text for the model; lines of protected files are not in it. */

import { FileError, type FileRef, type Files, type NothingToAttach, type RepositoryChanges } from "../ports";
import { counted } from "../text/format";
import { mapBounded } from "../text/mapBounded";
import { type AttachmentText, type Guard, withheldNotes } from "./attachmentTexts";
import type { Bound } from "./boundText";
import { type FileDiff, parseDiff } from "./gitDiff";

/** What changed is named at the beginning. */
const CHANGES: Bound = { tokens: 12_000, head: 0.9 };
const MAX_FILES = 500;
const MAX_NAMES = 50;
const AT_ONCE = 8;

export interface ChangesGuard extends Guard {
  files: Pick<Files, "resolve">;
}

/** Rejects with what `resolve` rejects with, but for FileError: such a file is kept back. */
export async function changesText(
  repositories: readonly RepositoryChanges[],
  guard: ChangesGuard,
): Promise<AttachmentText | NothingToAttach> {
  const found = await Promise.all(repositories.map(each => inspectChanges(each, guard)));
  const changed = found.filter(({ lines }) => lines.length > 0);
  if (changed.length === 0) return { nothing: "Git lists no changes that are not committed." };
  const files = new Set(changed.flatMap(({ names }) => names)).size;
  const fresh = changed.reduce((sum, { untracked }) => sum + untracked, 0);
  const lines = `(+${sum(changed, "added")} −${sum(changed, "removed")})`;
  const parts = [
    files > 0 && `${counted(files, "changed file")} ${lines}`,
    fresh > 0 && counted(fresh, "untracked file"),
  ].filter(part => part !== false);
  const title = parts.join(", ") || "changes of protected files only";
  const text = changed.flatMap(({ lines }) => lines).join("\n");
  return { title, text: `${title}\n${text}`, trust: "workspace", bound: CHANGES };
}

const sum = (all: readonly InspectedChanges[], key: "added" | "removed"): number =>
  all.reduce((total, each) => total + each[key], 0);

interface InspectedChanges {
  /** absolute names of the files that are shown */
  names: string[];
  added: number;
  removed: number;
  untracked: number;
  /** empty: nothing is to be said */
  lines: string[];
}

async function inspectChanges(changes: RepositoryChanges, guard: ChangesGuard): Promise<InspectedChanges> {
  const { root } = changes;
  const [staged, unstaged, untracked] = await Promise.all([
    visibleDiff(changes.staged, root, guard),
    visibleDiff(changes.unstaged, root, guard),
    namesInside(changes.untracked, root, guard),
  ]);
  const shown = [...staged.files, ...unstaged.files];
  const hidden = [...staged.hidden, ...unstaged.hidden];
  const notes = [
    untracked.length > 0 && `Not tracked: ${namesText(untracked)}`,
    ...withheldNotes(hidden),
    staged.more + unstaged.more > 0 && `(${counted(staged.more + unstaged.more, "more changed file")} left out)`,
    (staged.foreign || unstaged.foreign) &&
      "(Some lines of git diff are of no format that Strata knows, so they are left out: run git diff to see them.)",
    changes.cut && "(There is more: only the beginning of the diff was read.)",
  ].filter(note => typeof note === "string");
  const diffs = [
    ...(staged.files.length > 0 ? ["Staged:", ...staged.files.map(({ text }) => text)] : []),
    ...(unstaged.files.length > 0 ? ["Not staged:", ...unstaged.files.map(({ text }) => text)] : []),
  ];
  const where = `Repository ${root}${changes.branch === undefined ? "" : `, branch ${changes.branch}`}:`;
  return {
    names: shown.flatMap(({ paths }) => `${root}/${paths.at(-1)}`),
    added: shown.reduce((total, { added }) => total + added, 0),
    removed: shown.reduce((total, { removed }) => total + removed, 0),
    untracked: untracked.length,
    lines: notes.length + diffs.length > 0 ? [where, ...notes, ...diffs] : [],
  };
}

function namesText(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (more > 0 ? `, and ${more} more` : "");
}

interface VisibleDiff {
  files: FileDiff[];
  /** paths of those that are kept back */
  hidden: string[];
  /** files that were not looked at */
  more: number;
  foreign: boolean;
}

async function visibleDiff(diff: string, root: string, guard: ChangesGuard): Promise<VisibleDiff> {
  const { files, foreign } = parseDiff(diff);
  const result: VisibleDiff = { files: [], hidden: [], more: Math.max(0, files.length - MAX_FILES), foreign };
  const shows = await mapBounded(files.slice(0, MAX_FILES), AT_ONCE, file => isShown(file, root, guard));
  for (const [index, shown] of shows.entries()) {
    const file = files[index];
    if (!file) continue;
    if (shown) result.files.push(file);
    else result.hidden.push(file.paths.at(-1) ?? "a file whose name cannot be made out");
  }
  return result;
}

/** By all of its names, as they are written and as they are: what was renamed has the lines of what it was. */
async function isShown({ paths }: FileDiff, root: string, guard: ChangesGuard): Promise<boolean> {
  if (paths.length === 0) return false;
  for (const path of paths) {
    const ref = await resolveRef(`${root}/${path}`, guard.files);
    if (!ref || guard.protectedBecause(ref) !== undefined) return false;
    if (guard.protectedBecause({ ...ref, relative: path, absolute: `${root}/${path}` }) !== undefined) return false;
  }
  return true;
}

/** Names of new files that are in the workspace: a repository may be larger. Those that are not looked at count as such. */
async function namesInside(names: readonly string[], root: string, { files }: ChangesGuard): Promise<string[]> {
  const refs = await mapBounded(names.slice(0, MAX_FILES), AT_ONCE, name => resolveRef(`${root}/${name}`, files));
  return names.filter((_, index) => index >= MAX_FILES || refs[index]?.inside);
}

async function resolveRef(path: string, files: Pick<Files, "resolve">): Promise<FileRef | undefined> {
  try {
    return await files.resolve(path);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
