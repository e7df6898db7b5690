/**
 * What is about to be done to a file by a person's hand is in the log before the file is touched. A process may end between the
 * file and its record: whoever opens the session then finds out which it was, and notes what the person did, so that it does
 * not pass for something that nobody asked for.
 */
import type { LogRecord, NewRecord, RecordOf } from "../../shared/records";
import type { History } from "../history/history";
import { type Files, StorageError, unlessFileError } from "../ports";
import { withLf } from "../text/lines";
import { resolveRecordedFile, textNow } from "./recordedFile";

type Intended = Extract<NewRecord, { kind: "revert" | "review" }>;

/** Texts of the file; null: there is none. */
interface Intent {
  from: string | null;
  to: string | null;
  /** what is appended once it is done */
  record: Intended;
}

interface IntentsDeps {
  history: Pick<History, "append" | "hash" | "records">;
  files: Pick<Files, "resolve" | "read">;
}

export class Intents {
  constructor(private readonly deps: IntentsDeps) {}

  /**
   * Its record is the caller's to append. Where the log takes nothing, it is done all the same: the caller says so then.
   * @param act a refusal: it did nothing, as where it throws
   */
  async around<T extends object>({ from, to, record }: Intent, act: () => Promise<T>): Promise<T> {
    const intent = { kind: "intent", record, from: this.hash(from), to: this.hash(to) } as const;
    const begun = await unlessStorage(this.deps.history.append({ ...intent, phase: "begun" }));
    let done: T | undefined;
    try {
      done = await act();
      return done;
    } finally {
      // Where that cannot be noted either, the next opening sees that the file is as it was.
      if (begun && (done === undefined || "kind" in done)) await unlessStorage(this.leave(intent));
    }
  }

  /** Those that a crash cut off. Before anything else is done with the session. */
  async closeInterrupted(): Promise<void> {
    for (const { record, from, to } of openIntents(this.deps.history.records)) {
      const now = await this.lookAt(record);
      if (now === "out of reach") continue;
      if (now === to) await this.deps.history.append(record);
      else {
        await this.leave({ kind: "intent", record, from, to });
        if (now !== from) await this.tell(record);
      }
    }
  }

  private async leave(intent: Omit<Extract<NewRecord, { kind: "intent" }>, "phase">): Promise<void> {
    await this.deps.history.append({ ...intent, phase: "left" });
  }

  private async tell({ path }: Intended): Promise<void> {
    const text = `Strata ended while changes of ${path} were taken back, and the file is neither as it was nor as it was to be: look at it.`;
    await this.deps.history.append({ kind: "note", level: "warning", code: "undo-interrupted", text });
  }

  /** As it stands in an intent; undefined: nothing that could be looked at. */
  private async lookAt(record: Intended): Promise<string | null | undefined> {
    const ref = await unlessFileError(resolveRecordedFile(this.deps.files, record), undefined);
    // Its folder is not open: another time.
    if (!ref) return "out of reach";
    const now = await unlessFileError(textNow(this.deps.files, ref), undefined);
    return now && this.hash(now.text);
  }

  private hash(text: string | null): string | null {
    return text === null ? null : this.deps.history.hash.sha256(withLf(text));
  }
}

/** The newest of each file that nothing followed. */
function openIntents(records: readonly LogRecord[]): RecordOf<"intent">[] {
  const open = new Map<string, RecordOf<"intent">>();
  for (const record of records) {
    const about = record.kind === "intent" ? record.record : record;
    if (about.kind !== "revert" && about.kind !== "review") continue;
    const key = `${about.kind} ${about.uri}`;
    if (record.kind === "intent" && record.phase === "begun") open.set(key, record);
    else open.delete(key);
  }
  return [...open.values()];
}

async function unlessStorage<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
