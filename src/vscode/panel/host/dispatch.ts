/** A request of the panel: parsed, handed to its handler, answered exactly once. */
import { ErrorForPeople, type Logger, SessionError } from "../../../core/ground/ports";
import { errorMessage } from "../../../shared/errorMessage";
import { t } from "../../../shared/l10n";
import type { HostToPanel, PanelMethod, PanelParams, PanelResult } from "../../../shared/panelProtocol";
import { panelRequests, panelToHostSchema } from "../../../shared/panelProtocol";

/** What gives nothing says nothing. */
export type PanelAnswer<M extends PanelMethod> =
  | PanelResult<M>
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing gives it
  | (Record<string, never> extends PanelResult<M> ? void : never);

/** A handler for each request: a missing one does not compile. */
export type PanelHandlers = { [M in PanelMethod]: (params: PanelParams<M>) => Promise<PanelAnswer<M>> };

/** Rows of some requests, typed by their methods' names. */
export const handlersFor = <M extends PanelMethod>(rows: Pick<PanelHandlers, M>): Pick<PanelHandlers, M> => rows;

type Reply = Extract<HostToPanel, { type: "reply" | "failure" }>;

/** undefined: the message is no request that could be answered; that is in the log. Never rejects. */
export async function dispatch(message: unknown, handlers: PanelHandlers, logger: Logger): Promise<Reply | undefined> {
  const request = panelToHostSchema.safeParse(message);
  if (!request.success) {
    logger.log("error", "the panel sent what is no request", { problem: request.error.message });
    return undefined;
  }
  const { id, method, params } = request.data;
  try {
    return { type: "reply", id, ok: true, result: (await handle(method, params, handlers)) ?? {} };
  } catch (error) {
    if (!(error instanceof ErrorForPeople)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      logger.log("error", "a request of the panel failed", { method, error: stack });
    }
    return { type: "failure", id, ok: false, message: errorText(error) };
  }
}

function handle<M extends PanelMethod>(method: M, params: unknown, handlers: PanelHandlers): Promise<PanelAnswer<M>> {
  const parsed = panelRequests[method].params.safeParse(params);
  if (!parsed.success) throw new SessionError(t("The panel sent an invalid request ({0}). Reload the window.", method));
  return handlers[method](parsed.data as PanelParams<M>);
}

/** One sentence about any failure. */
export function errorText(error: unknown): string {
  if (error instanceof ErrorForPeople) return error.message;
  return t("Something went wrong: {0} See the log for details.", errorMessage(error));
}
