import type { CompactionReason } from "../../../src/shared/compaction";
import { compactedParts } from "../../../src/shared/compactionLine";
import type { CompactionPhase } from "../../../src/shared/events";
import { Button, Icon, IconButton, Keys, LinkButton, useBusy } from "../controls/controls";
import { focusComposer, useFocusHandedOn } from "../controls/focus";
import { useNow, usePanel, usePanelState } from "../panel/hooks";
import { underWay, undoable } from "../store/compactions";
import type { CompactionItem, CompactionState } from "../store/state";
import { count, formatClock, formatClockTime, formatTokens } from "../text/format";

type RunningPhase = Exclude<CompactionPhase, "done" | "cancelled" | "failed" | "unneeded">;
const steps: readonly CompactionPhase[] = [
  "planning",
  "summarising",
  "checking",
  "committing",
] satisfies RunningPhase[];

/** How far a compaction is, with what it will bring and a way out; then, where that needs words, how it ended. */
export function CompactionProgress() {
  const progress = usePanelState(state => state.session.progress);
  if (progress === null) return null;
  return underWay(progress) ? <Steps progress={progress} /> : <Ending progress={progress} />;
}

function Steps({ progress }: { progress: CompactionState }) {
  const panel = usePanel();
  const now = useNow(true);
  const at = steps.indexOf(progress.phase);
  const box = useFocusHandedOn<HTMLElement>();
  const cancel = () => {
    panel.ask("cancelCompaction", {});
    focusComposer();
  };
  return (
    <section ref={box} className="compaction" aria-label="Compaction">
      <div className="compaction-line">
        <Icon name="loading codicon-modifier-spin" />
        <span className="compaction-words">{phaseWords(progress)}</span>
        <span className="compaction-time">{formatClock(now - progress.since)}</span>
        <Button aria-keyshortcuts="Escape" onClick={cancel}>
          Cancel <Keys keys={["Esc"]} />
        </Button>
      </div>
      <div className="compaction-steps" aria-hidden="true">
        {steps.map((step, index) => (
          <span key={step} className={index < at ? "step done" : index === at ? "step now" : "step"} />
        ))}
      </div>
      <p className="quiet">{sizeWords(progress)}</p>
    </section>
  );
}

/** What goes on, for eyes and for screen readers. */
export function phaseWords({ phase, rounds }: CompactionState): string {
  const older = rounds === null ? "older turns" : count(rounds.summarised, "turn");
  const words: Record<RunningPhase, string> = {
    planning: "Choosing what to keep",
    summarising: `Summarising ${older}`,
    checking: "Checking the summary",
    committing: "Saving the compacted history",
  };
  return words[phase as RunningPhase];
}

/** "148k → about 41k tokens · 10 turns stay, 1 pinned" */
function sizeWords({ tokens, rounds }: CompactionState): string {
  const before = formatTokens(tokens.before);
  const size =
    tokens.after === undefined ? `${before} tokens now` : `${before} → about ${formatTokens(tokens.after)} tokens`;
  if (rounds === null) return size;
  const pinned = rounds.pinned > 0 ? `, ${rounds.pinned} pinned` : "";
  return `${size} · ${count(rounds.kept, "turn stays", "turns stay")}${pinned}`;
}

const endings: Partial<Record<CompactionPhase, { icon: string; words: (message: string) => string }>> = {
  done: { icon: "check", words: message => message },
  cancelled: {
    icon: "circle-slash",
    words: message => `Compaction cancelled. ${message || "History is unchanged."}`,
  },
  failed: { icon: "error", words: message => `The history could not be compacted and is unchanged. ${message}` },
  unneeded: { icon: "info", words: message => message || "There is nothing to compact yet." },
};

function Ending({ progress }: { progress: CompactionState }) {
  const panel = usePanel();
  const run = usePanelState(state => state.session.run);
  const ending = endings[progress.phase];
  const box = useFocusHandedOn<HTMLElement>();
  if (ending === undefined) return null;
  const failed = progress.phase === "failed";
  return (
    <section ref={box} className={`compaction ended ${progress.phase}`} role={failed ? "alert" : "status"}>
      <Icon name={ending.icon} />
      <span className="compaction-words">
        {ending.words(progress.message ?? "")}{" "}
        {failed && progress.reason === "manual" && run === "idle" ? (
          <LinkButton onClick={() => void panel.compact()}>Try again</LinkButton>
        ) : null}
      </span>
      <IconButton icon="close" label="Dismiss" onClick={() => panel.store.dispatch({ type: "progressSeen" })} />
    </section>
  );
}

const reasons: Record<CompactionReason, string> = {
  manual: "as you asked",
  threshold: "because the context was nearly full",
  "context-too-long": "because the model's server rejected the request as too long",
};

/** The place where history was compacted, for good: what it brought, its undo, and what no request has any more. */
export function CompactionMark({ item }: { item: CompactionItem }) {
  const panel = usePanel();
  const change = usePanelState(state => state.session.undone[item.key]);
  const undone = change?.undone === true;
  const time = (ts: number) => unbroken(formatClockTime(ts, Date.now()));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule with words and actions in it is no <hr>
    <div className={undone ? "mark undone" : "mark"} role="group" aria-label="Compaction">
      <div className="mark-line">
        <span className="mark-words" title={new Date(item.ts).toLocaleString()}>
          <Icon name={undone ? "discard" : "fold"} />{" "}
          {undone ? "Compaction undone: the originals are restored" : `History compacted: ${savedWords(item)}`}
        </span>
      </div>
      <p className="mark-facts">
        {undone ? `It was ${savedWords(item)}, ` : ""}
        {[...compactedParts(item).map(unbroken), reasons[item.reason]].join(", ")}
        {item.guidance === undefined ? "" : ` “${item.guidance}”`}
        {change === undefined ? "" : ` · ${undone ? "undone" : "redone"} at ${time(change.at)}`}
      </p>
      {item.failure === undefined ? null : (
        <p className="mark-failure">
          <Icon name="warning" /> {item.failure.message}
        </p>
      )}
      <div className="mark-actions">
        <UndoButton item={item} />
        <LinkButton onClick={() => panel.ask("openLeftOut", { compactionId: item.key })}>What was left out</LinkButton>
      </div>
    </div>
  );
}

const savedWords = ({ tokens }: CompactionItem) =>
  `${formatTokens(tokens.before)} → ${formatTokens(tokens.after)} tokens`;

/** No line ends within it. */
const unbroken = (words: string) => words.replaceAll(" ", "\u00a0");

/** Undo or Redo where it can be done; greyed while the agent works. */
function UndoButton({ item }: { item: CompactionItem }) {
  const panel = usePanel();
  const idle = usePanelState(state => state.session.run === "idle");
  const offered = usePanelState(state => {
    const { undo, redo } = undoable(state.session);
    if (state.session.readOnly) return null;
    return undo === item.key ? "undo" : redo === item.key ? "redo" : null;
  });
  const { busy, run } = useBusy(() => panel.ask(`${offered ?? "undo"}Compaction`, { compactionId: item.key }));
  if (offered === null) return null;
  return (
    <LinkButton
      disabled={!idle}
      // Disabled it would lose the focus, and whoever undoes by keyboard the place.
      aria-disabled={busy}
      title={idle ? undefined : "After the agent finishes"}
      onClick={run}
    >
      {offered === "undo" ? "Undo" : "Redo"}
    </LinkButton>
  );
}
