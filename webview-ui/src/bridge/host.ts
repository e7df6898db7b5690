/**
 * The panel's door to the extension host: requests that are answered or rejected, never lost; messages that come by
 * themselves. The host is of the same build, so its messages are typed by shared/panelProtocol and not parsed again (the
 * schemas would be a fifth of what the panel loads): what is no message of it is told to `onBroken` and dropped.
 */
import type {
  HostToPanel,
  PanelMethod,
  PanelParams,
  PanelResult,
  PanelToHost,
} from "../../../src/shared/panelProtocol";

/** What carries messages: VS Code's webview API, or a test's. */
export interface Wire {
  post(message: PanelToHost): void;
  /** `listener` gets whatever comes, unparsed. */
  listen(listener: (data: unknown) => void): void;
  /** what `saveState` kept; undefined: nothing */
  loadState(): unknown;
  /** Survives a reload of the panel. */
  saveState(state: unknown): void;
}

/** What comes without having been asked for. */
export type HostMessage = Exclude<HostToPanel, { type: "reply" | "failure" }>;

export interface Host {
  /** Rejects with an error whose message is for people: refused by the host, or no answer in time. */
  request<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M>>;
  onMessage(listener: (message: HostMessage) => void): void;
  /** Something came that this panel does not understand; `problem` is one sentence. */
  onBroken(listener: (problem: string) => void): void;
}

const messageTypes: Record<HostToPanel["type"], true> = {
  reply: true,
  failure: true,
  events: true,
  snapshot: true,
  surroundings: true,
  compose: true,
  filesChanged: true,
};

function isMessage(data: unknown): data is HostToPanel {
  if (data === null || typeof data !== "object" || !("type" in data)) return false;
  return typeof data.type === "string" && Object.hasOwn(messageTypes, data.type);
}

/** After this a request counts as lost, ms. None takes long: turns and commands run behind an answer that comes at once. */
const ANSWER_MS = 30_000;

interface Waiting {
  settle(reply: { ok: true; result: unknown } | { ok: false; message: string }): void;
}

export function createHost(wire: Wire, answerMs: number = ANSWER_MS): Host {
  const waiting = new Map<number, Waiting>();
  const messageListeners: ((message: HostMessage) => void)[] = [];
  const brokenListeners: ((problem: string) => void)[] = [];
  let lastId = 0;

  wire.listen(data => {
    if (!isMessage(data)) {
      const problem = "The panel got a message that it does not understand. Reload the window, and update Strata.";
      for (const listener of brokenListeners) listener(problem);
      return;
    }
    if (data.type === "reply" || data.type === "failure") {
      waiting.get(data.id)?.settle(data);
      return;
    }
    for (const listener of messageListeners) listener(data);
  });

  return {
    request(method, params) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          const seconds = Math.round(answerMs / 1000);
          reject(new Error(`Strata did not answer within ${seconds} s (${method}). Try again, or reload the window.`));
        }, answerMs);
        waiting.set(id, {
          settle(reply) {
            waiting.delete(id);
            clearTimeout(timer);
            if (reply.ok) resolve(reply.result as PanelResult<typeof method>);
            else reject(new Error(reply.message));
          },
        });
        wire.post({ id, method, params });
      });
    },
    onMessage: listener => messageListeners.push(listener),
    onBroken: listener => brokenListeners.push(listener),
  };
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The wire inside VS Code: `acquireVsCodeApi`, which may be called once. */
export function createVsCodeWire(): Wire {
  const api = acquireVsCodeApi();
  return {
    post: message => api.postMessage(message),
    listen: listener => window.addEventListener("message", event => listener(event.data)),
    loadState: () => api.getState(),
    saveState: state => api.setState(state),
  };
}
