/** What the host does for each request of the panel: one row a method. */

import { findAttachment, findResult } from "../../core/history/findRecords";
import { resolveHandle } from "../../core/history/handles";
import type { Logger } from "../../core/ports";
import type { Session } from "../../core/session/session";
import type { PanelParams, PanelSnapshot } from "../../shared/panelProtocol";
import { changeHandlers, type DiffEditor } from "./changeHandlers";
import { contextHandlers, type MarkdownEditor } from "./contextHandlers";
import { PanelError, type PanelHandlers } from "./dispatch";
import { type MentionDeps, mentionHandlers } from "./mentionHandlers";
import { toPanelRecord } from "./panelRecord";
import { recordsBefore } from "./recordWindow";
import type { Sessions } from "./sessions";
import { type Terminals, taskHandlers } from "./taskHandlers";

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
