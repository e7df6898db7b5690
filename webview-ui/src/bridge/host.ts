/**
 * The panel's connection to the extension host: requests are answered or rejected, never lost. Messages of the host are typed by
 * shared/panelProtocol but not parsed, since it is of the same build and the schemas would be a fifth of the panel's
 * code.
 */
import { isObject } from "../../../src/shared/isObject";
import { t } from "../../../src/shared/l10n";
import type {
  HostToPanel,
  PanelMethod,
  PanelParams,
  PanelResult,
  PanelToHost,
} from "../../../src/shared/panelProtocol";

/** What carries messages: VS Code's webview API, or a test's. */
export interface HostWire {
  post(message: PanelToHost): void;
  /** `listener` gets each message unparsed. */
  listen(listener: (data: unknown) => void): void;
}

/** What comes without having been asked for. */
export type HostMessage = Exclude<HostToPanel, HostReply>;

/** Nothing else is posted to the page, but for other scripts of the editor's own. */
const isMessage = (data: unknown): data is HostToPanel => isObject(data) && typeof data.type === "string";

/** After this a request counts as lost, ms. None takes long: turns and commands run behind an answer that comes at once. */
const ANSWER_MS = 30_000;

type HostReply = Extract<HostToPanel, { type: "reply" | "failure" }>;

export class Host {
  readonly #waiting = new Map<number, (reply: HostReply) => void>();
  readonly #messages = createListeners<HostMessage>();
  #lastId = 0;
  readonly onMessage = this.#messages.on;

  constructor(
    private readonly wire: HostWire,
    private readonly answerMs: number = ANSWER_MS,
  ) {
    wire.listen(data => {
      if (!isMessage(data)) return;
      if (data.type === "reply" || data.type === "failure") this.#waiting.get(data.id)?.(data);
      else this.#messages.tell(data);
    });
  }

  /** Rejects with an error whose message is for people: refused by the host, or no answer in time. */
  request<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        const seconds = Math.round(this.answerMs / 1000);
        const why = t("Strata did not answer within {0} s ({1}). Try again, or reload the window.", seconds, method);
        reject(new Error(why));
      }, this.answerMs);
      this.#waiting.set(id, reply => {
        this.#waiting.delete(id);
        clearTimeout(timer);
        if (reply.type === "reply") resolve(reply.result as PanelResult<M>);
        else reject(new Error(reply.message));
      });
      this.wire.post({ id, method, params });
    });
  }
}

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; setState(state: unknown): void };

/** The wire inside VS Code: `acquireVsCodeApi`, which may be called once. */
export function createVsCodeWire() {
  const api = acquireVsCodeApi();
  return {
    post: (message: PanelToHost) => api.postMessage(message),
    /** VS Code has it again where it brings a tab back. */
    remember: (state: { sessionId: string }) => api.setState(state),
    listen: (listener: (data: unknown) => void) => window.addEventListener("message", event => listener(event.data)),
  };
}

/** Whoever wants to be told. */
export function createListeners<T>() {
  const all = new Set<(told: T) => void>();
  return {
    tell(told: T) {
      for (const listener of all) listener(told);
    },
    /** Gives back what ends it. */
    on(listener: (told: T) => void): () => void {
      all.add(listener);
      return () => all.delete(listener);
    },
  };
}
