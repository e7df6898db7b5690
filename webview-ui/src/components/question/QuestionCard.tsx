import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useState } from "react";
import { t } from "../../../../src/shared/l10n";
import { fieldProblem, type QuestionForm, type QuestionReply, replyProblem } from "../../../../src/shared/question";
import { Button, Icon, IconButton, Keys } from "../../controls/controls";
import { focusComposer, holdsText, useFocusHandedOn } from "../../controls/focus";
import { usePanel } from "../../panel/hooks";
import type { QuestionState } from "../../store/state";
import { exactLine, visibleText } from "../../text/format";
import { emptyDrafts, type FieldDraft, keepable, Problem, QuestionField, valuesOf } from "./QuestionFields";

/**
 * A question that allows nothing: a form, and the answers. It looks like none about a permission. Enter goes on from field to field and answers at the last; Esc only goes back to the composer, so that nothing is answered by leaving.
 */
export function QuestionCard({ question, more }: { question: QuestionState; more: string | undefined }) {
  const { questionId, form } = question;
  const panel = usePanel();
  const box = useFocusHandedOn<HTMLFormElement>();
  const id = useId();
  const { drafts, touched, change } = useDrafts(questionId, form);
  const [tried, setTried] = useState(false);
  useTakeFocus(box, "input");
  const { url, fields } = form;
  const values = valuesOf(fields, drafts);
  const answer = (reply: QuestionReply) => void panel.reply(questionId, reply);
  const wrong = fields.findIndex(field => fieldProblem(field, values[field.name]) !== undefined);
  const whole = replyProblem(form, { action: "accept", values });
  // What is wrong with a field stands beside it.
  const problem = tried && wrong < 0 ? whole : undefined;
  const submit = () => {
    if (panel.questions.isNew && !touched) return;
    setTried(true);
    if (whole === undefined) answer({ action: "accept", values });
    else focusField(box.current, wrong);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      focusComposer();
    }
    const target = event.target as Element;
    if (event.key !== "Enter" || target.closest("button")) return;
    event.preventDefault();
    // An address is opened by its button alone.
    if (event.repeat || url !== undefined) return;
    const at = fieldsIn(box.current).findIndex(field => field.contains(target));
    const goesOn = at >= 0 && at < fields.length - 1 && !event.ctrlKey && !event.metaKey;
    if (goesOn) focusField(box.current, at + 1);
    else submit();
  };
  return (
    <form
      ref={box}
      className="waiting question"
      aria-live="assertive"
      aria-labelledby={`${id}-who`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onSubmit={event => event.preventDefault()}
    >
      <Asker id={`${id}-who`} form={form} more={more} />
      <div className="question-fields scrolls">
        <About form={form} />
        {fields.map((field, at) => (
          <QuestionField
            key={field.name}
            field={field}
            draft={drafts[field.name] as FieldDraft}
            problem={tried ? fieldProblem(field, values[field.name]) : undefined}
            place={fields.length > 1 ? t("{0} of {1}", at + 1, fields.length) : undefined}
            change={draft => change(field.name, draft)}
          />
        ))}
      </div>
      <Problem words={problem} />
      <QuestionAnswers form={form} answered={Object.keys(values).length} submit={submit} answer={answer} />
      <StopTurn />
    </form>
  );
}

/** In the corner of a card: while one is open, no line below says that the turn can be stopped. */
export function StopTurn() {
  const panel = usePanel();
  const stop = () => {
    void panel.ask("stop", {});
    focusComposer();
  };
  return <IconButton icon="debug-stop" label={t("Stop")} className="stop-turn" onClick={stop} />;
}

type ReplyProps = { form: QuestionForm; answered: number; submit(): void; answer(reply: QuestionReply): void };

/** @param answered how many of its fields */
function QuestionAnswers({ form: { server, url, fields }, answered, submit, answer }: ReplyProps) {
  if (server === undefined) {
    const isPart = fields.length > 1 && answered < fields.length;
    return (
      <div className="button-row">
        <Button primary aria-keyshortcuts="Enter" onClick={submit}>
          {isPart ? t("Answer ({0} of {1})", answered, fields.length) : t("Answer")} <Keys keys={["Enter"]} />
        </Button>
        <Button title={t("Let the agent decide")} onClick={() => answer({ action: "decline" })}>
          {t("You decide")}
        </Button>
      </div>
    );
  }
  return (
    <div className="button-row">
      <Button primary onClick={url === undefined ? submit : () => answer({ action: "accept" })}>
        {url === undefined ? t("Submit") : t("Open in Browser")}
      </Button>
      <Button title={t("Decline to answer the server")} onClick={() => answer({ action: "decline" })}>
        {t("Decline")}
      </Button>
      <Button title={t("Close the question without an answer")} onClick={() => answer({ action: "cancel" })}>
        {t("Cancel")}
      </Button>
    </div>
  );
}

/** What is written into its fields, kept over reloads. `touched`: somebody wrote into it, so it was noticed */
function useDrafts(questionId: string, { fields }: QuestionForm) {
  const panel = usePanel();
  const [drafts, setDrafts] = useState(() => ({ ...emptyDrafts(fields), ...panel.questions.draftOf(questionId) }));
  const [touched, setTouched] = useState(false);
  const change = (name: string, draft: FieldDraft) => {
    const next = { ...drafts, [name]: draft };
    setTouched(true);
    setDrafts(next);
    panel.keepAnswer(questionId, next, keepable(fields, next));
  };
  return { drafts, touched, change };
}

/** Who asks. Of the agent's own question nobody has to be told. */
function Asker({ id, form: { server, url }, more }: { id: string; form: QuestionForm; more: string | undefined }) {
  const others = more === undefined ? null : <span className="quiet"> · {more}</span>;
  if (server === undefined) {
    return (
      <p className={others ? "question-who" : "visually-hidden"}>
        <span id={id}>{t("The agent asks you")}</span>
        {others}
      </p>
    );
  }
  const words =
    url === undefined
      ? t("The MCP server {0} asks you", exactLine(server))
      : t("The MCP server {0} asks to open an address at {1}", exactLine(server), exactLine(hostOf(url)));
  return (
    <p id={id} className="question-who">
      <Icon name="plug" /> <span className="exact">{words}</span>
      {others}
    </p>
  );
}

/** What a server says of its question, and what becomes of the answer. */
function About({ form: { server, message, url } }: { form: QuestionForm }) {
  if (server === undefined) return null;
  const warning = t("Your answer is sent to this server. Do not enter passwords, keys or card numbers.");
  return (
    <>
      {message ? <p className="question-message">{visibleText(message)}</p> : null}
      {url === undefined ? <p className="quiet">{warning}</p> : <p className="question-url exact">{exactLine(url)}</p>}
    </>
  );
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

const fieldsIn = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>("[data-field]") ?? [])];

/** To what is chosen in it, else to its first part. */
function focusField(box: HTMLElement | null, at: number): void {
  const field = fieldsIn(box)[Math.max(0, at)];
  const target = field?.querySelector<HTMLElement>("input:checked") ?? field?.querySelector<HTMLElement>("input");
  target?.focus({ preventScroll: true });
  // Its title and what is wrong with it, where there is room for both.
  field?.scrollIntoView({ block: "nearest" });
}

/** Focus moves to the question, but never out of text that is being typed and never out of the editor. */
export function useTakeFocus(box: RefObject<HTMLElement | null>, part?: string) {
  useLayoutEffect(() => {
    if (!document.hasFocus() || holdsText(document.activeElement)) return;
    const first = part === undefined ? null : box.current?.querySelector<HTMLElement>(part);
    (first ?? box.current)?.focus({ preventScroll: true });
  }, [box, part]);
}
