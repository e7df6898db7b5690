/** What a row of the panel's requests works on, and what rows have in common. */

import type { Session } from "../../core/agent/session/session";
import type { Delivery } from "../../core/agent/session/userMessages";
import { type Logger, SessionError } from "../../core/ground/ports";
import type { KeptPicture } from "../../shared/attachProtocol";
import type { ModelWays, PanelMethod, PanelParams } from "../../shared/panelProtocol";
import type { Draft } from "../../shared/panelSnapshot";
import type { MentionDeps } from "./composer/mentionHandlers";
import type { EditorActions } from "./conversation/editorActions";
import type { PlanDocuments } from "./conversation/plans";
import type { EditProposals } from "./conversation/proposals";
import type { PanelAnswer } from "./host/dispatch";
import type { PanelAt } from "./host/panelHost";
import type { SessionHandlerDeps } from "./sessionHandlers";
import type { Sessions } from "./sessions/sessions";
import type { WorkState } from "./start/workOffers";
import type { McpViewDeps } from "./tools/mcpHandlers";
import type { ToolsDeps } from "./tools/tools";

export interface HandlerDeps {
  sessions: Sessions;
  /** A page of the panel got the focus, or lost it. */
  pageFocus(focused: boolean): void;
  editor: EditorActions;
  proposals: Pick<EditProposals, "open" | "textOf">;
  plans: Pick<PlanDocuments, "open" | "carryOut" | "sendBack">;
  mentions: MentionDeps;
  mcp: McpViewDeps;
  tools: ToolsDeps;
  list: SessionHandlerDeps;
  /** the mention of lines that an editor has selected; undefined: none has exactly this text */
  copiedFrom(text: string): string | undefined;
  /** what is shown where nothing was said yet */
  start: { ways(): Promise<ModelWays>; work(): Promise<WorkState> };
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

/** Of one panel. */
export interface HandlerContext extends HandlerDeps, PanelAt {
  /** ends its search for words, where another one begins */
  search?: AbortController;
}

export type Handler<M extends PanelMethod> = (
  context: HandlerContext,
  params: PanelParams<M>,
) => Promise<PanelAnswer<M>>;

export const sessionOf = ({ sessions, place }: HandlerContext): Promise<Session> => sessions.show(place());

/** Does something with the session that the panel shows. */
export const inSession =
  <P>(work: (session: Session, params: P, context: HandlerContext) => unknown) =>
  async (context: HandlerContext, params: P): Promise<void> => {
    await work(await sessionOf(context), params, context);
  };

/** Asks the session that the panel shows. */
export const ofSession =
  <P, R>(ask: (session: Session, params: P, context: HandlerContext) => R | Promise<R>) =>
  async (context: HandlerContext, params: P): Promise<R> =>
    ask(await sessionOf(context), params, context);

/** As `inSession`, where messages can be sent. */
export const inWorkspace = <P>(work: (session: Session, params: P, context: HandlerContext) => unknown) => {
  const run = inSession(work);
  return async (context: HandlerContext, params: P) => {
    const reason = context.whyNot();
    if (reason) throw new SessionError(reason);
    return run(context, params);
  };
};
