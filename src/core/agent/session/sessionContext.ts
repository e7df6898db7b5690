/** What goes to the model, as people see it and deal with it: what the next request would hold, what those held that were sent; compactions and pins. */
import type { ContextRow, ContextView, LastCompaction, RequestLine } from "../../../shared/contextProtocol";
import { defined } from "../../../shared/defined";
import { noCompactionTo, undoableCompactions } from "../../../shared/entry";
import { t } from "../../../shared/l10n";
import type { LogRecord } from "../../../shared/records";
import { compactAt, countRequest } from "../../../shared/tokenCount";
import type { Compactor } from "../../context/compaction/compactor";
import type { CompactionPreview } from "../../context/compaction/preview";
import { contextRows, type PlacedRow, strataOf } from "../../context/requests/contextRows";
import { newestRequests, type RecordedWords, recordedWords, toRequestLine } from "../../context/requests/sentRequests";
import { SessionError } from "../../ground/ports";
import { onBranch } from "../../log/branches";
import type { History } from "../../log/history";
import { readWholeLog } from "../../log/readLog";
import { rebuildRequest, requestText, segmentsText } from "../../proof/rebuild";

const TURNS = 100;
const REQUESTS = 20;

export class SessionContext {
  /** of all records, as of the compaction `after`: archives do not change until the next one */
  private archived: { after: string; words: RecordedWords } | undefined;

  constructor(
    private readonly history: History,
    private readonly compactor: Compactor,
  ) {}

  /** Rejects with StorageError. */
  async view(): Promise<ContextView> {
    const { conversation, records } = this.history;
    const [{ request, rows }, today] = await Promise.all([this.read(), this.compactor.costToday()]);
    const turns = rows.filter(({ kind }) => kind === "turn");
    const shown = new Set(turns.slice(0, TURNS));
    const { window } = this.compactor;
    return {
      counted: countRequest(request.tokens, conversation),
      tokens: request.tokens,
      window: Math.round(window),
      compactAt: Math.round(compactAt(window)),
      strata: strataOf(rows),
      rows: rows.filter(row => row.kind !== "turn" || shown.has(row)).map(toRow),
      turns: turns.length,
      ...defined({ last: lastCompaction(records), today }),
      held: conversation.compactionHeld,
      spent: conversation.spent,
    };
  }

  /** Turns before this one, newest first, as many as the view has at once. Rejects with StorageError. */
  async turns(before: number): Promise<ContextRow[]> {
    const { rows } = await this.read();
    return rows
      .filter(({ kind, turn = 0 }) => kind === "turn" && turn < before)
      .slice(0, TURNS)
      .map(toRow);
  }

  /** Newest first. Rejects with StorageError. */
  async sent(before?: number): Promise<{ requests: RequestLine[]; hasOlder: boolean; unreadable: number }> {
    const text = (await this.history.files.read("requests.jsonl")) ?? "";
    const { requests, ...page } = newestRequests(text, before, REQUESTS);
    const live = recordedWords(this.history.records);
    const isKnown = requests.every(({ manifest: { requestId, purpose } }) => purpose || live.usage.has(requestId));
    const words = isKnown ? live : await this.withArchived(live);
    return { requests: requests.map(request => toRequestLine(request, words)), ...page };
  }

  /** A request as it was sent, as text. Rejects with NoRequestError too. */
  async requestText(number: number): Promise<string> {
    const { files, hash } = this.history;
    return requestText(await rebuildRequest(files, hash, number));
  }

  /** What a row holds, as it would be sent; of a rules file of the workspace its path. Rejects with SessionError. */
  async rowText(key: string): Promise<{ name: string; text: string; file?: string }> {
    const { request, rows } = await this.read();
    const row = rows.find(each => each.key === key);
    if (!row) throw new SessionError(t("This is no longer part of the next request."));
    const segments = row.places.flatMap(place => request.segments[place] ?? []);
    const isFile = row.kind === "rules" && row.trust === "rules";
    return {
      name: row.name || row.kind,
      text: segmentsText(segments, row.names),
      ...(isFile ? { file: row.name } : {}),
    };
  }

  private async read() {
    const request = await this.compactor.nextRequest();
    const { conversation, records } = this.history;
    const made = new Map(
      records.flatMap(record =>
        record.kind === "compaction" ? record.summaries.slice(-1).map(({ id }) => [id, record.ts] as const) : [],
      ),
    );
    return { request, rows: contextRows(request.segments, conversation, made) };
  }

  /** Turns that were compacted have their records in archives. */
  private async withArchived(live: RecordedWords): Promise<RecordedWords> {
    const after = this.history.records.findLast(({ kind }) => kind === "compaction")?.id;
    if (after === undefined) return live;
    if (this.archived?.after !== after)
      this.archived = { after, words: recordedWords((await readWholeLog(this.history.files)).records) };
    const { pieces, usage } = this.archived.words;
    return { pieces: new Map([...pieces, ...live.pieces]), usage: new Map([...usage, ...live.usage]) };
  }
}

const toRow = ({ places: _, names: __, ...row }: PlacedRow): ContextRow => row;

function lastCompaction(records: History["records"]): LastCompaction | undefined {
  const { undo, redo } = undoable(records);
  const record = redo ?? undo;
  if (!record) return undefined;
  const { id, tokens, counted = tokens } = record;
  return { compactionId: id, before: counted.before, after: counted.after, can: redo ? "redo" : "undo" };
}

// Compactions: by hand, looked at beforehand, cancelled, undone, redone; and pinned turns.

/** What parts of a session need of the session around them. */
export interface SessionGate {
  /** Throws SessionError where this window may not write the session. */
  requireWritable(): void;
  /** Throws SessionError also where a turn runs. */
  requireIdle(): void;
  /** The session is busy with it; then the queued messages go out. Rejects as it does. */
  whileBusy(work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
}

/** Why this window may not write a session, a sentence; undefined: it may. */
export function whyNotWritable({
  deleted,
  readOnly,
  obstacle,
}: {
  deleted?: true | undefined;
  readOnly: boolean;
  obstacle?: string | undefined;
}) {
  if (deleted) return t("This session was deleted in another window. Restore it, or start a new one.");
  const elsewhere = t(
    "This session is open in another window, so it can only be read here. Start a new session, or close it there.",
  );
  return readOnly ? (obstacle ?? elsewhere) : undefined;
}

export class SessionCompaction {
  constructor(
    private readonly history: History,
    private readonly compactor: Compactor,
    private readonly session: SessionGate,
  ) {}

  /**
   * Compacts history by hand. Resolves when it ended: events told how. Messages sent meanwhile go out after it.
   * Rejects with SessionError, or with StorageError: then nothing changed.
   * @param upTo the last turn that goes; absent: as the settings say
   */
  async compact(words = "", upTo?: number): Promise<void> {
    this.session.requireIdle();
    const guidance = words.trim();
    await this.session.whileBusy(signal =>
      this.compactor.compact({ reason: "manual", ...(guidance ? { guidance } : {}), ...defined({ upTo }) }, signal),
    );
  }

  cancel = (): void => this.compactor.cancel();
  preview = (): Promise<CompactionPreview> => this.compactor.preview();
  use = (): ReturnType<Compactor["use"]> => this.compactor.use();

  /** What `undo` and `redo` would take back. */
  get undoable(): ReturnType<typeof undoable> {
    return undoable(this.history.records);
  }

  /** Puts the originals of the newest compaction back. Rejects with SessionError or StorageError: then nothing changed. */
  undo = (): Promise<void> => this.go("undo");
  redo = (): Promise<void> => this.go("redo");

  private async go(way: "undo" | "redo"): Promise<void> {
    this.session.requireIdle();
    const record = this.undoable[way];
    if (!record) throw new SessionError(noCompactionTo(way));
    await (way === "undo" ? this.history.undoCompaction(record) : this.history.redoCompaction(record));
  }

  /** No compaction changes a pinned turn. */
  async pin(turn: number, pinned: boolean): Promise<void> {
    this.session.requireWritable();
    if (this.history.conversation.pins.has(turn) !== pinned) await this.history.append({ kind: "pin", turn, pinned });
  }
}

export function undoable(records: readonly LogRecord[]) {
  const changes = onBranch(records).filter(
    record => record.kind === "compaction" || record.kind === "undo" || record.kind === "redo",
  );
  const { undo, redo } = undoableCompactions(changes);
  const find = (id: string | undefined) =>
    changes.filter(record => record.kind === "compaction").find(record => record.id === id);
  return { undo: find(undo), redo: find(redo) };
}
