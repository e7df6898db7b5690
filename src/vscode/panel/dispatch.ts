/** A request of the panel: parsed, handed to its handler, answered once, whatever happens. */
import { NewerLogError, NotALogError } from "../../core/history/codec";
import { HandleError } from "../../core/history/handles";
import { FileError, type Logger, NoModelError, SessionError, StorageError } from "../../core/ports";
import { BundleError } from "../../core/transfer/bundle";
import { errorMessage } from "../../shared/errorMessage";
import {
  type HostToPanel,
  type PanelMethod,
  type PanelParams,
  type PanelResult,
  panelRequests,
  panelToHostSchema,
} from "../../shared/panelProtocol";

/** A handler for each request: a missing one does not compile. */
export type PanelHandlers = { [M in PanelMethod]: (params: PanelParams<M>) => Promise<PanelResult<M>> };

type Reply = Extract<HostToPanel, { type: "reply" | "failure" }>;

/** What was asked for cannot be done now; its message is for the user. */
export class PanelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PanelError";
  }
}

/** undefined: the message is no request that could be answered; that is in the log. Never rejects. */
export async function dispatch(message: unknown, handlers: PanelHandlers, logger: Logger): Promise<Reply | undefined> {
  const request = panelToHostSchema.safeParse(message);
  if (!request.success) {
    logger.log("error", "the panel sent what is no request", { problem: request.error.message });
    return undefined;
  }
  const { id, method, params } = request.data;
  try {
    return { type: "reply", id, ok: true, result: await handle(method, params, handlers) };
  } catch (error) {
    if (!isForPeople(error)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      logger.log("error", "a request of the panel failed", { method, error: stack });
    }
    return { type: "failure", id, ok: false, message: errorText(error) };
  }
}

function handle<M extends PanelMethod>(method: M, params: unknown, handlers: PanelHandlers): Promise<PanelResult<M>> {
  const parsed = panelRequests[method].params.safeParse(params);
  if (!parsed.success) {
    throw new PanelError(
      `The panel asked for "${method}" in a form that Strata does not understand. Reload the window.`,
    );
  }
  return handlers[method](parsed.data as PanelParams<M>);
}

const forPeople = [
  ...[PanelError, SessionError, HandleError, StorageError, FileError],
  ...[NoModelError, NewerLogError, NotALogError, BundleError],
];

function isForPeople(error: unknown): error is Error {
  return forPeople.some(kind => error instanceof kind);
}

/** One sentence about any failure. */
export function errorText(error: unknown): string {
  if (isForPeople(error)) return error.message;
  return `Strata failed at this: ${errorMessage(error)} The log has the details.`;
}
