/** What the components can do: mostly requests to the host, whose refusals become notices. */

import { noCompactionTo } from "../../../src/shared/entry";
import { errorMessage } from "../../../src/shared/errorMessage";
import { t } from "../../../src/shared/l10n";
import type { PanelMethod, PanelParams, PanelResult, PanelSubview } from "../../../src/shared/panelProtocol";
import type { Draft, FieldDrafts } from "../../../src/shared/panelSnapshot";
import type { QuestionReply } from "../../../src/shared/question";
import { permissionModes } from "../../../src/shared/settingValues";
import type { CallableName } from "../../../src/shared/slashCommand";
import { createListeners, type Host, type HostMessage } from "../bridge/host";
import { undoable } from "../store/compactions";
import type { Notice } from "../store/state";
import type { Store } from "../store/store";
import { PanelFind } from "./find";
import { HeldByComposer } from "./held";
import { isYes, QuestionDrafts } from "./questions";
import { Talk, textToRestore } from "./talk";

type HostText = Extract<HostMessage, { type: "compose" }>;
/**
 * Text for the composer: the host's; to `insert` at the cursor; to `restore`, since it could not be sent; to `send`, unless another
 * is there.
 */
export type Compose = HostText | (Omit<HostText, "op"> & { op: "insert" | "restore" | "send" });

/** A person wants to see what these lead to. */
const acts: ReadonlySet<PanelMethod> = new Set(["submit", "sendPending", "resume", "compact", "answer", "reply"]);

/** What the panel asks by itself: a notice goes with what a person does next. */
const unasked: ReadonlySet<PanelMethod> = new Set([
  ...(["older", "turnChanges", "beginEdit", "endEdit", "mcpServers", "mcpLists"] as const),
  ...(["searchSessions", "contextView", "contextTurns", "sentRequests", "sessions"] as const),
  ...(["modelWays", "offers", "found", "tools", "tryCommand"] as const),
]);

/** What is written into a question is kept this often, ms. */
const KEEP_MS = 200;

const notLoaded = () => t("No such compaction is loaded. Scroll up to load earlier messages, then send this again.");

export class Panel {
  readonly composed = createListeners<Compose>();
  readonly filesChanged = createListeners<void>();
  readonly #mcpChanged = createListeners<void>();
  readonly #viewAsked = createListeners<PanelSubview>();
  /** The person sent or answered something. */
  readonly acted = createListeners<void>();
  /** The session of this id goes: the composer's text is kept for it. */
  readonly leaving = createListeners<string>();
  /** Another session comes: what was typed for it, and whether the text in the composer goes along where nothing was. */
  readonly turned = createListeners<{ draft: Draft; keeps: boolean }>();
  /** the composer's text and messages on their way, as kept last */
  #composer: Draft;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #opening = Promise.resolve();
  #callable: readonly CallableName[] = [];
  #reopening = false;
  /** Each gives back what ends it. */
  readonly onMcpChanged = this.#mcpChanged.on;
  /** The person wants to see something in the conversation's place. */
  readonly onViewAsked = this.#viewAsked.on;
  readonly questions: QuestionDrafts;
  readonly held: HeldByComposer;
  readonly talk = new Talk(this);
  readonly find: PanelFind;
  /** words for who hears the panel, in their order: one region says all of them (components/conversation/Spoken.tsx) */
  readonly spoken = createListeners<string>();
  /** ids of sessions that were left by an action in the list of sessions: it stays open */
  readonly leftInList = new Set<string>();

  /** @param clock ms since the epoch */
  constructor(
    private readonly host: Host,
    readonly store: Store,
    /** what a reload kept */
    readonly draft: Draft,
    private readonly clock: () => number,
  ) {
    this.#composer = draft;
    this.questions = new QuestionDrafts(store, draft.answers);
    this.held = new HeldByComposer(draft.held);
    this.find = new PanelFind(host, store, until => this.older(until));
    host.onMessage(message => this.#receive(message));
  }

  /** A request to the host. undefined: refused, a notice says why */
  ask<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M> | undefined> {
    if (acts.has(method)) this.acted.tell();
    const { notice, session } = this.store.get();
    if (notice !== null && !unasked.has(method)) this.say(null);
    return this.host.request(method, params).catch((error: unknown) => {
      // Of a session that is not shown any more there is nothing to say.
      if (this.store.get().session.sessionId === session.sessionId) this.say(errorMessage(error));
      return undefined;
    });
  }

  /** Opens what the host has open: a snapshot, or a state that says why not. */
  open(): Promise<void> {
    this.store.dispatch({ type: "loading" });
    return this.#reopen();
  }

  newSession = () => this.#askThen("newSession", {}, snapshot => this.#show(snapshot));
  openSession = (id: string) => this.#askThen("openSession", { id }, snapshot => this.#show(snapshot));

  /**
   * Sends a message, once the session is open. If a question is open, the message answers it; an approval stays, and the agent
   * reads the message with its outcome. false: the message was not taken, and the text is still the caller's.
   */
  async submit(
    text: string,
    delivery: "steer" | "queue",
    pictures: NonNullable<PanelParams<"submit">["pictures"]> = [],
  ): Promise<boolean> {
    if (!(await this.#whenOpen())) return false;
    const { approvalId, ofAgent, isNew } = this.questions;
    // An answer takes none, so they are a message.
    if (pictures.length > 0)
      return this.takesPictures() && (await this.ask("submit", { text, delivery, pictures })) !== undefined;
    if (ofAgent !== undefined && !isNew && delivery === "steer")
      return (await this.reply(ofAgent, { action: "accept", words: text })) !== undefined;
    // Typing never allows anything, and who means yes must not wait for it.
    if (approvalId !== undefined && !isNew && delivery === "steer" && isYes(text)) {
      this.say(t("To allow it, press the button of the question."));
      return false;
    }
    return (await this.ask("submit", { text, delivery })) !== undefined;
  }

  /** false: the model would not see them, which is said */
  takesPictures(): boolean {
    const model = this.store.get().surroundings?.model;
    if (model?.state !== "ready" || model.seesPictures !== false) return true;
    this.say(t("{0} can't see pictures. Choose another model or remove them.", model.name));
    return false;
  }

  reply = async (questionId: string, reply: QuestionReply) => {
    const taken = await this.ask("reply", { questionId, ...reply });
    if (taken !== undefined) this.questions.forget(questionId);
    if (taken !== undefined) this.#keepSoon();
    return taken;
  };

  /** The texts in the fields of a question. @param kept those that may be on disk */
  keepAnswer(questionId: string, whole: FieldDrafts, kept: FieldDrafts): void {
    this.questions.setDraft(questionId, whole, kept);
    this.#keepSoon();
  }

  #keepSoon(): void {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.keepDraft(this.#composer), KEEP_MS);
  }

  /** Compacts history; events tell its progress. false: refused */
  async compact(guidance?: string): Promise<boolean> {
    return (await this.#whenOpen()) && (await this.ask("compact", guidance ? { guidance } : {})) !== undefined;
  }

  /** false: refused, or there is no such mode */
  async setMode(word: string): Promise<boolean> {
    const mode = permissionModes.find(each => each === word.trim().toLowerCase());
    if (mode === undefined) this.say(t("Choose a mode: {0}.", `/mode ${permissionModes.join(", /mode ")}`));
    return mode !== undefined && (await this.#whenOpen()) && (await this.ask("setMode", { mode })) !== undefined;
  }

  /** Skills and prompts that a message can call; those of a moment ago where the host does not answer. */
  async callable(): Promise<readonly CallableName[]> {
    this.#callable = (await this.askQuietly("callable", {}))?.names ?? this.#callable;
    return this.#callable;
  }

  show(view: PanelSubview): void {
    this.say(null);
    this.#viewAsked.tell(view);
  }

  /** What the conversation cost, as a notice. false: refused */
  async showCost(): Promise<boolean> {
    const costs = (await this.#whenOpen()) ? await this.ask("costs", {}) : undefined;
    if (costs) this.say(costs.lines.join("\n"), "answer");
    return costs !== undefined;
  }

  /** The compaction that can be undone or redone now; where none can, a notice says so. false: refused, or not known */
  async takeBack(way: "undo" | "redo"): Promise<boolean> {
    if (!(await this.#whenOpen())) return false;
    const { session } = this.store.get();
    const compactionId = undoable(session)[way];
    if (compactionId !== null) return (await this.ask(`${way}Compaction`, { compactionId })) !== undefined;
    this.say(session.hasOlder ? notLoaded() : noCompactionTo(way));
    return !session.hasOlder;
  }

  /** Fetches records from before those that are loaded. @param until all down to that number; else some */
  async older(until?: number): Promise<void> {
    const { sessionId, firstSeq: before, hasOlder } = this.store.get().session;
    if (!hasOlder || before === null) return;
    const params = until === undefined ? { before } : { before, until };
    await this.#askThen("older", params, answer =>
      this.store.dispatch({ type: "older", sessionId, before, ...answer }),
    );
  }

  /** Asks the host what the turn made of its files. */
  refreshChanges(turn: number): Promise<void> {
    const { sessionId } = this.store.get().session;
    return this.#askThen("turnChanges", { turn }, told =>
      this.store.dispatch({ type: "turnFiles", sessionId, turn, told }),
    );
  }

  openFile(path: string, line?: number, more: { column?: number; to?: number } = {}): void {
    void this.ask("openFile", line === undefined ? { path } : { path, line, ...more });
  }

  /** Keeps it over a reload, with the texts in questions. A failure is not said: typing must not be disturbed. */
  keepDraft = ({ draft, inFlight }: Draft) => {
    clearTimeout(this.#keeping);
    this.#composer = { draft, inFlight };
    const { answers } = this.questions;
    const held = this.held.kept([draft, ...inFlight]);
    const { sessionId } = this.store.get().session;
    const kept = {
      ...this.#composer,
      ...(Object.keys(answers).length > 0 && { answers }),
      ...(Object.keys(held).length > 0 && { held }),
      ...(sessionId !== "" && { sessionId }),
    };
    void this.askQuietly("keepDraft", kept);
  };
  /** Rejects with why not: the caller says it where it belongs. */
  request: Host["request"] = (method, params) => this.host.request(method, params);
  act = (action: PanelParams<"action">["action"]) => this.ask("action", { action });
  say = (text: string | null, kind: Notice["kind"] = "problem") =>
    this.store.dispatch({ type: "notice", notice: text === null ? null : { kind, text } });
  /** Puts text into the composer. */
  compose = (text: string, op: Compose["op"] = "insert") =>
    this.composed.tell({ type: "compose", op, text, focus: op === "insert" || op === "restore" });

  /** What the host sends by itself goes to the store, or into the composer. Records that were missed are fetched by opening again. */
  #receive(message: HostMessage): void {
    if (message.type === "compose") this.composed.tell(message);
    else if (message.type === "filesChanged") this.filesChanged.tell();
    else if (message.type === "mcpChanged") this.#mcpChanged.tell();
    else if (message.type === "show") this.show(message.view);
    else if (message.type === "find") this.find.open();
    else if (message.type === "reveal") void this.find.reveal(message.key, message.seq);
    else if (message.type === "snapshot") this.#show(message.snapshot);
    else if (message.type === "events") this.store.dispatch({ ...message, now: this.clock() });
    else this.store.dispatch(message);
    if (message.type !== "events") return;
    if (this.store.get().gap) void this.reopen();
    const text = textToRestore(this.store.get(), message);
    if (text !== undefined) this.compose(text, "restore");
  }

  /** Opens the session anew, without a word: records were missed, or too many are here. */
  async reopen(): Promise<void> {
    if (this.#reopening) return;
    this.#reopening = true;
    await this.#reopen();
    this.#reopening = false;
  }

  #reopen(): Promise<void> {
    const fail = (error: unknown) => this.store.dispatch({ type: "failed", problem: errorMessage(error) });
    this.#opening = this.host
      .request("open", {})
      .then(snapshot => this.#show(snapshot))
      .catch(fail);
    return this.#opening;
  }

  /** false: the session could not be opened, or can only be read */
  async #whenOpen(): Promise<boolean> {
    await this.#opening;
    const { phase, session } = this.store.get();
    return phase === "open" && !session.readOnly;
  }

  #show(snapshot: PanelResult<"open">): void {
    const { sessionId, deleted } = this.store.get().session;
    if (sessionId !== "" && sessionId !== snapshot.sessionId) {
      const { draft = { draft: "", inFlight: [] } } = snapshot;
      // First: the composer's text is kept for the session that goes.
      this.leaving.tell(sessionId);
      this.turned.tell({ draft, keeps: deleted && draft.draft === "" });
      this.questions.begin(draft.answers);
    } else if (sessionId === "") this.held.take(snapshot.draft?.held);
    this.store.dispatch({ type: "snapshot", snapshot, now: this.clock() });
  }

  /** undefined: refused, which is not worth a notice while a person types: the page is still true. */
  askQuietly<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M> | undefined> {
    return this.host.request(method, params).catch(() => undefined);
  }

  async #askThen<M extends PanelMethod>(method: M, params: PanelParams<M>, use: (answer: PanelResult<M>) => void) {
    const answer = await this.ask(method, params);
    if (answer !== undefined) use(answer);
  }
}
