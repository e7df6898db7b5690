import { memo, type ReactNode, useMemo } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import type { FileChange } from "../../../../src/shared/toolResult";
import { scopeClass, useHighlight } from "../../markdown/render";
import { visibleText } from "../../text/format";
import { type DiffRow, diffPieces, diffRows } from "./diffRows";

/** More lines than this are left to the diff editor, where there is one. */
const MAX_DIFF_LINES = 400;

/** The last line of a recorded diff that was cut, as core/ground/text/diff.ts writes it: no line of a file begins so. */
const CUT = /^\\ ([\d,]+) more lines? of this diff left out$/;

/** How many lines of these changes were not recorded, so that they cannot be seen here. */
export function linesLeftOut(changes: readonly FileChange[]): number {
  return changes.reduce((sum, { diff }) => sum + cutLines(diff), 0);
}

function cutLines(diff: string): number {
  const left = CUT.exec(diff.slice(diff.lastIndexOf("\n") + 1))?.[1];
  return left === undefined ? 0 : Number(left.replaceAll(",", ""));
}

interface DiffsProps {
  changes: readonly FileChange[];
  /** with a line that names each file */
  named: boolean;
  /** every recorded line, however many, and the whole of each: a person decides by them */
  whole?: boolean;
  /** shown in the line that names the file */
  action?: ((change: FileChange) => ReactNode) | undefined;
}

/** The files' diffs, as the editor shows them. */
export function Diffs({ changes, named, whole = false, action }: DiffsProps) {
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
      <DiffLines diff={change.diff} path={change.path} whole={whole} />
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
        {cut > 0 ? <span className="path-folder">{visibleText(path.slice(0, cut))}</span> : null}
        <span className="path-name">{visibleText(path.slice(cut))}</span>
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

interface DiffLinesProps {
  diff: string;
  path: string;
  whole: boolean;
}

const DiffLines = memo(function DiffLines({ diff, path, whole }: DiffLinesProps) {
  const highlight = useHighlight();
  const cut = cutLines(diff);
  const rows = useMemo(() => diffRows(cut > 0 ? diff.slice(0, diff.lastIndexOf("\n")) : diff), [diff, cut]);
  const shown = useMemo(() => (whole ? rows : rows.slice(0, MAX_DIFF_LINES)), [rows, whole]);
  const language = path.slice(1 + Math.max(path.lastIndexOf("."), path.lastIndexOf("/"))).toLowerCase();
  const pieces = useMemo(() => diffPieces(shown, language, highlight), [shown, language, highlight]);
  if (rows.length === 0) return null;
  const left = rows.length - shown.length + cut;
  const digits = String(Math.max(...rows.map(({ old = 0, now = 0 }) => Math.max(old, now)))).length;
  const hasOld = rows.some(({ old }) => old !== undefined);
  return (
    <pre
      tabIndex={whole ? undefined : 0}
      className={hasOld ? "diff-lines" : "diff-lines one-side"}
      style={{ "--digits": digits } as object}
    >
      {shown.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text
        <span key={at} className={`diff-line ${row.kind}`} data-old={row.old} data-now={row.now}>
          {row.kind in said ? <span className="visually-hidden">{said[row.kind]?.()} </span> : null}
          <span className="diff-text">{wordsOf(row) ?? pieces[at]?.map(drawPiece)}</span>
        </span>
      ))}
      {left > 0 ? (
        <span className="diff-line eof">
          <span className="diff-text">
            {"… "}
            {plural(left, "1 more line: open the diff to see it", "{0} more lines: open the diff to see them")}
          </span>
        </span>
      ) : null}
    </pre>
  );
});

const said: Partial<Record<DiffRow["kind"], () => string>> = { added: () => t("added"), removed: () => t("removed") };

/** undefined: it is a line of the file */
function wordsOf({ kind, lines = 0, text }: DiffRow): string | undefined {
  if (kind === "gap") return plural(lines, "1 unchanged line", "{0} unchanged lines");
  if (kind === "eof") return t("No newline at end of file");
  return text === "" ? "\n" : undefined;
}

function drawPiece({ text, scope, changed }: ReturnType<typeof diffPieces>[number][number], at: number): ReactNode {
  const names = [...(scope === null ? [] : [scopeClass(scope)]), ...(changed ? ["diff-word"] : [])];
  return names.length === 0 ? (
    text
  ) : (
    <span key={at} className={names.join(" ")}>
      {text}
    </span>
  );
}
