/* biome-ignore-all lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows of a tree with cells; the grid moves the focus among them */
/** A list of rows that open and close, as a tree: one tab stop, arrows move, Right and Left open and close or reach a row's buttons. */
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./controls";

export interface GridRow {
  key: string;
  level: 1 | 2;
  name: string;
  /** more about it, quieter */
  note?: string;
  /** at its end: a number */
  number?: string;
  /** that number, exactly */
  exact?: string;
  /** how long its bar is, 0 to 1; absent: it has none */
  share?: number;
  /** class of its bar */
  tone?: string;
  /** absent: it does not open to more rows */
  open?: boolean;
  actions?: ReactNode;
  /** they are offered where somebody looks at the row only */
  hidesActions?: boolean;
  /** on Enter, and on a click */
  activate?(): void;
}

/** Which rows are open, by their keys. */
export function useOpenRows<K>(first: readonly K[] = []): [ReadonlySet<K>, (key: K) => void] {
  const [open, setOpen] = useState<ReadonlySet<K>>(() => new Set(first));
  const toggle = (key: K) =>
    setOpen(now => (now.has(key) ? new Set([...now].filter(each => each !== key)) : new Set([...now, key])));
  return [open, toggle];
}

const buttonsIn = (row: Element | null) => [
  ...(row?.querySelectorAll<HTMLElement>("button:not(:disabled), input:not(:disabled)") ?? []),
];

export function RowGrid({ label, rows }: { label: string; rows: readonly GridRow[] }) {
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const held = useRef<number>(undefined);
  const all = () => [...(grid.current?.querySelectorAll<HTMLElement>("[role=row]") ?? [])];
  // The row with the focus may go: its place keeps it.
  useLayoutEffect(() => {
    const at = rows.findIndex(({ key }) => key === active);
    if (at >= 0) held.current = at;
    else if (held.current !== undefined && document.activeElement === document.body)
      all()[Math.min(held.current, rows.length - 1)]?.focus();
  });
  const current = rows.some(({ key }) => key === active) ? active : rows[0]?.key;
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>("[role=row]");
    const at = row ? all().indexOf(row) : -1;
    const what = rows[at];
    if (!row || !what || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = movesFrom({ rows, at, row, target, all: all() })[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  return (
    <div ref={grid} role="treegrid" aria-label={label} className="row-grid" onKeyDown={onKeyDown} tabIndex={-1}>
      {rows.map(row => (
        <Row key={row.key} row={row} isActive={row.key === current} onFocus={() => setActive(row.key)} />
      ))}
    </div>
  );
}

interface GridPlace {
  rows: readonly GridRow[];
  at: number;
  row: HTMLElement;
  target: HTMLElement;
  all: HTMLElement[];
}

/** What each key does here; a key that is absent is somebody else's. */
function movesFrom({ rows, at, row, target, all }: GridPlace): Record<string, (() => void) | undefined> {
  const what = rows[at];
  const buttons = buttonsIn(row);
  const button = buttons.indexOf(target);
  const isOnRow = target === row;
  const parent = rows.slice(0, at).findLastIndex(({ level }) => level < (what?.level ?? 1));
  const right = () => {
    if (isOnRow && what?.open === false) what.activate?.();
    else if (isOnRow && what?.open) all[at + 1]?.focus();
    else buttons[button + 1]?.focus();
  };
  const left = () => {
    if (!isOnRow) (button > 0 ? buttons[button - 1] : row)?.focus();
    else if (what?.open) what.activate?.();
    else if (parent >= 0) all[parent]?.focus();
  };
  return {
    ArrowDown: () => all[Math.min(all.length - 1, at + 1)]?.focus(),
    ArrowUp: () => all[Math.max(0, at - 1)]?.focus(),
    Home: () => all[0]?.focus(),
    End: () => all.at(-1)?.focus(),
    ArrowRight: right,
    ArrowLeft: left,
    ...(isOnRow ? { Enter: () => what?.activate?.(), " ": () => what?.activate?.() } : {}),
  };
}

function Row({ row, isActive, onFocus }: { row: GridRow; isActive: boolean; onFocus: () => void }) {
  const { level, name, note, number, exact, share, tone = "", open, actions, hidesActions, activate } = row;
  const chevron = open === undefined ? undefined : open ? "chevron-down" : "chevron-right";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of all rows
    <div
      role="row"
      aria-level={level}
      aria-expanded={open}
      tabIndex={isActive ? 0 : -1}
      className={`grid-row level-${level}${activate ? " can-open" : ""}${hidesActions ? " has-more" : ""}`}
      onFocus={onFocus}
      onClick={event => {
        if (!(event.target as Element).closest("button, input, a")) activate?.();
      }}
    >
      <span role="gridcell" className="grid-name" title={name}>
        {chevron ? <Icon name={chevron} /> : null}
        <span className="grid-words">{name}</span>
        {note ? <span className="grid-note">{note}</span> : null}
      </span>
      {share === undefined ? null : (
        <span role="gridcell" className="grid-bar">
          <span className={`grid-fill of-${tone}`} style={{ width: `${100 * share}%` }} />
        </span>
      )}
      {actions ? (
        <span role="gridcell" className="grid-actions">
          {actions}
        </span>
      ) : null}
      {number === undefined ? null : (
        <span role="gridcell" className="grid-number" title={exact}>
          {number}
        </span>
      )}
    </div>
  );
}
