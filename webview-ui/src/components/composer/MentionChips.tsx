import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import type { MentionState } from "../../../../src/shared/mentions/panelProtocol";
import { Icon } from "../../controls/controls";
import { type Chip, rangeWords, shortNames } from "../../mentions/chips";
import { mentionIcon } from "../../mentions/mentionSource";
import { usePanel } from "../../panel/hooks";
import { opensInBox } from "./useHeld";

/** Why nothing becomes of a mention. */
const trouble: Partial<Record<MentionState, () => string>> = {
  missing: () => t("not found"),
  outside: () => t("outside the workspace"),
};

interface MentionChipsProps {
  chips: readonly Chip[];
  remove(chip: Chip): void;
  /** of a pasted text: it is shown */
  open(chip: Chip): void;
}

/** What the message names, under its text: whether it is there, a click to look at it, one to take it out. */
export function MentionChips({ chips, remove, open }: MentionChipsProps) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { shown, hidden } = useFittingChips(list, chips, all);
  const isEmpty = chips.length === 0;
  useEffect(() => {
    if (isEmpty) setAll(false);
  }, [isEmpty]);
  if (isEmpty) return null;
  const names = new Map(shortNames(chips).map((name, index) => [chips[index], name]));
  return (
    <ul ref={list} className={all ? "mention-chips all" : "mention-chips"} aria-label={t("Attached to this message")}>
      {(all ? chips : shown).map(chip => (
        <ChipView
          key={chip.raw}
          chip={chip}
          name={names.get(chip) ?? chip.path}
          remove={() => remove(chip)}
          open={() => open(chip)}
        />
      ))}
      {hidden.length > 0 ? (
        <li>
          <button type="button" className="mention-more" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t("Show fewer") : moreWords(hidden)}
          </button>
        </li>
      ) : null}
    </ul>
  );
}

function moreWords(chips: readonly Chip[]): string {
  const lost = lostIn(chips);
  return lost === 0 ? t("+{0} more", chips.length) : t("+{0} more, {1} not found", chips.length, lost);
}

const isLost = ({ state }: Chip) => state !== undefined && trouble[state] !== undefined;
const lostIn = (chips: readonly Chip[]) => chips.filter(isLost).length;

interface ChipProps {
  chip: Chip;
  name: string;
  remove: () => void;
  open: () => void;
}

/** A picture, small, or a text that was pasted: a click brings it into the message, or into an editor. */
function HeldBody({ chip: { thing, path }, name, open }: Pick<ChipProps, "chip" | "name" | "open">) {
  if (thing?.kind === "text") {
    return (
      <button
        type="button"
        className="mention-chip-body"
        title={opensInBox(thing) ? t("Show it in the message") : t("Open it in an editor")}
        onClick={open}
      >
        <Icon name="note" />
        <span className="mention-chip-name">{name}</span>
      </button>
    );
  }
  return (
    <span className="mention-chip-body" title={path}>
      {thing?.kind === "picture" && thing.thumb ? (
        <img className="chip-picture" src={thing.thumb} alt={path} />
      ) : (
        <Icon name="file-media" />
      )}
      <span className="mention-chip-name">{name}</span>
    </span>
  );
}

function ChipView({ chip, name, remove, open }: ChipProps) {
  const panel = usePanel();
  const { path, state, range } = chip;
  const why = state && trouble[state]?.();
  const kind = state === "folder" || state === "attachment" || state === "resource" ? state : "file";
  const content = (
    <>
      <Icon name={why === undefined ? mentionIcon(kind, path) : "warning"} />
      <span className="mention-chip-name">
        {name}
        {rangeWords(chip)}
      </span>
      {why === undefined ? null : <span className="mention-chip-why">{why}</span>}
    </>
  );
  return (
    <li className={why === undefined ? "mention-chip" : "mention-chip lost"}>
      {chip.thing !== undefined ? (
        <HeldBody chip={chip} name={name} open={open} />
      ) : why !== undefined || kind === "attachment" || kind === "resource" ? (
        <span className="mention-chip-body" title={`${path}${why === undefined ? "" : `: ${why}`}`}>
          {content}
        </span>
      ) : (
        <button
          type="button"
          className="mention-chip-body"
          title={kind === "folder" ? t("Show {0} in the explorer", path) : t("Open {0}", `${path}${rangeWords(chip)}`)}
          onClick={() => panel.openFile(path, range?.first)}
        >
          {content}
        </button>
      )}
      <button
        type="button"
        className="mention-chip-remove"
        aria-label={t("Remove {0} from the message", name)}
        title={t("Remove from the message")}
        onClick={remove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** For screen readers: what will not reach the agent. */
export function spokenChips(chips: readonly Chip[]): string {
  const lost = lostIn(chips);
  return lost === 0 ? "" : plural(lost, "1 mention not found", "{0} mentions not found");
}

/** More do not stand in three rows. */
const MAX_SHOWN = 40;
const ROWS = 3;
/** A chip and the gap below it, px: `.mention-chips` has it too. */
const ROW_PX = 26;

/**
 * Which chips are shown: all if there is room, in the order of the text; else first those that will not reach the agent, as many
 * as fit beside a button for the rest. Measured in the page before it is painted.
 * @param list its items are the chips, and that button
 */
function useFittingChips(
  list: RefObject<HTMLElement | null>,
  chips: readonly Chip[],
  all: boolean,
): { shown: readonly Chip[]; hidden: readonly Chip[] } {
  const width = useSyncExternalStore(
    onResize,
    () => window.innerWidth,
    () => 0, // in the first picture there are no chips
  );
  const [fit, setFit] = useState({ chips, width, count: MAX_SHOWN });
  const isTried = fit.chips === chips && fit.width === width;
  const count = Math.min(chips.length, isTried ? fit.count : MAX_SHOWN);
  useLayoutEffect(() => {
    const items = [...(list.current?.children ?? [])].filter(item => item instanceof HTMLElement);
    const end = (items[0]?.offsetTop ?? 0) + ROWS * ROW_PX;
    const fitting = items.filter(({ offsetTop }) => offsetTop < end).length;
    const next = fitting === items.length ? count : Math.min(all ? count : count - 1, fitting);
    if (next !== count) setFit({ chips, width, count: next });
  }, [list, chips, all, width, count]);
  const order = count < chips.length ? [...chips.filter(isLost), ...chips.filter(chip => !isLost(chip))] : chips;
  return { shown: order.slice(0, count), hidden: order.slice(count) };
}

function onResize(tell: () => void): () => void {
  window.addEventListener("resize", tell);
  return () => window.removeEventListener("resize", tell);
}
