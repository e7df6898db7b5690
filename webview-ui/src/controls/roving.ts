/**
 * One tab stop for a list or a toolbar: arrows move among the buttons and boxes of its rows, Home and End to the first and the
 * last row, or to the ends of the only one. Elsewhere arrows have code of their own where the focus does not move (menus of the
 * composer), and where they must not choose by themselves (options of a question).
 */
import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";

/** On each row of such a list; on the list itself where it is one row. */
export const ROVING_ROW = { "data-row": "" };

/** A button by its row, and by its place in that. */
type RovingPlace = { row: number; column: number };

/** @param given the list's ref, where others need it too @returns what the list has; keys typed in a field of a row are the field's */
export function useRoving<T extends HTMLElement>(given?: RefObject<T | null>) {
  const own = useRef<T>(null);
  const box = given ?? own;
  const focused = useRef<{ button: HTMLElement; place: RovingPlace }>(undefined);
  const list = () => (box.current ? rowsIn(box.current) : []);
  // Rows and buttons come and go: one of those that are there is the stop. Where the focused one went, the next has the focus.
  useLayoutEffect(() => {
    const rows = list();
    const lost = focused.current && isGone(focused.current.button) ? buttonAt(rows, focused.current.place) : undefined;
    const all = rows.flat();
    setStop(
      all,
      lost ?? all.find(each => each === document.activeElement) ?? all.find(isChosen) ?? all.find(isStop) ?? all[0],
    );
    lost?.focus();
  });
  return {
    ref: box,
    /** Lists stand in rows of lists. */
    "data-roving": "",
    onKeyDown(event: KeyboardEvent) {
      const rows = list();
      const place = placeOf(rows, event.target);
      if (event.defaultPrevented || event.altKey || place === undefined) return;
      const next = movedTo(event.key, place, rows.length);
      const button = next && buttonAt(rows, next);
      if (button === undefined) return;
      button.focus();
      event.preventDefault();
      event.stopPropagation();
    },
    onFocus({ target }: FocusEvent) {
      const rows = list();
      const place = placeOf(rows, target);
      if (place === undefined) return;
      focused.current = { button: target as HTMLElement, place };
      setStop(rows.flat(), target as HTMLElement);
    },
    // What is taken out of the page does not say so here.
    onBlur() {
      focused.current = undefined;
    },
  };
}

const STOPS = "button:not(:disabled), input[type=checkbox]:not(:disabled)";

/** What can have the focus, row by row: a row of a grid itself, then what is in it. What a list or a popup in a row holds is theirs. */
function rowsIn(box: HTMLElement): HTMLElement[][] {
  const isOwn = (each: HTMLElement) =>
    each.closest("[data-roving]") === box && !box.contains(each.closest("[role=menu]"));
  const rows = box.matches("[data-row]") ? [box] : [...box.querySelectorAll<HTMLElement>("[data-row]")].filter(isOwn);
  return rows.map(row => [
    ...(row.matches("[role=row], button") ? [row] : []),
    ...[...row.querySelectorAll<HTMLElement>(STOPS)].filter(isOwn),
  ]);
}

const isGone = (button: HTMLElement) => !button.isConnected || button.matches(":disabled");

/** The tab of the page that is shown. */
const isChosen = ({ ariaSelected }: HTMLElement) => ariaSelected === "true";

const isStop = ({ tabIndex }: HTMLElement) => tabIndex === 0;

function setStop(all: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const each of all) {
    const tabIndex = each === stop ? 0 : -1;
    // A list is drawn often, and what is written into the page costs more than a look at it.
    if (each.getAttribute("tabindex") !== String(tabIndex)) each.tabIndex = tabIndex;
  }
}

function placeOf(rows: readonly HTMLElement[][], target: EventTarget): RovingPlace | undefined {
  const row = rows.findIndex(buttons => buttons.includes(target as HTMLElement));
  return row < 0 ? undefined : { row, column: rows[row]?.indexOf(target as HTMLElement) ?? 0 };
}

/** The one there, else the nearest. */
function buttonAt(rows: readonly HTMLElement[][], { row, column }: RovingPlace): HTMLElement | undefined {
  const buttons = rows[Math.max(0, Math.min(row, rows.length - 1))];
  return buttons?.[Math.max(0, Math.min(column, buttons.length - 1))];
}

function movedTo(key: string, { row, column }: RovingPlace, rows: number): RovingPlace | undefined {
  const moves: Readonly<Record<string, RovingPlace>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    Home: rows > 1 ? { row: 0, column } : { row, column: 0 },
    End: rows > 1 ? { row: rows - 1, column } : { row, column: Number.POSITIVE_INFINITY },
  };
  // Of one row they are whose it stands in: what scrolls there scrolls.
  return rows === 1 && (key === "ArrowDown" || key === "ArrowUp") ? undefined : moves[key];
}
