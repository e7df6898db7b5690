import { useEffect } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { loadTranslation, type Translation } from "../../src/shared/l10n";
import { toolSections } from "../../src/shared/panelProtocol";
import type { Draft } from "../../src/shared/panelSnapshot";
import { createVsCodeWire, Host } from "./bridge/host";
import { App } from "./components/App";
import { SpokenRegion } from "./components/conversation/Spoken";
import { ToolsPage } from "./components/tools/ToolsPage";
import { PanelContext } from "./panel/hooks";
import { Panel } from "./panel/panel";
import { createStore, type Store } from "./store/store";
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

/** Composition root of the panel: everything is built here, once, and handed down. The page calls it once the sentences are there. */
export function start(translation: Translation | undefined) {
  const root = document.getElementById("root");
  if (root === null) return;
  loadTranslation(translation);
  leaveChordsToVsCode();
  const wire = createVsCodeWire();
  const store = createStore(callback => requestAnimationFrame(callback));
  const panel = new Panel(new Host(wire), store, parseDraft(root.dataset.draft ?? "null"), Date.now);
  rememberSession(wire, store);
  const isChat = root.dataset.page === "chat";
  const page = (
    <PanelContext value={panel}>
      <SpokenRegion />
      {isChat ? <App /> : <ToolsPage first={toolSections.find(each => each === root.dataset.section)} />}
      <FocusHeard />
    </PanelContext>
  );
  // An item that cannot be drawn says so itself (ItemBoundary).
  const options = { onCaughtError: () => undefined };
  // The conversation came with the first picture: what was typed into it meanwhile stays, and so does the caret.
  if (isChat) hydrateRoot(root, page, options);
  else createRoot(root, options).render(page);
}

/** A tab that comes back after a reload shows the session that it showed. */
function rememberSession(wire: ReturnType<typeof createVsCodeWire>, store: Store): void {
  let known = "";
  store.subscribe(() => {
    const { sessionId } = store.get().session;
    if (sessionId !== known && sessionId !== "") wire.remember({ sessionId });
    known = sessionId;
  });
}

/** What the host kept, which checked it when the panel gave it. */
function parseDraft(text: string): Draft {
  const { draft = "", inFlight = [], ...more }: Partial<Draft> = JSON.parse(text) ?? {};
  return { draft, inFlight, ...more };
}

/** VS Code waits so long for the second key, ms. */
const WAITS_MS = 5_000;

const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock"]);

/**
 * Chords of two keys, Ctrl+K and another, are VS Code's. The second key of one types nothing here and answers nothing: it is prevented before any part of the panel hears it, and
 * keys that are prevented are nobody's. It still arrives at the window, where VS Code listens.
 */
function leaveChordsToVsCode(): void {
  let begun = Number.NEGATIVE_INFINITY;
  const mac = navigator.platform.startsWith("Mac");
  const forget = () => {
    begun = Number.NEGATIVE_INFINITY;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (MODIFIERS.has(event.key) || event.isComposing) return;
    const { key, altKey, shiftKey } = event;
    if (performance.now() - begun < WAITS_MS) {
      // a first key that is held begins the chord once
      if (!event.repeat || key.toLowerCase() !== "k") forget();
      event.preventDefault();
    } else if (key.toLowerCase() === "k" && !altKey && !shiftKey && (mac ? event.metaKey : event.ctrlKey)) {
      begun = performance.now();
    }
  };
  window.addEventListener("keydown", onKeyDown, { capture: true });
  // The focus went elsewhere, or a click came between: VS Code has let go of it.
  window.addEventListener("blur", forget);
  window.addEventListener("pointerdown", forget, { capture: true });
}
