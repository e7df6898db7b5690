import type { TurnError } from "../../../src/shared/records";
import { Icon } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import type { EndItem } from "../store/state";
import { count, formatDuration } from "../text/format";
import { ChangedFiles } from "./ChangedFiles";

type ErrorAction = TurnError["actions"][number];

/** The words of a button for what a person can do about how a turn ended. */
const actionWords: Record<ErrorAction, string> = {
  retry: "Retry",
  continue: "Continue",
  "set-key": "Set key",
  "choose-model": "Choose a model",
  "check-connection": "Check connection",
  "show-log": "Show log",
};

interface Ending {
  icon: string;
  words(item: EndItem): string;
  actions: readonly ErrorAction[];
}

const endings: Record<Exclude<EndItem["reason"], "error">, Ending> = {
  done: { icon: "check", words: item => `Done in ${turnSize(item)}`, actions: [] },
  stopped: { icon: "circle-slash", words: item => `Stopped after ${turnSize(item)}`, actions: ["continue"] },
  limit: {
    icon: "debug-pause",
    words: item =>
      item.error?.message ??
      `Paused after ${turnSize(item)}: that is the limit for one turn. Continue if it goes well.`,
    actions: ["continue"],
  },
  interrupted: {
    icon: "debug-disconnect",
    words: () => "This turn was cut off when the window closed or crashed. What it did until then is above.",
    actions: ["continue"],
  },
};

/** How a turn ended, and what can be done while nothing came after it. */
export function TurnEnd({ item }: { item: EndItem }) {
  const newest = usePanelState(({ session }) => session.ends[item.turn] === item.key);
  const runs = usePanelState(({ session }) => session.run !== "idle" && session.turn === item.turn);
  return (
    <>
      {item.reason === "error" ? <ErrorBanner item={item} /> : <Mark item={item} {...endings[item.reason]} />}
      {newest && !runs ? <ChangedFiles turn={item.turn} /> : null}
    </>
  );
}

function turnSize(item: EndItem): string {
  const time = formatDuration(item.durationMs);
  return item.steps > 1 ? `${time} · ${count(item.steps, "step")}` : time;
}

function Mark({ item, icon, words, actions }: Ending & { item: EndItem }) {
  return (
    <div className="turn-end">
      <Icon name={icon} />
      <div className="turn-end-body">
        <span>{words(item)}</span>
        <ActionButtons item={item} offered={actions} className="link" />
      </div>
    </div>
  );
}

function ErrorBanner({ item }: { item: EndItem }) {
  return (
    <div className="error-banner" role="alert">
      <Icon name="error" />
      <div className="error-body">
        <p>{item.error?.message ?? "The turn ended with an error. The log says more."}</p>
        <ActionButtons item={item} offered={item.error?.actions ?? ["retry", "show-log"]} className="button" />
      </div>
    </div>
  );
}

const goesOn = (action: ErrorAction): action is "retry" | "continue" => action === "retry" || action === "continue";

/** Going on makes sense only from the newest end; the other actions do always. */
function ActionButtons(props: { item: EndItem; offered: readonly ErrorAction[]; className: string }) {
  const panel = usePanel();
  const newest = usePanelState(
    ({ session }) => session.lastEnd === props.item.key && session.run === "idle" && !session.readOnly,
  );
  const offered = props.offered.filter(action => newest || !goesOn(action));
  if (offered.length === 0) return null;
  return (
    <div className="button-row">
      {offered.map((action, index) => (
        <button
          key={action}
          type="button"
          className={index === 0 && props.className === "button" ? "button primary" : props.className}
          onClick={() => (goesOn(action) ? panel.ask("resume", {}) : panel.act(action))}
        >
          {actionWords[action]}
        </button>
      ))}
    </div>
  );
}
