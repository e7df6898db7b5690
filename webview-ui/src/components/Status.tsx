import { count, formatTokens } from "../format";
import { usePanel, usePanelState } from "../hooks";
import { Icon } from "./Icon";

/** The model in use; a click chooses another. */
export function ModelName() {
  const panel = usePanel();
  const model = usePanelState(state => state.surroundings?.model);
  if (model === undefined) return null;
  const ready = model.state === "ready";
  return (
    <button
      type="button"
      className="picker model"
      aria-label={ready ? `Model: ${model.name}` : "No model"}
      title={ready ? `${model.name} at ${model.address}. Choose a model` : model.message}
      onClick={() => panel.act("choose-model")}
    >
      <span className="picker-text">{ready ? model.name : "No model"}</span> <Icon name="chevron-down" />
    </button>
  );
}

/** How full the context is, and how many steps the turn has taken: "41k / 200k", "step 4". */
export function Meter() {
  const tokens = usePanelState(state => state.session.counters.tokens);
  const step = usePanelState(state => state.session.counters.step);
  const running = usePanelState(state => state.session.run !== "idle");
  const window = usePanelState(state => {
    const model = state.surroundings?.model;
    return state.session.counters.contextWindow ?? (model?.state === "ready" ? model.contextWindow : null);
  });
  if (tokens === null || window === null) return <span className="meter" />;
  const full = tokens / window;
  const words = `${tokens.toLocaleString()} of ${window.toLocaleString()} tokens in the context`;
  return (
    <span className="meter" title={words}>
      <progress className={full > 0.8 ? "meter-bar high" : "meter-bar"} value={Math.min(1, full)} aria-label={words} />
      <span className="meter-text">
        {formatTokens(tokens)} / {formatTokens(window)}
      </span>
      {step > 0 ? <span className="meter-steps">{running ? `step ${step}` : count(step, "step")}</span> : null}
    </span>
  );
}

/** For screen readers: what the session is doing, said once when it changes. */
export function SpokenStatus() {
  const run = usePanelState(state => state.session.run);
  const step = usePanelState(state => state.session.counters.step);
  const loading = usePanelState(state => state.phase === "loading");
  const words = {
    idle: "Ready",
    running: step > 0 ? `Working, step ${step}` : "Working",
    asking: "Waiting for your answer",
    stopping: "Stopping",
  };
  return (
    <div className="visually-hidden" role="status">
      {loading ? "Opening the conversation" : words[run]}
    </div>
  );
}
