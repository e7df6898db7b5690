import type { ReactNode } from "react";
import { ownTitles } from "../../../src/shared/modelProviders";
import type { PanelSurroundings } from "../../../src/shared/panelSnapshot";
import { Button, Icon } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";

/** What stands in an empty conversation: three things to try on this workspace, or what is missing first. */
export function EmptyState() {
  const surroundings = usePanelState(state => state.surroundings);
  if (surroundings === null) return null;
  const { model, settingUp } = surroundings;
  if (model.state === "none" || settingUp) return <FirstSteps model={model} hasKey={settingUp?.key ?? false} />;
  if (surroundings.workspace === "none") return <NoFolder />;
  return (
    <Empty icon="layers" title={`What should change in ${surroundings.folders.join(", ")}?`}>
      <Suggestions suggestions={surroundings.suggestions} />
    </Empty>
  );
}

function Empty({ icon, title, children }: { icon: string; title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} className="empty-icon" />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

function Suggestions({ suggestions }: { suggestions: readonly string[] }) {
  const panel = usePanel();
  if (suggestions.length === 0) return null;
  return (
    <ul className="suggestions" aria-label="Things to try">
      {suggestions.slice(0, 3).map(text => (
        <li key={text}>
          <button type="button" className="suggestion" onClick={() => panel.compose(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

const setUpSteps = [
  {
    words: `Choose one that VS Code has, a provider's (${ownTitles}) or your own server's.`,
    action: "choose-model",
    label: "Choose a model",
  },
  {
    words: "Add your API key, if needed. It is kept in VS Code's secret storage.",
    action: "set-key",
    label: "Set key",
  },
  { words: "Test it.", action: "check-connection", label: "Check connection" },
] as const;

/** They stay until a model has answered; what is done has its mark. */
function FirstSteps({ model, hasKey }: { model: PanelSurroundings["model"]; hasKey: boolean }) {
  const panel = usePanel();
  const ready = model.state === "ready";
  const done = [ready, ready && hasKey, false];
  const next = done.indexOf(false);
  return (
    <Empty icon="plug" title="Set up a model">
      <p>{ready ? `${model.name} is selected, not tested yet.` : model.message}</p>
      <ol className="steps">
        {setUpSteps.map(({ words, action, label }, index) => (
          <li key={action} aria-label={`${label}${done[index] ? ": done" : ""}`}>
            <span>
              {done[index] ? <Icon name="check" /> : null}
              {words}
            </span>
            <Button primary={index === next} onClick={() => panel.act(action)}>
              {label}
            </Button>
          </li>
        ))}
      </ol>
    </Empty>
  );
}

function NoFolder() {
  const panel = usePanel();
  return (
    <Empty icon="folder" title="Open a folder">
      <p>Strata works on the files in a folder. No folder is open in this window.</p>
      <Button primary onClick={() => panel.act("open-folder")}>
        Open folder
      </Button>
    </Empty>
  );
}
