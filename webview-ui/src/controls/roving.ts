/** One tab stop for a list: arrows move among the buttons of its rows, Home and End to the first and the last row. */
import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";

/** On each row of such a list. */
export const ROVING_ROW = { "data-row": "" };

interface RovingKeys {
  onKeyDown(event: KeyboardEvent): void;
  onFocus(event: FocusEvent): void;
  onBlur(): void;
}

/** A button by its row, and by its place in that. */
interface RovingPlace {
  row: number;
  column: number;
}

/** @returns what the list hears; what is typed in a field of a row is the field's */
export function useRoving(box: RefObject<HTMLElement | null>): RovingKeys {
  const focused = useRef<{ button: HTMLElement; place: RovingPlace }>(undefined);
  const list = () => [...(box.current?.querySelectorAll("[data-row]") ?? [])].map(buttonsIn);
  // Rows and buttons come and go: one of those that are there is the stop. Where the focused one went, the next has the focus.
  useLayoutEffect(() => {
    const rows = list();
    const lost = focused.current?.button.isConnected === false ? buttonAt(rows, focused.current.place) : undefined;
    const all = rows.flat();
    setStop(all, lost ?? all.find(each => each === document.activeElement) ?? all.find(isStop) ?? all[0]);
    lost?.focus();
  });
  return {
    onKeyDown(event) {
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
    onFocus({ target }) {
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

const buttonsIn = (row: Element) => [...row.querySelectorAll<HTMLElement>("button:not(:disabled)")];

const isStop = ({ tabIndex }: HTMLElement) => tabIndex === 0;

function setStop(all: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const each of all) each.tabIndex = each === stop ? 0 : -1;
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
    Home: { row: 0, column },
    End: { row: rows - 1, column },
  };
  return moves[key];
}
