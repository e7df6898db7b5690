import { createRoot } from "react-dom/client";
import { createVsCodeWire, Host } from "./bridge/host";
import { App } from "./components/App";
import { PanelContext } from "./panel/hooks";
import { type Kept, type Memory, Panel } from "./panel/panel";
import { createStore } from "./store/store";
import "@vscode/codicons/dist/codicon.css";
import "./styles/index.css";

/** Composition root of the panel: everything is built here, once, and handed down. */
function start(root: HTMLElement) {
  const wire = createVsCodeWire();
  const memory: Memory = {
    load: () => parseKept(wire.loadState()),
    save: kept => wire.saveState({ ...kept }),
  };
  const store = createStore(callback => requestAnimationFrame(callback));
  const panel = new Panel(new Host(wire), store, memory, Date.now);
  createRoot(root).render(
    <PanelContext value={panel}>
      <App />
    </PanelContext>,
  );
}

/** The state may be from another version: what does not fit is as nothing. */
function parseKept(state: unknown): Kept {
  if (state === null || typeof state !== "object") return { draft: "", inFlight: [] };
  return {
    draft: "draft" in state ? String(state.draft) : "",
    inFlight: "inFlight" in state && Array.isArray(state.inFlight) ? state.inFlight.map(String) : [],
  };
}

const root = document.getElementById("root");
if (root !== null) start(root);
