/** What needs the person's attention in any session of this window: open questions, and turns that ended unseen. */

import type { Session } from "../../../core/agent/session/session";
import { oneLine } from "../../../core/ground/text/format";
import type { AgentEvent } from "../../../shared/events";
import { plural, t } from "../../../shared/l10n";
import { actionTitle } from "../../../shared/outcomeSaid";
import type { RecordOf } from "../../../shared/records";
import type { Notifications } from "../../../shared/settingValues";
import type { Sessions } from "../sessions/sessions";

type EndKind = "failed" | "paused" | "done";

/** What the status bar says. */
export interface Status {
  kind: "asking" | "running" | EndKind;
  sessionId: string;
  title: string;
}

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
const order: readonly Status["kind"][] = ["asking", "failed", "paused", "running", "done"];
const endings: Partial<Record<RecordOf<"turnEnd">["reason"], EndKind>> = {
  done: "done",
  error: "failed",
  limit: "paused",
};

export class Attention {
  private readonly known = new Map<string, SessionStatus>();
  readonly dispose: () => void;

  constructor(private readonly deps: AttentionDeps) {
    const unsubscribe = deps.sessions.subscribeToAll((session, event) => this.onEvent(session, event));
    const visibility = deps.view.onDidChangeVisibility(() => this.tell());
    this.dispose = () => {
      unsubscribe();
      visibility.dispose();
    };
  }

  private onEvent(session: Session, event: AgentEvent): void {
    const { id, history } = session;
    const { title } = history.conversation;
    if (event.type === "state") {
      const { state } = session;
      const kind = state === "asking" ? "asking" : state === "idle" ? undefined : "running";
      if (kind) this.known.set(id, { title, kind, unseen: false });
      // how it ended stays
      else if (!isEnded(this.known.get(id))) this.known.delete(id);
    } else if (event.type === "record" && event.record.kind === "approval" && !event.record.answer) {
      this.notify(session, t("Strata asks: {0}", actionTitle(event.record.action)));
    } else if (event.type === "record" && event.record.kind === "question" && !event.record.answer) {
      this.notify(session, askedWords(event.record));
    } else if (event.type === "record" && event.record.kind === "turnEnd") {
      const { reason, error } = event.record;
      this.end(session, endings[reason], error?.message);
    } else if (event.type === "failure") this.end(session, "failed", event.error.message);
    else return;
    this.tell();
  }

  private end(session: Session, kind: EndKind | undefined, message = t("the turn ended before it was done.")): void {
    if (!kind) return void this.known.delete(session.id);
    this.known.set(session.id, { title: session.history.conversation.title, kind, unseen: true });
    if (kind !== "done") this.notify(session, `Strata: ${message}`);
  }

  private notify({ id }: Session, message: string): void {
    const when = this.deps.when();
    if (when === "always" || (when === "whenHidden" && !this.isSeen(id)))
      this.deps.notify(oneLine(message, MAX_CHARS), id);
  }

  private isSeen(sessionId: string): boolean {
    return this.deps.sessions.isInSight(sessionId);
  }

  private tell(): void {
    const { sessions, view, showStatus } = this.deps;
    for (const [id, known] of this.known) {
      if (!isEnded(known)) continue;
      if (this.isSeen(id)) known.unseen = false;
      else if (!known.unseen && !sessions.placeOf(id)) this.known.delete(id);
    }
    view.setBadge(this.badge());
    const all = [...this.known].sort(([, one], [, other]) => rank(one) - rank(other));
    const [first] = all;
    showStatus(first && { kind: first[1].kind, sessionId: first[0], title: first[1].title });
  }

  private badge(): { value: number; tooltip: string } | undefined {
    const all = [...this.known.values()];
    const asking = all.filter(({ kind }) => kind === "asking").length;
    const of = (wanted: SessionStatus["kind"]) => all.filter(({ kind, unseen }) => unseen && kind === wanted).length;
    const [failed, paused, done] = [of("failed"), of("paused"), of("done")];
    const words = [
      ...(asking > 0
        ? [
            asking === 1
              ? t("A question is waiting for you")
              : plural(asking, "1 question is waiting for you", "{0} questions are waiting for you"),
          ]
        : []),
      ...(failed > 0 ? [plural(failed, "1 turn failed", "{0} turns failed")] : []),
      ...(paused > 0 ? [plural(paused, "1 turn paused", "{0} turns paused")] : []),
      ...(done > 0 ? [plural(done, "1 turn done", "{0} turns done")] : []),
    ];
    return words.length === 0 ? undefined : { value: asking + failed + paused + done, tooltip: words.join(" · ") };
  }
}

const askedWords = ({ form: { server, message, fields } }: RecordOf<"question">) =>
  server === undefined
    ? t("Strata's agent has a question: {0}", fields[0]?.title ?? "")
    : t("The MCP server {0} has a question: {1}", server, message ?? "");

const isEnded = (known: SessionStatus | undefined) => known !== undefined && !/asking|running/.test(known.kind);

/** An end that was seen is said only where nothing else goes on. */
const rank = ({ kind, unseen }: SessionStatus) =>
  order.indexOf(kind) + (isEnded({ kind, unseen, title: "" }) && !unseen ? order.length : 0);

/** Longer questions are in the panel whole. */
const MAX_CHARS = 200;
