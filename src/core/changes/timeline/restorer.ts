/**
 * Puts a text back in the current file, unsaved text too. What a person takes back, makes again or rewinds comes this way:
 * read, work out the new text, keep both states, log the intent, compare and swap, note it.
 */

import { defined } from "../../../shared/defined";
import { uriToPath } from "../../../shared/filePlace";
import { t } from "../../../shared/l10n";
import { folderOf, isBelow } from "../../../shared/paths";
import {
  type ApplyOutcome,
  type DiskStates,
  type FileRef,
  type Files,
  onlyFor,
  type Root,
  SessionError,
  StorageError,
  type StorageForm,
} from "../../ground/ports";
import { isOnDisk, unlessFileError } from "../../ground/ports/files";
import { diffLines } from "../../ground/text/diff";
import { withLf } from "../../ground/text/lines";
import type { History } from "../../log/history";
import type { KeptState, SnapshotFields, Snapshots } from "../../log/snapshots";
import { MAX_EDIT_BYTES } from "../edits/fileEdit";
import type { Intents, NewPutBack } from "./intents";
import { editsBetween, type Refusal, refusalWords } from "./putBack";
import { editsOf, resolveRecordedFile, type TextNow, type Timeline, textNow } from "./timeline";

/** How often it is tried again where the file moved in between. */
const MAX_TRIES = 5;

/** The text that a file gets. */
interface Target {
  /** null: no file */
  text: string | null;
  /** how a file was stored that comes back; absent: not noted */
  as?: StorageForm | undefined;
}

/** The file's text after the write; `but`: a warning for the person. */
interface WriteOutcome {
  text: string | null;
  but?: string | undefined;
}

/** @param refused as `swap` gives it */
export const isRefusal = <T extends object>(refused: T | Refusal): refused is Refusal => "kind" in refused;

interface Swap<T extends Target> {
  /** the text that it gets, from the text it has */
  plan(now: string | null): Promise<T | Refusal>;
  /** what has to be on disk before the write is made sure of first */
  around(from: string | null, target: T, write: () => Promise<WriteOutcome | Refusal>): Promise<WriteOutcome | Refusal>;
}

/** Compare and swap, as often as the file moves. Rejects as `Files` does. */
export async function swap<T extends Target>(
  files: Files,
  ref: FileRef,
  { plan, around }: Swap<T>,
): Promise<{ from: string | null; target: T; written: WriteOutcome } | Refusal> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const now = await textNow(files, ref);
    if (now === undefined) return { kind: "no text" };
    const from = now?.text ?? null;
    const target = await plan(from);
    if (isRefusal(target)) return target;
    const { text } = target;
    const written = text === from ? { text } : await around(from, target, () => write(files, ref, now, target));
    if (!isRefusal(written)) return { from, target, written };
    if (written.kind !== "moved") return written;
  }
  return { kind: "kept changing" };
}

async function write(files: Files, ref: FileRef, now: TextNow | null, target: Target): Promise<WriteOutcome | Refusal> {
  const { text, as } = target;
  if (text === null)
    return now && (await files.removeFile(ref, now.sha256)) === "removed" ? { text } : { kind: "moved" };
  const edits = now ? editsBetween(now.text, text) : [{ start: 0, end: 0, text }];
  const outcome = await files.apply({ ref, base: now?.sha256 ?? null, edits, ...(as && { as }) });
  if (outcome.kind === "stale") return { kind: "moved" };
  // An editor keeps one kind of line end for a file, so the result may differ from the request.
  if (outcome.text === now?.text) return { kind: "unchanged" };
  return { text: outcome.text, but: doneBut(outcome, text) };
}

/** That an editor keeps one kind of line end is not worth a word. */
function doneBut({ text, unsaved }: Extract<ApplyOutcome, { kind: "applied" }>, target: string): string | undefined {
  if (unsaved !== undefined) return t("not saved: {0}.", unsaved);
  if (withLf(text) === withLf(target)) return undefined;
  return t(
    "when it was saved, the editor (a formatter, for example) changed more. Open the diff to see the file as it is now.",
  );
}

export interface RestorerDeps {
  history: History;
  timeline: Timeline;
  files: Files;
  disk?: DiskStates | undefined;
  snapshots: Snapshots;
  intents: Intents;
}

/** What the log has of every text that was put back: the file before and after it, how it was stored if it went, lines by it. */
export type PutBackStates = Omit<SnapshotFields, "unkept"> &
  Pick<NewPutBack, "stored"> & { added: number; removed: number };

interface RestoreWords {
  /** "The change of a.ts can't be undone" */
  cannot: string;
  /** "The change of a.ts was undone" */
  was: string;
}

/** A text that a person wants to have put back. */
interface Restoration extends RestoreWords {
  file: { uri: string; path: string };
  /** from the file's current text */
  plan(now: string | null): Promise<RestoredText | Refusal>;
}

export const restoreWords = (path: string, direction: "undo" | "redo"): RestoreWords =>
  direction === "undo"
    ? { cannot: t("The change of {0} can't be undone", path), was: t("The change of {0} was undone", path) }
    : { cannot: t("The change of {0} can't be redone", path), was: t("The change of {0} was redone", path) };

interface RestoredText extends Target {
  record(states: PutBackStates): NewPutBack;
}

export class Restorer {
  constructor(private readonly deps: RestorerDeps) {}

  /**
   * The whole, or nothing. Rejects with SessionError (why not, or how the result differs from what was meant), FileError and
   * StorageError.
   */
  async restore({ file, cannot, was, plan }: Restoration): Promise<void> {
    const { files, intents } = this.deps;
    const ref = await resolveRecordedFile(files, file);
    let stored: NewPutBack["stored"];
    const put = await swap<RestoredText & { kept: KeptState }>(files, ref, {
      plan: async now => {
        const target = await plan(now);
        return isRefusal(target) ? target : { ...target, kept: await this.deps.snapshots.keep(now) };
      },
      around: async (from, target, act) => {
        stored = from === null || target.text !== null ? undefined : await this.stored(ref, from);
        const record = target.record({ ...(await statesOf(target.kept, from, target.text)), ...defined({ stored }) });
        return intents.around({ from, to: target.text, record }, act);
      },
    });
    if (isRefusal(put)) throw new SessionError(await this.whyNot(put, ref, cannot));
    const { from, target, written } = put;
    await this.note(
      target.record({ ...(await statesOf(target.kept, from, written.text)), ...defined({ stored }) }),
      was,
    );
    if (from !== null && written.text === null) await this.removeFolders(file.uri);
    if (written.but !== undefined) throw new SessionError(t("{0}, but {1}", was, written.but));
  }

  /** Those that were made with files of the agent, and are empty now. Never rejects but as the timeline does. */
  private async removeFolders(uri: string): Promise<void> {
    const { disk, timeline, files } = this.deps;
    if (!disk) return;
    const created = editsOf((await timeline.read()).links).filter(({ change }) => change.created === true);
    const since = (folder: string) => {
      const first = created.find(({ change }) => isBelow(folder, uriToPath(change.uri) ?? ""));
      return first?.began ?? Number.POSITIVE_INFINITY;
    };
    await removeFoldersAround(disk, files.roots, { uris: [uri], since });
  }

  /** How a file that goes is stored, so that it can come back the same; undefined: unknown. */
  private async stored(ref: FileRef, text: string): Promise<NewPutBack["stored"]> {
    const { files } = this.deps;
    const file = await unlessFileError(files.read(ref, MAX_EDIT_BYTES), undefined);
    if (file?.kind !== "text" || file.text !== text || file.stamp.dirty) return undefined;
    const mode = (await unlessFileError(files.stat(ref), undefined))?.mode;
    return { sha256: file.stamp.sha256, ...defined({ mode }) };
  }

  private async note(record: NewPutBack, wasDone: string): Promise<void> {
    const unnoted = onlyFor(StorageError, ({ code, message }) => {
      throw new StorageError(code, t("{0}, but the session could not note it. {1}", wasDone, message));
    });
    await this.deps.history.append(record).catch(unnoted);
  }

  private async whyNot(refusal: Refusal, ref: FileRef, what: string): Promise<string> {
    const now = refusal.kind === "conflict" ? (await textNow(this.deps.files, ref))?.text : undefined;
    return refusalWords(what, refusal, now);
  }
}

/**
 * Folders in the roots that have nothing in them any more, the innermost first: those around files that went, where they were surely
 * made since then, and those that are known to have been made. Never rejects.
 * @param since ms since the epoch, by the folder
 */
export async function removeFoldersAround(
  disk: DiskStates,
  roots: readonly Root[],
  { uris, since }: { uris: readonly string[]; since(folder: string): number },
): Promise<void> {
  const isInRoot = (path: string) => roots.some(root => isBelow(root.path, path));
  const around = new Set<string>();
  for (const uri of uris) {
    const path = isOnDisk({ uri }) ? uriToPath(uri) : undefined;
    for (let at = path && folderOf(path); at && isInRoot(at); at = folderOf(at)) around.add(at);
  }
  for (const path of [...around].filter(isInRoot).sort((a, b) => b.length - a.length))
    await disk.removeFolder(path, since(path));
}

async function statesOf(kept: KeptState, before: string | null, after: string | null): Promise<PutBackStates> {
  const { unkept: _, ...states } = await kept.with(after);
  const { added, removed } = diffLines(before ?? "", after ?? "");
  return { ...states, added, removed };
}
