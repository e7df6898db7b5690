/** A message that is sent before a model is there waits in its session, on disk, and goes out once one is ready. */
import type * as vscode from "vscode";
import type { Session } from "../../../core/agent/session/session";
import type { Delivery } from "../../../core/agent/session/userMessages";
import type { KeptPicture } from "../../../shared/attachProtocol";
import type { Sessions } from "../sessions/sessions";

/** under it is kept in which sessions one waits */
const WAITS = "strata.waitsForModel";

interface ModelWaitDeps {
  sessions: Sessions;
  /** remembers across reloads */
  state: vscode.Memento;
  /** whether a model can be asked now */
  isReady(): Promise<boolean>;
}

type WaitingSession = Pick<Session, "id" | "readOnly" | "state" | "submit" | "messages">;

const isDue = ({ history }: Session) => history.conversation.pending.some(({ held }) => !held);

export class ModelWait implements vscode.Disposable {
  /** as it was seen last */
  isReady = false;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly deps: ModelWaitDeps) {
    // Another session may be shown now, in which one waits.
    this.subscription = deps.sessions.subscribe((_, { type }) => type === "state" && this.sendLater());
  }

  /** As `Session.submit`, where a model is there; else the message waits. Rejects as that does. */
  async submit(session: WaitingSession, text: string, delivery?: Delivery, pictures: readonly KeptPicture[] = []) {
    const isForNow = session.state !== "idle" || session.readOnly || text.trim() === "";
    if (isForNow || this.isReady || (await this.deps.isReady())) return session.submit(text, delivery, pictures);
    // First: a window that is loaded again in between forgets nothing.
    await this.waitsIn(session.id);
    await session.messages.add({ text, pictures }, "queue");
    // Another that went out meanwhile may have taken the mark away.
    await this.waitsIn(session.id);
    // One may have come while it was written.
    this.sendLater();
  }

  /** A person looked whether a model is there. */
  saw(state: "none" | "ready"): void {
    const { current } = this.deps.sessions;
    // A person saw of these that they wait, whatever VS Code kept of it.
    if (state === "none" && current?.state === "idle" && !current.readOnly && isDue(current))
      void this.waitsIn(current.id);
    this.isReady = state === "ready";
    this.sendLater();
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private get waiting(): readonly string[] {
    return this.deps.state.get<readonly string[]>(WAITS) ?? [];
  }

  private async waitsIn(id: string): Promise<void> {
    if (!this.waiting.includes(id)) await this.keep([...this.waiting, id]);
  }

  private async keep(ids: readonly string[]): Promise<void> {
    await this.deps.state.update(WAITS, ids.length > 0 ? ids : undefined);
  }

  private sendLater(): void {
    const session = this.deps.sessions.current;
    if (!this.isReady || session === undefined || !this.waiting.includes(session.id)) return;
    if (session.state !== "idle" || session.readOnly) return;
    void this.keep(this.waiting.filter(id => id !== session.id));
    if (isDue(session)) session.sendDue();
  }
}
