/** What the host does for each request of the panel: one row a method. */

import type { Session } from "../../core/agent/session/session";
import type { Delivery } from "../../core/agent/session/userMessages";
import type { SeenChange } from "../../core/changes/review/sessionReview";
import { eachFile } from "../../core/changes/review/waiting";
import type { TurnStates } from "../../core/changes/timeline/sessionEdits";
import type { BackgroundTask } from "../../core/commands/background";
import { leftOutReport, previewReport } from "../../core/context/compaction/compactionReport";
import { type Logger, SessionError } from "../../core/ground/ports";
import { reportLines, reportPage } from "../../core/ground/text/report";
import { callableNames, callablePrompts } from "../../core/guidance/skills/called";
import { findAttachment, findCommand, findResult } from "../../core/log/findRecords";
import { resolveHandle } from "../../core/log/handles";
import { readWholeLog } from "../../core/log/readLog";
import { readTurnReport } from "../../core/log/turnReport";
import type { KeptPicture } from "../../shared/attachProtocol";
import { t } from "../../shared/l10n";
import type { PanelMethod, PanelParams, PanelResult } from "../../shared/panelProtocol";
import type { Draft } from "../../shared/panelSnapshot";
import type { RecordOf } from "../../shared/records";
import type { FileChange } from "../../shared/toolResult";
import { type AttachHandlerDeps, type AttachHandlers, attachHandlers } from "./composer/attachHandlers";
import { type MentionDeps, type MentionHandlers, mentionHandlers } from "./composer/mentionHandlers";
import { type ContextHandlers, contextHandlers } from "./conversation/contextHandlers";
import type { EditorActions, ShownFile } from "./conversation/editorActions";
import { type FindHandlers, findHandlers } from "./conversation/findHandlers";
import type { PlanDocuments } from "./conversation/plans";
import type { EditProposals } from "./conversation/proposals";
import { type TalkHandlers, talkHandlers } from "./conversation/talkHandlers";
import type { PanelHandlers } from "./host/dispatch";
import type { PanelAt } from "./host/panelHost";
import { recordsBefore, toPanelRecord } from "./host/panelSnapshot";
import { type McpHandlers, type McpViewDeps, mcpHandlers } from "./servers/mcpHandlers";
import { type SessionHandlerDeps, type SessionHandlers, sessionHandlers } from "./sessionHandlers";
import type { Sessions } from "./sessions/sessions";
import { type StartDeps, type StartHandlers, startHandlers } from "./start/startHandlers";

/** What the host does for the panel's frame. */
interface FrameDeps {
  sessions: Pick<Sessions, "show" | "activate">;
  /** A page of the panel got the focus, or lost it. */
  pageFocus(focused: boolean): void;
}

type FrameHandlers = Pick<PanelHandlers, "orderPending" | "pageFocus">;

const frameHandlers = ({ sessions, pageFocus }: FrameDeps, { place }: PanelAt): FrameHandlers => ({
  async orderPending({ pendingIds }) {
    await (await sessions.show(place())).messages.order(pendingIds);
    return {};
  },
  async pageFocus({ focused }) {
    if (focused) sessions.activate(place());
    pageFocus(focused);
    return {};
  },
});

export interface HandlerDeps extends Pick<FrameDeps, "pageFocus"> {
  sessions: Sessions;
  editor: EditorActions;
  proposals: Pick<EditProposals, "open" | "textOf">;
  plans: Pick<PlanDocuments, "open" | "openRunning" | "carryOut" | "sendBack">;
  mentions: MentionDeps;
  mcp: McpViewDeps;
  list: SessionHandlerDeps;
  attach: Pick<AttachHandlerDeps, "copiedFrom">;
  start: StartDeps;
  /** takes a message: what is sent before a model is there waits in its session */
  submit(session: Session, text: string, delivery: Delivery, pictures?: readonly KeptPicture[]): Promise<void>;
  /** remembers it across reloads of the window */
  keepDraft(sessionId: string | undefined, draft: Draft): void;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
  /** absolute folder in which a session's commands run at first; undefined: no folder is open */
  home(): string | undefined;
  logger: Logger;
}

interface HandlerContext extends HandlerDeps, PanelAt {}

const sessionOf = ({ sessions, place }: HandlerContext): Promise<Session> => sessions.show(place());

/** Does something with the session that the panel shows. */
const inSession =
  <P>(work: (session: Session, params: P, context: HandlerContext) => unknown) =>
  async (context: HandlerContext, params: P): Promise<Record<string, never>> => {
    await work(await sessionOf(context), params, context);
    return {};
  };

/** As `inSession`, where messages can be sent. */
const inWorkspace = <P>(work: (session: Session, params: P, context: HandlerContext) => unknown) => {
  const run = inSession(work);
  return async (context: HandlerContext, params: P) => {
    const reason = context.whyNot();
    if (reason) throw new SessionError(reason);
    return run(context, params);
  };
};

/** What a full disk cut off is not done, and why is for the person to hear. */
function requireWhole({ cutOff, stayed = [] }: RecordOf<"rewind">): void {
  if (cutOff) throw new SessionError(stayed[0] ?? t("The rewind was cut off."));
}

/** The panel may be a moment behind, or another panel may have been quicker. */
const undoOrRedo = (way: "undo" | "redo") =>
  inSession(({ compaction }: Session, { compactionId }: { compactionId: string }) => {
    if (compaction.undoable[way]?.id === compactionId) return compaction[way]();
    throw new SessionError(
      t("Only the newest compaction can be undone or redone. Find its notice in the conversation."),
    );
  });

type Handler<M extends PanelMethod> = (context: HandlerContext, params: PanelParams<M>) => Promise<PanelResult<M>>;

/** Earlier edits may be in an archive that cannot be read. */
const notAll = () => t("earlier edits may be missing");

/** What stands in tables of their own. */
type RowsElsewhere =
  | keyof MentionHandlers
  | keyof McpHandlers
  | keyof SessionHandlers
  | keyof AttachHandlers
  | keyof ContextHandlers
  | keyof TalkHandlers
  | keyof StartHandlers
  | keyof FindHandlers
  | keyof FrameHandlers;

const rows: { [M in Exclude<PanelMethod, RowsElsewhere>]: Handler<M> } = {
  // Sessions
  open: async context => {
    endEdits(context);
    return context.open(await sessionOf(context));
  },
  newSession: async context => {
    endEdits(context);
    return context.open(await context.sessions.create(context.place()));
  },
  openSession: async (context, { id }) => {
    endEdits(context);
    return context.open(await context.sessions.openById(id, context.place()));
  },
  async older(context, { before, until }) {
    const { records, hasOlder, missing } = await recordsBefore((await sessionOf(context)).history, before, until);
    return { records: records.map(toPanelRecord), hasOlder, ...(missing.length > 0 ? { missing } : {}) };
  },
  details: async (context, { callId }) => ({
    text: (await toolResult(await sessionOf(context), callId)).forms.shown,
  }),

  // Turns
  submit: inWorkspace(async (session, { text, delivery, pictures }, { submit, sent }) => {
    await submit(session, text, delivery, pictures);
    sent(session.id, text);
  }),
  async keepDraft({ keepDraft, place }, { sessionId, ...draft }) {
    keepDraft(sessionId ?? place().session?.id, draft);
    return {};
  },
  // The end of the turn comes as events; a command that dies slowly must not hold up the answer.
  stop: inSession(session => void session.stop()),
  resume: inWorkspace(session => session.resume()),
  answer: inSession((session, { approvalId, ...answer }, { proposals }) =>
    session.answer(approvalId, answer, proposals.textOf(approvalId)),
  ),
  reply: inSession(async (session, { questionId, ...reply }, { sent }) => {
    await session.reply(questionId, reply);
    if (reply.words) sent(session.id, reply.words);
  }),
  openPlan: inSession((session, { key }, { plans }) => plans.open(session, key)),
  carryOutPlan: inWorkspace((session, { key, mode }, { plans }) => plans.carryOut(session, key, mode)),
  sendPlanBack: inWorkspace((session, { key }, { plans }) => plans.sendBack(session, key)),
  openRunningPlan: inSession((session, { turn }, { plans }) => plans.openRunning(session, turn)),
  endPlan: inSession((session, { turn }) => session.plans.end(turn)),
  editPending: inSession((session, { pendingId, text }) => session.messages.edit(pendingId, text)),
  beginEdit: inSession((session, { pendingId }) => session.messages.beginEdit(pendingId)),
  endEdit: inSession((session, { pendingId }) => session.endEdit(pendingId)),
  removePending: inSession((session, { pendingId }) => session.messages.remove(pendingId)),
  sendPending: inWorkspace((session, { pendingId }) => session.sendPending(pendingId)),
  setMode: inSession((session, { mode }) => session.setMode(mode)),

  keepChanges: inSession(({ review }, { files }: { files: SeenChange[] }) =>
    eachFile(files, file => review.keep(file)),
  ),

  // Context
  compact: inSession((session, asked, { logger }) => beginCompaction(session, asked, logger)),
  cancelCompaction: inSession(session => session.compaction.cancel()),
  undoCompaction: undoOrRedo("undo"),
  redoCompaction: undoOrRedo("redo"),
  previewRewind: async (context, { turn }) => (await sessionOf(context)).rewind.preview(turn),
  rewind: inWorkspace(({ rewind }, { turn = rewind.newestTurn, what }) => rewind.rewind(turn, what).then(requireWhole)),
  undoRewind: inWorkspace(({ rewind }, { rewindId }) => rewind.undo(rewindId).then(requireWhole)),
  switchBranch: inSession(({ rewind }, { tip }) => rewind.switchTo(tip)),
  previewCompaction: inSession((session, _, { editor }) => openPreview(session, editor)),
  openLeftOut: inSession(async (session, { compactionId }, { editor }) => {
    const { records } = await readWholeLog(session.history.files);
    const compaction = records.find(({ id }) => id === compactionId);
    if (compaction?.kind !== "compaction")
      throw new SessionError(t("This compaction is no longer in the session's log."));
    await editor.openMarkdown(...reportPage(leftOutReport(compaction, records)));
  }),
  costs: async context => ({ lines: reportLines(await (await sessionOf(context)).costs()) }),
  pin: inSession((session, { turn, pinned }) => session.compaction.pin(turn, pinned)),

  // Changed files
  openDiff: inSession(async (session, { callId, uri }, { editor }) => {
    const change = await findChange(session, callId, uri);
    if (!change) throw new SessionError(t("This call did not change that file."));
    const states = await session.edits.editStates(change);
    await editor.openDiff({ ...change, ...(states ? { states } : {}) });
  }),
  async turnChanges(context, { turn }) {
    const { files, missing } = await (await sessionOf(context)).edits.changesOf(turn);
    return { files, ...(missing.length > 0 ? { missing } : {}) };
  },
  openTurnDiff: inSession(async (session, { turn, uri }, { editor }) => {
    const { files, missing } = await session.edits.statesBefore(turn);
    const file = files.find(each => each.uri === uri);
    if (!file) throw new SessionError(t("The agent changed no such file in this turn."));
    const since = missing.length > 0 ? notAll() : t("since the turn began");
    await editor.openTurnDiff(since, await shownFile(session, file));
  }),
  openTurnDiffs: inSession(async (session, { turn }, { editor }) => {
    const { files, missing } = await session.edits.statesBefore(turn);
    if (files.length === 0) throw new SessionError(t("The agent changed no files in this turn."));
    const shownFiles = await Promise.all(files.map(file => shownFile(session, file)));
    const title = t("Changes since turn {0} began", turn);
    await editor.openTurnDiffs(missing.length > 0 ? `${title} (${notAll()})` : title, shownFiles);
  }),
  explainTurn: inSession((session, { turn }, { editor }) => openTurnReport(session, turn, editor)),
  undoEdit: inSession(({ edits }, edit) => edits.undoEdit(edit)),
  redoEdit: inSession(({ edits }, edit) => edits.redoEdit(edit)),
  undoFile: inSession(({ edits }, file) => edits.undoFile(file)),
  redoFile: inSession(({ edits }, file) => edits.redoFile(file)),

  // What the editor shows
  openFile: async ({ editor }, { path, ...place }) => editor.openFile(path, place).then(() => ({})),
  openProposal: inSession((session, { approvalId }, { proposals }) => proposals.open(session, approvalId)),
  openHandle: inSession(async ({ history }, params, { editor }) => {
    const { text } = await resolveHandle(history, params.handle);
    await editor.openText(`${t("Recorded output")}.txt`, text);
  }),
  openAttachment: inSession(async ({ history }, { messageId }, { editor }) => {
    const attached = await findAttachment(history, messageId);
    if (!attached) throw new SessionError(t("This attachment is no longer in the session's log."));
    const name =
      attached.name
        .replace(/[^\w.@-]+/g, " ")
        .trim()
        .slice(0, 80) || "attachment";
    await editor.openText(`${name}.${attached.name === "changes" ? "diff" : "txt"}`, attached.text);
  }),
  async callable(context) {
    const { offers } = context.mentions;
    const [set] = await Promise.all([(await sessionOf(context)).skills.read(), offers?.refresh()]);
    return { names: [...callableNames(set), ...callablePrompts(offers?.offers() ?? [])] };
  },
  async action({ editor }, { action }) {
    editor.act(action);
    return {};
  },

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
};

export function createHandlers(deps: HandlerDeps, at: PanelAt): PanelHandlers {
  const context = { ...deps, ...at };
  const bind = ([method, row]: [string, unknown]) => [
    method,
    (params: unknown) => (row as (context: HandlerContext, params: unknown) => unknown)(context, params),
  ];
  const bound: Omit<PanelHandlers, RowsElsewhere> = Object.fromEntries(Object.entries(rows).map(bind));
  const shown = () => deps.sessions.show(at.place());
  return {
    ...bound,
    ...attachHandlers({ ...deps.attach, show: shown }),
    ...mentionHandlers(deps.mentions),
    ...mcpHandlers(deps.mcp, deps.logger),
    ...sessionHandlers(deps.list, at),
    ...contextHandlers({ ...deps, shown }),
    ...talkHandlers({ ...deps, shown }),
    ...startHandlers(deps.start),
    ...findHandlers(shown),
    ...frameHandlers(deps, at),
  };
}

/** Resolves when it has begun: how it goes on comes as events, also where it fails. Rejects where it is refused. */
export async function beginCompaction(
  session: Session,
  { guidance, upTo }: PanelParams<"compact">,
  logger: Logger,
): Promise<void> {
  const busy = session.state !== "idle";
  const ended = session.compaction.compact(guidance, upTo);
  if (busy || session.state === "idle") return ended;
  ended.catch(error => logger.log("warning", "a compaction by hand failed", { error: String(error) }));
}

/** The panel that is shown anew has no message under edit. */
function endEdits({ place }: HandlerContext): void {
  place().session?.endEdit();
}

/** What a compaction would do now, as a page. */
export async function openPreview(session: Session, editor: EditorActions): Promise<void> {
  const [plan, use] = await Promise.all([session.compaction.preview(), session.compaction.use()]);
  await editor.openMarkdown(...reportPage(previewReport(plan, use)));
}

/** What a turn did and why, as a page. Rejects with SessionError where there is no such turn. */
export async function openTurnReport(
  { history: { files } }: Session,
  turn: number | undefined,
  editor: EditorActions,
): Promise<void> {
  const { report } = await readTurnReport(files, turn);
  if (report === undefined) throw new SessionError(t("This turn is no longer in the session's log."));
  await editor.openMarkdown(...reportPage(report));
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

async function findChange(session: Session, callId: string, uri: string): Promise<FileChange | undefined> {
  return (await toolResult(session, callId)).changes?.find(change => change.uri === uri);
}

async function shownFile(session: Session, { uri, path, before, edits }: TurnStates): Promise<ShownFile> {
  if (before !== undefined) return { uri, path, before, diffs: [] };
  const standing = edits.filter(({ undone }) => !undone);
  const diffs = await Promise.all(
    standing.map(async ({ callId, change }) => change.diff || ((await findChange(session, callId, uri))?.diff ?? "")),
  );
  return { uri, path, before, diffs };
}
