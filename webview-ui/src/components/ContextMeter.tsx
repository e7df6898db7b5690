import { plural, t } from "../../../src/shared/l10n";
import { usePanel, usePanelState } from "../panel/hooks";
import { underWay } from "../store/compactions";
import { exactNumber } from "../text/contextWords";
import { formatTokens } from "../text/format";

/** From this share of the window on the bar warns; where a compaction begins earlier, from there on. */
const NEARLY_FULL = 0.95;
const COMPACT_AT = 0.8;

/** How full the context is, "41k / 200k", and how many steps the turn has taken; a click shows what fills it. */
export function ContextMeter() {
  const use = usePanelState(state => state.session.context);
  const step = usePanelState(state => state.session.counters.step);
  const running = usePanelState(state => state.session.run !== "idle");
  const compacting = usePanelState(state => underWay(state.session.progress));
  const model = usePanelState(state => state.surroundings?.model);
  const compactAt = usePanelState(state => state.surroundings?.budget?.compactAt ?? COMPACT_AT);
  const panel = usePanel();
  const window = use?.window ?? (model?.state === "ready" ? model.contextWindow : undefined);
  if (use === null || window === undefined) return <span className="meter" />;
  const full = use.tokens / window;
  const words = t("{0} of {1} tokens in the context", exactNumber(use.tokens), exactNumber(window));
  return (
    <span className="meter">
      <button
        type="button"
        className="picker meter-button"
        aria-label={words}
        title={t("{0}. Show what fills it", words)}
        onClick={panel.showContext}
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
        <span className="meter-steps">{running ? t("step {0}", step) : plural(step, "1 step", "{0} steps")}</span>
      ) : null}
    </span>
  );
}

const share = (tokens: number, window: number) => `${Math.min(100, (100 * tokens) / window)}%`;
