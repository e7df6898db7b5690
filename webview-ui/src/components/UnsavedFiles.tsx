/** Unsaved files in a question about a command: which they are, and what happens to them. */
import { type MouseEvent, useState } from "react";
import type { ApprovalAnswer } from "../../../src/shared/records";
import { usePanel } from "../hooks";
import type { ApprovalState } from "../store/items";
import { visibleText } from "../visibleText";
import { Keys } from "./Keys";

/** names that stand there without a click */
const NAMED = 5;

export function UnsavedFiles({ paths }: { paths: readonly string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? paths : paths.slice(0, NAMED);
  const more = paths.length - shown.length;
  return (
    <div>
      <p>The command would not see your unsaved changes in{paths.length > 1 ? ` ${paths.length} files` : ""}:</p>
      <ul className="unsaved-files">
        {shown.map(path => (
          <li key={path}>{visibleText(path)}</li>
        ))}
        {more > 0 ? (
          <li>
            <button type="button" className="link" onClick={() => setAll(true)}>
              and {more} more
            </button>
          </li>
        ) : null}
      </ul>
    </div>
  );
}

export interface UnsavedChoice {
  run(unsaved: NonNullable<ApprovalAnswer["unsaved"]>): void;
  /** the same for the rest of the session */
  remember: boolean;
  setRemember(remember: boolean): void;
}

/** undefined: the question names no unsaved files */
export function useUnsavedChoice({ approvalId, action }: ApprovalState): UnsavedChoice | undefined {
  const panel = usePanel();
  const [remember, setRemember] = useState(false);
  if (action.detail.type !== "command" || action.detail.unsaved === undefined) return undefined;
  const scope = remember ? "session" : "once";
  return {
    run: unsaved => panel.answer(approvalId, { decision: "allow", scope, unsaved }),
    remember,
    setRemember,
  };
}

export function RememberChoice({ remember, setRemember }: UnsavedChoice) {
  return (
    <label className="remember">
      <input type="checkbox" checked={remember} onChange={event => setRemember(event.target.checked)} />
      <span>For this session, allow this command and do the same with unsaved files</span>
    </label>
  );
}

export function UnsavedButtons({ run }: UnsavedChoice) {
  // the second click of a double click answers nothing: the first one changed what stands here
  const onClick = (unsaved: "save" | "leave") => (event: MouseEvent) => void (event.detail > 1 || run(unsaved));
  return (
    <>
      <button type="button" className="button primary" aria-keyshortcuts="Control+Enter" onClick={onClick("save")}>
        Save and run <Keys keys={["Ctrl", "Enter"]} />
      </button>
      <button type="button" className="button" onClick={onClick("leave")}>
        Run without saving
      </button>
    </>
  );
}
