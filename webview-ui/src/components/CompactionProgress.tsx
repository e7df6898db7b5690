import type { CompactionPhase } from "../../../src/shared/events";
import { count, formatClock, formatTokens } from "../format";
import { useNow, usePanel, usePanelState } from "../hooks";
import { underWay } from "../store/compactions";
import type { Progress } from "../store/state";
import { focusComposer } from "./composerFocus";
import { Icon } from "./Icon";
import { IconButton } from "./IconButton";
import { Keys } from "./Keys";
import { useFocusHandedOn } from "./useFocusHandedOn";

type Underway = Exclude<CompactionPhase, "done" | "cancelled" | "failed" | "unneeded">;
const steps: readonly CompactionPhase[] = ["planning", "summarising", "checking", "committing"] satisfies Underway[];

/** How far a compaction is, with what it will bring and a way out; then, where that needs words, how it ended. */
export function CompactionProgress() {
  const progress = usePanelState(state => state.session.progress);
  if (progress === null) return null;
  return underWay(progress) ? <Steps progress={progress} /> : <Ending progress={progress} />;
}

function Steps({ progress }: { progress: Progress }) {
  const panel = usePanel();
  const now = useNow(true);
  const at = steps.indexOf(progress.phase);
  const box = useFocusHandedOn();
  const cancel = () => {
    panel.cancelCompaction();
    focusComposer();
  };
  return (
    <section ref={box} className="compaction" aria-label="Compaction">
      <div className="compaction-line">
        <Icon name="loading codicon-modifier-spin" />
        <span className="compaction-words">{phaseWords(progress)}</span>
        <span className="compaction-time">{formatClock(now - progress.since)}</span>
        <button type="button" className="button" aria-keyshortcuts="Escape" onClick={cancel}>
          Cancel <Keys keys={["Esc"]} />
        </button>
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
export function phaseWords({ phase, rounds }: Progress): string {
  const older = rounds === null ? "older rounds" : count(rounds.summarised, "round");
  const words: Record<Underway, string> = {
    planning: "Planning what stays",
    summarising: `Summarising ${older}`,
    checking: "Checking the summary",
    committing: "Saving the compacted history",
  };
  return words[phase as Underway];
}

/** "148k → about 41k tokens · 10 rounds stay, 1 pinned" */
function sizeWords({ tokens, rounds }: Progress): string {
  const before = formatTokens(tokens.before);
  const size =
    tokens.after === undefined ? `${before} tokens now` : `${before} → about ${formatTokens(tokens.after)} tokens`;
  if (rounds === null) return size;
  const pinned = rounds.pinned > 0 ? `, ${rounds.pinned} pinned` : "";
  return `${size} · ${count(rounds.kept, "round stays", "rounds stay")}${pinned}`;
}

const endings: Partial<Record<CompactionPhase, { icon: string; words: (message: string) => string }>> = {
  done: { icon: "check", words: message => message },
  cancelled: {
    icon: "circle-slash",
    words: message => `Compaction cancelled. ${message || "History stays as it was."}`,
  },
  failed: {
    icon: "error",
    words: message => `The history could not be compacted, and stays as it was. ${message}`,
  },
  unneeded: { icon: "info", words: message => message || "There is nothing to compact yet." },
};

function Ending({ progress }: { progress: Progress }) {
  const panel = usePanel();
  const run = usePanelState(state => state.session.run);
  const ending = endings[progress.phase];
  const box = useFocusHandedOn();
  if (ending === undefined) return null;
  return (
    <section
      ref={box}
      className={`compaction ended ${progress.phase}`}
      role={progress.phase === "failed" ? "alert" : "status"}
    >
      <Icon name={ending.icon} />
      <span className="compaction-words">
        {ending.words(progress.message ?? "")}{" "}
        {progress.phase === "failed" && progress.reason === "manual" && run === "idle" ? (
          <button type="button" className="link" onClick={() => void panel.compact()}>
            Try again
          </button>
        ) : null}
      </span>
      <IconButton icon="close" label="Dismiss" onClick={panel.progressSeen} />
    </section>
  );
}
