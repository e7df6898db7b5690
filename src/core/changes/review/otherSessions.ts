/**
 * Edits of other sessions that wait for their review, looked at before a write: whose, what for, since when. A mark beside the sessions says
 * that one may have such an edit of a file, its log whether it has, the file whether its lines are there. A session counts while it
 * is open, was left by a crash, or has worked since this turn began: who starts the next one after another is done asks for that.
 */
import { mapBounded, SerialQueue } from "../../../shared/async";
import { uriToPath } from "../../../shared/filePlace";
import { dateTimeText } from "../../../shared/format";
import { t } from "../../../shared/l10n";
import type { LogRecord } from "../../../shared/records";
import { titleFrom } from "../../../shared/title";
import {
  type Files,
  type Logger,
  type SessionStorage,
  ToolError,
  type UnreviewedMark,
  type UnreviewedMarks,
} from "../../ground/ports";
import { isOnDisk } from "../../ground/ports/files";
import { isoMinutes } from "../../ground/text/format";
import { listPrompts } from "../../log/findRecords";
import { History, type HistoryDeps } from "../../log/history";
import { Snapshots } from "../../log/snapshots";
import { changesFile, mayChangeFiles } from "../../permissions/changedFiles";
import type { PreparedCall, ToolOutcome } from "../../tool/tool";
import { resolveRecordedFile, textNow } from "../timeline/recordedFile";
import { editsOf, Timeline } from "../timeline/timeline";
import { hunksIn, type ReviewCursor, type Texts, WaitingChanges } from "./waiting";

interface OtherSessionsDeps extends Omit<HistoryDeps, "emit"> {
  history: History;
  files: Files;
  storage: SessionStorage;
  marks: UnreviewedMarks;
  logger: Logger;
}

/** `before` absent: as it is now; `after` absent: anything may become of it, null: no file. */
interface FileToChange {
  uri: string;
  before?: string | null;
  after?: string | null;
}

interface OtherEdit {
  key: string;
  path: string;
  /** title of its session */
  session: string;
  /** first words of its turn */
  turn: string;
  /** ms since the epoch */
  ts: number;
  /** lines of it would go */
  isLost: boolean;
}

/** A call that was looked at. `note`: for the model, "": nothing */
export interface WeighedCall {
  prepared: PreparedCall;
  note: string;
  /** The person allowed it: the same edits are asked about no more. */
  allow(): void;
}

/** ms after which an edit that was not reviewed counts as accepted */
const MAX_AGE = 7 * 86_400_000;
const AT_ONCE = 16;
/** What a call fails by whose file changed under it. */
const CHANGED = new Set<ToolError["code"]>(["CONFLICT", "STALE", "NO_MATCH"]);

export class OtherSessions {
  /** edits of others that a person let this session change */
  private readonly allowed = new Set<string>();
  private readonly queue = new SerialQueue();
  private readonly snapshots: Snapshots;
  private readonly waiting: WaitingChanges;

  constructor(private readonly deps: OtherSessionsDeps) {
    this.snapshots = new Snapshots(deps.history.files, deps);
    this.waiting = this.waitingOf(deps.history, this.snapshots);
  }

  /** Keeps this session's marks in step with its log. Beside the work, which does not wait for it. */
  follow(record: LogRecord): void {
    if (record.kind === "result" && record.changes) for (const { uri } of record.changes) this.mark(uri, true);
    if (record.kind === "review" || record.kind === "revert") this.mark(record.uri, false);
  }

  private mark(uri: string, waits: boolean): void {
    const { marks } = this.deps;
    const mark = { key: this.keyOf(uri), sessionId: this.deps.history.files.id };
    const keep = async () => (waits || (await this.waiting.find(uri)) ? marks.put(mark, uri) : marks.drop(mark));
    void this.queue.run(keep).catch(error => this.failed(error));
  }

  /** Before a call is performed: where it would take away lines of others, the person is asked in every mode. Never rejects. */
  async weigh(prepared: PreparedCall, { name }: { name: string }): Promise<WeighedCall> {
    const edits = await this.editsIn(marks => this.filesOf(prepared, marks));
    // An Edit elsewhere in the file is nobody else's business.
    const told = edits.filter(({ isLost }) => isLost || name === "Write");
    const asked = told.filter(({ isLost, key }) => isLost && !this.allowed.has(key));
    const mustAsk = [prepared.mustAsk, ...asked.map(edit => this.reason(edit))].filter(Boolean).join("; ");
    return {
      prepared: asked.length > 0 ? { ...prepared, mustAsk } : prepared,
      note: noteOf(told),
      allow: () => {
        for (const { key } of asked) this.allowed.add(key);
      },
    };
  }

  /** What a command did that could not be told from its text; "": nothing of others. Never rejects. */
  async noteAfter({ changes = [] }: ToolOutcome): Promise<string> {
    const lost = await this.editsIn(async () =>
      (
        await mapBounded(changes, AT_ONCE, async change => {
          const states = await this.snapshots.bothIfKept(change);
          return states ? [{ uri: change.uri, ...states }] : [];
        })
      ).flat(),
    );
    return noteOf(lost.filter(({ isLost }) => isLost));
  }

  /** A call that could not be prepared since its file changed: the error names who changed it. Rejects with it. */
  async explain(error: unknown, uris: () => Promise<readonly { uri: string }[]>): Promise<never> {
    if (error instanceof ToolError && CHANGED.has(error.code)) {
      const note = noteOf(await this.editsIn(uris));
      if (note !== "") error.message += `\n${note}`;
    }
    throw error;
  }

  /** Sentences for the person, of files that also hold edits of others. Never rejects. */
  async sentences(files: readonly FileToChange[]): Promise<string[]> {
    const edits = await this.editsIn(async () => files);
    return edits.map(({ path, session, turn, ts }) =>
      t(
        "{0} also has changes of the session “{1}” (“{2}”, {3}), not reviewed yet: they stay.",
        ...[path, session, turn, dateTimeText(ts)],
      ),
    );
  }

  private async filesOf(prepared: PreparedCall, marks: readonly UnreviewedMark[]): Promise<FileToChange[]> {
    const { command, detail, proposal } = prepared;
    if (!command || detail.type !== "command") {
      const texts = prepared.changes ?? (proposal ? [proposal] : []);
      return texts.map(({ ref, before, after }) => ({ uri: ref.uri, before, after }));
    }
    if (!mayChangeFiles(command)) return [];
    const uris = await mapBounded(marks, AT_ONCE, mark => this.deps.marks.read(mark));
    const paths = [...new Set(uris)].flatMap(uri => (uri && isOnDisk({ uri }) ? [{ uri, path: uriToPath(uri) }] : []));
    return paths.filter(({ path }) => path !== undefined && changesFile(command, detail.cwd, path));
  }

  /** One read of a folder where no other session has a mark. */
  private async editsIn(filesOf: (marks: readonly UnreviewedMark[]) => Promise<readonly FileToChange[]>) {
    try {
      const own = this.deps.history.files.id;
      const marks = (await this.deps.marks.list()).filter(({ sessionId }) => sessionId !== own);
      if (marks.length === 0) return [];
      const found: OtherEdit[] = [];
      for (const file of await filesOf(marks)) {
        const key = this.keyOf(file.uri);
        const ids = marks.filter(mark => mark.key === key).map(({ sessionId }) => sessionId);
        const edits = await mapBounded(ids, AT_ONCE, id => this.editOf(id, file).catch(error => this.failed(error)));
        found.push(...edits.filter(edit => edit !== undefined));
      }
      return found;
    } catch (error) {
      this.failed(error);
      return [];
    }
  }

  private async editOf(id: string, file: FileToChange): Promise<OtherEdit | undefined> {
    const { storage, marks, clock } = this.deps;
    const isOpen = await marks.isOpen(id);
    if (isOpen === undefined) return undefined;
    const files = await storage.open(id, { readOnly: true });
    try {
      const { history } = await History.open(files, { ...this.deps, emit: () => undefined });
      if (!isOpen && (history.records.at(-1)?.ts ?? 0) < this.turnBegan()) return undefined;
      const waiting = this.waitingOf(history, new Snapshots(files, this.deps));
      const cursor = await waiting.find(file.uri);
      if (!cursor) return undefined;
      const edit = editsOf((await new Timeline(history).read()).links).find(({ seq }) => seq === cursor.edit);
      if (!edit || clock.now() - edit.began > MAX_AGE) return undefined;
      const isLost = await this.losesLines(cursor, await waiting.textsOf(cursor), file);
      if (isLost === undefined) return undefined;
      const { prompts } = await listPrompts(history);
      const turn = titleFrom(prompts.findLast(prompt => prompt.turn === edit.turn)?.text ?? "");
      const session = history.conversation.title || titleFrom(prompts[0]?.text ?? "") || id;
      return { key: `${id} ${cursor.uri} ${edit.seq}`, path: cursor.path, session, turn, ts: edit.began, isLost };
    } finally {
      await files.close();
    }
  }

  /** undefined: none of its lines are there */
  private async losesLines(cursor: ReviewCursor, texts: Texts | undefined, { before, after }: FileToChange) {
    const { files } = this.deps;
    const now = before === undefined ? (await textNow(files, await resolveRecordedFile(files, cursor)))?.text : before;
    // How many lines of one that was not kept are there is not known: only what may take all is asked about.
    if (cursor.why !== undefined || !texts) return now ? !after : undefined;
    if (typeof now !== "string" || texts.agent === null) return undefined;
    const left = linesLeft(texts, now);
    if (left === 0) return undefined;
    return typeof after !== "string" || linesLeft(texts, after) < left;
  }

  private waitingOf = (history: History, snapshots: Snapshots) =>
    new WaitingChanges({ timeline: new Timeline(history), files: this.deps.files, snapshots });

  private turnBegan(): number {
    const { records, conversation } = this.deps.history;
    const isOfTurn = (record: LogRecord) =>
      record.kind === "message" && record.message.metadata.turn === conversation.turn;
    return records.find(isOfTurn)?.ts ?? this.deps.clock.now();
  }

  private reason({ path, session, turn, ts }: OtherEdit): string {
    const { title } = this.deps.history.conversation;
    return t(
      "it changes lines of {0} that the session “{1}” changed for “{2}” ({3}), not reviewed yet; this is the session “{4}”",
      ...[path, session, turn, dateTimeText(ts), title],
    );
  }

  private keyOf = (uri: string) => this.deps.hash.sha256(uri).slice(0, 16);

  private failed(error: unknown): undefined {
    this.deps.logger.log("warning", "edits of other sessions could not be looked at", { error: String(error) });
    return undefined;
  }
}

/** A change that only removed counts as one. */
const linesLeft = (texts: Texts, text: string): number =>
  hunksIn(texts, text).reduce((sum, { agent }) => sum + (agent.count || 1), 0);

const noteOf = (edits: readonly OtherEdit[]): string =>
  edits
    .map(({ path, session, turn, ts, isLost }) => {
      const what = isLost ? "changed these lines of" : "also has changes in";
      return `Another session, "${session}", ${what} ${path} (its turn: "${turn}", ${isoMinutes(ts)}); they are not reviewed yet${isLost ? "" : " and stay"}.`;
    })
    .join("\n");

/** What a call gives, with a note at its end. */
export function withNote<T extends ToolOutcome>(outcome: T, note: string): T {
  if (note === "") return outcome;
  const { result } = outcome;
  return { ...outcome, result: { ...result, text: `${result.text}\n${note}` } };
}
