import { t } from "../../../../src/shared/l10n";
import { usePanel, usePanelState } from "../../panel/hooks";
import { exactNumber } from "../../text/contextWords";
import { formatPercent } from "../../text/format";

/** From this share of the window on the ring warns; where a compaction begins earlier, from there on. */
const NEARLY_FULL = 0.95;
const COMPACT_AT = 0.8;

/** How full the context is, as a ring with its percentage; a click shows what fills it. */
export function ContextMeter() {
  const panel = usePanel();
  const use = usePanelState(state => state.session.context);
  const model = usePanelState(state => state.surroundings?.model);
  const compactAt = usePanelState(state => state.surroundings?.budget?.compactAt ?? COMPACT_AT);
  const window = use?.window ?? (model?.state === "ready" ? model.contextWindow : undefined);
  if (use === null || window === undefined) return <span className="meter" />;
  const full = use.tokens / window;
  const words = t("{0} of {1} tokens in the context", exactNumber(use.tokens), exactNumber(window));
  return (
    <span className="meter">
      <button
        type="button"
        className="picker meter-button"
        aria-label={`${formatPercent(full)}, ${words}`}
        title={t("{0}. Show what fills it", words)}
        onClick={panel.showContext}
      >
        <Ring share={full} look={full >= NEARLY_FULL ? "full" : full >= compactAt ? "high" : ""} />
        <span className="meter-text">{formatPercent(full)}</span>
      </button>
    </span>
  );
}

const RADIUS = 6;
const ROUND = 2 * Math.PI * RADIUS;

function Ring({ share, look }: { share: number; look: string }) {
  const filled = Math.min(1, share) * ROUND;
  return (
    <svg className={`ring ${look}`} viewBox="0 0 16 16" aria-hidden="true">
      <circle className="ring-all" cx="8" cy="8" r={RADIUS} />
      <circle className="ring-used" cx="8" cy="8" r={RADIUS} strokeDasharray={`${filled} ${ROUND}`} />
    </svg>
  );
}
