import { costText } from "../../../../src/shared/cost";
import { claimWords, turnEndWords, wentOnWords } from "../../../../src/shared/entry";
import { t } from "../../../../src/shared/l10n";
import type { TurnAction } from "../../../../src/shared/turnEnd";
import { Button, Icon, IconButton, LinkButton } from "../../controls/controls";
import { MoreMenu } from "../../controls/SplitButton";
import { usePanel, usePanelState } from "../../panel/hooks";
import { isBroughtBack } from "../../store/compactions";
import type { EndItem } from "../../store/state";
import { formatDuration, formatTokens } from "../../text/format";
import { ChangedFiles } from "../changes/ChangedFiles";

/** The words of a button for what a person can do about how a turn ended. */
const actionWords: Record<TurnAction | "help", () => string> = {
  retry: () => t("Retry"),
  continue: () => t("Continue"),
  "send-alone": () => t("Send it alone"),
  "bring-back": () => t("Bring back"),
  "set-key": () => t("Set key"),
  "set-window": () => t("Set context window…"),
  "set-time": () => t("Wait longer…"),
  "set-longest": () => t("Allow longer answers…"),
  "set-largest": () => t("Allow longer answers…"),
  "set-protocol": () => t("Change how tools are called…"),
  "choose-model": () => t("Choose a model"),
  "check-connection": () => t("Check connection"),
  "show-log": () => t("Show log"),
  help: () => t("Help"),
};

const endings: Record<EndItem["reason"], { icon: string; actions: readonly TurnAction[] }> = {
  done: { icon: "check", actions: [] },
  stopped: { icon: "circle-slash", actions: ["continue"] },
  limit: { icon: "debug-pause", actions: ["continue"] },
  interrupted: { icon: "debug-disconnect", actions: ["continue"] },
  error: { icon: "error", actions: ["retry", "show-log"] },
};

/** How a turn ended, in words. */
export function endingWords({ reason, error, lastFailed }: EndItem): string {
  if (error) return error.message;
  if (reason !== "done" || lastFailed === undefined) return turnEndWords(reason);
  return lastFailed === "command" ? t("Finished, the last command failed") : t("Finished, the last call failed");
}

/** How a turn ended, and what can be done while nothing came after it. */
export function TurnEnd({ item }: { item: EndItem }) {
  const newest = usePanelState(({ session }) => session.ends[item.turn] === item.key);
  const runs = usePanelState(({ session }) => session.run !== "idle" && session.turn === item.turn);
  return (
    <>
      <Mark item={item} />
      <Remarks item={item} />
      {newest && !runs ? <ChangedFiles turn={item.turn} /> : null}
    </>
  );
}

/** "34 s · $0.02" */
function sizeOf({ durationMs, usage }: EndItem): string {
  const cost = usage && costText(usage);
  return [...(durationMs > 0 ? [formatDuration(durationMs)] : []), ...(cost === undefined ? [] : [cost])].join(" · ");
}

/** Opens the report of the turn. Numbers that few want to see at once are its tooltip. */
function TurnReport({ item }: { item: EndItem }) {
  const panel = usePanel();
  const title = [t("Open report"), ...numbersOf(item)].join("\n");
  const report = () => void panel.ask("explainTurn", { turn: item.turn });
  return (
    <span className="turn-numbers">
      <IconButton icon="info" label={t("About this turn")} title={title} onClick={report} />
    </span>
  );
}

/** "Steps: 3" */
function numbersOf({ durationMs, waitedMs = 0, steps, commands = 0, usage }: EndItem): string[] {
  const { input = 0, output = 0, cachedInput = 0 } = usage ?? {};
  const all: [name: string, value: string | false | undefined][] = [
    [t("Time"), durationMs > 0 && formatDuration(durationMs)],
    [t("Waited for you"), waitedMs > 0 && formatDuration(waitedMs)],
    [t("Steps"), steps > 0 && String(steps)],
    [t("Commands"), commands > 0 && String(commands)],
    [t("Tokens read"), input > 0 && formatTokens(input)],
    [t("From cache"), cachedInput > 0 && formatTokens(cachedInput)],
    [t("Tokens written"), output > 0 && formatTokens(output)],
    [t("Cost"), usage && costText(usage)],
  ];
  return all.flatMap(([name, value]) => (value ? [t("{0}: {1}", name, value)] : []));
}

/** They change the conversation, so only its newest end offers them. */
const OF_NEWEST: readonly TurnAction[] = ["retry", "continue", "send-alone", "bring-back"];

function Mark({ item }: { item: EndItem }) {
  const newest = usePanelState(
    ({ session }) => session.lastEnd === item.key && session.run === "idle" && !session.readOnly,
  );
  // Something came after it: it is history, a line like any other end.
  const solved = usePanelState(({ session }) => session.lastEnd !== item.key);
  const failed = item.reason === "error" && !solved;
  const isBack = usePanelState(({ session }) => failed && isBroughtBack(session));
  const words = isBack ? t("Too long for the model; the conversation is back.") : endingWords(item);
  const isSentence = /[.。]$/.test(words);
  // Behind a sentence that says what to decide it would read as its part; the sign has it.
  const size = failed || isSentence ? "" : sizeOf(item);
  const warns = item.reason === "done" && (item.lastFailed !== undefined || item.claims !== undefined);
  const possible = useOffered(item, newest, isBack);
  const offered = solved ? [] : possible;
  const waits = failed || (isSentence && offered.length > 0);
  const kind = ["turn-end", solved && "solved", warns && "warns", waits && "waits", failed && "failed"];
  const { details } = item.error ?? {};
  return (
    <div className={kind.filter(Boolean).join(" ")} role={failed ? "alert" : undefined}>
      <Icon name={warns ? "warning" : endings[item.reason].icon} />
      <div className={offered.length > 0 ? "turn-end-body with-buttons" : "turn-end-body"}>
        <p title={solved ? [words, details].filter(Boolean).join("\n") : undefined}>
          <span>{words}</span>
          {size === "" ? null : (
            <span className="turn-size">
              <span className="turn-dot"> · </span>
              {size}
            </span>
          )}
        </p>
        {failed && details ? (
          <div className="turn-details" dir="auto" title={details}>
            {details}
          </div>
        ) : null}
        {offered.length === 0 ? null : <Actions item={item} actions={offered} first={waits} />}
        <TurnReport item={item} />
      </div>
    </div>
  );
}

/** Why it went on by itself, and what its answer says that the log does not show, with a way to the run. */
function Remarks({ item: { claims = [], wentOn } }: { item: EndItem }) {
  const { find } = usePanel();
  if (claims.length === 0 && !wentOn) return null;
  return (
    <div className="turn-remarks">
      {wentOn ? <div>{wentOnWords(wentOn)}</div> : null}
      {claims.map(({ callId, seq, ...claim }) => (
        <div key={`${claim.kind} ${claim.words}`}>
          {claimWords(claim)}{" "}
          {callId === undefined || seq === undefined ? null : (
            <LinkButton onClick={() => void find.reveal(callId, seq)}>{t("Show run")}</LinkButton>
          )}
        </div>
      ))}
    </div>
  );
}

/** What can be done about this end while nothing came after it. @param newest and nothing runs @param isBack what it set aside */
function useOffered({ reason, error }: EndItem, newest: boolean, isBack: boolean): readonly TurnAction[] {
  const hasModel = usePanelState(({ surroundings }) => surroundings?.model.state === "ready");
  if (isBack) return ["set-window", "choose-model", "retry"];
  const named = error?.actions ?? endings[reason].actions;
  // For want of a model it ended, and now there is one.
  const all: typeof named = hasModel && error?.code === "no-model" ? ["retry", ...named] : named;
  return all.filter(action => newest || !OF_NEWEST.includes(action));
}

/** The likeliest is a button and the rest a menu; ways for a message that was set aside are buttons. */
function Actions({ item, actions, first }: { item: EndItem; actions: readonly TurnAction[]; first: boolean }) {
  const panel = usePanel();
  const shown = actions[0] === "send-alone" ? actions.slice(0, 3) : actions.slice(0, 1);
  const rest = [...actions.slice(shown.length), ...(item.reason === "error" ? (["help"] as const) : [])];
  const run = (action: TurnAction | "help") => {
    if (action === "retry" || action === "continue") void panel.ask("resume", {});
    else if (action === "send-alone") panel.talk.sendAlone(item.turn);
    else if (action === "bring-back") void panel.talk.bringBack(item.turn);
    else void panel.act(action);
  };
  const items = rest.map(action => ({ key: action, words: actionWords[action](), run: () => run(action) }));
  return (
    <div className="button-row">
      {shown.map((action, index) => (
        <Button key={action} primary={first && index === 0} onClick={() => run(action)}>
          {actionWords[action]()}
        </Button>
      ))}
      {rest.length === 0 ? null : <MoreMenu label={t("More actions")} items={items} />}
    </div>
  );
}
