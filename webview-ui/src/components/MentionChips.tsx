import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { MentionState } from "../../../src/shared/mentions/panelProtocol";
import { Icon } from "../controls/controls";
import { type Chip, fitting, rangeWords, shortNames } from "../mentions/chips";
import { usePanel } from "../panel/hooks";
import { count } from "../text/format";
import { mentionIcon } from "./MentionMenu";

/** Why nothing becomes of a mention. */
const trouble: Partial<Record<MentionState, string>> = { missing: "not found", outside: "outside the workspace" };

/** What the message names, under its text: whether it is there, a click to look at it, one to take it out. */
export function MentionChips({ chips, remove }: { chips: readonly Chip[]; remove: (chip: Chip) => void }) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { inPage, shown, hidden } = useFittingChips(list, chips, { isLost, moreWords });
  const isEmpty = chips.length === 0;
  useEffect(() => {
    if (isEmpty) setAll(false);
  }, [isEmpty]);
  if (isEmpty) return null;
  const names = new Map(shortNames(chips).map((name, index) => [chips[index], name]));
  return (
    <ul ref={list} className={all ? "mention-chips all" : "mention-chips"} aria-label="Mentioned in this message">
      {(all ? chips : inPage).map((chip, index) => (
        <ChipView
          key={chip.raw}
          chip={chip}
          name={names.get(chip) ?? chip.path}
          unseen={!all && index >= shown}
          remove={() => remove(chip)}
        />
      ))}
      {hidden.length > 0 ? (
        <li>
          <button type="button" className="mention-more" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : moreWords(hidden)}
          </button>
        </li>
      ) : null}
      <li className="mention-more unseen" data-more aria-hidden>
        +{chips.length} more
      </li>
    </ul>
  );
}

function moreWords(chips: readonly Chip[]): string {
  const lost = lostIn(chips);
  return `+${chips.length} more${lost === 0 ? "" : `, ${lost} not found`}`;
}

const isLost = ({ state }: Chip) => state !== undefined && trouble[state] !== undefined;
const lostIn = (chips: readonly Chip[]) => chips.filter(isLost).length;

interface ChipProps {
  chip: Chip;
  name: string;
  /** there is no room for it: it is there to be measured */
  unseen: boolean;
  remove: () => void;
}

function ChipView({ chip, name, unseen, remove }: ChipProps) {
  const panel = usePanel();
  const { path, state, range } = chip;
  const why = state && trouble[state];
  const kind = state === "folder" || state === "attachment" ? state : "file";
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
    <li className={`mention-chip ${why === undefined ? "" : "lost"} ${unseen ? "unseen" : ""}`} data-raw={chip.raw}>
      {why !== undefined || kind === "attachment" ? (
        <span className="mention-chip-body" title={`${path}${why === undefined ? "" : `: ${why}`}`}>
          {content}
        </span>
      ) : (
        <button
          type="button"
          className="mention-chip-body"
          title={kind === "folder" ? `Show ${path} in the explorer` : `Open ${path}${rangeWords(chip)}`}
          onClick={() => panel.openFile(path, range?.first)}
        >
          {content}
        </button>
      )}
      <button
        type="button"
        className="mention-chip-remove"
        aria-label={`Remove ${name} from the message`}
        title="Remove from the message"
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
  return lost === 0 ? "" : `${count(lost, "mention")} not found`;
}

/** More do not stand in three rows. */
const MEASURED = 40;

interface Fit {
  /** first those, so that what will not reach the agent is in sight */
  lostFirst: boolean;
  shown: number;
}

/**
 * Which chips are in sight: all where there is room, else as many as stand beside a button for the others. Those that are in
 * the page and not in sight are there to be measured.
 * @param list its elements have the chip's mention as `data-raw`, and words in the button's letters as `data-more`
 * @param moreWords the button's, if those are behind it
 */
function useFittingChips(
  list: RefObject<HTMLElement | null>,
  chips: readonly Chip[],
  { isLost, moreWords }: { isLost(chip: Chip): boolean; moreWords(hidden: readonly Chip[]): string },
): { inPage: readonly Chip[]; shown: number; hidden: readonly Chip[] } {
  const [fit, setFit] = useState<Fit>({ lostFirst: false, shown: MEASURED });
  const width = useWidth(list, chips.length > 0);
  const byLoss = [...chips.filter(isLost), ...chips.filter(chip => !isLost(chip))];
  useLayoutEffect(() => {
    if (list.current === null || width === 0) return;
    const widthOf = widthsIn(list.current);
    const { paddingLeft, paddingRight } = getComputedStyle(list.current);
    const available = width - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const among = (order: readonly Chip[]) =>
      fitting(
        order.slice(0, MEASURED).map(({ raw }) => widthOf.get(raw) ?? 0),
        { available, total: order.length, moreWidth: shown => widthOfWords(widthOf, moreWords(order.slice(shown))) },
      );
    const lostFirst = among(chips) < chips.length;
    const shown = among(lostFirst ? byLoss : chips);
    if (lostFirst !== fit.lostFirst || shown !== fit.shown) setFit({ lostFirst, shown });
  });
  const order = fit.lostFirst || chips.length > MEASURED ? byLoss : chips;
  return { inPage: order.slice(0, MEASURED), shown: fit.shown, hidden: order.slice(fit.shown) };
}

/** By the chip's mention; of words in the button's letters under "more" the width, under "letters" how many those are. */
function widthsIn(list: HTMLElement): Map<string, number> {
  const widths = new Map<string, number>();
  for (const element of list.querySelectorAll<HTMLElement>("[data-raw], [data-more]")) {
    const { width } = element.getBoundingClientRect();
    const { raw } = element.dataset;
    widths.set(raw ?? "more", width);
    if (raw === undefined) widths.set("letters", element.textContent.length);
  }
  return widths;
}

/** About: letters differ. */
function widthOfWords(widths: ReadonlyMap<string, number>, words: string): number {
  const letter = (widths.get("more") ?? 0) / Math.max(1, widths.get("letters") ?? 1);
  return Math.ceil(letter * (words.length + 1)) + 4;
}

/** 0 until it is known. */
function useWidth(list: RefObject<HTMLElement | null>, isThere: boolean): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (isThere) setWidth(list.current?.clientWidth ?? 0);
  }, [list, isThere]);
  useEffect(() => {
    if (!isThere || list.current === null) return;
    const observer = new ResizeObserver(() => setWidth(list.current?.clientWidth ?? 0));
    observer.observe(list.current);
    return () => observer.disconnect();
  }, [list, isThere]);
  return width;
}
