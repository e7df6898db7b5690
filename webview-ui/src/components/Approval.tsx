import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { ApprovalAction } from "../../../src/shared/records";
import { usePanel } from "../hooks";
import type { ApprovalState } from "../store/state";
import { Diffs } from "./Diff";
import { Keys } from "./Keys";
import { useAllowKey, useTakeFocus } from "./useQuestion";

type Detail = ApprovalAction["detail"];
type DetailTable = { [T in Detail["type"]]: (props: { detail: Extract<Detail, { type: T }> }) => ReactNode };

const details: DetailTable = {
  command: ({ detail }) => (
    <>
      <pre className="command-text">{detail.command}</pre>
      <p className="quiet">in {detail.cwd}</p>
    </>
  ),
  edit: ({ detail }) => <Diffs changes={detail.changes} named />,
  read: ({ detail }) => <pre className="command-text">{detail.paths.join("\n")}</pre>,
};

const questions: Record<Detail["type"], string | null> = {
  command: "Run this command?",
  edit: null,
  read: null,
};

/**
 * A question, where it arose: exactly what will happen, and the answers. It takes the focus without scrolling, unless
 * somebody is typing; no single key answers it, so that typing can never allow anything.
 */
export function Approval({ approval }: { approval: ApprovalState }) {
  const panel = usePanel();
  const { action, approvalId } = approval;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useTakeFocus(box);
  useAllowKey(box, () => panel.answer(approvalId, { decision: "allow", scope: "once" }));
  const deny = (words?: string) =>
    panel.answer(approvalId, { decision: "deny", scope: "once", ...(words ? { words } : {}) });
  const Details = details[action.detail.type] as (props: { detail: Detail }) => ReactNode;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      deny();
    }
  };
  return (
    <div
      ref={box}
      className="approval"
      role="alertdialog"
      aria-live="assertive"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-detail`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <p id={`${id}-title`} className="approval-title">
        {questions[action.detail.type] ?? action.title}
        {action.reason ? <span className="approval-reason"> {action.reason}</span> : null}
      </p>
      <div id={`${id}-detail`} className="approval-detail">
        <Details detail={action.detail} />
      </div>
      <Answers approvalId={approvalId} deny={deny} />
    </div>
  );
}

function Answers({ approvalId, deny }: { approvalId: string; deny: (words?: string) => void }) {
  const panel = usePanel();
  const [withWords, setWithWords] = useState(false);
  const allow = (scope: "once" | "session") => panel.answer(approvalId, { decision: "allow", scope });
  return (
    <>
      <div className="button-row">
        <button
          type="button"
          className="button primary"
          aria-keyshortcuts="Control+Enter"
          onClick={() => allow("once")}
        >
          Allow <Keys keys={["Ctrl", "Enter"]} />
        </button>
        <button type="button" className="button" onClick={() => allow("session")}>
          Allow for this session
        </button>
        <button type="button" className="button" aria-keyshortcuts="Escape" onClick={() => deny()}>
          Deny <Keys keys={["Esc"]} />
        </button>
        <button type="button" className="link" aria-expanded={withWords} onClick={() => setWithWords(!withWords)}>
          Deny with words…
        </button>
      </div>
      {withWords ? <DenyWords deny={deny} close={() => setWithWords(false)} /> : null}
    </>
  );
}

function DenyWords({ deny, close }: { deny: (words: string) => void; close: () => void }) {
  const [words, setWords] = useState("");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") deny(words.trim());
    if (event.key === "Escape") close();
    if (event.key === "Enter" || event.key === "Escape") event.stopPropagation();
  };
  return (
    <input
      className="field"
      aria-label="What to do instead"
      placeholder="What to do instead, then Enter"
      value={words}
      // biome-ignore lint/a11y/noAutofocus: it opens by a click that asks for it
      autoFocus
      onChange={event => setWords(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
