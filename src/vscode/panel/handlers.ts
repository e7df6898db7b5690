/** What the host does for each request of the panel: one row a method, or a table of its own. */

import { liftDenials } from "../../core/agent/denials";
import type { Session } from "../../core/agent/session/session";
import type { SeenChange } from "../../core/changes/review/sessionReview";
import { eachFile } from "../../core/changes/review/waiting";
import { type Logger, SessionError } from "../../core/ground/ports";
import { reportLines } from "../../core/ground/text/report";
import { callableNames, callablePrompts } from "../../core/guidance/skills/called";
import { t } from "../../shared/l10n";
import type { PanelMethod, PanelParams } from "../../shared/panelProtocol";
import type { RecordOf } from "../../shared/records";
import { logged } from "../platform/async";
import { mentionHandlers } from "./composer/mentionHandlers";
import type { Handler, HandlerContext, HandlerDeps } from "./handlerContext";
import { inSession, inWorkspace, ofSession, sessionOf } from "./handlerContext";
import type { PanelHandlers } from "./host/dispatch";
import type { PanelAt } from "./host/panelHost";
import { recordsBefore, toPanelRecord } from "./host/panelSnapshot";
import { sessionHandlers } from "./sessionHandlers";
import { shownRows } from "./shownRows";
import { offersFor } from "./start/workOffers";
import { mcpHandlers } from "./tools/mcpHandlers";
import { toolsHandlers } from "./tools/tools";

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

/** The panel that is shown anew has no message under edit. */
const opening =
  <P>(find: (context: HandlerContext, params: P) => Promise<Session>) =>
  async (context: HandlerContext, params: P) => {
    context.place().session?.endEdit();
    return context.open(await find(context, params));
  };

const rows = {
  // Sessions
  open: opening(sessionOf),
  newSession: opening(({ sessions, place }) => sessions.create(place())),
  openSession: opening(({ sessions, place }, { id }: { id: string }) => sessions.openById(id, place())),
  older: ofSession(async ({ history }, { before, until }) => {
    const { records, hasOlder, missing } = await recordsBefore(history, before, until);
    return { records: records.map(toPanelRecord), hasOlder, ...(missing.length > 0 ? { missing } : {}) };
  }),
  async pageFocus({ sessions, place, pageFocus }, { focused }) {
    if (focused) sessions.activate(place());
    pageFocus(focused);
  },

  // Turns
  submit: inWorkspace(async (session, { text, delivery, pictures }, { submit, sent }) => {
    await submit(session, text, delivery, pictures);
    sent(session.id, text);
  }),
  keepDraft: async ({ keepDraft, place }, { sessionId, ...draft }) =>
    keepDraft(sessionId ?? place().session?.id, draft),
  // The end of the turn comes as events; a command that dies slowly must not hold up the answer.
  stop: inSession(session => void session.stop()),
  stopChild: inSession(({ children }, { childId }) => void children.stop(childId)),
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
  endPlan: inSession((session, { turn }) => session.plans.end(turn)),
  orderPending: inSession((session, { pendingIds }) => session.messages.order(pendingIds)),
  editPending: inSession((session, { pendingId, text }) => session.messages.edit(pendingId, text)),
  beginEdit: inSession((session, { pendingId }) => session.messages.beginEdit(pendingId)),
  endEdit: inSession((session, { pendingId }) => session.endEdit(pendingId)),
  removePending: inSession((session, { pendingId }) => session.messages.remove(pendingId)),
  sendPending: inWorkspace((session, { pendingId }) => session.sendPending(pendingId)),
  setMode: inSession((session, { mode }) => session.setMode(mode)),
  lift: inSession((session, { which, by }) => liftDenials(session, which, by)),

  keepChanges: inSession(({ review }, { files }: { files: SeenChange[] }) =>
    eachFile(files, file => review.keep(file)),
  ),
  redoReview: inSession(({ review }, { uri }) => review.redo(uri)),

  // Context
  compact: inSession((session, asked, { logger }) => beginCompaction(session, asked, logger)),
  cancelCompaction: inSession(session => session.compaction.cancel()),
  undoCompaction: undoOrRedo("undo"),
  redoCompaction: undoOrRedo("redo"),
  previewRewind: ofSession(({ rewind }, { turn }) => rewind.preview(turn)),
  rewind: inWorkspace(({ rewind }, { turn = rewind.newestTurn, what }) => rewind.rewind(turn, what).then(requireWhole)),
  undoRewind: inWorkspace(({ rewind }, { rewindId }) => rewind.undo(rewindId).then(requireWhole)),
  switchBranch: inSession(({ rewind }, { tip }) => rewind.switchTo(tip)),
  costs: ofSession(async session => ({ lines: reportLines(await session.costs()) })),
  pin: inSession((session, { turn, pinned }) => session.compaction.pin(turn, pinned)),

  // Composer, and a panel in which nothing was said yet
  keepPicture: ofSession((session, { name, base64 }) => session.keepPicture(name, Buffer.from(base64, "base64"))),
  copiedFrom: async ({ copiedFrom }, { text }) => ({ mention: copiedFrom(text) ?? null }),
  async callable(context) {
    const { offers } = context.mentions;
    const [set] = await Promise.all([(await sessionOf(context)).skills.read(), offers?.refresh()]);
    return { names: [...callableNames(set), ...callablePrompts(offers?.offers() ?? [])] };
  },
  modelWays: ({ start }) => start.ways(),
  offers: async ({ start }) => ({ offers: offersFor(await start.work()) }),
} satisfies { [M in PanelMethod]?: Handler<M> };

export function createHandlers(deps: HandlerDeps, at: PanelAt): PanelHandlers {
  const context: HandlerContext = { ...deps, ...at };
  const bind = ([method, row]: [string, unknown]) => [
    method,
    (params: unknown) => (row as (context: HandlerContext, params: unknown) => unknown)(context, params),
  ];
  const bound: Pick<PanelHandlers, keyof typeof rows | keyof typeof shownRows> = Object.fromEntries(
    Object.entries({ ...rows, ...shownRows }).map(bind),
  );
  return {
    ...bound,
    ...mentionHandlers(deps.mentions),
    ...mcpHandlers(deps.mcp, deps.logger),
    ...toolsHandlers(deps.tools),
    ...sessionHandlers(deps.list, at),
  };
}

/** Resolves when it has begun: its progress comes as events, also where it fails. Rejects where it is refused. */
export async function beginCompaction(session: Session, { guidance, upTo }: PanelParams<"compact">, logger: Logger) {
  const busy = session.state !== "idle";
  const ended = session.compaction.compact(guidance, upTo);
  if (busy || session.state === "idle") return ended;
  ended.catch(logged(logger, "warning", "a compaction by hand failed"));
}
