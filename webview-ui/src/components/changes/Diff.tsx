import { memo, type ReactNode, useMemo } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import type { FileChange } from "../../../../src/shared/toolResult";
import { drawSpan, useHighlight } from "../../markdown/render";
import { visibleText } from "../../text/format";
import { type DiffRow, diffPieces, diffRows } from "./diffRows";

/** More lines than this are left to the diff editor, where there is one. */
const MAX_DIFF_LINES = 400;

/** The last line of a recorded diff that was cut, as core/ground/text/diff.ts writes it: no line of a file begins so. */
const CUT = /^\\ ([\d,]+) more lines? of this diff left out$/;

/** How many lines of these changes were not recorded, so that they cannot be seen here. */
export const linesLeftOut = (changes: readonly FileChange[]) =>
  changes.reduce((sum, { diff }) => sum + cutLines(diff), 0);

function cutLines(diff: string): number {
  const left = CUT.exec(diff.slice(diff.lastIndexOf("\n") + 1))?.[1];
  return left === undefined ? 0 : Number(left.replaceAll(",", ""));
}

interface DiffsProps {
  changes: readonly FileChange[];
  /** with a line that names each file */
  named: boolean;
  /** lines of each, in a box that does not scroll by itself; absent: as on a card */
  most?: number | undefined;
  /** shown in the line that names the file */
  action?: ((change: FileChange) => ReactNode) | undefined;
}

/** The files' diffs, as the editor shows them. */
export function Diffs({ changes, named, most, action }: DiffsProps) {
  return changes.map(change => (
    <div key={change.uri} className="diff">
      {named ? (
        <div className="diff-file">
          <span className="diff-path" title={visibleText(change.path)}>
            <PathWords path={change.path} />
          </span>
          {change.created ? <span className="quiet">{t("new file")}</span> : null}
          <ChangeCount changes={[change]} />
          {action?.(change)}
        </div>
      ) : null}
      <DiffLines diff={change.diff} path={change.path} most={most} />
    </div>
  ));
}

/** A path that is cut in its folder, where there is no room for the whole. */
export function PathWords({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <>
      <span className="visually-hidden">{visibleText(path)}</span>
      <span className="path" aria-hidden="true">
        {cut > 0 ? <span className="path-folder cut">{visibleText(path.slice(0, cut))}</span> : null}
        <span className="path-name cut">{visibleText(path.slice(cut))}</span>
      </span>
    </>
  );
}

/** "+3 −1" */
export function ChangeCount({ changes }: { changes: readonly { added: number; removed: number }[] }) {
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  return (
    <span className="change-count">
      <span className="added">+{added}</span> <span className="removed">−{removed}</span>
    </span>
  );
}

type DiffLinesProps = { diff: string; path: string; most: number | undefined };

const DiffLines = memo(function DiffLines({ diff, path, most }: DiffLinesProps) {
  const highlight = useHighlight();
  const rows = useMemo(() => shownRows(diff, most), [diff, most]);
  const language = path.slice(1 + Math.max(path.lastIndexOf("."), path.lastIndexOf("/"))).toLowerCase();
  const pieces = useMemo(() => diffPieces(rows, language, highlight), [rows, language, highlight]);
  if (rows.length === 0) return null;
  const digits = String(rows.reduce((most, { old = 0, now = 0 }) => Math.max(most, old, now), 0)).length;
  const sides = rows.some(({ old }) => old !== undefined) ? 2 : 1;
  const pad = (number: number | undefined) => `${number ?? ""} `.padStart(digits + 1);
  return (
    <pre
      tabIndex={most === undefined ? 0 : undefined}
      className="diff-lines"
      style={{ "--wide": `${sides * (digits + 1) + 2}ch`, "--narrow": `${digits + 3}ch` } as object}
    >
      {rows.map(({ kind, old, now, text, lines = 0 }, at) => {
        const one = `${pad(now ?? old)}${signs[kind] ?? "  "}`;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text
            key={at}
            className={`diff-line ${kind}`}
            data-wide={sides === 1 ? one : `${pad(old)}${pad(now)}${signs[kind] ?? "  "}`}
            data-narrow={one}
            data-said={said[kind]?.(0)}
          >
            {words[kind]?.(lines) ?? (text === "" ? "\n" : pieces[at]?.map(drawSpan))}
          </span>
        );
      })}
    </pre>
  );
});

function shownRows(diff: string, most = MAX_DIFF_LINES): DiffRow[] {
  const cut = cutLines(diff);
  const rows = diffRows(cut > 0 ? diff.slice(0, diff.lastIndexOf("\n")) : diff);
  const shown = rows.slice(0, most);
  const lines = rows.length - shown.length + cut;
  return lines > 0 ? [...shown, { kind: "rest", hunk: 0, lines, text: "" }] : shown;
}

type Words = Partial<Record<DiffRow["kind"], (lines: number) => string>>;

/** Of lines that are no line of the file, and for screen readers. */
const words: Words = {
  gap: lines => plural(lines, "1 unchanged line", "{0} unchanged lines"),
  eof: () => t("No newline at end of file"),
  rest: lines => plural(lines, "1 more line: open the diff to see it", "{0} more lines: open the diff to see them"),
};
const signs: Partial<Record<DiffRow["kind"], string>> = { added: "+ ", removed: "- " };
const said: Words = { added: () => t("added"), removed: () => t("removed") };
