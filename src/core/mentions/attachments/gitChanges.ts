/** What is not committed, without lines of protected files. Git is run here in the editor too: VS Code's extension would run what a repository's settings name. */
import { mapBounded } from "../../../shared/async";
import type { Files, NothingToAttach, Redactor, RepositoryChanges, SettingsSource } from "../../ground/ports";
import { unlessFileError } from "../../ground/ports/files";
import { counted } from "../../ground/text/format";
import { rulesInForce } from "../../permissions/levels";
import { reasonForDenial } from "../../permissions/verdict";
import { type AttachmentGuard, type AttachmentText, type TextLimit, withheldNotes } from "./attachmentTexts";

/** What changed is named at the beginning. */
const CHANGES: TextLimit = { tokens: 12_000, head: 0.9 };
const MAX_FILES = 500;
const MAX_NAMES = 50;
const AT_ONCE = 8;

type ChangesGuard = AttachmentGuard & { files: Files };

/** What the settings keep from the model stays out. */
export function changesGuard({ files, redactor, ownFolders, settings }: GuardPorts): ChangesGuard {
  const rules = rulesInForce(settings);
  return { files, redact: redactor.redact, protectedBecause: file => reasonForDenial(file, { ownFolders, rules }) };
}

export type GuardPorts = { files: Files; redactor: Redactor; ownFolders: readonly string[]; settings: SettingsSource };

/** Rejects with what `resolve` rejects with, but for FileError: such a file is kept back. */
export async function changesText(
  repositories: readonly RepositoryChanges[],
  guard: ChangesGuard,
): Promise<AttachmentText | NothingToAttach> {
  const found = await Promise.all(repositories.map(each => inspectChanges(each, guard)));
  const changed = found.filter(({ lines }) => lines.length > 0);
  if (changed.length === 0) return { nothing: "Git lists no uncommitted changes." };
  const files = new Set(changed.flatMap(({ names }) => names)).size;
  const fresh = changed.reduce((sum, { untracked }) => sum + untracked, 0);
  const sum = (key: "added" | "removed") => changed.reduce((total, each) => total + each[key], 0);
  const parts = [
    files > 0 && `${counted(files, "changed file")} (+${sum("added")} −${sum("removed")})`,
    fresh > 0 && counted(fresh, "untracked file"),
  ];
  const title = parts.filter(part => part !== false).join(", ") || "changes of protected files only";
  const text = changed.flatMap(({ lines }) => lines).join("\n");
  return { title, text: `${title}\n${text}`, trust: "workspace", bound: CHANGES };
}

/** `names`: absolute, of the files that are shown; `lines`: empty where nothing is to be said. */
async function inspectChanges(changes: RepositoryChanges, guard: ChangesGuard) {
  const { root } = changes;
  const [staged, unstaged, untracked] = await Promise.all([
    visibleDiff(changes.staged, root, guard),
    visibleDiff(changes.unstaged, root, guard),
    namesInside(changes.untracked, root, guard),
  ]);
  const shown = [...staged.files, ...unstaged.files];
  const hidden = [...staged.hidden, ...unstaged.hidden];
  const more = staged.more + unstaged.more;
  const unnamed = untracked.length > MAX_NAMES ? `, and ${untracked.length - MAX_NAMES} more` : "";
  const notes = [
    untracked.length > 0 && `Not tracked: ${untracked.slice(0, MAX_NAMES).join(", ")}${unnamed}`,
    ...withheldNotes(hidden),
    more > 0 && `(${counted(more, "more changed file")} left out)`,
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

/** `hidden`: paths of files that are kept back; `more`: how many were not looked at. */
async function visibleDiff(diff: string, root: string, guard: ChangesGuard) {
  const files = parseDiff(diff);
  const seen = files.slice(0, MAX_FILES);
  const shows = await mapBounded(seen, AT_ONCE, file => isShown(file, root, guard));
  return {
    files: seen.filter((_, index) => shows[index]),
    hidden: seen.flatMap(({ paths }, index) =>
      shows[index] ? [] : [paths.at(-1) ?? "a file whose name cannot be made out"],
    ),
    more: files.length - seen.length,
  };
}

/** By all of its names, as they are written and as they are: what was renamed has the lines of what it was. */
async function isShown({ paths }: FileDiff, root: string, guard: ChangesGuard): Promise<boolean> {
  if (paths.length === 0) return false;
  for (const path of paths) {
    const ref = await unlessFileError(guard.files.resolve(`${root}/${path}`), undefined);
    if (!ref || guard.protectedBecause(ref) !== undefined) return false;
    if (guard.protectedBecause({ ...ref, relative: path, absolute: `${root}/${path}` }) !== undefined) return false;
  }
  return true;
}

/** Names of new files that are in the workspace: a repository may be larger. Those that are not looked at count as such. */
async function namesInside(names: readonly string[], root: string, { files }: ChangesGuard): Promise<string[]> {
  const refs = await mapBounded(names.slice(0, MAX_FILES), AT_ONCE, name =>
    unlessFileError(files.resolve(`${root}/${name}`), undefined),
  );
  return names.filter((_, index) => index >= MAX_FILES || refs[index]?.inside);
}

interface FileDiff {
  /** the names before and after, once where they are the same; empty: they cannot be made out */
  paths: string[];
  /** from `diff --git` on, without a line end behind it */
  text: string;
  added: number;
  removed: number;
}

const HEADER = /^diff --(?:git|cc|combined) /;
/** Some settings leave the sign of empty lines away. */
const LINE = /^(?:[-+ \\@]|$)/;

/** By file. Hiding a file's lines relies on it: a line that surely belongs to no file is left out. @param diff without colours, names behind `a/` and `b/`, as `core.quotePath=false` has them */
export function parseDiff(diff: string): FileDiff[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const sections: string[][] = [];
  let inLines = false;
  for (const line of lines) {
    // Every line of a file has a sign before it: none of them looks like a header.
    const begins = HEADER.test(line);
    if (begins) sections.push([]);
    inLines = !begins && (inLines || line.startsWith("@@"));
    if (!inLines || LINE.test(line)) sections.at(-1)?.push(line);
  }
  return sections.map(parseFileDiff);
}

function parseFileDiff(lines: string[]): FileDiff {
  const body = lines.findIndex(line => line.startsWith("@@"));
  const head = body < 0 ? lines : lines.slice(0, body);
  const changed = body < 0 ? [] : lines.slice(body);
  return {
    paths: diffPaths(head),
    text: lines.join("\n"),
    added: changed.filter(line => line.startsWith("+")).length,
    removed: changed.filter(line => line.startsWith("-")).length,
  };
}

/**
 * What names a file in a diff's head: that it was renamed, else its first line, which has the name twice. Git quotes a name with a
 * quote, a backslash or a control character: none is made out then, and the file is kept back. (C-151: no library.)
 */
function diffPaths([first = "", ...head]: readonly string[]): string[] {
  const after = (prefix: string) => head.flatMap(line => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));
  const renamed = ["rename from ", "rename to ", "copy from ", "copy to "].flatMap(after);
  const paths = renamed.length > 0 ? [...new Set(renamed)] : headerPaths(first);
  return paths.some(path => path.startsWith('"')) ? [] : paths;
}

/** `diff --git a/x b/x`; of a merge the name alone. */
function headerPaths(line: string): string[] {
  const rest = line.replace(HEADER, "");
  if (!line.startsWith("diff --git ") || rest.startsWith('"')) return [rest];
  const half = (rest.length - 1) / 2;
  const [path, other] = [rest.slice("a/".length, half), rest.slice(half + 1 + "b/".length)];
  return path !== "" && path === other ? [path] : [];
}
