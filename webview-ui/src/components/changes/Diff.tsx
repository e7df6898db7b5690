import type { ReactNode } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import type { FileChange } from "../../../../src/shared/toolResult";
import { visibleText } from "../../text/format";

/** More lines than this are left to the diff editor, where there is one. */
const MAX_DIFF_LINES = 400;

/** The last line of a recorded diff that was cut, as core/ground/text/diff.ts writes it: no line of a file begins so. */
const CUT = /^\\ ([\d,]+) more lines? of this diff left out$/;

/** How many lines of these changes were not recorded, so that they cannot be seen here. */
export function linesLeftOut(changes: readonly FileChange[]): number {
  return changes.reduce((sum, { diff }) => {
    const left = CUT.exec(diff.slice(diff.lastIndexOf("\n") + 1))?.[1];
    return sum + (left === undefined ? 0 : Number(left.replaceAll(",", "")));
  }, 0);
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

/** The files' unified diffs, coloured. */
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
      <UnifiedDiff diff={change.diff} whole={whole} />
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

function UnifiedDiff({ diff, whole }: { diff: string; whole: boolean }) {
  const lines = hunkLines(diff);
  if (lines.length === 0) return null;
  const shown = whole ? lines : lines.slice(0, MAX_DIFF_LINES);
  const left = lines.length - shown.length;
  return (
    <pre tabIndex={whole ? undefined : 0} className={whole ? "diff-lines wrapped" : "diff-lines"}>
      <span className="diff-body">
        {shown.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text
          <span key={index} className={`diff-line ${lineKind(line)}`}>
            {visibleText(line) || " "}
          </span>
        ))}
        {left > 0 ? (
          <span className="diff-line hunk">
            {"… "}
            {plural(left, "1 more line: open the diff to see it", "{0} more lines: open the diff to see them")}
          </span>
        ) : null}
      </span>
    </pre>
  );
}

/** Without the lines that only name the files: the card names them. */
function hunkLines(diff: string): string[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.findIndex(line => line.startsWith("@@"));
  return first < 0 ? lines : lines.slice(first);
}

function lineKind(line: string): string {
  if (line.startsWith("@@") || line.startsWith("\\")) return "hunk";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "same";
}
