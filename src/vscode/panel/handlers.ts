/** What the host does for each request of the panel: one row a method. */

import type { BackgroundTask } from "../../core/commands/backgroundTask";
import { leftOutReport, planReport } from "../../core/compaction/compactionReport";
import type { TurnStates } from "../../core/edits/sessionEdits";
import { findCommand } from "../../core/history/findCommand";
import { resolveHandle } from "../../core/history/handles";
import { findAttachment, findResult } from "../../core/history/pagination";
import { readWholeLog } from "../../core/history/wholeLog";
import type { Logger } from "../../core/ports";
import type { Session } from "../../core/session/session";
import type { PanelParams, PanelSnapshot } from "../../shared/panelProtocol";
import type { RecordOf } from "../../shared/records";
import type { FileChange } from "../../shared/toolResult";
import { PanelError, type PanelHandlers } from "./dispatch";
import { type MentionDeps, mentionHandlers } from "./mentionHandlers";
import { recordsBefore, sessionContextUse, toPanelRecord } from "./panelSnapshot";
import type { Sessions } from "./sessions";

/** What the editor does for the panel. Failures reject with words for people. */
export interface EditorActions extends MarkdownEditor, DiffEditor, Terminals {
  /** @param path as FileRef.path or whatever names a file; @param line 1-based */
  openFile(path: string, line: number | undefined): Promise<void>;
  /** A read-only document. @param name a file name, for its tab */
  openText(name: string, text: string): Promise<void>;
  /** Starts it and does not wait for its end: a connection check or a dialog may take minutes. */
  act(action: PanelParams<"action">["action"]): void;
}

/** Where a person looks at a proposed edit, and changes it. */
export interface ProposalEditor {
  /** Rejects with PanelError. */
  open(session: Session, approvalId: string): Promise<void>;
  /** what the person made of the proposal; undefined: nothing was changed */
  textOf(approvalId: string): string | undefined;
}

export interface HandlerDeps {
  sessions: Sessions;
  editor: EditorActions;
  proposals: ProposalEditor;
  mentions: MentionDeps;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
  /** absolute path of the first folder that is open */
  home(): string | undefined;
  logger: Logger;
}

export function createHandlers(
  { sessions, editor, proposals, mentions, whyNot, home, logger }: HandlerDeps,
  open: (session: Session) => Promise<PanelSnapshot>,
): PanelHandlers {
  const shown = () => sessions.show();
  const done = {};
  const requireWorkspace = () => {
    const reason = whyNot();
    if (reason) throw new PanelError(reason);
  };
  return {
    open: async () => open(await shown()),
    async submit({ text, delivery }) {
      requireWorkspace();
      await (await shown()).submit(text, delivery);
      return done;
    },
    async stop() {
      // The end of the turn comes as events; a command that dies slowly must not hold up the answer.
      const session = await shown();
      void session.stop();
      return done;
    },
    async resume() {
      requireWorkspace();
      await (await shown()).resume();
      return done;
    },
    async answer({ approvalId, ...answer }) {
      (await shown()).answer(approvalId, answer, proposals.textOf(approvalId));
      return done;
    },
    editPending: async ({ pendingId, text }) => (await shown()).editPending(pendingId, text).then(() => done),
    removePending: async ({ pendingId }) => (await shown()).removePending(pendingId).then(() => done),
    async sendPending({ pendingId }) {
      requireWorkspace();
      await (await shown()).sendPending(pendingId);
      return done;
    },
    setMode: async ({ mode }) => (await shown()).setMode(mode).then(() => done),
    newSession: async () => open(await sessions.create()),
    openSession: async ({ id }) => open(await sessions.openById(id)),
    sessions: async () => ({ sessions: await sessions.list() }),
    async older({ before }) {
      const { records, hasOlder, missing } = await recordsBefore((await shown()).history, before);
      return { records: records.map(toPanelRecord), hasOlder, ...(missing.length > 0 ? { missing } : {}) };
    },
    details: async ({ callId }) => ({ text: (await findToolResult(await shown(), callId)).forms.shown }),
    openFile: async ({ path, line }) => editor.openFile(path, line).then(() => done),
    openProposal: async ({ approvalId }) => proposals.open(await shown(), approvalId).then(() => done),
    async openHandle({ handle }) {
      const output = await resolveHandle((await shown()).history, handle);
      await editor.openText(`${output.handle.replace(":", " ")}.txt`, output.text);
      return done;
    },
    async openAttachment({ messageId }) {
      const attached = await findAttachment((await shown()).history, messageId);
      if (!attached) throw new PanelError("This attachment is not in the session's log any more.");
      const kind = attached.name === "changes" ? "diff" : "txt";
      await editor.openText(`${attached.name}.${kind}`, attached.text);
      return done;
    },
    ...contextHandlers({ shown, editor, logger }),
    ...taskHandlers({ shown, editor, home }),
    ...changeHandlers(shown, editor),
    ...mentionHandlers(mentions),
    async action({ action }) {
      editor.act(action);
      return done;
    },
  };
}

async function findToolResult(session: Session, callId: string) {
  const record = await findResult(session.history, callId);
  if (!record) throw new PanelError("This call has no result yet.");
  return record;
}

/** What the host does for the panel's requests about changed files: tell them, show them, take edits back. */

/** An edit with what the file held before and after it, where somebody kept that. */
export type ShownEdit = FileChange & { states?: { before: string | null; after: string | null } };

/** A file as a turn found it. */
export interface ShownFile {
  uri: string;
  path: string;
  /** null: it was not there; undefined: nobody kept it, `diffs` say what is known */
  before: string | null | undefined;
  /** of the turn's edits that stand, as they were recorded, oldest first */
  diffs: string[];
}

export interface DiffEditor {
  /** What an edit did. */
  openDiff(edit: ShownEdit): Promise<void>;
  /** A file as it is now beside what it was before a turn. @param since what is said of that, in its title */
  openTurnDiff(since: string, file: ShownFile): Promise<void>;
  /** Several, in one editor. */
  openTurnDiffs(title: string, files: readonly ShownFile[]): Promise<void>;
}

type ChangeHandlers = Pick<
  PanelHandlers,
  "openDiff" | "turnChanges" | "openTurnDiff" | "openTurnDiffs" | "undoEdit" | "redoEdit" | "undoFile" | "redoFile"
>;

/** Earlier edits may be in an archive that cannot be read. */
const NOT_ALL = "earlier edits may be missing";

export function changeHandlers(shown: () => Promise<Session>, editor: DiffEditor): ChangeHandlers {
  const done = {};
  return {
    async openDiff({ callId, uri }) {
      const session = await shown();
      const change = await findChange(session, callId, uri);
      if (!change) throw new PanelError("This call changed no such file.");
      const states = await session.edits.editStates(change);
      await editor.openDiff({ ...change, ...(states ? { states } : {}) });
      return done;
    },
    async turnChanges({ turn }) {
      const { files, missing } = await (await shown()).edits.changesOf(turn);
      return { files, ...(missing.length > 0 ? { missing } : {}) };
    },
    async openTurnDiff({ turn, uri }) {
      const session = await shown();
      const { files, missing } = await session.edits.statesBefore(turn);
      const file = files.find(each => each.uri === uri);
      if (!file) throw new PanelError("The agent changed no such file in this turn.");
      const since = missing.length > 0 ? NOT_ALL : "since the turn began";
      await editor.openTurnDiff(since, await shownFile(session, file));
      return done;
    },
    async openTurnDiffs({ turn }) {
      const session = await shown();
      const { files, missing } = await session.edits.statesBefore(turn);
      if (files.length === 0) throw new PanelError("The agent changed no file in this turn.");
      const shownFiles = await Promise.all(files.map(file => shownFile(session, file)));
      const title = `Changes since turn ${turn} began`;
      await editor.openTurnDiffs(missing.length > 0 ? `${title} (${NOT_ALL})` : title, shownFiles);
      return done;
    },
    undoEdit: async edit => (await shown()).edits.undoEdit(edit).then(() => done),
    redoEdit: async edit => (await shown()).edits.redoEdit(edit).then(() => done),
    undoFile: async file => (await shown()).edits.undoFile(file).then(() => done),
    redoFile: async file => (await shown()).edits.redoFile(file).then(() => done),
  };
}

async function findChange(session: Session, callId: string, uri: string): Promise<FileChange | undefined> {
  const record = await findResult(session.history, callId);
  if (!record) throw new PanelError("This call has no result yet.");
  return record.changes?.find(change => change.uri === uri);
}

async function shownFile(session: Session, { uri, path, before, edits }: TurnStates): Promise<ShownFile> {
  if (before !== undefined) return { uri, path, before, diffs: [] };
  const standing = edits.filter(({ undone }) => !undone);
  const diffs = await Promise.all(
    standing.map(async ({ callId, change }) => change.diff || ((await findChange(session, callId, uri))?.diff ?? "")),
  );
  return { uri, path, before, diffs };
}

/** What the host does for the panel's requests about the context: compact, take back, look, pin. */

export interface ContextHandlerDeps {
  shown(): Promise<Session>;
  editor: MarkdownEditor;
  logger: Logger;
}

export interface MarkdownEditor {
  /** A read-only document as people read it. @param name a file name, for its tab */
  openMarkdown(name: string, text: string): Promise<void>;
}

type ContextHandlers = Pick<
  PanelHandlers,
  | "compact"
  | "cancelCompaction"
  | "undoCompaction"
  | "redoCompaction"
  | "previewCompaction"
  | "openLeftOut"
  | "contextUse"
  | "pin"
>;

export function contextHandlers({ shown, editor, logger }: ContextHandlerDeps): ContextHandlers {
  const done = {};
  return {
    async compact({ guidance }) {
      await beginCompaction(await shown(), guidance, logger);
      return done;
    },
    async cancelCompaction() {
      (await shown()).cancelCompaction();
      return done;
    },
    async undoCompaction({ compactionId }) {
      const session = await shown();
      requireNewest(session.compactions.undo, compactionId);
      await session.undoCompaction();
      return done;
    },
    async redoCompaction({ compactionId }) {
      const session = await shown();
      requireNewest(session.compactions.redo, compactionId);
      await session.redoCompaction();
      return done;
    },
    previewCompaction: async () => openPreview(await shown(), editor).then(() => done),
    async openLeftOut({ compactionId }) {
      const { records } = await readWholeLog((await shown()).history.files);
      const compaction = records.find(({ id }) => id === compactionId);
      if (compaction?.kind !== "compaction")
        throw new PanelError("This compaction is not in the session's log any more.");
      await editor.openMarkdown("What was left out.md", leftOutReport(compaction, records));
      return done;
    },
    contextUse: async () => sessionContextUse(await shown()),
    pin: async ({ turn, pinned }) => (await shown()).pin(turn, pinned).then(() => done),
  };
}

/** Resolves when it has begun: how it goes on comes as events, also where it fails. Rejects where it is refused. */
export async function beginCompaction(session: Session, guidance: string | undefined, logger: Logger): Promise<void> {
  const busy = session.state !== "idle";
  const ended = session.compact(guidance);
  if (busy || session.state === "idle") return ended;
  ended.catch(error => logger.log("warning", "a compaction by hand failed", { error: String(error) }));
}

/** What a compaction would do now, as a page. */
export async function openPreview(session: Session, editor: MarkdownEditor): Promise<void> {
  const [plan, { window, ratio }] = await Promise.all([session.previewCompaction(), session.contextUse()]);
  await editor.openMarkdown("What a compaction would do.md", planReport(plan, window, ratio));
}

/** The panel may be a moment behind, or another panel may have been quicker. */
function requireNewest(compaction: RecordOf<"compaction"> | undefined, id: string): void {
  if (compaction?.id === id) return;
  throw new PanelError(
    "This compaction cannot be changed now: they are taken back one by one, the newest first. Look for the newest notice.",
  );
}

/** What the host does for the panel's requests about background tasks, and about terminals. */

/** Terminals of the editor. Failures reject with words for people. */
export interface Terminals {
  /** Shows what the task prints, in a terminal that follows it: one terminal a task. */
  openTask(task: BackgroundTask): void;
  /** A terminal with the command typed into it and not run. @param cwd absolute; undefined: where terminals open */
  openTerminal(command: string, cwd: string | undefined): Promise<void>;
}

export interface TaskHandlerDeps {
  shown(): Promise<Session>;
  editor: Terminals;
  /** absolute folder in which a session's commands run at first; undefined: no folder is open */
  home(): string | undefined;
}

type TaskHandlers = Pick<PanelHandlers, "stopTask" | "openTask" | "dismissTask" | "openTerminal">;

export function taskHandlers({ shown, editor, home }: TaskHandlerDeps): TaskHandlers {
  const done = {};
  const taskOf = async (taskId: string) => {
    const task = (await shown()).background.find(taskId);
    if (!task) throw new PanelError("This task is not there any more: it ended a while ago, or with its window.");
    return task;
  };
  return {
    async stopTask({ taskId }) {
      // That it is over comes as an event; one that dies slowly must not hold up the answer.
      void (await taskOf(taskId)).stop("user");
      return done;
    },
    async openTask({ taskId }) {
      editor.openTask(await taskOf(taskId));
      return done;
    },
    async dismissTask({ taskId }) {
      (await shown()).background.dismiss(taskId);
      return done;
    },
    async openTerminal({ callId }) {
      const { history } = await shown();
      const root = home();
      const find = (records: Parameters<typeof findCommand>[0]) => findCommand(records, callId, root ?? "");
      const run = find(history.records) ?? find((await readWholeLog(history.files)).records);
      if (!run) throw new PanelError("This command is not in the session's log any more.");
      await editor.openTerminal(run.command, run.cwd || undefined);
      return done;
    },
  };
}
