/** The agent, reached by a channel: what comes is on disk before it counts, and one turn runs in the workspace at a time. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openQuestion } from "../core/agent/questions";
import type { Session } from "../core/agent/session/session";
import { SessionError } from "../core/ground/ports";
import { size } from "../core/ground/text/format";
import { readWholeLog } from "../core/log/readLog";
import { makePrivateFolder } from "../node/disk";
import { FILE_MODE } from "../node/fileSystem";
import { SerialQueue } from "../shared/async";
import type { KeptPicture } from "../shared/attachProtocol";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import type { LogRecord } from "../shared/records";
import { type ChannelError, type ChannelUpdate, persistently } from "./channel";
import { Chats, type ChatsDeps } from "./chats";
import type { Contacts } from "./contacts";

interface ServeDeps extends ChatsDeps {
  contacts: Contacts;
  /** absolute: where files are kept that come */
  folder: string;
}

/** A message that waits for its turn. */
interface QueuedUpdate {
  update: ChannelUpdate;
  /** A process before may have submitted it. */
  isOld: boolean;
}

/** bytes of a file that comes */
const MAX_FILE = 20 * 1024 * 1024;
/** a file that does not come so often keeps nobody else waiting */
const MAX_DOWNLOADS = 8;
/** messages of a chat that wait at most */
const MAX_WAITING = 20;
/** ms; also how often it is noted that the service was reached */
const [HOUR, NOTED_EVERY] = [3_600_000, 600_000];

export class Serve {
  private readonly chats: Chats;
  /** those that can still be dropped, oldest first */
  private readonly tasks = new Set<QueuedUpdate>();
  private readonly queue = new SerialQueue();
  private readonly turns = new SerialQueue();

  constructor(private readonly deps: ServeDeps) {
    this.chats = new Chats(deps);
  }

  /** Until the signal. Rejects with ErrorForPeople and the errors of the disk. */
  async run(): Promise<void> {
    const { journal, outbox, contacts, signal } = this.deps;
    await contacts.all();
    await this.chats.open();
    await outbox.resume();
    contacts.show();
    for (const update of [...journal.open.values()]) this.begin(() => this.handle(update, true));
    try {
      while (!signal.aborted) await this.poll();
    } catch (error) {
      // Nothing that waits is begun while it ends.
      this.deps.fail(error);
      throw error;
    } finally {
      await this.chats.close();
    }
  }

  // What comes.

  private async poll(): Promise<void> {
    const { channel, signal, tell } = this.deps;
    let isLost = false;
    const lost = ({ message }: ChannelError) => {
      if (!isLost) tell(t("! {0} Strata goes on trying.", message));
      isLost = true;
    };
    const updates = await persistently(() => channel.receive(signal), this.deps, lost);
    if (isLost) tell(t("The channel is back."));
    await this.reached();
    await this.take(updates);
  }

  /** After more than a day, it is told that messages may be lost. */
  private async reached(): Promise<void> {
    const { journal, outbox, clock, contacts } = this.deps;
    const [before, ts] = [journal.reached, clock.now()];
    if (ts - before < NOTED_EVERY) return;
    if (before > 0 && ts - before > 24 * HOUR) {
      const hours = Math.floor((ts - before) / HOUR);
      const text = t(
        "Strata was out of reach for {0} hours. What was sent more than 24 hours ago is lost: send it again.",
        hours,
      );
      for (const chat of (await contacts.all()).values()) await outbox.add(`g:${before}:${chat}`, chat, text);
    }
    await journal.write({ kind: "poll", ts });
  }

  /** On disk when it resolves: the service may forget it then. */
  private async take(updates: readonly ChannelUpdate[]): Promise<void> {
    const { journal, contacts, clock } = this.deps;
    const strangers: ChannelUpdate[] = [];
    for (const update of updates) {
      if (journal.seen.has(update.id)) continue;
      // In a private chat, it is the person's own.
      if (update.isPrivate && update.chat === update.person && (await contacts.has(update.chat))) {
        await journal.write({ kind: "in", ts: clock.now(), update });
        this.begin(() => this.handle(update, false));
      } else strangers.push(update);
    }
    if (strangers.length === 0) return;
    // One line for all: a flood costs paired people no time.
    await journal.write({ kind: "refused", ids: strangers.map(({ id }) => id) });
    for (const update of strangers) {
      const words = update.kind === "press" ? undefined : await contacts.meet(update);
      if (update.kind === "press") this.answerPress(update, t("This question is for another person."));
      else if (words !== undefined) await this.say(update, words);
    }
  }

  private begin(work: () => Promise<void>, queue = this.queue): void {
    const { signal, fail } = this.deps;
    queue.run(work).catch(error => signal.aborted || fail(error));
  }

  private async handle(update: ChannelUpdate, isOld: boolean): Promise<void> {
    const { channel, signal, contacts } = this.deps;
    if (!(await contacts.has(update.chat))) return this.done(update);
    if (update.kind === "press") {
      const words = await this.chats.press(update);
      this.answerPress(update, words);
      channel.edit(update.chat, update.message, signal).catch(ignored);
    } else if (update.kind === "edit")
      await this.say(update, t("A change of a message does not reach the agent: send a new message."));
    else if (!(await this.obey(update)) && !(await this.reply(update, isOld))) {
      const waiting = this.tasksOf(update);
      if (isOld || waiting.length < MAX_WAITING) {
        const task = { update, isOld };
        this.tasks.add(task);
        return this.begin(() => this.turn(task), this.turns);
      }
      // One answer as long as the same ones wait.
      const text = t("{0} messages wait already, so this one was not taken. Send it later.", MAX_WAITING);
      await this.deps.outbox.add(`u:full:${waiting[0]?.update.id}`, update.chat, text);
    }
    await this.done(update);
  }

  /** For who looks at the button now: nothing is lost with it. */
  private answerPress({ press = "" }: ChannelUpdate, words: string): void {
    this.deps.channel.answerPress(press, words, this.deps.signal).catch(ignored);
  }

  private async done({ id }: ChannelUpdate): Promise<void> {
    await this.deps.journal.write({ kind: "done", id });
  }

  private async say({ id, chat }: ChannelUpdate, text: string): Promise<void> {
    await this.deps.outbox.add(`u:${id}`, chat, text);
  }

  private tasksOf({ chat }: ChannelUpdate): QueuedUpdate[] {
    return [...this.tasks].filter(task => task.update.chat === chat);
  }

  /** @returns false: it is no command */
  private async obey(update: ChannelUpdate): Promise<boolean> {
    const name = /^\/(start|help|new|stop|continue|status)(?:@\w+)?(?:\s|$)/.exec(update.text)?.[1];
    if (name === undefined) return false;
    await this.say(update, await this.obeyed(name, update));
    return true;
  }

  /** @returns what the person is told */
  private async obeyed(name: string, update: ChannelUpdate): Promise<string> {
    const session = this.chats.sessionOf(update.chat);
    if (name === "status")
      return t(
        "Session {0}: {1}. Waiting messages: {2}. Refused, of chats that are not paired: {3}",
        ...[session?.id ?? "–", session?.state ?? "–", this.tasksOf(update).length, this.deps.journal.refused],
      );
    if (name === "stop") return this.stop(update, session);
    if (name === "new" && session && session.state !== "idle") return t("It still works: /stop ends that.");
    if (name === "new") {
      await this.chats.leave(update.chat);
      return t("The next message begins a new session.");
    }
    if (name === "continue") {
      if (!session || this.chats.busy) return t("There is nothing to go on with now.");
      this.begin(async () => {
        await this.chats.idle();
        await session.resume().catch((error: unknown) => this.say(update, errorMessage(error)));
      }, this.turns);
      return t("It goes on.");
    }
    return t("Send a task, a picture or a file. /new, /stop, /continue, /status: as they say.");
  }

  private async stop(update: ChannelUpdate, session: Session | undefined): Promise<string> {
    const dropped = this.tasksOf(update);
    for (const task of dropped) {
      this.tasks.delete(task);
      await this.done(task.update);
    }
    await session?.stop();
    return t("Stopped. Waiting messages that were dropped: {0}", dropped.length);
  }

  /** A message while the agent asks is the answer. @returns false: there is no question, or it may have come before it */
  private async reply(update: ChannelUpdate, isOld: boolean): Promise<boolean> {
    const { journal } = this.deps;
    const session = this.chats.sessionOf(update.chat);
    if (!session) return false;
    const before = journal.replies.get(update.id);
    if (isOld && before === undefined) return false;
    const isAnswered = session.history.records.some(
      record => record.kind === "question" && record.questionId === before && record.answer !== undefined,
    );
    if (isAnswered) return true;
    const question = openQuestion(session.history.conversation);
    if (!question || update.file || update.text.trim() === "") return false;
    await journal.write({ kind: "reply", id: update.id, question: question.questionId });
    const problem = await this.chats.reply(session, question.questionId, { action: "accept", words: update.text });
    if (problem !== undefined) await this.say(update, problem);
    return true;
  }

  // Turns.

  /** One message after the other, as they came, each once nothing runs. */
  private async turn(task: QueuedUpdate): Promise<void> {
    const { signal, contacts } = this.deps;
    const pendingId = `chat_${task.update.id}`;
    try {
      const bytes = await this.download(task.update);
      await this.chats.idle();
      // It was dropped meanwhile.
      if (!this.tasks.has(task)) return;
      if (!(await contacts.has(task.update.chat))) throw new SessionError(t("This chat is not paired any more."));
      const session = this.chats.sessionOf(task.update.chat) ?? (await this.chats.begin(task.update.chat));
      const isThere = task.isOld && (await hasMessage(session, pendingId));
      this.tasks.delete(task);
      const { text, pictures } = await this.received(session, task.update, bytes);
      if (!isThere) await session.submit(text, "queue", pictures, { pendingId });
    } catch (error) {
      signal.throwIfAborted();
      this.tasks.delete(task);
      await this.say(task.update, t("This message was not taken. {0}", errorMessage(error)));
    }
    await this.done(task.update);
  }

  private async download({ file }: ChannelUpdate): Promise<Uint8Array | undefined> {
    if (!file) return undefined;
    if ((file.bytes ?? 0) > MAX_FILE)
      throw new SessionError(t("This file is too large: at most 20 MB can come this way."));
    const { channel, signal } = this.deps;
    return persistently(
      () => channel.file(file.id, signal),
      this.deps,
      () => undefined,
      MAX_DOWNLOADS,
    );
  }

  /** What its file becomes: a picture, by its bytes, or a file that is named to the agent. */
  private async received(session: Session, { id, text, file }: ChannelUpdate, bytes: Uint8Array | undefined) {
    const pictures: KeptPicture[] = [];
    if (!file || !bytes) return { text, pictures };
    try {
      pictures.push(await session.keepPicture(file.name, bytes));
      return { text, pictures };
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
    }
    // A stranger may have chosen the name: no folder, nothing that a shell takes for more, no hidden file.
    const name = file.name.replace(/[^\p{L}\p{N}._-]/gu, "_").slice(-80);
    const path = join(this.deps.folder, `${id}-${name}`);
    await makePrivateFolder(this.deps.folder);
    await writeFile(path, bytes, { mode: FILE_MODE });
    return { text: `${text}\n\n(A file came with this message: ${path}, ${size(bytes.length)})`.trim(), pictures };
  }
}

/** Whether the log has that message. Rejects with StorageError. */
async function hasMessage({ history }: Session, pendingId: string): Promise<boolean> {
  const { records } = await readWholeLog(history.files);
  return records.some(record =>
    record.kind === "message" ? record.message.metadata.pendingId === pendingId : isPending(record, pendingId),
  );
}

const isPending = (record: LogRecord, id: string) => record.kind === "pending" && record.pendingId === id;

const ignored = (): void => undefined;
