import { useState } from "react";
import { compactedParts, compactionReason, newestSummary, turnsWords } from "../../../../src/shared/entry";
import { inARow } from "../../../../src/shared/format";
import { locale, t } from "../../../../src/shared/l10n";
import { Icon, LinkButton, Toggle, useBusy } from "../../controls/controls";
import { Markdown } from "../../markdown/Markdown";
import { usePanel, usePanelState } from "../../panel/hooks";
import { setAside, undoable } from "../../store/compactions";
import type { CompactionItem, CompactionState } from "../../store/state";
import { formatClockTime, formatTokens, visibleLine } from "../../text/format";

/** "148k → about 41k tokens" */
export const sizeWords = ({ tokens: { before, after } }: CompactionState): string =>
  after === undefined
    ? t("{0} tokens now", formatTokens(before))
    : t("{0} → about {1} tokens", formatTokens(before), formatTokens(after));

/**
 * The place where history was compacted, for good: what it brought, its undo, and what no request has any more. It opens to the
 * turns that stay and to the summary. One that was undone is a line to pass over.
 */
export function CompactionMark({ item }: { item: CompactionItem }) {
  const panel = usePanel();
  const [open, setOpen] = useState(false);
  const change = usePanelState(state => state.session.undone[item.key]);
  const undone = change?.undone === true;
  const isToldByEnd = usePanelState(({ session }) => !undone && setAside(session).some(({ key }) => key === item.key));
  if (isToldByEnd) return null;
  const facts = inARow([...compactedParts(item).map(unbroken), compactionReason(item)]);
  const { before, after } = item.tokens;
  const saved = t("{0} → {1} tokens", formatTokens(before), formatTokens(after));
  const date = new Date(item.ts).toLocaleString(locale());
  const leftOut = () => panel.ask("openLeftOut", { compactionId: item.key });
  const time = change && unbroken(formatClockTime(change.at, Date.now()));
  const told = time === undefined ? facts : `${facts} · ${t("redone at {0}", time)}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule with words and actions in it is no <hr>
    <div className={undone ? "mark undone" : "mark"} role="group" aria-label={t("Compaction")}>
      <div className="mark-line">
        {undone ? (
          <span className="mark-words" title={[saved, facts, t("undone at {0}", time ?? "")].join("\n")}>
            <Icon name="discard" /> {t("Compaction undone")}
          </span>
        ) : (
          <Toggle open={open} className="mark-words" title={date} onClick={() => setOpen(!open)}>
            <Icon name={open ? "chevron-down" : "chevron-right"} />{" "}
            {after < before ? t("History compacted: {0}", saved) : t("History compacted")}
          </Toggle>
        )}
      </div>
      {undone ? null : <p className="mark-facts">{told}</p>}
      {undone || item.failure === undefined ? null : (
        <p className="mark-failure">
          <Icon name="warning" /> {item.failure.message}
        </p>
      )}
      <div className="mark-actions">
        <UndoButton item={item} />
        {undone ? null : <LinkButton onClick={leftOut}>{t("What was left out")}</LinkButton>}
      </div>
      {undone || !open ? null : (
        <div className="mark-summary">
          <p className="quiet">{turnsWords(item)}</p>
          <KeptTurns item={item} />
          <Markdown text={newestSummary(item)} />
        </div>
      )}
    </div>
  );
}

/** Those that stay word for word, by their first words. */
function KeptTurns({ item: { summaries, snapshot } }: { item: CompactionItem }) {
  const items = usePanelState(state => state.session.items);
  const isKept = (turn: number) => turn > (summaries.at(-1)?.turns.to ?? 0) && turn <= snapshot.turn;
  const said = items.filter(item => item.kind === "user").filter(({ steer }) => !steer);
  const kept = said.filter(({ turn }) => isKept(turn) || snapshot.pins.includes(turn));
  return (
    <ul className="mark-kept">
      {kept.map(({ key, turn, text }) => (
        <li key={key} className="cut">
          <span className="quiet">{turn}</span> {visibleLine(text)}
        </li>
      ))}
    </ul>
  );
}

/** No line ends within it. */
const unbroken = (words: string) => words.replaceAll(" ", "\u00a0");

/** Undo or Redo where it can be done; greyed while the agent works. */
function UndoButton({ item: { key } }: { item: CompactionItem }) {
  const way = usePanelState(({ session }) => {
    const { undo, redo } = undoable(session);
    return session.readOnly ? null : undo === key ? "undo" : redo === key ? "redo" : null;
  });
  return way && <UndoCompaction way={way} compactionId={key} />;
}

export function UndoCompaction({ way, compactionId }: { way: "undo" | "redo"; compactionId: string }) {
  const panel = usePanel();
  const idle = usePanelState(state => state.session.run === "idle");
  const readOnly = usePanelState(state => state.session.readOnly);
  const { busy, run } = useBusy(() => panel.ask(`${way}Compaction`, { compactionId }));
  return (
    <LinkButton
      disabled={!idle || readOnly}
      // Disabled it would lose the focus, and whoever undoes by keyboard the place.
      aria-disabled={busy}
      title={idle ? undefined : t("After the agent finishes")}
      onClick={run}
    >
      {way === "undo" ? t("Undo") : t("Redo")}
    </LinkButton>
  );
}
