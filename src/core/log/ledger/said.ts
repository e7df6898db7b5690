/**
 * What people said, from records alone: messages, answers to the agent's questions, words of a denial. Text of a model, a file or
 * a server is none of it. Pure.
 */

import type { StatementSource } from "../../../shared/compaction";
import { textOf } from "../../../shared/messages";
import type { LogRecord, RecordOf } from "../../../shared/records";
import { sanitizeText } from "../../ground/text/format";
import { withLf } from "../../ground/text/lines";
import { CARRY_OUT, remarksSentBack } from "../plans/planText";

/** What a person said, in one record or in one of its fields. */
export interface TypedWords extends StatementSource {
  /** as it was typed: lines, code and all */
  text: string;
}

/** @param records oldest first; the turn of a decision is that of the message before it */
export function wordsIn(records: readonly LogRecord[]): TypedWords[] {
  let turn = 0;
  let proposed: string | undefined;
  return records.flatMap(record => {
    if (record.kind === "message") turn = record.message.metadata.turn;
    const words = record.kind === "plan" ? planWords(record, proposed) : wordsOf(record, turn);
    if (record.kind === "plan" && record.op === "proposed") proposed = record.text;
    return words.filter(({ text }) => text.trim() !== "");
  });
}

/** The remarks that a person put into a plan before they had it carried out; its steps are the plan's matter, and end with it. */
function planWords({ id, op, turn, text }: RecordOf<"plan">, proposed: string | undefined): TypedWords[] {
  if (op === "proposed" || proposed === undefined) return [];
  const before = new Set(proposed.split("\n").map(line => line.trim()));
  let isOpen = false;
  const added = withLf(text)
    .split("\n")
    .filter(line => {
      const isRemark = isOpen || /^\s*>/.test(line) || line.includes("<!--");
      const [opens, closes] = [line.lastIndexOf("<!--"), line.lastIndexOf("-->")];
      isOpen = opens > closes || (isOpen && closes < 0);
      return isRemark && !before.has(line.trim());
    });
  return [{ recordId: id, turn, text: clean(added.join("\n")) }];
}

function wordsOf(record: LogRecord, turn: number): TypedWords[] {
  switch (record.kind) {
    case "message":
      return messageWords(record);
    case "approval":
      return record.answer?.by === "user" && record.answer.decision === "deny"
        ? [{ recordId: record.id, turn, denied: record.action.toolName, text: clean(record.answer.words ?? "") }]
        : [];
    case "question":
      return answerWords(record, turn);
    default:
      return [];
  }
}

function messageWords({ id, message: { role, metadata, parts } }: RecordOf<"message">): TypedWords[] {
  if (role !== "user" || (metadata.kind !== "normal" && metadata.kind !== "steer")) return [];
  const typed = clean(textOf(parts, "\n\n"));
  if (typed === CARRY_OUT) return [];
  return [{ recordId: id, turn: metadata.turn, text: remarksSentBack(typed) ?? typed }];
}

/**
 * Which options were taken, which are the agent's wording, and what was typed instead or beside them. A server's question is no matter
 * of the conversation.
 */
function answerWords({ id, form, answer }: RecordOf<"question">, turn: number): TypedWords[] {
  if (form.server !== undefined || answer?.by !== "user" || answer.action !== "accept") return [];
  const said = (asked: string, text: string, chosen = false): TypedWords => ({
    ...{ recordId: id, turn, asked: clean(asked) },
    ...(chosen && { chosen }),
    text: clean(text),
  });
  if (answer.words !== undefined) return [said(form.fields[0]?.title ?? form.message ?? "", answer.words)];
  return form.fields.flatMap(field => {
    const values = [answer.values?.[field.name] ?? []].flat();
    const options = new Map((field.type === "choice" ? field.options : []).map(({ value, label }) => [value, label]));
    const label = (value: (typeof values)[number]) => options.get(String(value));
    return [
      said(field.title, values.flatMap(value => label(value) ?? []).join("; "), true),
      said(field.title, values.flatMap(value => (label(value) === undefined ? String(value) : [])).join("; ")),
    ];
  });
}

const clean = (text: string): string => sanitizeText(text).trim();
