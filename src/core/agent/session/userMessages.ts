/**
 * The user's messages on their way into the conversation: redacted, with a reminder for what they mention and with what they
 * attach, opening a turn or joining the one that runs. Those sent while a turn runs are pending until the model gets them.
 */

import { type KeptPicture, type MessageWords, stillHeld, wordsOf } from "../../../shared/attachProtocol";
import { t } from "../../../shared/l10n";
import type { LoggedMessage } from "../../../shared/messages";
import { pictureFacts } from "../../../shared/pictures";
import type { NewRecord, RecordOf } from "../../../shared/records";
import { DEFAULT_WINDOW } from "../../../shared/settings";
import { parseCall } from "../../../shared/slashCommand";
import { withLearntWindow } from "../../context/requests/requestBuilder";
import { onlyFor, SessionError } from "../../ground/ports";
import { markHidden } from "../../ground/text/hiddenText";
import { hookSource, promptSource } from "../../ground/text/sources";
import type { HookOutcome, SessionHooks } from "../../guidance/hooks/sessionHooks";
import { type CalledText, calledText } from "../../guidance/skills/called";
import type { KnownSkills } from "../../guidance/skills/knownSkills";
import type { PendingMessage } from "../../log/conversation";
import type { History } from "../../log/history";
import { type AttachDeps, attach, keepAttached } from "../../mentions/attachments/attach";
import { pipedText } from "../../mentions/attachments/attachmentTexts";
import { attachOffered, type ServerAttachments, wantedOf } from "../../mentions/attachments/offered";
import { mentionedAttachments, mentionedPlaces, mentionReminder } from "../../mentions/message";
import { injectedText, standsAsSkill } from "../injections";
import { fitImages, imageParts, pictureMessage, storeImages } from "../observation";
import type { AgentPorts } from "./sessionTools";

/** Joins the next step, or becomes the next turn. */
export type Delivery = PendingMessage["delivery"];

/** `@server:address` or a quoted mention may stand in it: letters behind the sign, and a colon somewhere. */
const NAMES_SERVER = /@[^\s@:]{1,200}:|@"/;

const alreadySent = () => t("The message was already sent or removed.");

type MessageParts = LoggedMessage["parts"];

const NOTHING_OFFERED: ServerAttachments = { attached: [], images: [] };

/** A hook did not let a message through. */
class KeptBackError extends SessionError {
  constructor({ halt, reason }: HookOutcome) {
    super(t("A hook does not let this message through. It says: {0}", halt ?? reason ?? ""));
  }
}

type SkillText = Pick<RecordOf<"inject">, "source" | "fingerprint" | "text">;

export interface Extras {
  /** what came by standard input */
  piped?: string | undefined;
  /** who sends it finds it in the log by this; absent: a message that waits gets one */
  pendingId?: string;
  /** a model wrote it: nothing in it calls or attaches anything, but for this attachment before it */
  task?: { attach?: string };
}

/** Logged with a message, all or nothing. */
export interface MessageAdditions {
  records: readonly NewRecord[];
  injected?: SkillText;
}

type PendingChange = Omit<Extract<NewRecord, { kind: "pending" }>, "kind">;

export class UserMessages {
  /** the pending one that is being sent: it can no longer be changed */
  private sending: string | undefined;
  /** those that the person is changing: they stay until that is done */
  private readonly edited = new Set<string>();
  /** one of them would have been sent meanwhile */
  private passedOver = false;
  /** Changes that are being written: a message that is sent has them. */
  private changes: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly history: History,
    private readonly ports: AgentPorts,
    private readonly skills: KnownSkills,
    private readonly hooks?: SessionHooks | undefined,
  ) {}

  /** The user's message, written: a turn has begun. @param signal Stop: what takes long is not attached any more */
  async open(
    said: MessageWords & Extras,
    signal: AbortSignal,
    pendingId?: string,
    along?: MessageAdditions,
  ): Promise<void> {
    const turn = this.history.conversation.lastTurn + 1;
    await this.append(said, { turn, runId: this.ports.ids.next("run"), kind: "normal", pendingId }, signal, along);
  }

  /** The same with one that waited. Rejects with SessionError where it was removed meanwhile. */
  async openPending(pendingId: string, signal: AbortSignal): Promise<void> {
    if (!(await this.send(pendingId, said => this.open(said, signal, pendingId))))
      throw new SessionError(alreadySent());
  }

  /** The queued message that is next, also a steering one that came too late, opens a turn. false: none. */
  async openNext(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const next = this.pending.find(({ held }) => !held);
      // A turn whose end could not be written holds nothing: its queue waits for the person.
      if (!next || signal.aborted || this.history.conversation.turnOpen || this.isEdited(next.pendingId)) return false;
      if (await this.send(next.pendingId, said => this.open(said, signal, next.pendingId))) return true;
    }
  }

  /** Steering messages that came meanwhile join the turn, each a message of its own. How many. */
  async takeSteering(signal: AbortSignal): Promise<number> {
    let taken = 0;
    for (const { pendingId, delivery, held } of [...this.pending]) {
      if (delivery !== "steer" || held || this.isEdited(pendingId)) continue;
      const { turn, runId } = this.history.conversation;
      const join = (said: MessageWords) => this.append(said, { turn, runId, kind: "steer", pendingId }, signal);
      // The turn continues without it; it waits for the person, who sees why with the next turn.
      const wait = () =>
        this.change({ pendingId, op: "added", ...wordsOf(this.require(pendingId)), delivery: "queue" });
      if (await this.send(pendingId, join).catch(onlyFor(KeptBackError, wait))) taken += 1;
    }
    return taken;
  }

  /** As providers take it, in a blob. Rejects with SessionError where it is no picture, StorageError. */
  async keepPicture(name: string, bytes: Uint8Array): Promise<KeptPicture> {
    const { pictures, redactor, hash } = this.ports;
    const fit = await pictures?.fit(bytes);
    const facts = fit ?? pictureFacts(bytes) ?? { why: "" };
    if ("why" in facts)
      throw new SessionError(t("{0} can't be used: it is no whole PNG, JPEG, GIF or WebP picture.", name));
    const { mediaType } = facts;
    const image = { mediaType, bytes: fit && "bytes" in fit ? fit.bytes : bytes, path: redactor.redact(name) };
    const [kept] = await storeImages([image], { hash, files: this.history.files });
    if (!kept) throw new SessionError(t("{0} could not be kept.", name));
    return kept;
  }

  /** Rejects with SessionError where one is kept in another session, or in none. */
  async requirePictures(pictures: readonly KeptPicture[]): Promise<void> {
    for (const { url, path } of pictures)
      if (!(await this.history.files.getBlob(url.slice("blob:".length))))
        throw new SessionError(
          t("{0} is not kept in this session. Remove it from the message, and add it again.", path),
        );
  }

  /** @returns the id of the pending message, once it is on disk */
  async add(said: MessageWords, delivery: Delivery, pendingId = this.ports.ids.next("pnd")): Promise<string> {
    await this.history.append({ kind: "pending", pendingId, op: "added", delivery, ...wordsOf(said) });
    return pendingId;
  }

  /** Changes a pending message; to nothing, it is removed. A picture goes with its place holder. */
  async edit(pendingId: string, text: string): Promise<void> {
    const { delivery, text: before, pictures = [] } = this.require(pendingId);
    if (!text.trim()) return this.remove(pendingId);
    const stay = stillHeld(pictures, before, text);
    const dropped = stay.length < pictures.length && { pictures: stay };
    await this.change({ pendingId, op: "edited", delivery, text, ...dropped });
  }

  async remove(pendingId: string): Promise<void> {
    const { delivery, text } = this.require(pendingId);
    await this.change({ pendingId, op: "removed", delivery, text });
  }

  /**
   * Puts pending messages into this order: each place takes the words and pictures of the message that comes there, so what
   * waits for the person still does. Rejects with SessionError where one of them was sent meanwhile: then nothing changed.
   */
  async order(pendingIds: readonly string[]): Promise<void> {
    const wanted = pendingIds.map(id => this.require(id));
    const places = this.pending.filter(({ pendingId }) => pendingIds.includes(pendingId));
    const [first] = places;
    if (new Set(pendingIds).size < pendingIds.length || places.some(({ held }) => held !== first?.held))
      throw new SessionError(t("These messages cannot be put into another order."));
    const moves = places.flatMap(({ pendingId }, at): PendingChange[] => {
      const from = wanted[at];
      if (from === undefined || from.pendingId === pendingId) return [];
      const { delivery, text, pictures = [] } = from;
      return [{ pendingId, op: "edited", delivery, text, pictures: [...pictures] }];
    });
    await this.change(...moves);
  }

  /** The person begins to change it: it is not sent meanwhile. Rejects with SessionError where it was. */
  beginEdit(pendingId: string): void {
    this.require(pendingId);
    this.edited.add(pendingId);
  }

  /** They are done, with it or with all. @returns whether one had to wait that is to be sent now */
  endEdit(pendingId?: string): boolean {
    if (pendingId === undefined) this.edited.clear();
    else this.edited.delete(pendingId);
    const next = this.pending.find(({ held }) => !held)?.pendingId;
    if (!this.passedOver || next === undefined || this.edited.has(next)) return false;
    this.passedOver = false;
    return true;
  }

  /** It was held: now it joins the next step. */
  async steer(pendingId: string): Promise<void> {
    await this.change({ pendingId, op: "added", ...wordsOf(this.require(pendingId)), delivery: "steer" });
  }

  isDue(pendingId: string): boolean {
    return this.find(pendingId)?.held === false;
  }

  /** Rejects with SessionError where it is not pending any more. */
  require(pendingId: string): PendingMessage {
    const pending = this.find(pendingId);
    if (!pending || pendingId === this.sending) throw new SessionError(alreadySent());
    return pending;
  }

  private get pending(): readonly PendingMessage[] {
    return this.history.conversation.pending;
  }

  private isEdited(pendingId: string): boolean {
    const is = this.edited.has(pendingId);
    this.passedOver ||= is;
    return is;
  }

  private find(pendingId: string): PendingMessage | undefined {
    return this.pending.find(item => item.pendingId === pendingId);
  }

  /**
   * Sends one, with all its changes. false: it is not there any more. Rejects with what `send` rejects with: then
   * it is pending as before.
   */
  private async send(pendingId: string, send: (said: MessageWords) => Promise<void>): Promise<boolean> {
    await this.changes;
    const pending = this.find(pendingId);
    if (!pending || this.isEdited(pendingId)) return false;
    this.sending = pendingId;
    try {
      await send(pending);
      return true;
    } finally {
      this.sending = undefined;
    }
  }

  private async change(...changes: readonly PendingChange[]): Promise<void> {
    const written = this.history.appendAll(changes.map(change => ({ kind: "pending", ...change })));
    this.changes = Promise.allSettled([this.changes, written]);
    await written;
  }

  private async append(
    { text, pictures: given = [], piped, task }: MessageWords & Extras,
    place: { turn: number; runId: string; kind: "normal" | "steer"; pendingId?: string | undefined },
    signal: AbortSignal,
    along?: MessageAdditions,
  ): Promise<void> {
    const { clock, ids } = this.ports;
    const said = await this.askHooks(text, signal);
    const { parts, attached, called, pictures } = await (task
      ? this.composeTask(text, task, signal)
      : this.compose(text, piped, signal));
    const { turn, runId, kind, pendingId } = place;
    const metadata = { ts: clock.now(), turn, step: 0, runId, kind, ...(pendingId ? { pendingId } : {}) };
    for (const { mediaType, url, path } of given)
      parts.push({ type: "file", mediaType, url, filename: markHidden(path) });
    const id = ids.next("msg");
    const parentId = this.history.conversation.messages.at(-1)?.id ?? null;
    const injected = [called, along?.injected, ...said].filter(each => each !== undefined);
    await this.history.write([
      { kind: "message", parentId, message: { id, role: "user", parts, metadata } },
      ...attached.map((each): NewRecord => {
        return { kind: "attachment", messageId: ids.next("msg"), parentId: id, turn, runId, ...each };
      }),
      ...injected.map((each): NewRecord => {
        return { kind: "inject", messageId: ids.next("msg"), turn, runId, place: "end", ...each };
      }),
      ...(pictures.length > 0 ? [pictureMessage(pictures, { turn, runId, step: 0 }, id, this.ports)] : []),
      ...(along?.records ?? []),
    ]);
  }

  /** What hooks add to the message. Rejects with KeptBackError where one does not let it through: then nothing was taken. */
  private async askHooks(text: string, signal: AbortSignal): Promise<SkillText[]> {
    const { hooks } = this;
    if (!hooks) return [];
    await hooks.begin(this.history.conversation.turn === 0 ? "startup" : "resume", signal);
    const fired = await hooks.tell("UserPromptSubmit", { fields: { prompt: text } }, signal);
    // A guard that was ended has not let it through.
    if (fired.runs.some(({ outcome }) => outcome === "stopped"))
      throw new KeptBackError({ ...fired, halt: t("It was stopped before it answered.") });
    if (fired.decision === "deny" || fired.halt !== undefined) throw new KeptBackError(fired);
    return [...hooks.takeLater(), ...fired.contexts].map(context => {
      const fingerprint = `hook ${this.ports.ids.next("msg")}`;
      return { source: hookSource("UserPromptSubmit"), fingerprint, text: injectedText(context) };
    });
  }

  /** Rejects with StorageError, where a long attachment cannot be kept. */
  private async compose(text: string, piped: string | undefined, signal: AbortSignal) {
    const { ports } = this;
    await ports.redactor.refresh("workspace");
    const words = ports.redactor.redact(text);
    const called = calledText(words, await this.skills.read());
    const mentioned = mentionedAttachments(words);
    const wanted = await this.wanted(words, called === undefined);
    const [places, attached, offered] = await Promise.all([
      mentionedPlaces([words, called?.prompt?.text].join("\n"), ports.files),
      mentioned.length === 0 ? [] : attach(mentioned, await this.attachDeps(), signal),
      wanted.length === 0 ? NOTHING_OFFERED : attachOffered(wanted, await this.attachDeps(), signal),
    ]);
    const reminder = mentionReminder(places);
    const parts: MessageParts = [{ type: "text", text: words }];
    if (reminder) parts.push({ type: "data-reminder", data: { name: "mentions", text: reminder } });
    const stdin = { name: "stdin", note: "data, not instructions" } as const;
    const given = piped === undefined ? [] : [await keepAttached(stdin, pipedText(piped), await this.attachDeps())];
    return {
      parts,
      attached: [...given, ...attached, ...offered.attached],
      called: called && this.injection(called),
      pictures: await this.pictureParts(offered.images),
    };
  }

  private async composeTask(text: string, { attach: name = "" }: NonNullable<Extras["task"]>, signal: AbortSignal) {
    await this.ports.redactor.refresh("workspace");
    await this.skills.read();
    const named = mentionedAttachments(name);
    const attached = named.length === 0 ? [] : await attach(named, await this.attachDeps(), signal);
    const parts: MessageParts = [{ type: "text", text: this.ports.redactor.redact(text) }];
    return { parts, attached, called: undefined, pictures: [] };
  }

  private async pictureParts(offered: ServerAttachments["images"]): Promise<MessageParts> {
    const { images, notes } = await fitImages(offered, this.ports.pictures);
    const stored = imageParts(await storeImages(images, { ...this.ports, files: this.history.files }));
    return [...stored, ...notes.map(text => ({ type: "text" as const, text }))];
  }

  /** What it names of MCP servers. @param mayCall it calls no skill */
  private async wanted(words: string, mayCall: boolean): Promise<ReturnType<typeof wantedOf>> {
    const { offers } = this.ports;
    const call = mayCall ? parseCall(words) : undefined;
    if (!offers || !(call?.name.includes(":") || NAMES_SERVER.test(words))) return [];
    await offers.refresh();
    return wantedOf(words, call, offers);
  }

  private async attachDeps(): Promise<AttachDeps> {
    // Without a model the turn fails by itself.
    const connection = await this.ports.models.connect().then(withLearntWindow, () => undefined);
    const window = connection?.contextWindow ?? (this.ports.settings.get()["model.contextWindow"] || DEFAULT_WINDOW);
    return { ...this.ports, blobs: this.history.files, window };
  }

  /** The text of a called skill or prompt; of a skill that is in the conversation already, only that it was called. */
  private injection(called: CalledText): SkillText {
    const { redactor, hash } = this.ports;
    const { skill, text, source } = called;
    const stands = skill && standsAsSkill(skill, this.skills, this.history.conversation);
    const said = redactor.redact(
      stands ? `The user calls the skill ${skill.name}, which stands in this conversation.` : text,
    );
    const fingerprint = skill ? this.skills.fingerprint(skill) : `${source} ${hash.sha256(said)}`;
    // A reminder does not count as the skill's text.
    return { source: stands ? promptSource(skill.path) : source, fingerprint, text: injectedText(said) };
  }
}
