/**
 * Files with unsaved changes before a command, which sees only what is on disk: the person is asked, they are saved, or they
 * are left (`strata.bash.dirtyFiles`), and the model is told.
 */
import type { DirtyFiles } from "../../shared/settings";
import type { Stamp } from "../../shared/toolResult";
import { FileError, type FileRef, type Files, type TextFile, type Unsaved } from "../ports";
import { diffLines } from "../text/diff";
import { MOVED, type RunContext } from "../toolkit/tool";
import { toldStamp } from "../versions/stamps";
import { listNames } from "./listNames";

/** What is larger is not looked into. */
export const MAX_LOOKED_AT = 20 * 1024 * 1024;

export interface DirtyPorts {
  files: Pick<Files, "read">;
  /** absent: there is no editor */
  unsaved?: Unsaved | undefined;
  /** `strata.bash.dirtyFiles`, or what the person settled for this session */
  dirtyFiles(): DirtyFiles;
}

export interface SettledFiles {
  /** a line each, for the model */
  notes: string[];
  /** of files that were saved and that the session knew as they stood in the editor */
  stamps: { uri: string; stamp: Stamp }[];
  /** still unsaved */
  left: FileRef[];
}

/** What the person has to be asked about before a command runs. */
export async function unsavedToAskAbout(ports: DirtyPorts): Promise<FileRef[]> {
  return ports.dirtyFiles() === "ask" ? unsavedFiles(ports) : [];
}

const unsavedFiles = async (ports: DirtyPorts): Promise<FileRef[]> => (await ports.unsaved?.unsaved()) ?? [];

/**
 * Right before the command: saves, or leaves. MOVED: files have unsaved changes that nobody was asked about, and nothing was
 * saved.
 * @param asked what the question named
 */
export async function settleDirtyFiles(
  ports: DirtyPorts,
  asked: readonly FileRef[],
  run: Pick<RunContext, "answer" | "stampOf">,
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

async function save(
  ports: DirtyPorts,
  unsaved: Unsaved,
  files: readonly FileRef[],
  run: Pick<RunContext, "stampOf">,
): Promise<SettledFiles> {
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
    if (usable && stamp) stamps.push({ uri: ref.uri, stamp: toldStamp(stamp, after.stamp) });
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
async function readText(ports: DirtyPorts, ref: FileRef): Promise<TextFile | undefined> {
  try {
    const file = await ports.files.read(ref, MAX_LOOKED_AT);
    return file.kind === "text" ? file : undefined;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
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
