/** What a task would take, as a person signs it: before it begins, and once in a turn for all that is like it. */
import { formatCost } from "../../../shared/cost";
import { defined } from "../../../shared/defined";
import type { Budget } from "../../../shared/delegation";
import { formatTokens } from "../../../shared/format";
import { plural, t } from "../../../shared/l10n";
import type { ModelPrices, ToolCallPart } from "../../../shared/messages";
import { ToolError } from "../../ground/ports";
import { oneLine } from "../../ground/text/format";
import type { AgentType } from "../../guidance/skills/agentType";
import { openCalls } from "../../log/conversation";
import type { History } from "../../log/history";
import type { Tool } from "../../tool/tool";
import { mayUse } from "../delegation/kinds";
import type { Offer, TaskInput } from "../delegation/taskTool";
import { modelOf, type TreeRoot } from "./childPorts";
import type { AgentPorts } from "./sessionTools";

/** of a session */
const MAX_CHILDREN = 50;
const MAX_DEPTH = 2;

/** What a person signed in a turn. */
interface Signature {
  turn: number;
  /** names of kinds with their models */
  kinds: ReadonlySet<string>;
  tokens: number;
  /** absent: a price is not known */
  cost: number | undefined;
}

interface OffersDeps {
  ports: AgentPorts;
  history: History;
  kinds(): readonly AgentType[];
  root: TreeRoot;
  /** the caller's */
  tools(): ReadonlyMap<string, Tool>;
}

export class Offers {
  private signed: Signature | undefined;

  constructor(private readonly deps: OffersDeps) {}

  /** Throws ToolError where it cannot be given. */
  async offer(kind: AgentType, { description }: TaskInput, callId: string): Promise<Offer> {
    const { history, ports } = this.deps;
    const { conversation, records } = history;
    const { turn, step, children } = conversation;
    const isDenied = (record: (typeof records)[number]) =>
      record.kind === "result" &&
      record.toolName === "Task" &&
      record.turn === turn &&
      record.step === step &&
      record.error?.code === "DENIED";
    if (records.some(isDenied))
      throw new ToolError("DENIED", "The user denied the tasks of this step. Do the work yourself.");
    const budget = await this.budgetFor(kind);
    const { caller } = ports;
    if (children.size >= (caller?.budget.children ?? MAX_CHILDREN) || this.deps.root.begun.count >= MAX_CHILDREN)
      throw new ToolError(
        "INVALID_INPUT",
        `${children.size} agents worked for this conversation, the most. Do the rest yourself.`,
      );
    if (caller || this.covers(kind, budget.budget))
      return { budget: budget.budget, title: `${kind.name}: ${oneLine(description, 100)}`, lines: [], isSigned: true };
    const asked = openCalls(conversation).flatMap(({ call }) => (call.toolName === "Task" ? call : []));
    const tasks = asked.map(call => call.input);
    const beside = asked.filter(call => call.toolCallId !== callId).flatMap(call => this.kindOf(call) ?? []);
    const all = [
      { kind, ...budget },
      ...(await Promise.all(beside.map(async each => ({ kind: each, ...(await this.budgetFor(each)) })))),
    ];
    const total = { tokens: sum(all.map(each => each.budget.tokens)), cost: sumOf(all.map(each => each.budget.cost)) };
    const before = this.givenIn(turn);
    const limit = ports.settings.get()["agents.allowUpTo"];
    const isWithin = limit > 0 && total.cost !== undefined && before.cost + total.cost <= limit;
    return {
      budget: budget.budget,
      total: { ...total, kinds: all.map(each => signature(each.kind, each.budget)) },
      title: priceTitle(
        all.map(each => each.kind.name),
        total,
      ),
      lines: [...new Set(all.flatMap(each => budgetLines(each.kind, each.budget, each.note)))],
      tasks,
      isSigned: false,
      ...(!isWithin && { mustAsk: t("you pay for what agents take") }),
    };
  }

  /** Of one task alone. */
  async priced(kind: AgentType): Promise<{ budget: Budget; price: string }> {
    const { budget } = await this.budgetFor(kind);
    return { budget, price: priceTitle([kind.name], { tokens: budget.tokens, cost: budget.cost }) };
  }

  private kindOf({ input }: ToolCallPart): AgentType | undefined {
    const { subagent_type: asked } = (input ?? {}) as { subagent_type?: unknown };
    return this.deps.kinds().find(({ name }) => name === asked);
  }

  private async budgetFor(kind: AgentType): Promise<{ budget: Budget; note: string | undefined }> {
    const { ports, tools } = this.deps;
    const { settings, caller, clock } = ports;
    const set = settings.get();
    const { connection, note } = await modelOf(kind, ports);
    const depth = (caller?.depth ?? 0) + 1;
    const mine = [...tools()].filter(([name]) => mayUse(kind, name) && (name !== "Task" || depth < MAX_DEPTH));
    // Tools of servers may be found later.
    const isReading =
      !kind.tools?.some(name => name.includes(":")) &&
      mine.every(([, { effect }]) => effect === "read" || effect === "session" || effect === "delegate");
    const left = caller ? caller.tokensLeft() : Infinity;
    const tokens = Math.max(0, Math.min(set["agents.maxTokens"], left));
    const cost = costOf(tokens, await connection.pricesAt?.(new Date(clock.now())));
    const files = kind.isolation ?? (isReading ? "reads" : "workspace");
    const budget: Budget = {
      ...{ tokens, ...defined({ cost }), minutes: set["agents.maxMinutes"] },
      children: mine.some(([name]) => name === "Task") ? Math.max(0, MAX_CHILDREN - this.deps.root.begun.count - 1) : 0,
      ...{ model: connection.name, tools: mine.map(([name]) => name), files },
      hosts: isReading ? [] : [...set["bash.network"]],
    };
    return { budget, note };
  }

  /** What children that began in a turn took, or may take still. */
  private givenIn(turn: number): { tokens: number; cost: number } {
    const all = [...this.deps.history.conversation.children.values()].filter(child => child.turn === turn);
    const taken = all.map(({ ended, spent, budget }) =>
      ended
        ? { tokens: spent.input + spent.output, cost: spent.cost }
        : { tokens: budget?.tokens ?? 0, cost: budget?.cost },
    );
    return { tokens: sum(taken.map(each => each.tokens)), cost: sum(taken.map(each => each.cost ?? 0)) };
  }

  private covers(kind: AgentType, budget: Budget): boolean {
    const { turn } = this.deps.history.conversation;
    const { signed } = this;
    if (signed?.turn !== turn || !signed.kinds.has(signature(kind, budget))) return false;
    const given = this.givenIn(turn);
    if (given.tokens + budget.tokens > signed.tokens) return false;
    return signed.cost === undefined || given.cost + (budget.cost ?? Infinity) <= signed.cost + ROUNDING;
  }

  /** It begins. */
  sign({ total }: Offer): void {
    if (!total) return;
    const { turn } = this.deps.history.conversation;
    const given = this.givenIn(turn);
    const before = this.signed?.turn === turn ? this.signed.kinds : [];
    const cost = total.cost === undefined ? undefined : given.cost + total.cost;
    this.signed = { turn, kinds: new Set([...before, ...total.kinds]), tokens: given.tokens + total.tokens, cost };
  }
}

/** dollars: sums of the same parts in another order */
const ROUNDING = 1e-9;
const signature = ({ name, path }: AgentType, { tokens: _, cost: __, children: ___, ...rest }: Budget) =>
  JSON.stringify([name, path, rest]);
const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
const sumOf = (all: readonly (number | undefined)[]) =>
  all.includes(undefined) ? undefined : sum(all.map(each => each ?? 0));

/** US dollars for so many tokens, a tenth of them written. */
const costOf = (tokens: number, prices: ModelPrices | undefined) =>
  prices && (tokens * (0.9 * prices.input + 0.1 * prices.output)) / 1_000_000;

function priceTitle(kinds: readonly string[], { tokens, cost }: { tokens: number; cost: number | undefined }): string {
  const names = [...new Set(kinds)].join(", ");
  const who = plural(
    kinds.length,
    "1 agent ({1}), up to {2} tokens",
    "{0} agents ({1}), up to {2} tokens",
    names,
    formatTokens(tokens),
  );
  if (cost === 0) return who;
  return cost === undefined ? t("{0}, price not known", who) : t("{0}, about {1}", who, formatCost(cost));
}

function budgetLines({ name }: AgentType, budget: Budget, note: string | undefined): string[] {
  const { model, minutes, tools, files, hosts } = budget;
  const where = {
    reads: t("reads only"),
    workspace: t("changes files of the workspace, as you allow"),
    worktree: t("changes files in a working tree of its own"),
  }[files];
  const reach = hosts.length > 0 ? t("commands reach {0}", hosts.join(", ")) : t("commands reach no host unasked");
  const line = t("{0}: {1}; model {2}, at most {3} min; tools: {4}", name, where, model, minutes, tools.join(", "));
  const own = budget.children > 0 && t("it may give tasks to other agents, within its tokens");
  return [files === "reads" ? line : `${line}; ${reach}`, ...[own, note].filter(each => typeof each === "string")];
}
