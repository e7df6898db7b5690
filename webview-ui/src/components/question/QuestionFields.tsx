/** The fields of a question: what each looks like, and what is written in them so far. */
import { type KeyboardEvent, useId } from "react";
import { t } from "../../../../src/shared/l10n";
import type { FieldDrafts } from "../../../../src/shared/panelSnapshot";
import type { QuestionField as Field, FieldOf, QuestionValue, QuestionValues } from "../../../../src/shared/question";
import { Icon } from "../../controls/controls";
import { visibleText } from "../../text/format";

export type FieldDraft = FieldDrafts[string];

export function emptyDrafts(fields: readonly Field[]): FieldDrafts {
  return Object.fromEntries(fields.map(field => [field.name, draftOf(field)]));
}

/** What may stand on disk until it is answered: nothing that looks like a secret. */
export function keepable(fields: readonly Field[], drafts: FieldDrafts): FieldDrafts {
  const kept = fields.filter(field => !looksSecret(field)).map(({ name }) => [name, drafts[name]] as const);
  return Object.fromEntries(kept.flatMap(([name, draft]) => (draft ? [[name, draft]] : [])));
}

function draftOf(field: Field): FieldDraft {
  if (field.type === "choice") return { chosen: field.default ?? [], text: "" };
  if (field.type === "boolean") return { chosen: field.default ? ["true"] : [], text: "" };
  return { chosen: [], text: field.default === undefined ? "" : String(field.default) };
}

/** Without those that are empty. */
export function valuesOf(fields: readonly Field[], drafts: Readonly<Record<string, FieldDraft>>): QuestionValues {
  const values: QuestionValues = {};
  for (const field of fields) {
    const draft = drafts[field.name];
    const value = draft && fieldValue(field, draft);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

function fieldValue(field: Field, { chosen, text }: FieldDraft): QuestionValue | undefined {
  const words = text.trim();
  if (field.type === "boolean") return chosen.length > 0;
  if (field.type === "number") return words === "" ? undefined : Number(words);
  if (field.type === "text") return text === "" ? undefined : text;
  const all = words !== "" && (field.multiple || chosen.length === 0) ? [...chosen, words] : chosen;
  return all.length > 0 ? [...all] : undefined;
}

type BodyProps<F extends Field = Field> = { field: F; draft: FieldDraft; change(draft: FieldDraft): void };
type FieldProps = BodyProps & { problem: string | undefined; place: string | undefined };

/** @param place "1 of 3" */
export function QuestionField({ problem, place, ...body }: FieldProps) {
  const { field } = body;
  const id = useId();
  return (
    <fieldset className="question-field" data-field={field.name} aria-describedby={`${id}-about`}>
      <legend className="question-title">
        {visibleText(field.title)}
        {field.required ? <span className="quiet"> · {t("needed")}</span> : null}
        {place === undefined ? null : <span className="quiet"> · {place}</span>}
      </legend>
      <div id={`${id}-about`}>
        {field.description ? <p className="quiet">{visibleText(field.description)}</p> : null}
        {looksSecret(field) ? (
          <p className="approval-warning">
            <Icon name="warning" />{" "}
            {t("This looks like a secret. Servers must not ask for one in a form. If you are not sure, decline.")}
          </p>
        ) : null}
      </div>
      <Body {...body} />
      <Problem words={problem} />
    </fieldset>
  );
}

export function Problem({ words }: { words: string | undefined }) {
  if (words === undefined) return null;
  return (
    <p className="question-problem" role="alert">
      {visibleText(words)}
    </p>
  );
}

const SECRET =
  /pass(?:word|phrase|code)|secret|token|api.?key|private.?key|credential|\bpin\b|\bcvv\b|\bcvc\b|card.?number|\botp\b|\bssn\b/i;

/** The agent's questions have no such fields. */
const looksSecret = ({ type, name, title, description = "" }: Field) =>
  type === "text" && SECRET.test(`${name} ${title} ${description}`.slice(0, 2_000));

function Body(props: BodyProps) {
  const { field, draft, change } = props;
  if (field.type === "choice") return <Choice {...props} field={field} />;
  if (field.type === "boolean") {
    return (
      <label className="question-option">
        <input
          type="checkbox"
          checked={draft.chosen.length > 0}
          onChange={event => change({ ...draft, chosen: event.target.checked ? ["true"] : [] })}
        />
        <span>{t("Yes")}</span>
      </label>
    );
  }
  return (
    <input
      className="field"
      type={field.type === "text" && field.format === "date" ? "date" : "text"}
      inputMode={field.type === "number" ? "decimal" : undefined}
      aria-label={visibleText(field.title)}
      aria-required={field.required}
      placeholder={placeholder(field)}
      maxLength={MAX_TEXT}
      value={draft.text}
      onChange={event => change({ ...draft, text: event.target.value })}
    />
  );
}

/** characters */
const MAX_TEXT = 10_000;

function placeholder(field: FieldOf<"text"> | FieldOf<"number">): string {
  if (field.type === "text") {
    const { format, pattern } = field;
    const shape = { email: "name@example.com", uri: "https://…", date: "", "date-time": "2026-01-31T09:30:00Z" };
    return format ? shape[format] : pattern ? t("as {0}", visibleText(pattern).slice(0, 80)) : "";
  }
  const { minimum, maximum, integer } = field;
  const number = integer ? t("a whole number") : t("a number");
  if (minimum !== undefined && maximum !== undefined) return t("{0} from {1} to {2}", number, minimum, maximum);
  if (minimum !== undefined) return t("{0}, {1} or more", number, minimum);
  return maximum === undefined ? number : t("{0}, {1} or less", number, maximum);
}

/** Options by number, arrows or click, and words of the person's own, which a letter begins. Not `useRoving`: an arrow among radio buttons would choose. */
function Choice({ field, draft, change }: BodyProps<FieldOf<"choice">>) {
  const { options, multiple, ownWords, name } = field;
  const group = useId();
  const choose = (value: string) => {
    const others = draft.chosen.filter(each => each !== value);
    const chosen = !multiple ? [value] : others.length === draft.chosen.length ? [...others, value] : others;
    change({ ...draft, chosen });
  };
  const hint = options.length === 0 ? t("Your answer") : multiple ? t("Anything else") : t("Or type your own answer");
  /** the one that Tab comes to */
  const first = options.find(({ value }) => draft.chosen.includes(value)) ?? options[0];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const inputs = [...event.currentTarget.querySelectorAll<HTMLInputElement>("input")];
    const at = inputs.indexOf(event.target as HTMLInputElement);
    const option = options[at];
    const go = (to: number) => {
      event.preventDefault();
      inputs[to]?.focus();
    };
    if (event.key === "ArrowDown" && at < inputs.length - 1) go(at + 1);
    else if (event.key === "ArrowUp" && at > 0) go(at - 1);
    if (option === undefined || event.key === " ") return;
    const numbered = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined;
    if (numbered) {
      go(options.indexOf(numbered));
      choose(numbered.value);
    } else if (event.key === "Enter" && !multiple && !draft.chosen.includes(option.value)) {
      // The first Enter chooses, the second goes on.
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) choose(option.value);
    } else if (ownWords && event.key.length === 1) inputs.at(-1)?.focus();
    // A horizontal arrow would choose by itself.
    else if (event.key.startsWith("Arrow")) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the options
    <div className="question-options" onKeyDown={onKeyDown}>
      {options.map(({ value, label, description, recommended }, at) => (
        <label key={value} className="question-option">
          <input
            type={multiple ? "checkbox" : "radio"}
            name={`${group}-${name}`}
            tabIndex={value === first?.value ? 0 : -1}
            checked={draft.chosen.includes(value)}
            onChange={() => choose(value)}
          />
          <span>
            {at < 9 ? (
              <span className="question-number" aria-hidden="true">
                {at + 1}
              </span>
            ) : null}
            {visibleText(label)}
            {recommended ? <span className="question-recommended"> {t("Recommended")}</span> : null}
            {description ? <span className="question-about quiet">{visibleText(description)}</span> : null}
          </span>
        </label>
      ))}
      {ownWords ? (
        <input
          className="field"
          type="text"
          aria-label={t("Your own answer")}
          placeholder={hint}
          maxLength={MAX_TEXT}
          value={draft.text}
          onChange={event => change({ chosen: multiple ? draft.chosen : [], text: event.target.value })}
        />
      ) : null}
    </div>
  );
}
