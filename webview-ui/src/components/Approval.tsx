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
import { Button, Icon, Keys, LinkButton } from "../controls/controls";
import { useFocusHandedOn } from "../controls/focus";
import { usePanel, usePanelState } from "../panel/hooks";
import type { ApprovalState } from "../store/state";
import { visibleText } from "../text/format";
import { Diffs, linesLeftOut } from "./Diff";

type Detail = ApprovalAction["detail"];
type DetailTable = {
  [T in Detail["type"]]: (props: { detail: Extract<Detail, { type: T }>; approvalId: string }) => ReactNode;
};

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
  edit: ({ detail: { changes }, approvalId }) => (
    <Diffs changes={changes} named whole action={change => <OpenDiff approvalId={approvalId} path={change.path} />} />
  ),
  read: ({ detail }) => <pre className="command-text">{detail.paths.map(visibleText).join("\n")}</pre>,
  other: ({ detail }) => (
    <>
      <p>{visibleText(detail.summary)}</p>
      <pre className="command-text">{visibleText(JSON.stringify(detail.input, null, 2))}</pre>
    </>
  ),
};

/**
 * A question, where it arose: exactly what will happen, and the answers. It takes the focus without scrolling, unless
 * somebody is typing; no single key answers it, so that typing can never allow anything.
 */
export function Approval({ approval }: { approval: ApprovalState }) {
  const panel = usePanel();
  const { action, approvalId } = approval;
  const { choices, leftOut, remember } = useAllowChoices(approval);
  const box = useFocusHandedOn<HTMLDivElement>();
  const id = useId();
  useTakeFocus(box);
  useAllowKey(box, choices[0].run);
  const deny = (words?: string) =>
    void panel.ask("answer", { approvalId, decision: "deny", scope: "once", ...(words ? { words } : {}) });
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
        {action.detail.type === "command"
          ? `Run this command${action.detail.background ? " in the background" : ""}?`
          : visibleText(action.title)}
        {action.reason ? <span className="approval-reason"> {visibleText(action.reason)}</span> : null}
      </p>
      <div id={`${id}-detail`} className="approval-detail">
        <Details detail={action.detail} approvalId={approvalId} />
      </div>
      {leftOut > 0 ? (
        <p className="approval-warning" role="alert">
          <Icon name="warning" /> Only the first 64 KB of this change are shown; {leftOut.toLocaleString("en-US")}{" "}
          {leftOut === 1 ? "line is" : "lines are"} not. Open Diff shows all of it.
        </p>
      ) : null}
      {remember === undefined ? null : (
        <label className="remember">
          <input type="checkbox" checked={remember.is} onChange={event => remember.set(event.target.checked)} />
          <span>For this session, allow this command and do the same with unsaved files</span>
        </label>
      )}
      <Answers choices={choices} deny={deny} />
    </div>
  );
}

/** In the diff editor the proposal can be changed before it is allowed; one of a notebook can only be read. */
function OpenDiff({ approvalId, path }: { approvalId: string; path: string }) {
  const panel = usePanel();
  const title = path.endsWith(".ipynb")
    ? "Open the diff of the notebook's text"
    : "Open the diff editor, where you can change the proposal before you allow it";
  return (
    <LinkButton title={title} onClick={() => panel.ask("openProposal", { approvalId })}>
      Open Diff
    </LinkButton>
  );
}

interface Choice {
  words: string;
  run(): void;
}

/**
 * The two ways to allow. Where a part of the change is not shown, the first press only says so, and the second allows.
 * `remember`, of a question that names unsaved files: the same for the rest of the session
 */
function useAllowChoices({ approvalId, action: { detail } }: ApprovalState) {
  const panel = usePanel();
  const [warned, setWarned] = useState(false);
  const [remembers, setRemembers] = useState(false);
  const leftOut = detail.type === "edit" ? linesLeftOut(detail.changes) : 0;
  const choice = (words: string, answer: Pick<ApprovalAnswer, "scope" | "unsaved">): Choice => ({
    words,
    run() {
      if (leftOut > 0 && !warned) setWarned(true);
      else void panel.ask("answer", { approvalId, decision: "allow", ...answer });
    },
  });
  if (detail.type === "command" && detail.unsaved !== undefined) {
    const scope = remembers ? "session" : "once";
    const save = choice("Save and run", { scope, unsaved: "save" });
    const leave = choice("Run without saving", { scope, unsaved: "leave" });
    return { choices: [save, leave] as const, leftOut, remember: { is: remembers, set: setRemembers } };
  }
  const once = choice(warned ? "Allow what is not shown too" : "Allow", { scope: "once" });
  return { choices: [once, choice("Allow for this session", { scope: "session" })] as const, leftOut };
}

function Answers(props: { choices: readonly [Choice, Choice]; deny: (words?: string) => void }) {
  const { deny } = props;
  const [first, second] = props.choices;
  const [withWords, setWithWords] = useState(false);
  // the second click of a double click answers nothing: the first one changed what stands here
  const onClick = (choice: Choice) => (event: MouseEvent) => void (event.detail > 1 || choice.run());
  return (
    <>
      <div className="button-row">
        <Button primary aria-keyshortcuts="Control+Enter" onClick={onClick(first)}>
          {first.words} <Keys keys={["Ctrl", "Enter"]} />
        </Button>
        <Button onClick={onClick(second)}>{second.words}</Button>
        <Button aria-keyshortcuts="Escape" onClick={() => deny()}>
          Deny <Keys keys={["Esc"]} />
        </Button>
        <LinkButton aria-expanded={withWords} onClick={() => setWithWords(!withWords)}>
          Deny with words…
        </LinkButton>
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

/** How many unsaved files are named without a click. */
const MAX_NAMED = 5;

function UnsavedFiles({ paths }: { paths: readonly string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? paths : paths.slice(0, MAX_NAMED);
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
            <LinkButton onClick={() => setAll(true)}>and {more} more</LinkButton>
          </li>
        ) : null}
      </ul>
    </div>
  );
}

/** A key meant for what stood there before must not answer a question that nobody has seen yet, ms. */
const TOO_SOON_MS = 300;

/** Focus moves to the question, but never out of text that is being typed and never out of the editor. */
function useTakeFocus(box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    if (document.hasFocus() && !holdsText(document.activeElement)) box.current?.focus({ preventScroll: true });
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
function useAllowKey(box: RefObject<HTMLElement | null>, allow: () => void) {
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
