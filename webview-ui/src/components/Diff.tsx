import type { FileChange } from "../../../src/shared/toolResult";

/** More lines than this are left to the diff editor. */
const DIFF_LINES = 400;

type LineKind = "added" | "removed" | "hunk" | "same";

/** The files' unified diffs, coloured. `named`: with a line that names each file. */
export function Diffs({ changes, named }: { changes: readonly FileChange[]; named: boolean }) {
  return changes.map(change => (
    <div key={change.uri} className="diff">
      {named ? (
        <div className="diff-file">
          <span className="diff-path">{change.path}</span>
          {change.created ? <span className="quiet">new file</span> : null}
          <ChangeCount changes={[change]} />
        </div>
      ) : null}
      <UnifiedDiff diff={change.diff} />
    </div>
  ));
}

/** "+3 −1" */
export function ChangeCount({ changes }: { changes: readonly FileChange[] }) {
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  return (
    <span className="change-count">
      <span className="added">+{added}</span> <span className="removed">−{removed}</span>
    </span>
  );
}

function UnifiedDiff({ diff }: { diff: string }) {
  const lines = bodyOf(diff);
  if (lines.length === 0) return null;
  return (
    <pre className="diff-lines">
      <span className="diff-body">
        {lines.slice(0, DIFF_LINES).map((line, index) => {
          const kind = kindOf(line);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text
            <span key={index} className={`diff-line ${kind}`}>
              {line || " "}
            </span>
          );
        })}
        {lines.length > DIFF_LINES ? (
          <span className="diff-line hunk">… {lines.length - DIFF_LINES} more lines: open the diff to see them</span>
        ) : null}
      </span>
    </pre>
  );
}

/** Without the lines that only name the files: the card names them. */
function bodyOf(diff: string): string[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.findIndex(line => line.startsWith("@@"));
  return first < 0 ? lines : lines.slice(first);
}

function kindOf(line: string): LineKind {
  if (line.startsWith("@@") || line.startsWith("\\")) return "hunk";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "same";
}
