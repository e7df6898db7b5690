import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import type { Chip } from "../mentions/chips";
import { fitting } from "../mentions/fitting";

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
export function useFittingChips(
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
