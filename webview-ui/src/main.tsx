import { useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import type { Draft } from "../../src/shared/panelProtocol";
import { createVsCodeWire, Host } from "./bridge/host";
import { App } from "./components/App";
import { leaveChordsToVsCode } from "./controls/chords";
import { PanelContext } from "./panel/hooks";
import { Panel } from "./panel/panel";
import { createStore } from "./store/store";
import "@vscode/codicons/dist/codicon.css";
import "./styles/index.css";

/**
 * What had the focus before the script came: React follows the caret (`onSelect`) only where it heard the focus come.
 * Renders nothing; its effect runs once the page is taken over.
 */
function FocusHeard() {
  useEffect(() => {
    document.activeElement?.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    pressEnter();
  }, []);
  return null;
}

/** Enter that came before the script is pressed now; the page remembered it (panelPage.ts). */
function pressEnter(): void {
  const root = document.getElementById("root");
  if (root) root.dataset.ready = "true";
  const box = document.querySelector<HTMLElement>("textarea[data-enter]");
  if (!box) return;
  const altKey = box.dataset.enter === "alt";
  delete box.dataset.enter;
  // What the composer set up in this round of effects is in its state with the next one.
  setTimeout(() => {
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", altKey, bubbles: true, cancelable: true }));
  });
}

/** Composition root of the panel: everything is built here, once, and handed down. */
function start(root: HTMLElement) {
  leaveChordsToVsCode();
  const wire = createVsCodeWire();
  const store = createStore(callback => requestAnimationFrame(callback));
  const panel = new Panel(new Host(wire), store, parseDraft(root.dataset.draft ?? "null"), Date.now);
  // The page came with the first picture: what was typed into it meanwhile stays, and so does the caret.
  hydrateRoot(
    root,
    <PanelContext value={panel}>
      <App />
      <FocusHeard />
    </PanelContext>,
    // An item that cannot be drawn says so itself (ItemBoundary).
    { onCaughtError: () => undefined },
  );
}

/** What the host wrote into the page: it may be from another version, and what does not fit is as nothing. */
function parseDraft(text: string): Draft {
  const draft: unknown = JSON.parse(text);
  if (draft === null || typeof draft !== "object") return { draft: "", inFlight: [] };
  return {
    draft: "draft" in draft ? String(draft.draft) : "",
    inFlight: "inFlight" in draft && Array.isArray(draft.inFlight) ? draft.inFlight.map(String) : [],
    ...("answers" in draft ? { answers: parseAnswers(draft.answers) } : {}),
  };
}

function parseAnswers(answers: unknown): NonNullable<Draft["answers"]> {
  const entries = (value: unknown): [string, unknown][] =>
    value !== null && typeof value === "object" ? Object.entries(value) : [];
  const field = (value: unknown) => {
    const { chosen, text } = Object.fromEntries(entries(value));
    return { chosen: Array.isArray(chosen) ? chosen.map(String) : [], text: String(text ?? "") };
  };
  const fields = (value: unknown) => Object.fromEntries(entries(value).map(([name, each]) => [name, field(each)]));
  return Object.fromEntries(entries(answers).map(([id, value]) => [id, fields(value)]));
}

const root = document.getElementById("root");
if (root !== null) start(root);
