import { createRoot } from "react-dom/client";
import { createHost } from "./bridge/host";
import { createVsCodeWire } from "./bridge/vscodeWire";
import { App } from "./components/App";
import { PanelContext } from "./hooks";
import { Highlighting } from "./markdown/Highlighting";
import { createPanel, type Memory } from "./panel";
import { createStore } from "./store/store";
import "@vscode/codicons/dist/codicon.css";
import "./styles/index.css";

/** Composition root of the panel: everything is built here, once, and handed down. */
function start(root: HTMLElement) {
  const wire = createVsCodeWire();
  const memory: Memory = {
    load() {
      const kept = wire.loadState();
      return kept !== null && typeof kept === "object" && "draft" in kept ? String(kept.draft) : "";
    },
    save: draft => wire.saveState({ draft }),
  };
  const store = createStore(callback => requestAnimationFrame(callback));
  const panel = createPanel(createHost(wire), store, memory, Date.now);
  createRoot(root).render(
    <PanelContext value={panel}>
      <Highlighting>
        <App />
      </Highlighting>
    </PanelContext>,
  );
}

const root = document.getElementById("root");
if (root !== null) start(root);
