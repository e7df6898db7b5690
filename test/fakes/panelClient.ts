/**
 * A panel without a face: speaks the protocol as the webview does, checks every message that the host sends against the
 * schemas, and keeps what a panel would know.
 */
import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/shared/events";
import type { HostToPanel, PanelMethod, PanelParams, PanelResult } from "../../src/shared/panelProtocol";
import { hostToPanelSchema, panelRequests } from "../../src/shared/panelProtocol";
import type { ContextUsage, Forks, PanelSnapshot, ReviewFile } from "../../src/shared/panelSnapshot";
import type { LogRecord } from "../../src/shared/records";
import type { PanelConnection } from "../../src/vscode/panel/host/panelHost";

export class PanelClient {
  snapshot: PanelSnapshot | undefined;
  /** of the session that is shown: those of the snapshot, then those that came as events */
  records: LogRecord[] = [];
  events: AgentEvent[] = [];
  /** how often `events` came */
  batches = 0;
  readonly composed: Extract<HostToPanel, { type: "compose" }>[] = [];
  surroundings: PanelSnapshot["surroundings"] | undefined;
  readonly revised: Extract<HostToPanel, { type: "revised" }>[] = [];
  /** ids of those that wait for an answer */
  waitingSessions: readonly string[] = [];
  /** files with changes that wait for a review */
  review: readonly ReviewFile[] = [];
  /** where the conversation forked */
  forks: Forks = [];
  /** how full the context is; undefined: not told yet */
  counted: ContextUsage | undefined;
  /** how often `filesChanged` came */
  filesChanged = 0;
  /** how often `mcpChanged` came; whether the view of servers was asked for */
  mcpChanged = 0;
  /** how often `sessionsChanged` came */
  sessionsChanged = 0;
  shown: string | undefined;
  /** what it was to find, or to scroll to */
  readonly sought: HostToPanel[] = [];
  private readonly connection: PanelConnection;
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private lastId = 0;

  constructor(connect: (post: (message: HostToPanel) => void) => PanelConnection) {
    this.connection = connect(message => this.take(hostToPanelSchema.parse(JSON.parse(JSON.stringify(message)))));
  }

  /** Rejects with the host's words. */
  async request<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M>> {
    this.lastId += 1;
    const id = this.lastId;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.connection.receive({ id, method, params });
    const result = panelRequests[method].result.parse(await answer) as PanelResult<M>;
    if (method === "open" || method === "newSession" || method === "openSession") this.turnTo(result as PanelSnapshot);
    return result;
  }

  /** What the panel sends, whatever it is. */
  send(message: unknown): void {
    this.connection.receive(message);
  }

  dispose(): void {
    this.connection.dispose();
  }

  get state(): PanelSnapshot["state"] {
    const last = this.events.findLast(event => event.type === "state");
    return last?.type === "state" ? last.state : (this.snapshot?.state ?? "idle");
  }

  kinds(): string {
    return this.records.map(record => record.kind).join(" ");
  }

  private take(message: HostToPanel): void {
    if (message.type === "reply") this.waiting.get(message.id)?.resolve(message.result);
    else if (message.type === "failure") this.waiting.get(message.id)?.reject(new Error(message.message));
    else if (message.type === "snapshot") this.turnTo(message.snapshot);
    else if (message.type === "surroundings") this.surroundings = message.surroundings;
    else if (message.type === "compose") this.composed.push(message);
    else if (message.type === "revised") this.revised.push(message);
    else if (message.type === "waiting") this.waitingSessions = message.sessionIds;
    else if (message.type === "filesChanged") this.filesChanged += 1;
    else if (message.type === "review") this.review = message.files;
    else if (message.type === "forks") this.forks = message.forks;
    else if (message.type === "counted") this.counted = message.use;
    else if (message.type === "mcpChanged") this.mcpChanged += 1;
    else if (message.type === "sessionsChanged") this.sessionsChanged += 1;
    else if (message.type === "show") this.shown = message.view;
    else if (message.type === "find" || message.type === "reveal") this.sought.push(message);
    else {
      assert.equal(message.sessionId, this.snapshot?.sessionId, "events are of the session that is shown");
      this.batches += 1;
      this.events.push(...message.events);
      for (const event of message.events) if (event.type === "record") this.append(event.record);
    }
  }

  private turnTo(snapshot: PanelSnapshot): void {
    this.snapshot = snapshot;
    this.surroundings = snapshot.surroundings;
    this.waitingSessions = snapshot.waiting ?? [];
    this.review = snapshot.review ?? [];
    this.forks = snapshot.forks ?? [];
    this.counted = undefined;
    this.records = [...snapshot.records];
    this.events = [];
  }

  private append(record: LogRecord): void {
    const last = this.records.at(-1)?.seq ?? 0;
    assert.equal(record.seq, last + 1, "no record is lost, none comes twice");
    this.records.push(record);
  }
}
