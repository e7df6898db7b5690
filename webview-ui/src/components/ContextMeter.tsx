import { type KeyboardEvent, useEffect, useRef } from "react";
import { cacheGapText, costText, formatCost } from "../../../src/shared/cost";
import type { RequestLayers } from "../../../src/shared/events";
import type { ContextUsage } from "../../../src/shared/panelSnapshot";
import { Button } from "../controls/controls";
import { Popup, type PopupState, usePopup } from "../controls/Popup";
import { usePanel, usePanelState } from "../panel/hooks";
import { underWay } from "../store/compactions";
import { count, formatPercent, formatTokens } from "../text/format";

/** From this share of the window on the bar warns; where a compaction begins earlier, from there on. */
const NEARLY_FULL = 0.95;
const COMPACT_AT = 0.8;

type Layer = RequestLayers[number]["layer"];
const layerNames: Record<Layer, string> = {
  L1: "Prompt and tools",
  L2: "Rules",
  L3: "Your words, summaries, history",
  turn: "This turn",
  tail: "Todos and editor",
};

/** How full the context is, "41k / 200k", and how many steps the turn has taken; a click shows what is in it. */
export function ContextMeter() {
  const use = usePanelState(state => state.session.context);
  const step = usePanelState(state => state.session.counters.step);
  const running = usePanelState(state => state.session.run !== "idle");
  const compacting = usePanelState(state => underWay(state.session.progress));
  const model = usePanelState(state => state.surroundings?.model);
  const compactAt = usePanelState(state => state.surroundings?.budget?.compactAt ?? COMPACT_AT);
  const popup = usePopup();
  useContextAsked(popup.button);
  const window = use?.window ?? (model?.state === "ready" ? model.contextWindow : undefined);
  if (use === null || window === undefined) return <span className="meter" />;
  const full = use.tokens / window;
  const words = `${use.tokens.toLocaleString()} of ${window.toLocaleString()} tokens in the context`;
  return (
    <span className="meter">
      <button
        ref={popup.button}
        type="button"
        className="picker meter-button"
        aria-haspopup="dialog"
        aria-expanded={popup.open}
        aria-label={words}
        title={`${words}. Show details`}
        onClick={popup.toggle}
      >
        <span className="meter-bar" aria-hidden="true">
          <span
            className={`meter-fill ${full >= NEARLY_FULL ? "full" : full >= compactAt ? "high" : ""}`}
            style={{ width: share(use.tokens, window) }}
          />
        </span>
        <span className="meter-text">
          {formatTokens(use.tokens)} / {formatTokens(window)}
        </span>
      </button>
      {step > 0 && !compacting ? (
        <span className="meter-steps">{running ? `step ${step}` : count(step, "step")}</span>
      ) : null}
      {popup.open ? <ContextPopover use={use} window={window} compactAt={compactAt} popup={popup} /> : null}
    </span>
  );
}

/** `/context` does what a click does. */
function useContextAsked(button: PopupState["button"]) {
  const { onContextAsked } = usePanel();
  useEffect(() => onContextAsked(() => button.current?.click()), [onContextAsked, button]);
}

const share = (tokens: number, window: number) => `${Math.min(100, (100 * tokens) / window)}%`;

interface Fill {
  use: ContextUsage;
  window: number;
  compactAt: number;
}

/** What is in the context, layer by layer, and what happens when it fills. */
function ContextPopover({ use, window, compactAt, popup }: Fill & { popup: PopupState }) {
  const box = useRef<HTMLDivElement>(null);
  const panel = usePanel();
  useEffect(() => {
    box.current?.focus();
    void panel.refreshContext();
  }, [panel]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key !== "Escape") return;
    event.stopPropagation();
    popup.close();
  };
  return (
    <Popup box={box} className="popover" role="dialog" label="Context" popup={popup} onKeyDown={onKeyDown}>
      <p className="popover-title">
        <span>Context</span>
        <span className="quiet" title={countWords(use)}>
          {formatTokens(use.tokens)} of {formatTokens(window)} tokens · {formatPercent(use.tokens / window)}
        </span>
      </p>
      <LayerBar layers={scaledLayers(use)} window={window} compactAt={compactAt} />
      <LayerList layers={use.layers.length > 0 ? scaledLayers(use) : []} free={window - use.tokens} />
      <Facts use={use} window={window} compactAt={compactAt} />
      <Actions close={popup.close} />
    </Popup>
  );
}

/** Whose count it is: for who doubts it. */
function countWords({ calibration }: ContextUsage): string {
  return calibration === undefined
    ? "Estimated at three characters per token."
    : `The provider counts ${calibration.ratio.toFixed(2)} times what Strata estimates; the layers are scaled to that.`;
}

/** Estimates, made to add up to the whole, which the provider counted. Before they are known, all of it is one. */
function scaledLayers({ layers, tokens }: ContextUsage): RequestLayers {
  const sum = layers.reduce((total, layer) => total + layer.tokens, 0);
  if (sum === 0) return [{ layer: "L3", tokens }];
  return layers.map(layer => ({ ...layer, tokens: Math.round((layer.tokens * tokens) / sum) }));
}

function LayerBar({ layers, window, compactAt }: { layers: RequestLayers; window: number; compactAt: number }) {
  return (
    <div className="layer-bar" aria-hidden="true">
      {layers.map(({ layer, tokens }) => (
        <span key={layer} className={`layer layer-${layer}`} style={{ width: share(tokens, window) }} />
      ))}
      <span className="layer-mark" style={{ left: `${100 * compactAt}%` }} />
    </div>
  );
}

function LayerList({ layers, free }: { layers: RequestLayers; free: number }) {
  return (
    <ul className="layers">
      {layers.map(({ layer, tokens }) => (
        <li key={layer}>
          <span className={`swatch layer-${layer}`} aria-hidden="true" />
          <span className="layer-name">{layerNames[layer]}</span>
          <span>{formatTokens(tokens)}</span>
        </li>
      ))}
      <li className="quiet">
        <span className="swatch" aria-hidden="true" />
        <span className="layer-name">Free</span>
        <span>{formatTokens(Math.max(0, free))}</span>
      </li>
    </ul>
  );
}

function Facts({ use, window, compactAt }: Fill) {
  const foldAt = usePanelState(state => state.surroundings?.budget?.foldAt);
  const held = usePanelState(state => state.session.compactionHeld);
  return (
    <div className="popover-facts quiet">
      {use.layers.length === 0 ? <p>Send a message to see what the context contains.</p> : null}
      <Spent use={use} />
      <p>
        {held
          ? "Auto-compact is off because you undid it. It resumes when you compact, or when a request is too long."
          : `Older turns are summarised at ${formatTokens(compactAt * window)} (${formatPercent(compactAt)}).`}
        {foldAt === null ? " Old tool output is shortened when that saves cost." : ""}
        {foldAt ? ` Old output is shortened above ${formatTokens(foldAt)}.` : ""}
      </p>
    </div>
  );
}

/** What the session and the day cost, what of it was cached, and where the provider cached less than it could. */
function Spent({ use: { spent, today = 0, cacheGap } }: { use: ContextUsage }) {
  const cost = spent && costText(spent);
  const cached = spent?.cachedInput ? formatPercent(spent.cachedInput / spent.input) : undefined;
  const session = cost
    ? `This session cost ${cost}${cached ? `; ${cached} of its input was cached` : ""}.`
    : cached && `${cached} of this session's input was cached.`;
  return (
    <>
      {session || today > 0 ? (
        <p>
          {session}
          {today > 0 ? ` All sessions of today cost ${formatCost(today)}.` : ""}
        </p>
      ) : null}
      {cacheGap ? (
        <p>{`The last request: ${cacheGapText(cacheGap)}. A provider keeps its cache for some minutes only.`}</p>
      ) : null}
    </>
  );
}

function Actions({ close }: { close: () => void }) {
  const panel = usePanel();
  const idle = usePanelState(state => state.session.run === "idle" && !state.session.readOnly);
  const closeAnd = (act: () => Promise<unknown>) => () => {
    close();
    void act();
  };
  return (
    <div className="button-row">
      <Button
        disabled={!idle}
        title={idle ? undefined : "After the agent finishes"}
        onClick={closeAnd(() => panel.compact())}
      >
        Compact now
      </Button>
      <Button onClick={closeAnd(() => panel.ask("previewCompaction", {}))}>Preview…</Button>
      <Button onClick={closeAnd(() => panel.ask("action", { action: "show-words" }))}>What you said…</Button>
    </div>
  );
}
