/**
 * Edits of other sessions that wait for their review, looked at before a write: whose, what for, since when. A mark beside the sessions
 * says that one may have such an edit of a file, its log whether it has, the file whether its lines are there. The person is asked while
 * the session is open, was left by a crash, or has worked since this turn began; one that ended within the hour is told of.
 */
import { mapBounded, SerialQueue } from "../../../shared/async";
import { uriToPath } from "../../../shared/filePlace";
import { dateTimeText } from "../../../shared/format";
import { t } from "../../../shared/l10n";
import type { LogRecord } from "../../../shared/records";
import { titleFrom } from "../../../shared/title";
import { type Files, type Logger, type SessionFiles, type SessionStorage, ToolError } from "../../ground/ports";
import { isOnDisk } from "../../ground/ports/files";
import { isoMinutes } from "../../ground/text/format";
import { listPrompts } from "../../log/findRecords";
import type { SessionLog } from "../../log/handles";
import type { History } from "../../log/history";
import { changesIn } from "../../log/putBacks";
import { readLog } from "../../log/readLog";
import { Snapshots } from "../../log/snapshots";
import { changesOf } from "../../permissions/denials";
import type { PreparedCall, ToolOutcome } from "../../tool/tool";
import { editsOf, resolveRecordedFile, Timeline, textNow } from "../timeline/timeline";
import { hunksIn, type ReviewCursor, type Texts, WaitingChanges } from "./waiting";

interface OtherSessionsDeps {
  history: History;
  hash: History["hash"];
  clock: { now(): number };
  files: Files;
  storage: SessionStorage;
  logger: Logger;
}

/** `before` absent: as the file is now; `after` absent: that is not known, null: no file */
interface FileToChange {
  uri: string;
  before?: string | null;
  after?: string | null;
}

type FilesToChange = readonly FileToChange[];
/** `said`: path, title of the session, first words of the turn, when; `isLost`: lines would go; `isOver`: its session has ended */
interface OtherEdit {
  id: string;
  ts: number;
  said: [string, string, string, string];
  isLost: boolean;
  isOver: boolean;
}

/** ms after which an edit that was not reviewed counts as accepted */
const MAX_AGE = 7 * 86_400_000;
/** ms after its end in which a session is still told of: runs that follow each other are not refused for it */
const RECENT = 3_600_000;
const AT_ONCE = 16;
/** lines of a log that tell of edits, what was asked for and what it is called */
const NEEDED = /"changes":\[|"role":"user"|"kind":"(?:review|revert|rewind|title|compaction)"/;

export class OtherSessions {
  private readonly allowed = new Set<string>();
  private readonly queue = new SerialQueue();
  private readonly own: ReturnType<typeof reviewOf>;

  constructor(private readonly deps: OtherSessionsDeps) {
    this.own = reviewOf(deps.history, deps);
  }

  /** Keeps this session's marks in step with its log, beside the work. */
  follow(record: LogRecord): void {
    const isReview = record.kind === "review" || record.kind === "revert";
    const changed = isReview ? [record] : changesIn(record);
    for (const { uri } of changed) {
      const keep = async () => {
        const { unreviewed } = this.deps.storage;
        const mark = `${this.keyOf(uri)}.${this.deps.history.files.id}`;
        if (isReview && !(await this.own.waiting.find(uri))) await unreviewed.drop(mark);
        else await unreviewed.put(mark, uri);
      };
      void this.queue.run(keep).catch(error => this.failed(error));
    }
  }

  /**
   * Before a call: where it would take lines of others away, the person is asked in every mode. `note`: for the model; `allow`: the same
   * call may take the same edits. Never rejects.
   */
  async weigh(prepared: PreparedCall, toolName: string) {
    const { command, proposal, changes = proposal ? [proposal] : [] } = prepared;
    const files = changes.map(({ ref, before, after }) => ({ uri: ref.uri, before, after }));
    const isIdle = command ? changesOf(prepared).isEmpty : files.length === 0;
    const edits = isIdle ? [] : await this.editsIn(marks => (command ? this.filesOf(prepared, marks) : files));
    // An Edit elsewhere in the file takes nothing, and is told nothing.
    const told = edits.filter(({ isLost }) => isLost || toolName === "Write");
    const keyOf = ({ id }: OtherEdit) => `${id} ${prepared.binding}`;
    const asked = told.filter(edit => edit.isLost && !edit.isOver && !this.allowed.has(keyOf(edit)));
    const { title } = this.deps.history.conversation;
    const reasons = asked.map(({ said }) =>
      t("lines of {0} are of session “{1}” (“{2}”, {3}), not reviewed yet; this is session “{4}”", ...said, title),
    );
    const mustAsk = [prepared.mustAsk, ...reasons].filter(Boolean).join("; ");
    return {
      asked: asked.length > 0 && { prepared: { ...prepared, mustAsk } },
      note: noteOf(told),
      allow: () => asked.forEach(edit => void this.allowed.add(keyOf(edit))),
    };
  }

  /** What a command did that could not be told from its text. Never rejects. */
  async noteAfter({ changes = [] }: ToolOutcome): Promise<string> {
    if (changes.length === 0) return "";
    const { snapshots } = this.own;
    const edits = await this.editsIn(() =>
      mapBounded(changes, AT_ONCE, async each => ({ uri: each.uri, ...(await snapshots.bothIfKept(each)) })),
    );
    return noteOf(edits.filter(({ isLost }) => isLost));
  }

  /** The error of a call that was not prepared since its file changed names who may have done it. */
  explain<T>(preparing: Promise<T>, files: () => Promise<FilesToChange>): Promise<T> {
    return preparing.catch(async error => {
      if (error instanceof ToolError && ["CONFLICT", "STALE", "NO_MATCH"].includes(error.code))
        error.message = [error.message, noteOf(await this.editsIn(files))].filter(Boolean).join("\n");
      throw error;
    });
  }

  /** Sentences for the person, of files that also hold edits of others. Never rejects. */
  async sentences(files: FilesToChange): Promise<string[]> {
    return (await this.editsIn(() => files)).map(({ said }) =>
      t("{0} also has changes of session “{1}” (“{2}”, {3}), not reviewed yet: they stay.", ...said),
    );
  }

  /** Of the files that others have marks of, those that a command may change. */
  private async filesOf(prepared: PreparedCall, marks: readonly string[]): Promise<FilesToChange> {
    const counting = await mapBounded([...Map.groupBy(marks, sessionOf).values()], AT_ONCE, async its => {
      const isOver = await this.isOver(its).catch(error => this.failed(error));
      return isOver === undefined ? [] : its;
    });
    const uris = new Set(await mapBounded(counting.flat(), AT_ONCE, mark => this.deps.storage.unreviewed.read(mark)));
    const changes = changesOf(prepared);
    return [...uris].flatMap(uri => (uri && isOnDisk({ uri }) && changes.has(uriToPath(uri) ?? "") ? [{ uri }] : []));
  }

  /** undefined: its session is told of no more, and after a time its marks go. */
  private async isOver(marks: readonly string[]): Promise<boolean | undefined> {
    const { storage, clock, history } = this.deps;
    const { records, conversation } = history;
    const began = records.find(each => each.kind === "message" && each.message.metadata.turn === conversation.turn);
    const until = (await storage.unreviewed.activeUntil(marks[0] ?? "")) ?? 0;
    if (until < clock.now() - MAX_AGE) await Promise.all(marks.map(mark => storage.unreviewed.drop(mark)));
    const isOver = until < (began?.ts ?? clock.now());
    return isOver && until < clock.now() - RECENT ? undefined : isOver;
  }

  /** One read of a folder where no other session has a mark. */
  private async editsIn(filesOf: (marks: readonly string[]) => FilesToChange | Promise<FilesToChange>) {
    try {
      const { history, storage } = this.deps;
      const marks = (await storage.unreviewed.list()).filter(mark => sessionOf(mark) !== history.files.id);
      const files = marks.length > 0 ? await filesOf(marks) : [];
      const places = files.flatMap(file => {
        const own = this.keyOf(file.uri);
        return marks.filter(mark => mark.startsWith(own)).map(mark => ({ file, mark }));
      });
      const look = (of: (typeof places)[number]) => this.editOf(of).catch(error => this.failed(error));
      return (await mapBounded(places, AT_ONCE, look)).filter(edit => edit !== undefined);
    } catch (error) {
      this.failed(error);
      return [];
    }
  }

  private async editOf({ mark, file }: { mark: string; file: FileToChange }): Promise<OtherEdit | undefined> {
    const { storage, clock, hash } = this.deps;
    const isOver = await this.isOver([mark]);
    if (isOver === undefined) return undefined;
    const log = await storage.unreviewed.open(mark);
    try {
      const history = await readLog(log, hash, NEEDED);
      const { timeline, waiting } = reviewOf(history, this.deps);
      const cursor = await waiting.find(file.uri);
      const edit = cursor && editsOf((await timeline.read()).links).find(({ seq }) => seq === cursor.edit);
      if (!edit || clock.now() - edit.began > MAX_AGE) return undefined;
      const isLost = await this.losesLines(cursor, await waiting.textsOf(cursor), file);
      if (isLost === undefined) return undefined;
      const { prompts } = await listPrompts(history);
      const turn = titleFrom(prompts.findLast(prompt => prompt.turn === edit.turn)?.text ?? "");
      const titles = history.records.map(
        each => ("snapshot" in each ? each.snapshot : "title" in each ? each : {}).title,
      );
      const session = titles.findLast(Boolean) ?? titleFrom(prompts[0]?.text ?? log.id);
      const said: OtherEdit["said"] = [cursor.path, session, turn, dateTimeText(edit.began)];
      return { id: `${mark} ${edit.seq}`, ts: edit.began, said, isLost, isOver };
    } finally {
      await log.close();
    }
  }

  /** undefined: none of its lines are there */
  private async losesLines(cursor: ReviewCursor, texts: Texts | undefined, { before, after }: FileToChange) {
    const { files } = this.deps;
    const now = before === undefined ? (await textNow(files, await resolveRecordedFile(files, cursor)))?.text : before;
    if (typeof now !== "string") return undefined;
    // Which lines are those of one that was not kept is not known: it counts where all of the file may go.
    if (cursor.why !== undefined || !texts) return typeof after !== "string";
    const left = texts.agent === null ? 0 : linesLeft(texts, now);
    if (left === 0) return undefined;
    return typeof after !== "string" || linesLeft(texts, after) < left;
  }

  private keyOf = (uri: string) => this.deps.hash.sha256(uri).slice(0, 16);

  private failed(error: unknown): undefined {
    this.deps.logger.log("warning", "edits of other sessions could not be looked at", { error: String(error) });
  }
}

function reviewOf(history: SessionLog & { files: SessionFiles }, deps: OtherSessionsDeps) {
  const [timeline, snapshots] = [new Timeline(history), new Snapshots(history.files, deps)];
  return { timeline, snapshots, waiting: new WaitingChanges({ ...deps, timeline, snapshots }) };
}

const sessionOf = (mark: string) => mark.slice(mark.indexOf(".") + 1);

/** A change that only removed counts as one. */
const linesLeft = (texts: Texts, text: string): number =>
  hunksIn(texts, text).reduce((sum, { agent }) => sum + (agent.count || 1), 0);

function noteOf(edits: readonly OtherEdit[]): string {
  const notes = edits.map(({ said: [path, session, turn], ts, isLost }) => {
    const does = isLost ? `changed these lines of ${path}` : `also has changes in ${path}, which stay`;
    return `Another session, "${session}", ${does} (its turn: "${turn}", ${isoMinutes(ts)}). They are not reviewed yet.`;
  });
  return notes.join("\n");
}

/** What a call gives, with a note at its end. */
export const withNote = <T extends ToolOutcome>(outcome: T, note: string | undefined): T =>
  note ? { ...outcome, result: { ...outcome.result, text: `${outcome.result.text}\n${note}` } } : outcome;
