/** What of a session's log is said in its chat: what a person is asked, and how a turn ended. */
import { namesSecret } from "../core/secrets/redact";
import type { ApprovalAction } from "../shared/approval";
import { endRemarks, turnEndWords } from "../shared/entry";
import { t } from "../shared/l10n";
import type { FieldOf, QuestionForm } from "../shared/question";
import type { LogRecord, RecordOf } from "../shared/records";
import { visibleLine } from "../shared/shown";
import { questionText } from "../terminal/questionText";
import { type ChannelMessage, MAX_MESSAGE } from "./channel";

/** more of an answer goes as a document */
const MAX_MESSAGES = 5;

/** @param before all records that the log still has */
export function saidInChat(record: LogRecord, before: readonly LogRecord[]): ChannelMessage[] {
  if (record.kind === "approval" && !record.answer) return [approvalMessage(record)];
  if (record.kind === "question" && !record.answer) return [questionMessage(record)];
  return record.kind === "turnEnd" ? answerMessages(endWords(record, before)) : [];
}

function approvalMessage({ action, approvalId }: RecordOf<"approval">): ChannelMessage {
  const { rules: _, ...asked } = action;
  const button = (label: string, what: string) => ({ label, data: `a:${what}:${approvalId}` });
  const allow = [button(t("Allow once"), "once"), button(t("For this session"), "session")];
  const no = [button(t("No"), "no")];
  if (isHidden(action)) return question(`${questionText(asked)}\n${hiddenWords()}`, [no]);
  return question(questionText(asked), [allow, no]);
}

/** Never cut: a longer one is a document, with the buttons below it. */
function question(text: string, buttons: NonNullable<ChannelMessage["buttons"]>): ChannelMessage {
  if (text.length <= MAX_MESSAGE) return { text, buttons };
  return { text, buttons, file: { name: "question.txt", caption: t("The whole question is in the document.") } };
}

/** A placeholder could stand for anything: it could hide what runs. */
export const isHidden = ({ detail }: ApprovalAction): boolean => namesSecret(JSON.stringify(detail));

export const hiddenWords = () =>
  t("A secret in it is not shown here, so it cannot be allowed from here: only where the session is opened itself.");

function questionMessage({ form, questionId }: RecordOf<"question">): ChannelMessage {
  const button = (label: string, what: string) => [
    { label: visibleLine(label).slice(0, 60), data: `q:${what}:${questionId}` },
  ];
  const options = choiceOf(form)?.options ?? [];
  const buttons = options.map(({ label }, at) => button(label, String(at)));
  return question(formText(form), [...buttons, button(t("Decide yourself"), "no")]);
}

/** The one field that a press can answer. */
export function choiceOf({ fields }: QuestionForm): FieldOf<"choice"> | undefined {
  const [field, more] = fields;
  return field?.type === "choice" && !field.multiple && !more ? field : undefined;
}

function formText({ message, fields }: QuestionForm): string {
  const lines = fields.flatMap(field => [
    [field.title, field.description].filter(Boolean).join("\n"),
    ...(field.type === "choice" ? field.options : []).map(({ label, description }) =>
      description ? `• ${label}: ${description}` : `• ${label}`,
    ),
  ]);
  return [...(message ? [message] : []), ...lines, t("(Press a button, or answer with a message.)")].join("\n");
}

/** The last words of the turn, and what there is to say of its end. */
function endWords(end: RecordOf<"turnEnd">, before: readonly LogRecord[]): string {
  const { turn, reason, error, seq } = end;
  const words = before.findLast(
    record =>
      record.kind === "message" && record.seq < seq && record.message.metadata.turn === turn && wordsOf(record) !== "",
  );
  const said = words?.kind === "message" && words.message.role === "assistant" ? wordsOf(words) : "";
  const goesOn = reason === "done" ? [] : [t("/continue goes on from there.")];
  const told = error
    ? [`${turnEndWords(reason, error)}: ${error.message}`]
    : said && reason === "done"
      ? []
      : [turnEndWords(reason)];
  const remarks = [...told, ...endRemarks(end), ...goesOn].join("\n");
  return [said, remarks].filter(Boolean).join("\n\n");
}

const wordsOf = ({ message }: RecordOf<"message">): string =>
  message.parts
    .flatMap(part => (part.type === "text" ? [part.text] : []))
    .join("\n")
    .trim();

export function answerMessages(text: string): ChannelMessage[] {
  const parts = splitAtLines(text, MAX_MESSAGE);
  if (parts.length <= MAX_MESSAGES) return parts.map(part => ({ text: part }));
  return [{ text, file: { name: "answer.md", caption: t("The answer is long: it is in the document.") } }];
}

/** Into parts of at most `max` UTF-16 units, at line ends where there are some; no character is cut in two. */
export function splitAtLines(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const line = rest.lastIndexOf("\n", max);
    const isInPair = /[\uD800-\uDBFF]/.test(rest.charAt(max - 1));
    const end = line > 0 ? line : isInPair ? max - 1 : max;
    parts.push(rest.slice(0, end));
    rest = rest.slice(line > 0 ? end + 1 : end);
  }
  return [...parts, rest].filter(part => part.trim() !== "");
}
