/* biome-ignore-all lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows of a tree with cells; the grid moves the focus among them */
/** A list of rows that open and close, as a tree: one tab stop, arrows move, Right and Left open and close or reach a row's buttons. */
import { Fragment, type KeyboardEvent, type ReactNode, useState } from "react";
import { Icon } from "./controls";
import { ROVING_ROW, useRoving } from "./roving";

export interface GridRow {
  key: string;
  level: 1 | 2;
  name: string;
  /** more about it, quieter */
  note?: string;
  /** a codicon before its name */
  icon?: string | undefined;
  /** at its end: a number */
  number?: string;
  /** that number, exactly */
  exact?: string;
  /** how long its bar is, 0 to 1; absent: it has none */
  share?: number;
  /** class of its bar */
  tone?: string;
  /** absent: it opens neither to more rows nor to its body */
  open?: boolean;
  /** below it, where it has one */
  body?: ReactNode;
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

export function RowGrid({ label, rows }: { label: string; rows: readonly GridRow[] }) {
  const keys = useRoving<HTMLDivElement>();
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(keys.ref.current?.querySelectorAll<HTMLElement>("[role=row][data-row]") ?? [])];
    const at = all.indexOf(event.target as HTMLElement);
    const isOwn = at >= 0 && !event.ctrlKey && !event.metaKey && !event.altKey;
    const act = isOwn ? actsOn(rows, at, all)[event.key] : undefined;
    if (act === undefined) return keys.onKeyDown(event);
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div role="treegrid" aria-label={label} className="row-grid" tabIndex={-1} {...{ ...keys, onKeyDown }}>
      {rows.map(row => (
        <Fragment key={row.key}>
          <Row row={row} />
          {row.body ? (
            <div role="row" className="grid-body">
              <div role="gridcell">{row.body}</div>
            </div>
          ) : null}
        </Fragment>
      ))}
    </div>
  );
}

/** What a key does on a row beyond moving: it opens and closes it, and goes between it and the rows that it opens to. */
function actsOn(rows: readonly GridRow[], at: number, all: readonly HTMLElement[]): Record<string, () => void> {
  const { level = 1, open, activate } = rows[at] ?? {};
  const parent = rows.slice(0, at).findLastIndex(each => each.level < level);
  const press = () => activate?.();
  return {
    ...(open === false && { ArrowRight: press }),
    ...(open === true && { ArrowRight: () => all[at + 1]?.focus(), ArrowLeft: press }),
    ...(open !== true && parent >= 0 && { ArrowLeft: () => all[parent]?.focus() }),
    ...{ Enter: press, " ": press },
  };
}

function Row({ row }: { row: GridRow }) {
  const { level, name, note, number, exact, share, tone = "", open, icon, actions, hidesActions, activate } = row;
  const chevron = open === undefined ? undefined : open ? "chevron-down" : "chevron-right";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of all rows
    <div
      role="row"
      aria-level={level}
      aria-expanded={open}
      tabIndex={-1}
      {...ROVING_ROW}
      className={`grid-row level-${level}${activate ? " can-open" : ""}${hidesActions ? " has-more" : ""}`}
      onClick={event => {
        if (!(event.target as Element).closest("button, input, a")) activate?.();
      }}
    >
      <span role="gridcell" className="grid-name" title={note ? `${name} · ${note}` : name}>
        {chevron ? <Icon name={chevron} /> : null}
        {icon ? <Icon name={icon} /> : null}
        <span className="grid-text">
          <span className="grid-words cut">{name}</span>
          {note ? <span className="grid-note cut">{note}</span> : null}
        </span>
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
