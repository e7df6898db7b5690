import { useState } from "react";
import type { CompactionReason } from "../../../src/shared/compaction";
import { count, formatClockTime, formatTokens } from "../format";
import { usePanel, usePanelState } from "../hooks";
import { undoable } from "../store/compactions";
import type { CompactionItem } from "../store/items";
import { Icon } from "./Icon";

const reasons: Record<CompactionReason, string> = {
  manual: "as you asked",
  threshold: "since the context was nearly full",
  "context-too-long": "since the model's server refused the request as too long",
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
          {undone ? "Compaction undone: the originals are back" : `History compacted: ${sizeWords(item)}`}
        </span>
      </div>
      <p className="mark-facts">
        {undone ? `It was ${sizeWords(item)}, ` : ""}
        {roundWords(item)}
        {item.guidance === null ? "" : ` “${item.guidance}”`}
        {change === undefined ? "" : ` · ${undone ? "undone" : "redone"} at ${time(change.at)}`}
      </p>
      {item.failure === null ? null : (
        <p className="mark-failure">
          <Icon name="warning" /> {item.failure}
        </p>
      )}
      <div className="mark-actions">
        <UndoButton item={item} />
        <button type="button" className="link" onClick={() => panel.openLeftOut(item.key)}>
          What was left out
        </button>
      </div>
    </div>
  );
}

const sizeWords = ({ tokens }: CompactionItem) =>
  `${formatTokens(tokens.before)} → ${formatTokens(tokens.after)} tokens`;

/** "12 rounds summarised, 10 kept, 1 pinned, as you asked" */
function roundWords({ rounds, reason, folded }: CompactionItem): string {
  const parts = [
    ...(rounds.summarised > 0 || folded === 0
      ? [`${count(rounds.summarised, "round")} summarised`, `${rounds.kept} kept`]
      : [`${count(folded, "observation")} shortened`, `${count(rounds.kept, "round")} kept`]),
    ...(rounds.pinned > 0 ? [`${rounds.pinned} pinned`] : []),
  ];
  return `${parts.map(unbroken).join(", ")}, ${reasons[reason]}`;
}

/** No line ends within it. */
const unbroken = (words: string) => words.replaceAll(" ", "\u00a0");

/** Undo or Redo where it can be done; greyed while the agent works. */
function UndoButton({ item }: { item: CompactionItem }) {
  const panel = usePanel();
  const [busy, setBusy] = useState(false);
  const idle = usePanelState(state => state.session.run === "idle");
  const offered = usePanelState(state => {
    const { undo, redo } = undoable(state.session);
    if (state.session.readOnly) return null;
    return undo === item.key ? "undo" : redo === item.key ? "redo" : null;
  });
  if (offered === null) return null;
  const act = async () => {
    if (busy) return;
    setBusy(true);
    await (offered === "undo" ? panel.undoCompaction(item.key) : panel.redoCompaction(item.key));
    setBusy(false);
  };
  return (
    <button
      type="button"
      className="link"
      disabled={!idle}
      // Disabled it would lose the focus, and whoever undoes by keyboard the place.
      aria-disabled={busy}
      title={idle ? undefined : "Once the agent is done"}
      onClick={() => void act()}
    >
      {offered === "undo" ? "Undo" : "Redo"}
    </button>
  );
}
