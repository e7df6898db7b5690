import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { ApprovalAction, ApprovalAnswer } from "../../../src/shared/records";
import { Icon, Keys } from "../controls/controls";
import { focusComposer } from "../controls/focus";
import { usePanel, usePanelState } from "../panel/hooks";
import type { ApprovalState } from "../store/state";
import { visibleText } from "../text/format";
import { Diffs, linesLeftOut } from "./Diff";

type Detail = ApprovalAction["detail"];
interface DetailProps<T extends Detail["type"]> {
  detail: Extract<Detail, { type: T }>;
  approvalId: string;
}
type DetailTable = { [T in Detail["type"]]: (props: DetailProps<T>) => ReactNode };

const details: DetailTable = {
  command: ({ detail }) => (
    <>
      <pre className="command-text">{visibleText(detail.command)}</pre>
      <p className="quiet">in {visibleText(detail.cwd)}</p>
      {detail.background ? (
        <p className="quiet">It keeps running in the background until it ends, you stop it, or this window closes.</p>
      ) : null}
      {detail.unsaved === undefined ? null : <UnsavedFiles paths={detail.unsaved} />}
    </>
  ),
  edit: ({ detail, approvalId }) => (
    <Diffs
      changes={detail.changes}
      named
      whole
      action={<OpenDiff approvalId={approvalId} changes={detail.changes} />}
    />
  ),
  read: ({ detail }) => <pre className="command-text">{detail.paths.map(visibleText).join("\n")}</pre>,
};

/** null: the title of what would be done */
function questionOf(detail: Detail): string | null {
  if (detail.type !== "command") return null;
  return detail.background ? "Run this command in the background?" : "Run this command?";
}

/**
 * A question, where it arose: exactly what will happen, and the answers. It takes the focus without scrolling, unless
 * somebody is typing; no single key answers it, so that typing can never allow anything.
 */
export function Approval({ approval }: { approval: ApprovalState }) {
  const panel = usePanel();
  const { action, approvalId } = approval;
  const { allow, leftOut, warned } = useAllow(approval);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useTakeFocus(box);
  const unsaved = useUnsavedChoice(approval);
  useAllowKey(box, () => (unsaved ? unsaved.run("save") : allow("once")));
  const deny = (words?: string) =>
    panel.ask("answer", { approvalId, decision: "deny", scope: "once", ...(words ? { words } : {}) });
  const Details = details[action.detail.type] as (props: { detail: Detail; approvalId: string }) => ReactNode;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      if (!event.repeat) deny();
    }
    // a key that is held presses the button again and again
    if (event.key === "Enter" && event.repeat) event.preventDefault();
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
        {questionOf(action.detail) ?? visibleText(action.title)}
        {action.reason ? <span className="approval-reason"> {visibleText(action.reason)}</span> : null}
      </p>
      <div id={`${id}-detail`} className="approval-detail">
        <Details detail={action.detail} approvalId={approvalId} />
      </div>
      {leftOut > 0 ? <LeftOut lines={leftOut} /> : null}
      {unsaved ? <RememberChoice {...unsaved} /> : null}
      <Answers
        allow={allow}
        allowText={warned ? "Allow what is not shown too" : "Allow"}
        deny={deny}
        unsaved={unsaved}
      />
    </div>
  );
}

/** In the diff editor the proposal can be changed before it is allowed; one of a notebook can only be read. */
function OpenDiff({ approvalId, changes }: { approvalId: string; changes: readonly { path: string }[] }) {
  const panel = usePanel();
  const isNotebook = changes.some(({ path }) => path.endsWith(".ipynb"));
  return (
    <button
      type="button"
      className="link"
      title={
        isNotebook
          ? "Open the diff of the notebook's text"
          : "Open the diff editor, where you can change the proposal before you allow it"
      }
      onClick={() => panel.ask("openProposal", { approvalId })}
    >
      Open Diff
    </button>
  );
}

type Scope = ApprovalAnswer["scope"];

/** Where a part of the change is not shown, the first press only says so, and the second allows. */
function useAllow({ approvalId, action }: ApprovalState) {
  const panel = usePanel();
  const [warned, setWarned] = useState(false);
  const leftOut = action.detail.type === "edit" ? linesLeftOut(action.detail.changes) : 0;
  const allow = (scope: Scope) => {
    if (leftOut > 0 && !warned) setWarned(true);
    else panel.ask("answer", { approvalId, decision: "allow", scope });
  };
  return { allow, leftOut, warned };
}

function LeftOut({ lines }: { lines: number }) {
  return (
    <p className="approval-warning" role="alert">
      <Icon name="warning" /> Only the first 64 KB of this change are shown; {lines.toLocaleString("en-US")}{" "}
      {lines === 1 ? "line is" : "lines are"} not. Open Diff shows all of it.
    </p>
  );
}

interface AnswersProps {
  allow: (scope: Scope) => void;
  allowText: string;
  deny: (words?: string) => void;
  unsaved: UnsavedChoice | undefined;
}

function Answers({ allow, allowText, deny, unsaved }: AnswersProps) {
  const [withWords, setWithWords] = useState(false);
  // the second click of a double click answers nothing: the first one changed what stands here
  const onAllow = (scope: Scope) => (event: MouseEvent) => void (event.detail > 1 || allow(scope));
  return (
    <>
      <div className="button-row">
        {unsaved ? <UnsavedButtons {...unsaved} /> : <AllowButtons text={allowText} onAllow={onAllow} />}
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

function AllowButtons({ text, onAllow }: { text: string; onAllow: (scope: Scope) => (event: MouseEvent) => void }) {
  return (
    <>
      <button type="button" className="button primary" aria-keyshortcuts="Control+Enter" onClick={onAllow("once")}>
        {text} <Keys keys={["Ctrl", "Enter"]} />
      </button>
      <button type="button" className="button" onClick={onAllow("session")}>
        Allow for this session
      </button>
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

/** Unsaved files in a question about a command: which they are, and what happens to them. */

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
    run: unsaved => panel.ask("answer", { approvalId, decision: "allow", scope, unsaved }),
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

/** A key meant for what stood there before must not answer a question that nobody has seen yet, ms. */
const TOO_SOON_MS = 300;

/** Focus moves to the question, but never out of text that is being typed and never out of the editor; then back. */
export function useTakeFocus(box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = box.current;
    const typing = holdsText(document.activeElement);
    if (document.hasFocus() && !typing) element?.focus({ preventScroll: true });
    return () => {
      if (element?.contains(document.activeElement)) focusComposer();
    };
  }, [box]);
}

function holdsText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === "checkbox") return false;
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) && target.value !== "";
}

/**
 * Ctrl+Enter (⌘ Enter) from anywhere in the panel allows the oldest question, if it can be seen; else it shows it. Not
 * from text that is being written, not by a key that is held, and not before the question could be noticed.
 */
export function useAllowKey(box: RefObject<HTMLElement | null>, allow: () => void) {
  const latest = useRef(allow);
  latest.current = allow;
  const oldest = usePanelState(state => state.session.questions[0]);
  const since = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time begins anew with another question in front
  useEffect(() => {
    since.current = performance.now();
  }, [oldest]);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const element = box.current;
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || element === null) return;
      if (event.repeat || event.defaultPrevented || holdsText(event.target)) return;
      if (document.querySelector(".approval") !== element) return;
      event.preventDefault();
      if (performance.now() - since.current < TOO_SOON_MS) return;
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > 0 && top < window.innerHeight) latest.current();
      else element.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [box]);
}
