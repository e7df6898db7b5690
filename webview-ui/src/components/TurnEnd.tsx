import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { costText } from "../../../src/shared/cost";
import { t } from "../../../src/shared/l10n";
import type { TurnError } from "../../../src/shared/turnError";
import { Icon, LinkButton } from "../controls/controls";
import { Popup, type PopupState, usePopup } from "../controls/Popup";
import { usePanel, usePanelState } from "../panel/hooks";
import type { EndItem } from "../store/state";
import { formatDuration, formatTokens } from "../text/format";
import { ChangedFiles } from "./ChangedFiles";

type ErrorAction = TurnError["actions"][number];

/** The words of a button for what a person can do about how a turn ended. */
const actionWords: Record<ErrorAction, () => string> = {
  retry: () => t("Retry"),
  continue: () => t("Continue"),
  "set-key": () => t("Set key"),
  "choose-model": () => t("Choose a model"),
  "check-connection": () => t("Check connection"),
  "show-log": () => t("Show log"),
};

interface TurnEnding {
  icon: string;
  words(item: EndItem): string;
  actions: readonly ErrorAction[];
}

const endings: Record<EndItem["reason"], TurnEnding> = {
  done: {
    icon: "check",
    words: ({ lastFailed }) => (lastFailed ? t("Finished, the last command failed") : t("Finished")),
    actions: [],
  },
  stopped: { icon: "circle-slash", words: () => t("Stopped"), actions: ["continue"] },
  limit: {
    icon: "debug-pause",
    words: item => item.error?.message ?? t("Paused at the step limit"),
    actions: ["continue"],
  },
  interrupted: {
    icon: "debug-disconnect",
    words: () => t("Cut off when the window closed or crashed. The work so far is above."),
    actions: ["continue"],
  },
  error: {
    icon: "error",
    words: item => item.error?.message ?? t("The turn ended with an error. See the log for details."),
    actions: ["retry", "show-log"],
  },
};

/** How a turn ended, in words. */
export const endingWords = (item: EndItem): string => endings[item.reason].words(item);

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

/** "34 s · $0.02" */
function sizeOf({ durationMs, usage }: EndItem): string {
  const cost = usage && costText(usage);
  return [...(durationMs > 0 ? [formatDuration(durationMs)] : []), ...(cost === undefined ? [] : [cost])].join(" · ");
}

/** Numbers that few want to see at once, and what was done. */
function TurnNumbers({ item }: { item: EndItem }) {
  const popup = usePopup();
  return (
    <span className="menu-anchor turn-numbers">
      <button
        ref={popup.button}
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        aria-expanded={popup.open}
        aria-label={t("About this turn")}
        title={t("Steps, tokens, report")}
        onClick={popup.toggle}
      >
        <Icon name="info" />
      </button>
      {/* A chunk cuts off what stands out of it. */}
      {popup.open ? createPortal(<NumbersPopup item={item} popup={popup} />, document.body) : null}
    </span>
  );
}

const GAP = 8;

/** Above its button where there is room, else below it; never out of the panel. */
function standBy(box: HTMLElement | null, button: HTMLElement | null): void {
  if (!box || !button) return;
  const at = button.getBoundingClientRect();
  const above = at.top - box.offsetHeight - 4;
  box.style.top = `${above >= GAP ? above : Math.min(at.bottom + 4, window.innerHeight - box.offsetHeight - GAP)}px`;
  box.style.left = `${Math.max(GAP, Math.min(at.left, window.innerWidth - box.offsetWidth - GAP))}px`;
}

function NumbersPopup({ item, popup }: { item: EndItem; popup: PopupState }) {
  const panel = usePanel();
  const { close, button } = popup;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    standBy(box.current, button.current);
    box.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [button]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  const report = () => {
    close();
    void panel.ask("explainTurn", { turn: item.turn });
  };
  return (
    <Popup
      box={box}
      className="menu numbers"
      role="dialog"
      label={t("About this turn")}
      popup={popup}
      onKeyDown={onKeyDown}
    >
      <dl>
        {numbersOf(item).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <LinkButton onClick={report}>{t("What did you do and why?")}</LinkButton>
    </Popup>
  );
}

function numbersOf({ durationMs, steps, commands = 0, usage }: EndItem): [name: string, value: string][] {
  const { input = 0, output = 0, cachedInput = 0 } = usage ?? {};
  const cost = usage && costText(usage);
  const all: [string, string, boolean][] = [
    [t("Time"), formatDuration(durationMs), durationMs > 0],
    [t("Steps"), String(steps), steps > 0],
    [t("Commands"), String(commands), commands > 0],
    [t("Tokens read"), formatTokens(input), input > 0],
    [t("of them from the cache"), formatTokens(cachedInput), cachedInput > 0],
    [t("Tokens written"), formatTokens(output), output > 0],
    [t("Cost"), cost ?? "", cost !== undefined],
  ];
  return all.flatMap(([name, value, isKnown]) => (isKnown ? [[name, value] as [string, string]] : []));
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
  const { icon, actions } = endings[item.reason];
  const words = endingWords(item);
  const size = failed ? "" : sizeOf(item);
  const warns = item.reason === "done" && item.lastFailed === true;
  const hasModel = usePanelState(({ surroundings }) => surroundings?.model.state === "ready");
  const named = item.reason === "error" ? (item.error?.actions ?? actions) : actions;
  // For want of a model it ended, and now there is one.
  const all: typeof named = hasModel && item.error?.code === "no-model" ? ["retry", ...named] : named;
  // Going on makes sense only from the newest end; the other actions do always.
  const offered = solved ? [] : all.filter(action => newest || !goesOn(action));
  return (
    <div
      className={failed ? "error-banner" : `turn-end${solved ? " solved" : ""}${warns ? " warns" : ""}`}
      role={failed ? "alert" : undefined}
    >
      <Icon name={warns ? "warning" : icon} />
      <div className={failed ? "error-body" : "turn-end-body"}>
        <p title={solved ? words : undefined}>
          {words}
          {size === "" ? null : <span className="turn-size"> · {size}</span>}
        </p>
        <TurnNumbers item={item} />
        {offered.length === 0 ? null : (
          <div className="button-row">
            {offered.map((action, index) => (
              <button
                key={action}
                type="button"
                className={failed ? `button ${index === 0 ? "primary" : ""}` : "link"}
                onClick={() => (goesOn(action) ? panel.ask("resume", {}) : panel.act(action))}
              >
                {actionWords[action]()}
              </button>
            ))}
            {failed ? (
              <button type="button" className="link" onClick={() => panel.act("help")}>
                {t("Help")}
              </button>
            ) : null}
          </div>
        )}
      </div>
    </div>
  );
}
