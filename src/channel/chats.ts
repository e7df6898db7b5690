/** Which chat has which session: what its log says goes to the chat, and what the person answers there goes to it. */
import { openQuestion } from "../core/agent/questions";
import { type AgentPorts, createSession, openSession } from "../core/agent/session/openSession";
import type { Session } from "../core/agent/session/session";
import { SessionError } from "../core/ground/ports";
import { readWholeLog } from "../core/log/readLog";
import { namesSecret } from "../core/secrets/redact";
import type { ApprovalAction } from "../shared/approval";
import { entryOf } from "../shared/entry";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import type { FieldOf, QuestionForm, QuestionReply } from "../shared/question";
import type { LogRecord, RecordOf } from "../shared/records";
import type { Redact } from "../shared/redacted";
import type { PermissionMode } from "../shared/settingValues";
import { visibleLine } from "../shared/shown";
import { questionText } from "../terminal/questionText";
import type { ChannelMessage, ChannelUpdate } from "./channel";
import type { ChannelParts, Outbox } from "./journal";

export interface ChatsDeps extends ChannelParts {
  outbox: Outbox;
  ports: AgentPorts;
  /** of new sessions; undefined: as the settings have it */
  mode: PermissionMode | undefined;
  /** who is heard: who was taken out of them is not */
  contacts: { has(chat: string): Promise<boolean> };
}

/** ms between two looks whether an answer is on disk; and how many: after a crash, the turn first opens its question again */
const [LOOK, LOOKS] = [50, 600];

export class Chats {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly deps: ChatsDeps) {}

  sessionOf(chat: string): Session | undefined {
    return this.sessions.get(chat);
  }

  get busy(): Session | undefined {
    return [...this.sessions.values()].find(({ state }) => state !== "idle");
  }

  /** Resolves when no session works. */
  async idle(): Promise<void> {
    for (let { busy } = this; busy; { busy } = this) await busy.idle();
  }

  /** Opens those that there were; a turn that waited for an answer still does. Rejects with the errors of the disk. */
  async open(): Promise<void> {
    const { journal, ports, tell } = this.deps;
    for (const [chat, id] of [...journal.sessions]) {
      if (!(await this.deps.contacts.has(chat))) continue;
      try {
        await this.attach(chat, await openSession(ports, id));
      } catch (error) {
        tell(t("! Session {0} cannot be opened: its chat begins a new one. {1}", id, errorMessage(error)));
        await journal.write({ kind: "session", chat });
      }
    }
  }

  async begin(chat: string): Promise<Session> {
    const { ports, journal, mode } = this.deps;
    const session = await createSession(ports);
    if (mode) await session.setMode(mode);
    await journal.write({ kind: "session", chat, session: session.id });
    await this.attach(chat, session);
    return session;
  }

  /** The next message begins another session. */
  async leave(chat: string): Promise<void> {
    await this.deps.journal.write({ kind: "session", chat });
    await this.sessions.get(chat)?.close();
    this.sessions.delete(chat);
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map(session => session.close()));
  }

  /** From now on its chat is told what its log has: also what was not sent yet. */
  private async attach(chat: string, session: Session): Promise<void> {
    const { outbox, fail, signal, ports } = this.deps;
    this.sessions.set(chat, session);
    const say = async (record: LogRecord, records: readonly LogRecord[]) => {
      const message = saidInChat(record, records, ports.redactor.redact);
      if (!message) return;
      const { sent } = await outbox.add(`${session.id}:${record.seq}`, chat, message.text, message.buttons);
      // A question that nobody can see would keep the workspace for ever.
      if (message.buttons) sent.then(number => (number === 0 ? session.stop() : undefined)).catch(() => undefined);
    };
    session.subscribe(event => {
      const { records } = session.history;
      if (event.type === "record") say(event.record, records).catch(error => signal.aborted || fail(error));
      if (event.type === "failure") this.deps.tell(`! ${event.error.message}`);
    });
    const { records } = await readWholeLog(session.history.files);
    for (const record of records) if (isOpen(session, record)) await say(record, records);
  }

  /** A press on a button. @returns what the person is told */
  async press({ chat, text }: ChannelUpdate): Promise<string> {
    const session = this.sessions.get(chat);
    const [, kind, what = "", id = ""] = /^([aq]):(\w{1,10}):(\w{1,50})$/.exec(text) ?? [];
    const action = session?.history.conversation.asked.get(id);
    const question = session && openQuestion(session.history.conversation);
    if (session && kind === "a" && action) {
      if (what !== "no" && isHidden(action, this.deps.ports.redactor.redact)) return hiddenWords();
      const decision = what === "no" ? ("deny" as const) : ("allow" as const);
      const scope = what === "session" ? ("session" as const) : ("once" as const);
      const isAsked = () => session.history.conversation.asked.has(id);
      const problem = await this.give(isAsked, () => session.answer(id, { decision, scope }));
      return problem ?? (what === "no" ? t("Refused.") : t("Allowed."));
    }
    if (!session || kind !== "q" || question?.questionId !== id) return t("This question is not open any more.");
    const field = choiceOf(question.form);
    const option = field?.options[Number(what)];
    if (!field || !option) return (await this.reply(session, id, { action: "decline" })) ?? t("The agent decides.");
    const values = { [field.name]: [option.value] };
    return (await this.reply(session, id, { action: "accept", values })) ?? t("Answered.");
  }

  /** Resolves once the answer is on disk, or with why that failed. */
  reply(session: Session, id: string, reply: QuestionReply): Promise<string | undefined> {
    const isAsked = () => openQuestion(session.history.conversation)?.questionId === id;
    return this.give(isAsked, () => session.reply(id, reply));
  }

  private async give(isAsked: () => boolean, answer: () => void): Promise<string | undefined> {
    try {
      answer();
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      return error.message;
    }
    // A press counts as done once its answer is on disk; after a crash, the turn first opens its question again.
    for (let looks = 0; looks < LOOKS && isAsked(); looks++) await this.deps.clock.sleep(LOOK, this.deps.signal);
    return undefined;
  }
}

/** false: it asks what was answered, or is asked anew, since */
function isOpen(session: Session, record: LogRecord): boolean {
  if (record.kind === "approval") return session.history.conversation.asked.has(record.approvalId);
  return record.kind !== "question" || openQuestion(session.history.conversation)?.questionId === record.questionId;
}

// What of a session's log is said in its chat: what a person is asked, and how a turn ended.

/** Telegram takes about a hundred; the others are answered by words. */
const MAX_BUTTONS = 90;

/** @param before all records that the log still has */
function saidInChat(record: LogRecord, before: readonly LogRecord[], redact: Redact): ChannelMessage | undefined {
  if (record.kind === "approval" && !record.answer) return approvalMessage(record, redact);
  if (record.kind === "question" && !record.answer) return questionMessage(record);
  const text = record.kind === "turnEnd" ? endWords(record, before) : "";
  return text.trim() === "" ? undefined : { text };
}

function approvalMessage({ action, approvalId }: RecordOf<"approval">, redact: Redact): ChannelMessage {
  const { rules: _, ...asked } = action;
  const button = (label: string, what: string) => ({ label, data: `a:${what}:${approvalId}` });
  const allow = [button(t("Allow once"), "once"), button(t("For this session"), "session")];
  const no = [button(t("No"), "no")];
  if (isHidden(action, redact)) return { text: `${questionText(asked)}\n${hiddenWords()}`, buttons: [no] };
  return { text: questionText(asked), buttons: [allow, no] };
}

/** A placeholder could stand for anything: it could hide what runs. */
const isHidden = ({ detail }: ApprovalAction, redact: Redact): boolean => namesSecret(redact(JSON.stringify(detail)));

const hiddenWords = () =>
  t("A secret in it is not shown here, so it cannot be allowed from here: only where the session is opened itself.");

function questionMessage({ form, questionId }: RecordOf<"question">): ChannelMessage {
  const button = (label: string, what: string) => [
    { label: [...visibleLine(label)].slice(0, 60).join(""), data: `q:${what}:${questionId}` },
  ];
  const options = (choiceOf(form)?.options ?? []).slice(0, MAX_BUTTONS);
  const buttons = options.map(({ label }, at) => button(label, String(at)));
  return { text: formText(form), buttons: [...buttons, button(t("Decide yourself"), "no")] };
}

/** The one field that a press can answer. */
function choiceOf({ fields }: QuestionForm): FieldOf<"choice"> | undefined {
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
  const { turn, reason, seq } = end;
  const words = before.findLast(
    record =>
      record.kind === "message" && record.seq < seq && record.message.metadata.turn === turn && wordsOf(record) !== "",
  );
  const said = words?.kind === "message" && words.message.role === "assistant" ? wordsOf(words) : "";
  const { title = "", lines = [] } = entryOf(end) ?? {};
  const told = said && reason === "done" ? lines : [title, ...lines];
  const goesOn = reason === "done" ? [] : [t("/continue goes on from there.")];
  return [said, [...told, ...goesOn].join("\n")].filter(Boolean).join("\n\n");
}

const wordsOf = ({ message }: RecordOf<"message">): string =>
  message.parts
    .flatMap(part => (part.type === "text" ? [part.text] : []))
    .join("\n")
    .trim();
