/** Which chat has which session: what its log says goes to the chat, and what the person answers there goes to it. */
import { type AgentPorts, createSession, openSession } from "../core/agent/session/openSession";
import type { Session } from "../core/agent/session/session";
import { SessionError } from "../core/ground/ports";
import { readWholeLog } from "../core/log/readLog";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import type { QuestionReply } from "../shared/question";
import type { LogRecord, RecordOf } from "../shared/records";
import type { PermissionMode } from "../shared/settingValues";
import type { ChannelUpdate } from "./channel";
import type { Journal } from "./journal";
import type { Outbox } from "./outbox";
import { choiceOf, hiddenWords, isHidden, saidInChat } from "./said";

export interface ChatsDeps {
  journal: Journal;
  outbox: Outbox;
  ports: AgentPorts;
  /** of new sessions; undefined: as the settings have it */
  mode: PermissionMode | undefined;
  tell(text: string): void;
  /** It cannot go on. */
  fail(error: unknown): void;
  signal: AbortSignal;
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
    const { outbox, fail, signal } = this.deps;
    this.sessions.set(chat, session);
    const say = async (record: LogRecord, records: readonly LogRecord[]) => {
      for (const [at, message] of saidInChat(record, records).entries())
        await outbox.add(`${session.id}:${record.seq}:${at}`, chat, message);
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
    const question = session && openQuestion(session);
    if (session && kind === "a" && action) {
      if (what !== "no" && isHidden(action)) return hiddenWords();
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
    const isAsked = () => openQuestion(session)?.questionId === id;
    return this.give(isAsked, () => session.reply(id, reply));
  }

  private async give(isAsked: () => boolean, answer: () => void): Promise<string | undefined> {
    let given = false;
    let problem: string | undefined;
    for (let looks = 0; looks < LOOKS && (!given || isAsked()); looks++) {
      try {
        if (!given) answer();
        given = true;
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        problem = error.message;
        if (!isAsked()) return problem;
      }
      if (isAsked()) await this.deps.ports.clock.sleep(LOOK, this.deps.signal);
    }
    return given ? undefined : problem;
  }
}

/** The agent's question that waits for its answer. */
export const openQuestion = ({ history }: Session): RecordOf<"question"> | undefined =>
  [...history.conversation.questions.values()].find(({ answer }) => answer === undefined);

/** false: it asks what was answered, or is asked anew, since */
function isOpen(session: Session, record: LogRecord): boolean {
  if (record.kind === "approval") return session.history.conversation.asked.has(record.approvalId);
  return record.kind !== "question" || openQuestion(session)?.questionId === record.questionId;
}
