import { costAndCache } from "../../../src/shared/cost";
import type { TurnError } from "../../../src/shared/turnError";
import { Icon, IconButton } from "../controls/controls";
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

interface TurnEnding {
  icon: string;
  words(item: EndItem): string;
  actions: readonly ErrorAction[];
}

const endings: Record<EndItem["reason"], TurnEnding> = {
  done: { icon: "check", words: item => `Done in ${turnSize(item)}`, actions: [] },
  stopped: { icon: "circle-slash", words: item => `Stopped after ${turnSize(item)}`, actions: ["continue"] },
  limit: {
    icon: "debug-pause",
    words: item =>
      item.error?.message ?? `Paused after ${turnSize(item)}: the limit for one turn. Continue if it is on track.`,
    actions: ["continue"],
  },
  interrupted: {
    icon: "debug-disconnect",
    words: () => "This turn was cut off when the window closed or crashed. Its work so far is above.",
    actions: ["continue"],
  },
  error: {
    icon: "error",
    words: item => item.error?.message ?? "The turn ended with an error. See the log for details.",
    actions: ["retry", "show-log"],
  },
};

/** How a turn ended, and what can be done while nothing came after it. */
export function TurnEnd({ item }: { item: EndItem }) {
  const newest = usePanelState(({ session }) => session.ends[item.turn] === item.key);
  const runs = usePanelState(({ session }) => session.run !== "idle" && session.turn === item.turn);
  return (
    <>
      <Mark item={item} />
      {newest && !runs ? <ChangedFiles turn={item.turn} /> : null}
    </>
  );
}

function turnSize(item: EndItem): string {
  const { durationMs, steps, commands = 0, usage } = item;
  const parts = [
    formatDuration(durationMs),
    steps > 1 ? count(steps, "step") : "",
    commands > 0 ? count(commands, "command") : "",
    usage ? costAndCache(usage) : "",
  ];
  return parts.filter(part => part !== "").join(" · ");
}

/** What "41k cached" means. */
function cachedWords({ usage }: EndItem): string | undefined {
  const cached = usage?.cachedInput ?? 0;
  return cached > 0 ? `${cached.toLocaleString()} input tokens were reused from the provider's cache` : undefined;
}

const goesOn = (action: ErrorAction): action is "retry" | "continue" => action === "retry" || action === "continue";

function Mark({ item }: { item: EndItem }) {
  const panel = usePanel();
  const newest = usePanelState(
    ({ session }) => session.lastEnd === item.key && session.run === "idle" && !session.readOnly,
  );
  // Something came after it: it is history, a line like any other end.
  const solved = usePanelState(({ session }) => session.lastEnd !== item.key);
  const failed = item.reason === "error" && !solved;
  const { icon, words, actions } = endings[item.reason];
  const hasModel = usePanelState(({ surroundings }) => surroundings?.model.state === "ready");
  const named = item.reason === "error" ? (item.error?.actions ?? actions) : actions;
  // For want of a model it ended, and now there is one.
  const all: typeof named = hasModel && item.error?.code === "no-model" ? ["retry", ...named] : named;
  // Going on makes sense only from the newest end; the other actions do always.
  const offered = solved ? [] : all.filter(action => newest || !goesOn(action));
  return (
    <div
      className={failed ? "error-banner" : solved ? "turn-end solved" : "turn-end"}
      role={failed ? "alert" : undefined}
    >
      <Icon name={icon} />
      <div className={failed ? "error-body" : "turn-end-body"}>
        <p title={solved ? words(item) : cachedWords(item)}>{words(item)}</p>
        <IconButton
          icon="list-tree"
          label="What was done in this turn, and why"
          className="turn-report"
          onClick={() => panel.ask("explainTurn", { turn: item.turn })}
        />
        {offered.length === 0 ? null : (
          <div className="button-row">
            {offered.map((action, index) => (
              <button
                key={action}
                type="button"
                className={failed ? `button ${index === 0 ? "primary" : ""}` : "link"}
                onClick={() => (goesOn(action) ? panel.ask("resume", {}) : panel.act(action))}
              >
                {actionWords[action]}
              </button>
            ))}
            {failed ? (
              <button type="button" className="link" onClick={() => panel.act("help")}>
                Help
              </button>
            ) : null}
          </div>
        )}
      </div>
    </div>
  );
}
