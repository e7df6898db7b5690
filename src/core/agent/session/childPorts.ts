/** What holds a tree of sessions together: the person's at its head, who called a child, places at work, whose model is asked. */
import { defined } from "../../../shared/defined";
import type { Budget, Caller } from "../../../shared/delegation";
import type { AgentEvent, SessionState } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { Usage } from "../../../shared/messages";
import type { PermissionMode } from "../../../shared/settingValues";
import type { OtherSessions } from "../../changes/review/otherSessions";
import type { SessionReview } from "../../changes/review/sessionReview";
import type { SessionEdits } from "../../changes/timeline/sessionEdits";
import { connectSideModel, type RequestPorts } from "../../context/requests/request";
import { type ModelConnection, type Models, NoModelError, onlyFor } from "../../ground/ports";
import type { AgentType } from "../../guidance/skills/agentType";
import type { History } from "../../log/history";
import type { CallerLink } from "../loop";
import type { Questions } from "../questions";

export type QuestionPort = Pick<Questions, "approve" | "ask">;

/** The session of a child, as its caller uses it. */
export interface ChildSession {
  readonly history: History;
  readonly state: SessionState;
  readonly children: { unlogged(): Usage; readonly tokensInFlight: number; readonly uncounted: number };
  subscribe(listener: (event: AgentEvent) => void): () => void;
  submit(text: string, delivery: "steer", pictures: readonly [], more: { task: { attach?: string } }): Promise<unknown>;
  stop(): Promise<void>;
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** The person's session at the head of a tree: its log has all that is allowed, denied and changed in the tree. */
export interface TreeRoot {
  readonly history: History;
  readonly others: OtherSessions;
  readonly questions: QuestionPort;
  /** how many there are in the whole tree */
  readonly begun: { count: number };
  mode(): PermissionMode;
  /** edits of the workspace and their review */
  changes(): { edits: SessionEdits; review: SessionReview };
}

/** Of a child: who called it, and for what. */
export interface ChildLink extends CallerLink {
  readonly root: TreeRoot;
  /** the caller's session, as people know it, and the name of its kind */
  readonly known: Caller;
  readonly questions: QuestionPort;
  readonly budget: Budget;
  /** 1: its caller is a person's session */
  readonly depth: number;
  /** places at work: its own is free while it waits for children */
  readonly slots: Slots;
  /** it works in a working tree, its own or its caller's: the root's log has none of its changes */
  readonly inTree: boolean;
  /** Gives its place to its children. @returns takes it back */
  lend(): () => void;
  /** it waits for a person, or does no more */
  asking(by: 1 | -1): void;
  /** of its budget */
  tokensLeft(): number;
  /** Its session was closed. */
  closed(): void;
}

/** How many may work at the same time. */
export class Slots {
  private used = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: () => number) {}

  /** Rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.used < this.most()) {
      this.used += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.waiting.push(resolve);
    const stop = () => {
      const at = this.waiting.indexOf(resolve);
      // It was given its place at this very moment.
      if (at < 0) return;
      this.waiting.splice(at, 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", stop));
  }

  /** Without waiting: who is stopped does not wait for others. */
  retake(): void {
    this.used += 1;
  }

  give(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.used -= 1;
  }
}

/** The model of a kind; `note`: why it is the caller's instead. Rejects with NoModelError where the caller has none. */
export async function modelOf(kind: AgentType, ports: RequestPorts & { models: Models }) {
  const { settings, clock, models } = ports;
  const own = await models.connect();
  const choice = defined({ reasoning: kind.reasoning });
  const asIs: Models = { connect: asked => models.connect({ ...choice, ...asked }) };
  if (kind.model === undefined) return { connection: own, models: asIs };
  const named = (): Promise<ModelConnection> =>
    kind.model === "small"
      ? connectSideModel("model.small", ports)
      : models.connect({ ...choice, name: kind.model ?? "" });
  const asked = await named().catch(onlyFor(NoModelError, () => undefined));
  const why = asked ? await whyNotModel(kind, asked, own, { settings, clock }) : t("it is not set up");
  if (asked && why === undefined)
    return {
      connection: asked,
      models: { connect: (c => (c?.name === undefined ? named() : models.connect(c))) as Models["connect"] },
    };
  return {
    connection: own,
    models: asIs,
    note: t("{0} is asked instead of {1}: {2}.", own.name, kind.model, why ?? ""),
  };
}

/** undefined: it may be asked */
async function whyNotModel(
  { trust, model = "" }: AgentType,
  asked: ModelConnection,
  own: ModelConnection,
  { settings, clock }: Pick<RequestPorts, "settings" | "clock">,
): Promise<string | undefined> {
  if (trust === "rules" && (asked.provider !== own.provider || asked.address !== own.address))
    return t("a file of the workspace names a model of another provider");
  if (settings.get()["agents.models"].some(name => name === model || name === asked.name)) return undefined;
  const [one, other] = await Promise.all([asked, own].map(each => each.pricesAt?.(new Date(clock.now()))));
  const isDearer = other ? !one || one.input > other.input || one.output > other.output : asked.name !== own.name;
  return isDearer ? t('it may be dearer (setting "Models" of agents allows it)') : undefined;
}
