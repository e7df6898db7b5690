/** What the host does where the panel shows something of the conversation, in itself or in the editor: one row a method. */

import type { Session } from "../../core/agent/session/session";
import type { TurnStates } from "../../core/changes/timeline/sessionEdits";
import type { BackgroundTask } from "../../core/commands/background";
import { leftOutReport, previewReport } from "../../core/context/compaction/compactionReport";
import { SessionError } from "../../core/ground/ports";
import { reportPage } from "../../core/ground/text/report";
import { findAttachment, findChanging, findCommand, findResult } from "../../core/log/findRecords";
import { printedOutput, resolveHandle } from "../../core/log/handles";
import { readWholeLog } from "../../core/log/readLog";
import { readTurnReport } from "../../core/log/turnReport";
import { ViewSearch, type ViewTarget } from "../../core/proof/inView";
import { inViewReport } from "../../core/proof/inViewReport";
import { t } from "../../shared/l10n";
import type { PanelMethod } from "../../shared/panelProtocol";
import type { RecordOf } from "../../shared/records";
import type { FileChange } from "../../shared/toolResult";
import { toolTraits } from "../../shared/toolTraits";
import type { EditorActions, ShownFile } from "./conversation/editorActions";
import { findInLog } from "./findInLog";
import { type Handler, inSession, ofSession, sessionOf } from "./handlerContext";

/** Earlier edits may be in an archive that cannot be read. */
const notAll = () => t("earlier edits may be missing");

export const shownRows = {
  printed: ofSession(async (session, { callId }) => {
    const result = await toolResult(session, callId);
    const child = [...session.history.conversation.children.values()].find(each => each.callId === callId);
    // Of one in the background: what it said since.
    const { report } = child?.ended ?? {};
    if (report) return { first: (await resolveHandle(session.history, `obs:${report.sha256}`)).text, last: "" };
    return toolTraits(result.toolName).printsOutput === true
      ? printedOutput(session.history, result)
      : { first: result.forms.shown, last: "" };
  }),
  async find(context, query) {
    const { history } = await sessionOf(context);
    context.search?.abort();
    context.search = new AbortController();
    return findInLog(history, query, context.search.signal);
  },

  // Context
  contextView: ofSession(({ context }) => context.view()),
  contextTurns: ofSession(async ({ context }, { before }) => ({ rows: await context.turns(before) })),
  sentRequests: ofSession(({ context }, { before }) => context.sent(before)),
  openRequest: inSession(async ({ context }, { number }, { editor }) =>
    editor.openText(`${t("request {0}", number)}.txt`, await context.requestText(number)),
  ),
  openContextRow: inSession(async ({ context }, { key }, { editor }) => {
    const { name, text, file } = await context.rowText(key);
    await (file === undefined ? editor.openText(`${fileNameOf(name, "context")}.txt`, text) : editor.openFile(file));
  }),
  previewCompaction: inSession((session, _, { editor }) => openPreview(session, editor)),
  openLeftOut: inSession(async (session, { compactionId }, { editor }) => {
    const { records } = await readWholeLog(session.history.files);
    const compaction = records.find(({ id }) => id === compactionId);
    if (compaction?.kind !== "compaction")
      throw new SessionError(t("This compaction is no longer in the session's log."));
    await editor.openMarkdown(...reportPage(leftOutReport(compaction, records)));
  }),

  // Changed files
  openDiff: inSession(async (session, { callId, uri }, { editor }) => {
    const change = await findChange(session, callId, uri);
    if (!change) throw new SessionError(t("This call did not change that file."));
    const states = await session.edits.editStates(change);
    await editor.openDiff({ ...change, ...(states ? { states } : {}) });
  }),
  turnChanges: ofSession(async ({ edits }, { turn }) => {
    const { files, missing } = await edits.changesOf(turn);
    return { files, ...(missing.length > 0 ? { missing } : {}) };
  }),
  openTurnDiff: inSession(async (session, { turn, uri }, { editor }) => {
    const { files, missing } = await session.edits.statesBefore(turn);
    const file = files.find(each => each.uri === uri);
    if (!file) throw new SessionError(t("The agent changed no such file in this turn."));
    const since = missing.length > 0 ? notAll() : t("since the turn began");
    await editor.openTurnDiff(since, await shownFile(session, file));
  }),
  openTurnDiffs: inSession((session, { turn }, { editor }) => openDiffs(session, turn, editor)),
  openChildDiffs: (context, { childId }) =>
    context.sessions.withChild(childId, child => openDiffs(child, undefined, context.editor)),
  explainTurn: inSession((session, { turn }, { editor }) => openTurnReport(session, turn, editor)),
  openInView: inSession((session, target, { editor }) => openInView(session, target, editor)),
  undoEdit: inSession(({ edits }, edit) => edits.revert("undo", edit)),
  redoEdit: inSession(({ edits }, edit) => edits.revert("redo", edit)),
  undoFile: inSession(({ edits }, file) => edits.revert("undo", file)),
  redoFile: inSession(({ edits }, file) => edits.revert("redo", file)),

  // What the editor shows
  openAnswer: async ({ editor }, { markdown, pasted }) => {
    await editor.openText(pasted ? `${t("Pasted text")}.txt` : "Answer.md", markdown);
  },
  openFile: async ({ editor }, { path, ...place }) => editor.openFile(path, place),
  openProposal: inSession((session, { approvalId }, { proposals }) => proposals.open(session, approvalId)),
  openHandle: inSession(async ({ history }, params, { editor }) => {
    const { text } = await resolveHandle(history, params.handle);
    await editor.openText(`${t("Recorded output")}.txt`, text);
  }),
  openAttachment: inSession(async ({ history }, { messageId }, { editor }) => {
    const attached = await findAttachment(history, messageId);
    if (!attached) throw new SessionError(t("This attachment is no longer in the session's log."));
    const ending = attached.name === "changes" ? "diff" : "txt";
    await editor.openText(`${fileNameOf(attached.name, "attachment")}.${ending}`, attached.text);
  }),
  action: async ({ editor }, { action }) => editor.act(action),

  // Background tasks and terminals
  // That a task is over comes as an event; one that dies slowly must not hold up the answer.
  stopTask: inSession((session, { taskId }) => void findTask(session, taskId).stop("user")),
  openTask: inSession((session, { taskId }, { editor }) => editor.openTask(findTask(session, taskId))),
  dismissTask: inSession(({ background }, { taskId }) => background.dismiss(taskId)),
  openTerminal: inSession(async ({ history }, { callId }, { editor, home }) => {
    const find = (records: Parameters<typeof findCommand>[0]) => findCommand(records, callId, home() ?? "");
    const run = find(history.records) ?? find((await readWholeLog(history.files)).records);
    if (!run) throw new SessionError(t("This command is no longer in the session's log."));
    await editor.openTerminal(run.command, run.cwd || undefined);
  }),
} satisfies { [M in PanelMethod]?: Handler<M> };

/** What a compaction would do now, as a page. */
export async function openPreview(session: Session, editor: EditorActions): Promise<void> {
  const [plan, use] = await Promise.all([session.compaction.preview(), session.compaction.use()]);
  await editor.openMarkdown(...reportPage(previewReport(plan, use)));
}

/** What a turn did and why, as a page. Rejects with SessionError where there is no such turn. */
export async function openTurnReport({ history: { files } }: Session, turn: number | undefined, editor: EditorActions) {
  const { report } = await readTurnReport(files, turn);
  if (report === undefined) throw new SessionError(t("This turn is no longer in the session's log."));
  await editor.openMarkdown(...reportPage(report));
}

/** Which instructions stood in a request, or whether a sentence did, as a page. Rejects as `ViewSearch`. */
export async function openInView(
  { history: { files, hash } }: Session,
  target: ViewTarget,
  editor: EditorActions,
  sentence?: string,
): Promise<void> {
  const view = await (await ViewSearch.open(files, hash)).view(target, sentence);
  await editor.openMarkdown(...reportPage(inViewReport(view, sentence)));
}

function findTask({ background }: Session, taskId: string): BackgroundTask {
  const task = background.find(taskId);
  if (!task) throw new SessionError(t("This task is gone: it ended a while ago, or with its window."));
  return task;
}

async function toolResult({ history }: Session, callId: string): Promise<RecordOf<"result">> {
  const record = await findResult(history, callId);
  if (!record) throw new SessionError(t("This call has no result yet."));
  return record;
}

async function findChange({ history }: Session, callId: string, uri: string): Promise<FileChange | undefined> {
  const isIt = (change: FileChange) => change.uri === uri;
  return (await findChanging(history, callId, isIt))?.changes?.find(isIt);
}

/** All files of a turn, or of the whole session, in one editor. */
async function openDiffs(session: Session, turn: number | undefined, editor: EditorActions): Promise<void> {
  const { files, missing } = await session.edits.statesBefore(turn);
  if (files.length === 0) throw new SessionError(t("The agent changed no files in this turn."));
  const shownFiles = await Promise.all(files.map(file => shownFile(session, file)));
  const { title: name } = session.history.conversation;
  const title = turn === undefined ? t("Changes: {0}", name) : t("Changes since turn {0} began", turn);
  await editor.openTurnDiffs(missing.length > 0 ? `${title} (${notAll()})` : title, shownFiles);
}

async function shownFile(session: Session, { uri, path, before, edits }: TurnStates): Promise<ShownFile> {
  if (before !== undefined) return { uri, path, before, diffs: [] };
  const standing = edits.filter(({ undone }) => !undone);
  const diffs = await Promise.all(
    standing.map(async ({ callId, change }) => change.diff || ((await findChange(session, callId, uri))?.diff ?? "")),
  );
  return { uri, path, before, diffs };
}

/** Words as the name of a tab. */
const fileNameOf = (words: string, otherwise: string) =>
  words
    .replace(/[^\p{L}\p{N}_.@-]+/gu, " ")
    .trim()
    .slice(0, 60) || otherwise;
