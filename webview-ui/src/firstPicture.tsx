/**
 * The panel as it looks before anything has answered, as HTML: the page comes with it, so the composer is there before the
 * script is. Runs when the panel is built; main.tsx takes it over as it stands.
 */
import { renderToString } from "react-dom/server";
import { loadTranslation, type Translation } from "../../src/shared/l10n";
import { Host } from "./bridge/host";
import { App } from "./components/App";
import { SpokenRegion } from "./components/conversation/Spoken";
import { PanelContext } from "./panel/hooks";
import { Panel } from "./panel/panel";
import { createStore } from "./store/store";

declare const TRANSLATION: Translation;
loadTranslation(TRANSLATION);

const nothing = () => undefined;
const wire = { post: nothing, listen: nothing };
const panel = new Panel(new Host(wire), createStore(nothing), { draft: "", inFlight: [] }, Date.now);

export const html = renderToString(
  <PanelContext value={panel}>
    <SpokenRegion />
    <App />
  </PanelContext>,
);
