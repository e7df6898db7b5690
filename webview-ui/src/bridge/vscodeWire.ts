/** The wire inside VS Code: `acquireVsCodeApi`, which may be called once. */
import type { Wire } from "./host";

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function createVsCodeWire(): Wire {
  const api = acquireVsCodeApi();
  return {
    post: message => api.postMessage(message),
    listen: listener => window.addEventListener("message", event => listener(event.data)),
    loadState: () => api.getState(),
    saveState: state => api.setState(state),
  };
}
