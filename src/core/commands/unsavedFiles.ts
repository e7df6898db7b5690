/** Unsaved changes before a command, which sees only what is on disk: saved, or left and told. */
import type { DirtyFiles } from "../../shared/settingValues";
import type { FileRef, Files, TextFile, UnsavedFiles } from "../ground/ports";
import { diffLines } from "../ground/text/diff";
import { stampModelKnows } from "../log/stamps";
import { MOVED, type RunContext } from "../tool/tool";
import { type FileChangeReport, listNames, MAX_LOOKED_AT, tolerant } from "./fileChangeDetector";

export interface UnsavedPorts {
  files: Files;
  /** absent: there is no editor */
  unsaved?: UnsavedFiles | undefined;
  /** `strata.bash.dirtyFiles`, or what the person settled for this session */
  dirtyFiles(): DirtyFiles;
}

/** `stamps`: of files that were saved and that the session knew as they stood in the editor. */
export interface SettledFiles extends Pick<FileChangeReport, "notes" | "stamps"> {
  /** still unsaved */
  left: FileRef[];
}

export const unsavedFiles = async (ports: UnsavedPorts): Promise<FileRef[]> => (await ports.unsaved?.unsaved()) ?? [];

/**
 * Right before the command: saves, or leaves (`strata.bash.dirtyFiles`). MOVED: files have unsaved changes that nobody was asked
 * about, and nothing was saved.
 * @param asked what the question named
 */
export async function settleUnsaved(
  ports: UnsavedPorts,
  asked: readonly FileRef[],
  run: RunContext,
): Promise<SettledFiles | typeof MOVED> {
  const now = await unsavedFiles(ports);
  if (now.length === 0 || !ports.unsaved) return { notes: [], stamps: [], left: [] };
  // An answer counts more than what was set meanwhile; one that says nothing of them saves nothing.
  const answer = asked.length > 0 ? run.answer : undefined;
  const choice = answer ? (answer.unsaved ?? "leave") : ports.dirtyFiles();
  if (choice === "ask") return MOVED;
  if (choice === "leave") return { notes: [notSavedNote(now, [])], stamps: [], left: now };
  const names = new Set(asked.map(ref => ref.uri));
  if (answer?.scope === "once" && now.some(ref => !names.has(ref.uri))) return MOVED;
  return save(ports, ports.unsaved, now, run);
}

async function save(ports: UnsavedPorts, unsaved: UnsavedFiles, files: FileRef[], run: RunContext) {
  const before = new Map<string, TextFile>();
  for (const ref of files) {
    const file = await readText(ports, ref);
    // Only of what the session knows as it stands can it be said that it knows what is saved.
    if (file && file.stamp.sha256 === run.stampOf(ref.uri)?.sha256) before.set(ref.uri, file);
  }
  const { saved, failed } = await unsaved.save(files);
  const stamps: SettledFiles["stamps"] = [];
  const names: string[] = [];
  for (const ref of saved) {
    const known = before.get(ref.uri);
    const after = known && (await readText(ports, ref));
    const usable = known && after && !after.stamp.dirty;
    const stamp = run.stampOf(ref.uri);
    // The model is told how many lines saving changed, not which.
    if (usable && stamp) stamps.push({ uri: ref.uri, stamp: stampModelKnows(stamp, after.stamp) });
    names.push(usable && after.text !== known.text ? `${ref.path} ${formatted(known.text, after.text)}` : ref.path);
  }
  const left = await unsavedFiles(ports);
  const its = saved.length === 1 ? "it" : "they";
  const notes = [
    ...(saved.length > 0 ? [`Saved before the command, since ${its} had unsaved changes: ${listNames(names)}.`] : []),
    ...(left.length > 0 ? [notSavedNote(left, failed)] : []),
  ];
  return { notes, stamps, left };
}

/** Undefined where it is no text, too large, or cannot be read: then nothing is known of it. */
async function readText({ files }: UnsavedPorts, ref: FileRef): Promise<TextFile | undefined> {
  const file = await tolerant(() => files.read(ref, MAX_LOOKED_AT), undefined);
  return file?.kind === "text" ? file : undefined;
}

function formatted(before: string, after: string): string {
  const { added, removed } = diffLines(before, after);
  return added + removed > 0 ? `(saving changed it: +${added} −${removed})` : "(saving changed its line ends)";
}

function notSavedNote(files: readonly FileRef[], failed: readonly { ref: FileRef; why: string }[]): string {
  const why = new Map(failed.map(({ ref, why }) => [ref.uri, why]));
  const names = files.map(({ uri, path }) => (why.has(uri) ? `${path} (${why.get(uri)})` : path));
  const have = files.length === 1 ? "has" : "have";
  return `Not saved: ${listNames(names)} ${have} unsaved changes in the editor that the command did not see.`;
}
