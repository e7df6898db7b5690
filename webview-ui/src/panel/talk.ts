/** What the panel asks about messages that were sent: sending one again, from where it was. */
import { type KeptPicture, stillHeld } from "../../../src/shared/attachProtocol";
import type { PanelMethod, PanelParams, PanelResult } from "../../../src/shared/panelProtocol";
import { createListeners, type HostMessage } from "../bridge/host";
import { setAside } from "../store/compactions";
import type { PanelState } from "../store/state";
import type { Store } from "../store/store";

/** What it needs of the panel, as that says it. */
interface TalkDeps {
  readonly store: Store;
  ask<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M> | undefined>;
  submit(text: string, delivery: "steer" | "queue", pictures?: KeptPicture[]): Promise<boolean>;
  takesPictures(): boolean;
  compose(text: string, op?: "remove" | "send"): void;
}

export class Talk {
  readonly #edited = createListeners<number>();
  /** The message of a turn is to be edited in its place. */
  readonly onEdit = this.#edited.on;

  /** by session and turn: words that were changed and not sent */
  readonly #changed = new Map<string, string>();

  constructor(private readonly panel: TalkDeps) {}

  /** The turn's message as it was changed, where that was neither sent nor given up. */
  changedWords = (turn: number): string | undefined => this.#changed.get(this.#key(turn));

  /** @param words undefined: they were sent, or given up */
  keepChanged(turn: number, words: string | undefined): void {
    if (words === undefined) this.#changed.delete(this.#key(turn));
    else this.#changed.set(this.#key(turn), words);
  }

  #key(turn: number): string {
    return `${this.panel.store.get().session.sessionId} ${turn}`;
  }

  /**
   * Goes back to before the turn's message and sends this text in its place, with those of its pictures that the text still
   * has. false: it did not go back. Where it did and the text was not taken, it is in the composer.
   * @param files they go back too
   */
  async resend(turn: number, text: string, files: boolean): Promise<boolean> {
    const said = this.panel.store.get().session.prompts[turn];
    const pictures = said ? stillHeld(said.pictures, said.text, text) : [];
    if (pictures.length > 0 && !this.panel.takesPictures()) return false;
    const done = await this.panel.ask("rewind", { turn, what: files ? "both" : "conversation" });
    if (done === undefined) return false;
    if (!(await this.panel.submit(text, "queue", pictures))) this.panel.compose(text);
    return true;
  }

  /** Sends the message of a turn that set the conversation aside, as edited in the composer. */
  sendAlone = (turn: number): void => this.panel.compose(this.#textOf(turn), "send");

  /** What that turn set aside is there again, with the message. */
  async bringBack(turn: number): Promise<void> {
    const { session } = this.panel.store.get();
    for (const { key } of setAside(session).toReversed()) {
      if (session.undone[key]?.undone) continue;
      if ((await this.panel.ask("undoCompaction", { compactionId: key })) === undefined) return;
    }
    this.panel.compose(this.#textOf(turn), "remove");
  }

  #textOf = (turn: number): string => this.panel.store.get().session.prompts[turn]?.text ?? "";

  /**
   * Sends the turn's message again as it was. Where files would have to go back, or later turns leave too, the person sees
   * that first.
   */
  async retry(turn: number): Promise<void> {
    const said = this.panel.store.get().session.prompts[turn];
    const preview = said && (await this.panel.ask("previewRewind", { turn }));
    if (said === undefined || preview === undefined) return;
    if (preview.files.length > 0 || preview.turns > 1) this.#edited.tell(turn);
    else await this.resend(turn, said.text, false);
  }
}

/**
 * What a turn was about that ended with history starting afresh: the model does not know it any more, so its text is given
 * back to be sent again.
 */
export function textToRestore(
  { session }: PanelState,
  { sessionId, events }: Extract<HostMessage, { type: "events" }>,
): string | undefined {
  if (sessionId !== session.sessionId) return undefined;
  const ends = events.flatMap(event =>
    event.type === "record" && event.record.kind === "turnEnd" ? event.record : [],
  );
  const end = ends.find(({ error }) => error?.code === "context-reset");
  return end && session.prompts[end.turn]?.text;
}
