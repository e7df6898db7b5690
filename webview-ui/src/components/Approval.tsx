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
import type { ApprovalAction, ApprovalAnswer } from "../../../src/shared/approval";
import { fileName } from "../../../src/shared/paths";
import type { FileChange } from "../../../src/shared/toolResult";
import { Button, Icon, Keys, LinkButton } from "../controls/controls";
import { holdsText, useFocusHandedOn } from "../controls/focus";
import { usePanel, usePanelState } from "../panel/hooks";
import { timesAllowed } from "../store/messages";
import type { ApprovalState } from "../store/state";
import { count, exactLine, exactText, type Shown, shownLines, visibleText } from "../text/format";
import { AlwaysRules } from "./AlwaysRules";
import { Diffs, linesLeftOut } from "./Diff";
import { LongText } from "./LongText";
import { type InSight, useInSight } from "./useInSight";

type ApprovalDetail = ApprovalAction["detail"];
type DetailTable = {
  [T in ApprovalDetail["type"]]: (props: {
    detail: Extract<ApprovalDetail, { type: T }>;
    approvalId: string;
  }) => ReactNode;
};

const details: DetailTable = {
  command: ({ detail }) => (
    <>
      <Exact text={exactText(detail.command)} />
      <p className="quiet exact">in {exactLine(detail.cwd)}</p>
      {detail.sandbox ? <p className="quiet">It runs in the sandbox.</p> : null}
      {detail.background ? (
        <p className="quiet">It keeps running in the background until it ends, you stop it, or this window closes.</p>
      ) : null}
      {detail.unsaved === undefined ? null : <UnsavedFiles paths={detail.unsaved} />}
    </>
  ),
  edit: ({ detail: { changes }, approvalId }) => (
    <Diffs
      changes={changes}
      named
      whole
      // a change of several files can only be taken as it is
      action={change => (changes.length > 1 ? null : <OpenDiff approvalId={approvalId} path={change.path} />)}
    />
  ),
  read: ({ detail }) => <Exact text={shownLines(detail.paths.map(exactLine))} />,
  other: ({ detail }) => (
    <>
      <p className="exact">{exactLine(detail.summary)}</p>
      <Exact text={exactText(JSON.stringify(detail.input, null, 2))} />
    </>
  ),
};

/** What would run, whole; how much of it is out of sight is said. */
function Exact({ text }: { text: Shown }) {
  const lines = count(text.split("\n").length, "line");
  return (
    <LongText key={text} className="command-text" toSee size={`${lines}, ${count([...text].length, "character")}`}>
      {text}
    </LongText>
  );
}

/**
 * A question, where it arose: exactly what will happen, and the answers. It takes the focus without scrolling, unless
 * somebody is typing; no single key answers it, so that typing can never allow anything.
 */
export function Approval({ approval }: { approval: ApprovalState }) {
  const panel = usePanel();
  const { action, approvalId } = approval;
  const revised = usePanelState(state => state.revised[approvalId]);
  const detail: ApprovalDetail = revised ? { type: "edit", changes: [revised] } : action.detail;
  const box = useFocusHandedOn<HTMLDivElement>();
  const { choices, always, allowByKey, notShown, opened, remember } = useAllowChoices(
    approvalId,
    detail,
    useInSight(box),
  );
  const id = useId();
  useTakeFocus(box);
  const deny = (words?: string) => void panel.deny(approvalId, words);
  const rules = revised ? NO_RULES : (action.rules ?? NO_RULES);
  const inner = useInner(rules, box);
  // what was opened last goes first
  const closeOrDeny = () => void (inner.close() || deny());
  useAnswerKeys(box, allowByKey, closeOrDeny);
  const Details = details[detail.type] as (props: { detail: ApprovalDetail; approvalId: string }) => ReactNode;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      if (!event.repeat) closeOrDeny();
    }
    // a key that is held presses the button again and again
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  };
  return (
    <div
      ref={box}
      className={opened ? "approval opened" : "approval"}
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
        {revised ? <p className="quiet">With your changes from the diff editor:</p> : null}
        <Details detail={detail} approvalId={approvalId} />
      </div>
      <NotShown {...notShown} />
      {remember === undefined ? null : (
        <label className="remember">
          <input type="checkbox" checked={remember.is} onChange={event => remember.set(event.target.checked)} />
          <span>For this session, allow this command and do the same with unsaved files</span>
        </label>
      )}
      <Answers
        choices={choices}
        always={always}
        rules={rules}
        inner={inner}
        deny={deny}
        keyAllows={notShown.unseen === 0}
      />
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

interface AnswerButton {
  words: string;
  run(): void;
}

/** What of it was not recorded, and what was never in sight although somebody wanted to allow it. */
function NotShown({ leftOut, unseen }: { leftOut: number; unseen: number }) {
  return (
    <>
      {leftOut > 0 ? (
        <p className="approval-warning" role="alert">
          <Icon name="warning" /> Only the first 64 KB of this change are shown; {leftOut.toLocaleString("en-US")}{" "}
          {leftOut === 1 ? "line is" : "lines are"} not. Open Diff shows all of it.
        </p>
      ) : null}
      {unseen > 0 ? (
        <p className="approval-warning" role="alert">
          <Icon name="warning" /> {count(unseen, "line")} of this {unseen === 1 ? "was" : "were"} not in sight yet.
          Scroll through it; <Keys keys={["Ctrl", "Enter"]} /> shows the next page.
        </p>
      ) : null}
    </>
  );
}

/**
 * The two ways to allow. Where a part is not shown or was never in sight, the first press only says so and opens it, and the
 * second allows; the key goes on from page to page until all was in sight.
 * `remember`, of a question that names unsaved files: the same for the rest of the session
 */
function useAllowChoices(approvalId: string, detail: ApprovalDetail, sight: InSight) {
  const panel = usePanel();
  const [warned, setWarned] = useState(false);
  const [remembers, setRemembers] = useState(false);
  const leftOut = detail.type === "edit" ? linesLeftOut(detail.changes) : 0;
  const unseen = warned ? sight.unseen : 0;
  const warn = () => {
    setWarned(true);
    sight.showNext();
  };
  const choice = (words: string, answer: Pick<ApprovalAnswer, "scope" | "unsaved" | "rules">): AnswerButton => ({
    words,
    run() {
      if (!warned && (leftOut > 0 || sight.look() > 0)) warn();
      else void panel.ask("answer", { approvalId, decision: "allow", ...answer });
    },
  });
  const asked = (first: AnswerButton, second: AnswerButton, remember?: { is: boolean; set(is: boolean): void }) => ({
    choices: [first, second] as const,
    always: (rules: string[]) => choice("", { scope: "always", rules }).run(),
    allowByKey: () => (sight.look() > 0 ? warn() : first.run()),
    notShown: { leftOut, unseen },
    opened: warned,
    remember,
  });
  if (detail.type === "command" && detail.unsaved !== undefined) {
    const scope = remembers ? "session" : "once";
    const save = choice("Save and run", { scope, unsaved: "save" });
    const leave = choice("Run without saving", { scope, unsaved: "leave" });
    return asked(save, leave, { is: remembers, set: setRemembers });
  }
  const hides = warned && (leftOut > 0 || unseen > 0);
  const once = choice(hides ? "Allow what is not shown too" : "Allow", { scope: "once" });
  const lasting = detail.type === "edit" ? `Allow edits of ${fileNames(detail.changes)}` : "Allow for this session";
  return asked(once, choice(lasting, { scope: "session" }));
}

/** Of what stays allowed for the session. */
function fileNames(changes: readonly FileChange[]): string {
  const [first, ...others] = changes;
  if (first === undefined || others.length > 0) return `these ${changes.length} files`;
  return visibleText(fileName(first.path));
}

const NO_RULES: readonly string[][] = [];

/** The rules to choose from, and the field for words: at most one of them is open, and Esc closes it before it denies. */
function useInner(rules: readonly string[][], box: RefObject<HTMLElement | null>) {
  const panel = usePanel();
  // who allows the same for the third time is spared to look for the rule
  const [allowed] = useState(() => timesAllowed(panel.store.get(), rules));
  const [open, setOpen] = useState<"rules" | "words" | null>(allowed >= 2 && rules.length > 0 ? "rules" : null);
  /** the button that opened it: the focus goes back there */
  const opener = useRef<HTMLButtonElement | null>(null);
  return {
    open,
    allowed,
    /** somebody asked for it: then it is scrolled into sight */
    asked: opener.current !== null,
    toggle(which: "rules" | "words", button: HTMLButtonElement) {
      opener.current = button;
      setOpen(open === which ? null : which);
    },
    /** false: nothing was open */
    close() {
      if (open === null) return false;
      setOpen(null);
      if (box.current?.contains(document.activeElement)) (opener.current ?? box.current).focus({ preventScroll: true });
      return true;
    },
  };
}

interface AnswersProps {
  choices: readonly [AnswerButton, AnswerButton];
  rules: readonly string[][];
  inner: ReturnType<typeof useInner>;
  always(rules: string[]): void;
  deny(words?: string): void;
  /** false: the key shows the next page */
  keyAllows: boolean;
}

function Answers({ choices: [first, second], rules, inner, always, deny, keyAllows }: AnswersProps) {
  const { open, allowed } = inner;
  const withRules = open === "rules" && rules.length > 0;
  const withWords = open === "words";
  // the second click of a double click answers nothing: the first one changed what stands here
  const onClick = (choice: AnswerButton) => (event: MouseEvent) => void (event.detail > 1 || choice.run());
  return (
    <>
      <div className="button-row">
        <Button primary aria-keyshortcuts={keyAllows ? "Control+Enter" : undefined} onClick={onClick(first)}>
          {first.words} {keyAllows ? <Keys keys={["Ctrl", "Enter"]} /> : null}
        </Button>
        <Button title="For the rest of this session" onClick={onClick(second)}>
          {second.words}
        </Button>
        <Button aria-keyshortcuts={open === null ? "Escape" : undefined} onClick={() => deny()}>
          Deny {open === null ? <Keys keys={["Esc"]} /> : null}
        </Button>
        {rules.length === 0 ? null : (
          <LinkButton aria-expanded={withRules} onClick={event => inner.toggle("rules", event.currentTarget)}>
            Always…
          </LinkButton>
        )}
        <LinkButton aria-expanded={withWords} onClick={event => inner.toggle("words", event.currentTarget)}>
          Deny with words…
        </LinkButton>
      </div>
      {withRules ? <AlwaysRules rules={rules} allowed={allowed} inSight={inner.asked} choose={always} /> : null}
      {withWords ? (
        <DenyWords deny={deny} close={inner.close} />
      ) : (
        <p className="quiet approval-hint">To say no with a reason, type it below.</p>
      )}
    </>
  );
}

function DenyWords({ deny, close }: { deny: (words: string) => void; close: () => void }) {
  const [words, setWords] = useState("");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
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

/** Focus moves to the question, but never out of text that is being typed and never out of the editor. */
function useTakeFocus(box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    if (document.hasFocus() && !holdsText(document.activeElement)) box.current?.focus({ preventScroll: true });
  }, [box]);
}

/**
 * Keys from anywhere in the panel answer the oldest question, if it can be seen; else they show it: Ctrl+Enter (⌘ Enter)
 * allows, not from text that is being written; Esc denies. Not keys that are held, and not before the question could be
 * noticed: then Esc stops, as it did a moment ago.
 */
function useAnswerKeys(box: RefObject<HTMLElement | null>, allow: () => void, deny: () => void) {
  const panel = usePanel();
  const latest = useRef({ allow, deny });
  latest.current = { allow, deny };
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const element = box.current;
      const allows = event.key === "Enter" && (event.ctrlKey || event.metaKey) && !holdsText(event.target);
      if (element === null || !(allows || event.key === "Escape")) return;
      if (event.repeat || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector(".approval") !== element) return;
      event.preventDefault();
      const { top, bottom } = element.getBoundingClientRect();
      if (panel.questions.isNew) void (allows || panel.ask("stop", {}));
      else if (bottom <= 0 || top >= window.innerHeight) element.scrollIntoView({ block: "nearest" });
      else latest.current[allows ? "allow" : "deny"]();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [box, panel]);
}
