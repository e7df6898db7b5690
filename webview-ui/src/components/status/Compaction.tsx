import { useEffect, useState } from "react";
import { compactedParts, compactionReason, newestSummary, turnsWords } from "../../../../src/shared/compactionLine";
import type { CompactionPhase } from "../../../../src/shared/events";
import { inARow } from "../../../../src/shared/format";
import { locale, plural, t } from "../../../../src/shared/l10n";
import { Icon, IconButton, LinkButton, Toggle, useBusy } from "../../controls/controls";
import { useFocusHandedOn } from "../../controls/focus";
import { Markdown } from "../../markdown/Markdown";
import { usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import { underWay, undoable } from "../../store/compactions";
import type { CompactionItem, CompactionState } from "../../store/state";
import { formatClockTime, formatTokens } from "../../text/format";

type RunningPhase = Exclude<CompactionPhase, "done" | "cancelled" | "failed" | "unneeded">;

/** What goes on, for eyes and for screen readers. */
export function phaseWords({ phase, rounds }: CompactionState): string {
  const words: Record<RunningPhase, string> = {
    planning: t("Choosing what to keep"),
    summarising:
      rounds === null
        ? t("Summarising older turns")
        : plural(rounds.summarised, "Summarising 1 turn", "Summarising {0} turns"),
    checking: t("Checking the summary"),
    committing: t("Saving the compacted history"),
  };
  return words[phase as RunningPhase];
}

/** "148k → about 41k tokens · 10 turns stay, 1 pinned" */
export function sizeWords({ tokens, rounds }: CompactionState): string {
  const before = formatTokens(tokens.before);
  const size =
    tokens.after === undefined
      ? t("{0} tokens now", before)
      : t("{0} → about {1} tokens", before, formatTokens(tokens.after));
  if (rounds === null) return size;
  const kept = plural(rounds.kept, "1 turn stays", "{0} turns stay");
  return rounds.pinned > 0 ? t("{0} · {1}, {2} pinned", size, kept, rounds.pinned) : t("{0} · {1}", size, kept);
}

interface CompactionEnding {
  icon: string;
  /** Nothing happened, as the person wanted: it is said quietly, and goes by itself. */
  passes?: boolean;
  words(message: string): string;
}

const endings: Partial<Record<CompactionPhase, CompactionEnding>> = {
  done: { icon: "check", words: message => message },
  cancelled: {
    icon: "circle-slash",
    passes: true,
    words: message =>
      message ? t("Compaction cancelled. {0}", message) : t("Compaction cancelled. History is unchanged."),
  },
  failed: {
    icon: "error",
    words: message => t("The history could not be compacted and is unchanged. {0}", message),
  },
  unneeded: { icon: "info", words: message => message || t("There is nothing to compact yet.") },
};

/** Long enough to be read. */
const PASSES_MS = 8_000;

/** How a compaction ended, where that needs words. */
export function CompactionEnd() {
  const progress = usePanelState(state => state.session.progress);
  if (progress === null || underWay(progress)) return null;
  return <Ending progress={progress} />;
}

function Ending({ progress }: { progress: CompactionState }) {
  const panel = usePanel();
  const run = usePanelState(state => state.session.run);
  const ending = endings[progress.phase];
  const box = useFocusHandedOn<HTMLElement>();
  const failed = progress.phase === "failed";
  const words = ending?.words(progress.message ?? "") ?? "";
  useSpoken(failed ? "" : words);
  const passes = ending?.passes === true;
  useEffect(() => {
    if (!passes) return;
    const timer = setTimeout(() => panel.store.dispatch({ type: "progressSeen" }), PASSES_MS);
    return () => clearTimeout(timer);
  }, [panel, passes]);
  if (ending === undefined) return null;
  const kind = failed ? "problem" : passes ? "passing" : "answer";
  return (
    <section ref={box} className={`notice ${kind}`} role={failed ? "alert" : undefined}>
      <Icon name={ending.icon} />
      <span className="notice-text">
        {words}{" "}
        {failed && progress.reason === "manual" && run === "idle" ? (
          <LinkButton onClick={() => void panel.compact()}>{t("Retry")}</LinkButton>
        ) : null}
      </span>
      {passes ? null : (
        <IconButton icon="close" label={t("Dismiss")} onClick={() => panel.store.dispatch({ type: "progressSeen" })} />
      )}
    </section>
  );
}

/**
 * The place where history was compacted, for good: what it brought, its undo, and what no request has any more. It opens to the
 * turns that stay and to the summary. One that was undone is a line to pass over.
 */
export function CompactionMark({ item }: { item: CompactionItem }) {
  const panel = usePanel();
  const [open, setOpen] = useState(false);
  const change = usePanelState(state => state.session.undone[item.key]);
  const undone = change?.undone === true;
  const facts = inARow([...compactedParts(item).map(unbroken), compactionReason(item)]);
  const time = change && unbroken(formatClockTime(change.at, Date.now()));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule with words and actions in it is no <hr>
    <div className={undone ? "mark undone" : "mark"} role="group" aria-label={t("Compaction")}>
      <div className="mark-line">
        {undone ? (
          <span className="mark-words" title={[savedWords(item), facts, t("undone at {0}", time ?? "")].join("\n")}>
            <Icon name="discard" /> {t("Compaction undone")}
          </span>
        ) : (
          <Toggle
            open={open}
            className="mark-words"
            title={new Date(item.ts).toLocaleString(locale())}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? "chevron-down" : "chevron-right"} /> {t("History compacted: {0}", savedWords(item))}
          </Toggle>
        )}
      </div>
      {undone ? null : (
        <p className="mark-facts">
          {facts}
          {time === undefined ? "" : ` · ${t("redone at {0}", time)}`}
        </p>
      )}
      {undone || item.failure === undefined ? null : (
        <p className="mark-failure">
          <Icon name="warning" /> {item.failure.message}
        </p>
      )}
      <div className="mark-actions">
        <UndoButton item={item} />
        {undone ? null : (
          <LinkButton onClick={() => panel.ask("openLeftOut", { compactionId: item.key })}>
            {t("What was left out")}
          </LinkButton>
        )}
      </div>
      {undone || !open ? null : (
        <div className="mark-summary">
          <p className="quiet">{turnsWords(item)}</p>
          <Markdown text={newestSummary(item)} />
        </div>
      )}
    </div>
  );
}

const savedWords = ({ tokens }: CompactionItem) =>
  t("{0} → {1} tokens", formatTokens(tokens.before), formatTokens(tokens.after));

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
      title={idle ? undefined : t("After the agent finishes")}
      onClick={run}
    >
      {offered === "undo" ? t("Undo") : t("Redo")}
    </LinkButton>
  );
}
