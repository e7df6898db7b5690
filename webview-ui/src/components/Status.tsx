import { usePanel, usePanelState } from "../hooks";
import { underWay } from "../store/compactions";
import { phaseWords } from "./CompactionProgress";
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

/** For screen readers: what the session is doing, said once when it changes. */
export function SpokenStatus() {
  const run = usePanelState(state => state.session.run);
  const step = usePanelState(state => state.session.counters.step);
  const loading = usePanelState(state => state.phase === "loading");
  const progress = usePanelState(state => state.session.progress);
  const words = {
    idle: "Ready",
    running: step > 0 ? `Working, step ${step}` : "Working",
    asking: "Waiting for your answer",
    stopping: "Stopping",
  };
  return (
    <div className="visually-hidden" role="status">
      {loading ? "Opening the conversation" : underWay(progress) ? `Compacting: ${phaseWords(progress)}` : words[run]}
    </div>
  );
}
