/** What a child works with: its caller's ports, changed where a child is not a person's session. */
import type { Budget } from "../../../shared/delegation";
import { t } from "../../../shared/l10n";
import type { SessionStorage } from "../../ground/ports";
import type { AgentType } from "../../guidance/skills/agentType";
import type { History } from "../../log/history";
import type { ForeignTools } from "../../tool/tool";
import { mayUse, rulesOfChild } from "../delegation/kinds";
import { spendingLimitReached } from "../turnEnds";
import { type ChildLink, modelOf, type QuestionPort, type Slots, type TreeRoot } from "./childPorts";
import type { OpenChild } from "./openChild";
import type { AgentPorts } from "./sessionTools";

/** Of a server's tools those that a kind may use. */
const foreignToolsOf = (
  kind: AgentType,
  { foreignTools }: { foreignTools?: ForeignTools },
  has: (name: string) => boolean,
): { foreignTools?: ForeignTools } =>
  foreignTools
    ? {
        foreignTools: {
          refresh: () => foreignTools.refresh(),
          list: found => foreignTools.list(found).filter(({ name }) => mayUse(kind, name) && has(name)),
        },
      }
    : {};

/** What a child works with. @param isReopened its kind may be another one now: it has no more than what was signed */
export function portsOfChild(
  child: OpenChild,
  kind: AgentType,
  { ports, history, root, storage, isReopened, slots, closed }: ChildSurroundings,
): AgentPorts {
  const { titles: _, worktrees: __, unlogged: ___, runLimits: ____, ...shared } = ports;
  const { budget = NO_BUDGET, agent } = child.known;
  const { caller } = ports;
  const name = caller ? `${caller.known.agent} › ${agent}` : agent;
  const asks = child.tree ? t("{0} in its working tree", name) : name;
  const asking = (by: 1 | -1) => {
    child.asking(by);
    caller?.asking(by);
  };
  const link: ChildLink = {
    known: { id: history.files.id, title: history.conversation.title, agent: name },
    ...{
      root,
      budget,
      slots,
      lend: lending(child, slots),
      asking,
      closed,
      depth: (caller?.depth ?? 0) + 1,
      inTree: child.inTree,
    },
    questions: ports.answers === "later" ? NOBODY : relayed(root.questions, child.id, asks, asking),
    standing: () => root.history.conversation,
    get untrusted() {
      return history.conversation.untrusted ?? caller?.untrusted;
    },
    write: records => root.history.write(records),
    limit: async (connection, next) =>
      (await spendingLimitReached(ports, history, connection, next)) ?? child.limit(next),
    nearEnd: () => child.nearEnd(),
    tokensLeft: () => child.tokensLeft,
  };
  // Where its caller can only be read, it can too: what it did would be in no log but its own.
  const readable = root.history.files.writable ? storage : onlyRead(storage);
  return {
    ...shared,
    ...child.tree?.ports,
    storage: readable,
    // Without a model it can still be read.
    models: { connect: async choice => (await modelOf(kind, ports)).models.connect(choice) },
    rules: rulesOfChild(child.tree?.ports.rules ?? ports.rules, kind, child.tree?.notes ?? []),
    ...foreignToolsOf(kind, ports, toolName => !isReopened || budget.tools.includes(toolName)),
    ...(kind.maxTurns !== undefined && { runLimits: { steps: kind.maxTurns } }),
    caller: link,
  };
}

/** A child that waits for its own children gives its place to them. */
function lending(child: OpenChild, slots: Slots): ChildLink["lend"] {
  let [waitsFor, isLent] = [0, false];
  return () => {
    if (waitsFor++ === 0 && child.hasPlace) {
      [isLent, child.hasPlace] = [true, false];
      slots.give();
    }
    // With its place, none of them could begin where there is one place.
    return () => {
      if (--waitsFor > 0 || !isLent) return;
      [isLent, child.hasPlace] = [false, true];
      slots.retake();
    };
  };
}

interface ChildSurroundings {
  ports: AgentPorts;
  /** the caller's */
  history: History;
  root: TreeRoot;
  storage: SessionStorage;
  isReopened: boolean;
  slots: Slots;
  closed(): void;
}

const NO_BUDGET: Budget = { tokens: 0, minutes: 0, children: 0, model: "", tools: [], files: "reads", hosts: [] };

const onlyRead = (storage: SessionStorage): SessionStorage =>
  Object.assign(Object.create(storage) as SessionStorage, {
    open: (id: string) => storage.open(id, { readOnly: true }),
  });

/** The process ends with its turn, and a question of a child's cannot wait in its log. */
const NOBODY: QuestionPort = {
  approve: async () => ({ answer: { decision: "deny", scope: "once", by: "nobody" } }),
  ask: async () => ({ action: "cancel", by: "nobody" }),
};

/**
 * A child's questions stand in the conversation of the person, under its name.
 * @param asking hears that one waits, and that it does no more
 */
function relayed(root: QuestionPort, childId: string, name: string, asking: (by: 1 | -1) => void): QuestionPort {
  const untilAnswered = <T>(answer: Promise<T>): Promise<T> => {
    asking(1);
    return answer.finally(() => asking(-1));
  };
  return {
    approve: (request, signal) => {
      const { action } = request;
      const named = { ...action, callId: `${childId}/${action.callId}`, title: `${name}: ${action.title}` };
      return untilAnswered(root.approve({ ...request, action: named }, signal));
    },
    ask: (form, { callId, toolName }, signal) => {
      const [first, ...rest] = form.fields;
      const fields = first ? [{ ...first, title: `${name}: ${first.title}` }, ...rest] : form.fields;
      return untilAnswered(root.ask({ ...form, fields }, { callId: `${childId}/${callId}`, toolName }, signal));
    },
  };
}
