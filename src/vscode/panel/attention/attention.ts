/** What needs the person's attention in any session of this window: open questions, and turns that ended unseen. */

import type { Session } from "../../../core/agent/session/session";
import { oneLine } from "../../../core/ground/text/format";
import { toldEffects } from "../../../shared/approval";
import { stateWord, type WorkPhase } from "../../../shared/entry";
import type { AgentEvent } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import { actionTitle } from "../../../shared/outcomeSaid";
import type { RecordOf } from "../../../shared/records";
import type { Notifications } from "../../../shared/settingValues";
import type { Sessions } from "../sessions/sessions";

type EndKind = Extract<WorkPhase, "failed" | "paused" | "finished">;
type Endings = Partial<Record<RecordOf<"turnEnd">["reason"], EndKind>>;

/** What the status bar says. */
export type Status = { kind: WorkPhase; sessionId: string; title: string };

export interface AttentionDeps {
  sessions: Sessions;
  view: {
    readonly visible: boolean;
    onDidChangeVisibility(listener: () => void): { dispose(): void };
    /** undefined: nothing on the icon */
    setBadge(badge: { value: number; tooltip: string } | undefined): void;
  };
  showStatus(status: Status | undefined): void;
  notify(message: string, sessionId: string): void;
  when(): Notifications;
}

interface SessionStatus {
  title: string;
  kind: Status["kind"];
  /** it ended unseen */
  unseen: boolean;
}

/** The most urgent first. */
const order: readonly Status["kind"][] = ["waiting", "failed", "paused", "running", "finished"];
const endings: Endings = { done: "finished", error: "failed", limit: "paused" };

export class Attention {
  private readonly known = new Map<string, SessionStatus>();
  private readonly subscriptions: readonly { dispose(): void }[];

  constructor(private readonly deps: AttentionDeps) {
    this.subscriptions = [
      deps.sessions.subscribeToAll((session, event) => this.onEvent(session, event)),
      deps.view.onDidChangeVisibility(() => this.tell()),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  private onEvent(session: Session, event: AgentEvent): void {
    const { id, history, caller } = session;
    // Its caller tells that.
    if (caller) return;
    const { title } = history.conversation;
    if (event.type === "state") {
      const { state } = session;
      const kind = state === "asking" ? "waiting" : state === "idle" ? undefined : "running";
      if (kind) this.known.set(id, { title, kind, unseen: false });
      // how it ended stays
      else if (!isEnded(this.known.get(id))) this.known.delete(id);
    } else if (event.type === "record" && event.record.kind === "approval" && !event.record.answer) {
      const { action } = event.record;
      const told = toldEffects(action).map(({ words }) => words);
      const title = oneLine(actionTitle(action), MAX_TITLE);
      this.notify(session, t("Strata asks: {0}", `${title} ${told.join(" · ")}`.trim()));
    } else if (event.type === "record" && event.record.kind === "question" && !event.record.answer) {
      this.notify(session, askedWords(event.record));
    } else if (event.type === "record" && event.record.kind === "turnEnd") {
      const { reason, error } = event.record;
      this.end(session, endings[reason], error?.message);
    } else if (event.type === "failure") this.end(session, "failed", event.error.message);
    else return;
    this.tell();
  }

  private end(session: Session, kind: EndKind | undefined, message?: string): void {
    if (!kind) return void this.known.delete(session.id);
    this.known.set(session.id, { title: session.history.conversation.title, kind, unseen: true });
    if (kind !== "finished") this.notify(session, `Strata: ${message ?? stateWord(kind)}`);
  }

  private notify({ id }: Session, message: string): void {
    const { sessions, when, notify } = this.deps;
    const isDue = when() === "always" || (when() === "whenHidden" && !sessions.isInSight(id));
    if (isDue) notify(oneLine(message, MAX_CHARS), id);
  }

  private tell(): void {
    const { sessions, view, showStatus } = this.deps;
    for (const [id, known] of this.known) {
      if (!isEnded(known)) continue;
      if (sessions.isInSight(id)) known.unseen = false;
      else if (!known.unseen && !sessions.placeOf(id)) this.known.delete(id);
    }
    view.setBadge(this.badge());
    const all = [...this.known].sort(([, one], [, other]) => rank(one) - rank(other));
    const [first] = all;
    showStatus(first && { kind: first[1].kind, sessionId: first[0], title: first[1].title });
  }

  private badge(): { value: number; tooltip: string } | undefined {
    const told = [...this.known.values()].filter(({ kind, unseen }) => kind === "waiting" || unseen);
    if (told.length === 0) return undefined;
    const counts = Map.groupBy(told, ({ kind }) => kind);
    const words = order.map(kind => counts.get(kind) && t("{0} {1}", counts.get(kind)?.length ?? 0, stateWord(kind)));
    return { value: told.length, tooltip: words.filter(Boolean).join(" · ") };
  }
}

const askedWords = ({ form: { server, message, fields } }: RecordOf<"question">) =>
  server === undefined
    ? t("Strata's agent has a question: {0}", fields[0]?.title ?? "")
    : t("The MCP server {0} has a question: {1}", server, message ?? "");

const isEnded = (known: SessionStatus | undefined) => known !== undefined && !/waiting|running/.test(known.kind);

/** An end that was seen is said only where nothing else goes on. */
const rank = ({ kind, unseen }: SessionStatus) =>
  order.indexOf(kind) + (isEnded({ kind, unseen, title: "" }) && !unseen ? order.length : 0);

/** Longer questions are in the panel whole. */
const MAX_CHARS = 200;
const MAX_TITLE = 100;
