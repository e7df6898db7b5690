/**
 * What is about to be done to files by a person's hand is in the log before the first of them is touched: an `intent` for one file,
 * a `rewind` that is `begun` for many. A process may end between a file and the record of its change: the next opening of the
 * session looks, and notes what the person did, so that it does not pass for a change by others.
 */
import { t } from "../../../shared/l10n";
import type { LogRecord, NewRecord, RecordOf } from "../../../shared/records";
import { type Files, StorageError } from "../../ground/ports";
import { unlessFileError } from "../../ground/ports/files";
import { withLf } from "../../ground/text/lines";
import type { History } from "../../log/history";
import { neither } from "./putBack";
import { resolveRecordedFile, textNow } from "./timeline";

/** What the log has of a file in which a person put something back. */
export type NewPutBack = Extract<NewRecord, { kind: "revert" | "review" }>;
type OpenIntent = RecordOf<"intent"> | RecordOf<"rewind">;

/** Texts of the file; null: no file */
interface Intent {
  from: string | null;
  to: string | null;
  /** appended once it is done */
  record: NewPutBack;
}

export class Intents {
  constructor(private readonly deps: { history: History; files: Files }) {}

  /**
   * Its record is the caller's to append. Where the log takes nothing, it is done all the same: the caller says so then. Rejects
   * with StorageError, with nothing done, where another window has the session.
   * @param act a refusal: it did nothing, as where it throws
   */
  async around<T extends object>({ from, to, record }: Intent, act: () => Promise<T>): Promise<T> {
    const intent = { kind: "intent", record, from: this.hash(from), to: this.hash(to) } as const;
    const begun = await unlessStorage(this.deps.history.append({ ...intent, phase: "begun" }), isNotOurs);
    let done: T | undefined;
    try {
      done = await act();
      return done;
    } finally {
      // Where that cannot be noted either, the next opening sees that the file is as it was.
      if (begun && (done === undefined || "kind" in done)) await unlessStorage(this.leave(intent));
    }
  }

  /** All that a crash cut off. Before anything else is done with the session. @param closeRewind notes how far one came */
  async closeInterrupted(closeRewind: (begun: RecordOf<"rewind">) => Promise<void>): Promise<void> {
    for (const open of openIntents(this.deps.history.records))
      await (open.kind === "rewind" ? closeRewind(open) : this.close(open));
  }

  private async close({ record, from, to }: RecordOf<"intent">): Promise<void> {
    const fate = await this.fate(record, { from, to });
    if (fate === "out of reach") return;
    if (fate === "done") return void (await this.deps.history.append(record));
    await this.leave({ kind: "intent", record, from, to });
    if (fate === "left") return;
    const text = t("Strata ended while changes of {0} were undone, and the file {1}", record.path, neither());
    await this.deps.history.append({ kind: "note", level: "warning", code: "undo-interrupted", text });
  }

  private async leave(intent: Omit<Extract<NewRecord, { kind: "intent" }>, "phase">): Promise<void> {
    await this.deps.history.append({ ...intent, phase: "left" });
  }

  private async fate(record: NewPutBack, planned: { from: string | null; to: string | null }) {
    const ref = await unlessFileError(resolveRecordedFile(this.deps.files, record), undefined);
    // Its folder is not open: another time.
    if (!ref) return "out of reach";
    const now = await unlessFileError(textNow(this.deps.files, ref), undefined);
    const isSame = (a: string | null, b: string | null) => a === b;
    const { before, after } = record;
    // Only line ends differ: the states of the record tell them apart.
    if (now && planned.from === planned.to && before !== undefined && after !== undefined)
      return fateOf(this.deps.history.hash.sha256(now.text), { from: before, to: after }, isSame);
    return fateOf(now && this.hash(now.text), planned, isSame);
  }

  private hash(text: string | null): string | null {
    return text === null ? null : this.deps.history.hash.sha256(withLf(text));
  }
}

/** What became of a file that was to be changed. @param now undefined: it cannot be told */
export function fateOf<S>(now: S | undefined, { from, to }: { from: S; to: S }, same: (a: S, b: S) => boolean) {
  if (now === undefined) return "neither";
  if (same(now, to)) return "done";
  return same(now, from) ? "left" : "neither";
}

/** Those that nothing followed: of each file the newest, and every rewind. */
export function openIntents(records: readonly LogRecord[]): OpenIntent[] {
  const open = new Map<string, OpenIntent>();
  for (const record of records) {
    const about = record.kind === "intent" ? record.record : record;
    if (about.kind !== "revert" && about.kind !== "review" && about.kind !== "rewind") continue;
    const key = `${about.kind} ${about.kind === "rewind" ? about.rewindId : about.uri}`;
    const isOpened = (record.kind === "intent" || record.kind === "rewind") && record.phase === "begun";
    if (isOpened) open.set(key, record);
    else open.delete(key);
  }
  return [...open.values()];
}

const isNotOurs = ({ code }: StorageError): boolean => code === "LOST_LOCK" || code === "READ_ONLY";

async function unlessStorage<T>(work: Promise<T>, but: (error: StorageError) => boolean = () => false) {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError && !but(error)) return undefined;
    throw error;
  }
}
