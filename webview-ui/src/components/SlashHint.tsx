import { usePanelState } from "../hooks";
import { type SlashCommandName, slashCommands } from "../slashCommands";

/** What the command that is being typed does; a click writes it out. */
export function SlashHint({ command, choose }: { command: SlashCommandName; choose: () => void }) {
  const idle = usePanelState(state => state.session.run === "idle");
  const { after, meaning } = slashCommands[command];
  return (
    <button type="button" className="slash-hint" onClick={choose}>
      <span className="slash-name">
        /{command} {after === "" ? null : <span className="quiet">[{after}]</span>}
      </span>
      <span className="quiet">{idle ? meaning : "Once the agent is done, or stopped"}</span>
    </button>
  );
}
