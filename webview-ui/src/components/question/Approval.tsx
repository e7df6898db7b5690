import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { type ApprovalAnswer, isDeniedByDefault } from "../../../../src/shared/approval";
import { plural, t } from "../../../../src/shared/l10n";
import { Button, Icon, Keys, LinkButton, Toggle } from "../../controls/controls";
import { holdsText, useFocusHandedOn } from "../../controls/focus";
import type { MenuAction } from "../../controls/Popup";
import { SplitButton } from "../../controls/SplitButton";
import { useListener, usePanel, usePanelState } from "../../panel/hooks";
import { frontCall, isOpen as isUnanswered } from "../../panel/questions";
import { exactApproval, exactQuestion } from "../../store/messages";
import type { ApprovalState } from "../../store/state";
import { exactLine } from "../../text/format";
import { linesLeftOut } from "../changes/Diff";
import {
  type ApprovalDetail,
  ApprovalDetails,
  approvalTitle,
  DeniedBefore,
  HeadOfChange,
  WhyAsked,
} from "./ApprovalDetails";
import { QuestionCard, StopTurn, useTakeFocus } from "./QuestionCard";

/** The question in front, above the composer: in sight wherever the conversation stands. The others come behind it. */
export function OpenQuestion() {
  const tool = usePanelState(state => frontCall(state.session));
  const others = usePanelState(state => Math.max(0, state.session.questions.length - 1));
  if (tool?.phase !== "asking") return null;
  const more = others === 0 ? undefined : plural(others, "1 more", "{0} more");
  const question = exactQuestion(tool);
  if (question && isUnanswered(question))
    return <QuestionCard key={question.questionId} question={question} more={more} />;
  const approval = exactApproval(tool);
  if (approval === null || approval.answer !== undefined) return null;
  return <Approval key={approval.approvalId} approval={approval} more={more} />;
}

/**
 * A question about a permission: one sentence, exactly what will happen, and the answers. It takes the focus without scrolling,
 * unless somebody is typing; no single key answers it, so that typing can never allow anything. Where Deny is the default, it has
 * the focus, and the key that allows goes to its button only.
 */
function Approval({ approval, more }: { approval: ApprovalState; more: string | undefined }) {
  const { action, approvalId } = approval;
  const revised = usePanelState(state => state.revised[approvalId]);
  const detail: ApprovalDetail = revised ? { type: "edit", changes: [revised] } : action.detail;
  const box = useFocusHandedOn<HTMLDivElement>();
  const lines = linesOf(detail);
  const [opened, setOpened] = useState<object>();
  const isOpen = lines <= LONG_LINES || opened === (revised ?? action);
  const open = () => setOpened(revised ?? action);
  const rules = revised ? NO_RULES : (action.rules ?? NO_RULES);
  const choices = useAllowChoices(approvalId, detail, rules, isOpen ? undefined : open);
  const id = useId();
  const isDanger = isDeniedByDefault(action);
  useTakeFocus(box, isDanger ? ".button.primary" : undefined);
  const reason = useReason(approvalId);
  const { withWords, setWithWords, deny } = reason;
  const closeOrDeny = () => (withWords ? setWithWords(false) : deny());
  // A reason why not is being written: the key that allows would drop it.
  const instead = withWords ? "input.field" : isDanger && isOpen ? ".split > .button" : undefined;
  const allowByKey = () =>
    instead === undefined ? choices.allow() : box.current?.querySelector<HTMLElement>(instead)?.focus();
  useAnswerKeys(box, allowByKey, closeOrDeny);
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
      className="waiting approval"
      role="alertdialog"
      aria-live="assertive"
      aria-labelledby={`${id}-title`}
      aria-describedby={[`${id}-denied`, `${id}-why`, `${id}-detail`].join(" ")}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <p className="approval-head">
        <span id={`${id}-title`} className="approval-title">
          {approvalTitle(action, detail)}
        </span>
        <HeadOfChange action={action} detail={detail} approvalId={approvalId} />
        {detail.type === "command" && detail.background ? <Badge words={t("in background")} /> : null}
        {more === undefined ? null : <span className="quiet">{more}</span>}
        {detail.type === "command" && <Badge words={detail.sandbox ? t("in sandbox") : t("outside the sandbox")} />}
      </p>
      <DeniedBefore id={`${id}-denied`} action={action} />
      <WhyAsked id={`${id}-why`} action={action} detail={detail} />
      <div
        id={`${id}-detail`}
        className={`approval-detail scrolls${isOpen ? "" : " folded"}`}
        tabIndex={isOpen && lines > LONG_LINES ? 0 : undefined}
      >
        {revised ? <p className="quiet">{t("With your changes from the diff editor:")}</p> : null}
        <ApprovalDetails action={action} detail={detail} approvalId={approvalId} isOpen={isOpen} />
      </div>
      {isOpen ? null : (
        <p className="more">
          <LinkButton onClick={open}>{plural(lines, "Show 1 line", "Show all {0} lines")}</LinkButton>
          <span className="quiet">{t("It can be allowed once they are shown.")}</span>
        </p>
      )}
      <NotRecorded lines={detail.type === "edit" ? linesLeftOut(detail.changes) : 0} />
      <Answers choices={choices} reason={reason} isDanger={isDanger} />
      <StopTurn />
    </div>
  );
}

const Badge = ({ words }: { words: string }) => <span className="badge quiet">{words}</span>;
const NO_RULES: readonly string[][] = [];

/** A longer text has to be opened before it can be allowed. */
const LONG_LINES = 40;
/** A longer line counts as several. */
const LINE_CHARACTERS = 120;

function linesOf(detail: ApprovalDetail): number {
  const lines = shownText(detail).trimEnd().split("\n");
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0);
}

function shownText(detail: ApprovalDetail): string {
  if (detail.type === "command") return detail.command;
  if (detail.type === "edit") return detail.changes.map(({ diff }) => diff).join("\n");
  return detail.type === "read" ? detail.paths.join("\n") : JSON.stringify(detail.input, null, 2);
}

/**
 * The ways to allow: the default, and what else the same press can mean.
 * @param open of a long text that is folded: pressing the button or its key opens it
 */
function useAllowChoices(approvalId: string, detail: ApprovalDetail, rules: readonly string[][], open?: () => void) {
  const panel = usePanel();
  const allow = (scope: AllowScope) => {
    if (open) return open();
    const seen = detail.type === "edit" && linesLeftOut(detail.changes) === 0 ? { seen: true as const } : {};
    void panel.ask("answer", { approvalId, decision: "allow", ...scope, ...seen });
  };
  return {
    allow: () => allow(isUnsaved(detail) ? { scope: "once", unsaved: "save" } : { scope: "once" }),
    words: isUnsaved(detail) ? t("Save and allow") : t("Allow"),
    items: allowItems(detail, rules, allow),
    isOpen: open === undefined,
  };
}

type AllowScope = Pick<ApprovalAnswer, "scope" | "unsaved" | "rules">;

const isUnsaved = (detail: ApprovalDetail) => detail.type === "command" && detail.unsaved !== undefined;

/** For the session, and for ever by a rule of the person's settings; of unsaved files: with them or without. */
function allowItems(detail: ApprovalDetail, rules: readonly string[][], allow: (scope: AllowScope) => void) {
  const item = (words: MenuAction["words"], scope: AllowScope) => {
    return { key: JSON.stringify(scope), words, run: () => allow(scope) };
  };
  const always = rules.map(rule => item(<Always rule={rule} />, { scope: "always", rules: [...rule] }));
  if (!isUnsaved(detail)) return [item(t("Allow for this session"), { scope: "session" }), ...always];
  return [
    item(t("Allow without saving"), { scope: "once", unsaved: "leave" }),
    item(t("Save and allow for this session"), { scope: "session", unsaved: "save" }),
    item(t("Allow without saving for this session"), { scope: "session", unsaved: "leave" }),
    ...always,
  ];
}

/** Of a command, what may run; else the rule as it would be written. */
const ruleWords = (rule: string) => exactLine(/^Bash\((.+)\)$/s.exec(rule)?.[1] ?? rule);

/** The rule stands in the sentence as it is. */
function Always({ rule }: { rule: readonly string[] }) {
  const [before, after] = t("Always allow {0}", "\u0000").split("\u0000");
  return (
    <>
      {before}
      <span className="exact">{rule.map(ruleWords).join(", ")}</span>
      {after}
    </>
  );
}

/** What of it was not recorded. */
function NotRecorded({ lines }: { lines: number }) {
  if (lines === 0) return null;
  return (
    <p className="approval-warning" role="alert">
      <Icon name="warning" />{" "}
      {plural(
        lines,
        "Only the first 64 KB of this change are shown; 1 line is not. Open Diff shows all of it.",
        "Only the first 64 KB of this change are shown; {0} lines are not. Open Diff shows all of it.",
      )}
    </p>
  );
}

type AnswersProps = { choices: ReturnType<typeof useAllowChoices>; reason: Reason; isDanger: boolean };

/** @param isDanger Deny is the default */
function Answers({ choices, reason, isDanger }: AnswersProps) {
  const { withWords, setWithWords, deny } = reason;
  const { allow, words, items, isOpen } = choices;
  const opener = useRef<HTMLButtonElement>(null);
  // The second click of a double click does nothing, whatever it meets: the first one changed what stands here.
  const single = (act: () => void) => (event: MouseEvent) => void (event.detail > 1 || act());
  const close = () => {
    setWithWords(false);
    opener.current?.focus();
  };
  const denies = (
    <Button primary={isDanger} aria-keyshortcuts="Escape" onClick={single(() => deny())}>
      {t("Deny")} <Keys keys={["Esc"]} />
    </Button>
  );
  return (
    <>
      {withWords ? <DenyWords reason={reason} close={close} /> : null}
      <div className="button-row">
        {withWords ? (
          // Alone: under the words of a no, a button that allows would be pressed for them.
          <Button primary title={t("Deny, and send the reason to the agent")} onClick={single(reason.send)}>
            {t("Send reason")} <Keys keys={["Enter"]} />
          </Button>
        ) : (
          <>
            {isDanger ? denies : null}
            <SplitButton
              menuLabel={t("More ways to allow")}
              primary={!isDanger}
              items={items}
              aria-keyshortcuts={isDanger ? undefined : "Control+Enter"}
              aria-disabled={!isOpen}
              onClick={single(allow)}
            >
              {words} {isDanger ? null : <Keys keys={["Ctrl", "Enter"]} />}
            </SplitButton>
            {isDanger ? null : denies}
          </>
        )}
        <Toggle
          ref={opener}
          className="link"
          open={withWords}
          onClick={single(withWords ? close : () => setWithWords(true))}
        >
          {withWords ? t("Cancel") : t("Deny, because…")}
        </Toggle>
      </div>
    </>
  );
}

type Reason = ReturnType<typeof useReason>;

/** Why not, as it is written. Words that were not sent when their question goes, as with a turn that is stopped, come into the composer. */
function useReason(approvalId: string) {
  const panel = usePanel();
  const latest = () => panel.questions.draftOf(approvalId)?.reason?.text ?? "";
  // What stood there already when the question came back, as from another session.
  const [written, setWritten] = useState(latest);
  const [withWords, show] = useState(written !== "");
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      const words = panel.questions.draftOf(approvalId)?.reason?.text ?? "";
      if (words === "" || panel.questions.waits(approvalId)) return;
      panel.questions.forget(approvalId);
      panel.compose(words);
    };
  }, [panel, approvalId]);
  const keep = (words: string) => {
    const fields = { reason: { chosen: [], text: words } };
    panel.keepAnswer(approvalId, fields, fields);
    if (words === "") panel.questions.forget(approvalId);
  };
  const deny = (words?: string) => {
    if (words !== undefined) keep("");
    void panel.ask("answer", { approvalId, decision: "deny", scope: "once", ...(words && { words }) }).then(taken => {
      if (taken !== undefined || !words) return;
      if (isGone.current) panel.compose(words);
      else if (panel.questions.draftOf(approvalId) === undefined) keep(words);
    });
  };
  const setWithWords = (is: boolean) => {
    setWritten("");
    keep("");
    show(is);
  };
  return { withWords, setWithWords, written, keep, deny, send: () => deny(latest().trim()) };
}

function DenyWords({ reason, close }: { reason: Reason; close: () => void }) {
  const { written, keep, send } = reason;
  const [words, setWords] = useState(written);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.key === "Enter") send();
    if (event.key === "Escape") close();
    if (event.key === "Enter" || event.key === "Escape") event.stopPropagation();
  };
  return (
    <input
      className="field"
      aria-label={t("What to do instead")}
      placeholder={t("Why not, or what instead")}
      value={words}
      // biome-ignore lint/a11y/noAutofocus: somebody pressed its button just now
      autoFocus={written === ""}
      onChange={event => {
        setWords(event.target.value);
        keep(event.target.value);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/**
 * Keys from anywhere in the panel answer the question in front: Ctrl+Enter (⌘ Enter) allows, not from text that is being
 * written; Esc denies. Not keys that are held, and not before the question could be noticed: then Esc stops, as it did a moment
 * ago.
 */
function useAnswerKeys(box: RefObject<HTMLElement | null>, allow: () => void, deny: () => void) {
  const panel = usePanel();
  useListener("keydown", event => {
    const allows = event.key === "Enter" && (event.ctrlKey || event.metaKey) && !holdsText(event.target);
    if (box.current === null || !(allows || event.key === "Escape")) return;
    if (event.repeat || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    if (panel.questions.isNew) void (allows || panel.ask("stop", {}));
    else if (allows) allow();
    else deny();
  });
}
