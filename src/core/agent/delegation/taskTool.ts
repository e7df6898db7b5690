/** Task: gives a part of the work to another agent, within a budget that the person signs. */
import * as z from "zod";
import taskDescription from "../../../../prompts/tools/task.md";
import { defined } from "../../../shared/defined";
import type { Budget } from "../../../shared/delegation";
import type { Trust } from "../../../shared/manifest";
import type { Json, Usage } from "../../../shared/messages";
import { ToolError } from "../../ground/ports";
import { estimateTokens } from "../../ground/text/estimate";
import { oneLine, renderTemplate } from "../../ground/text/format";
import { text } from "../../ground/text/json";
import type { AgentType } from "../../guidance/skills/agentType";
import type { ResultForms } from "../../tool/resultForms";
import { type CallContext, defineTool, type RunContext, success, type Tool, type ToolOutcome } from "../../tool/tool";

const taskInput = z.object({
  description: z.string().min(1).describe("3 to 6 words"),
  prompt: z.string().min(1),
  subagent_type: z.string(),
  background: z.boolean().optional(),
});
export type TaskInput = z.infer<typeof taskInput>;

/** What a call would start. */
export interface Offer {
  budget: Budget;
  /** for the person: what begins and what it may cost, a sentence; what each part of the budget is, a line each */
  title: string;
  lines: readonly string[];
  /** the inputs of all calls that a yes is for; absent: of this one */
  tasks?: readonly Json[];
  /** Why the person has to say yes, beside rules and mode; absent: those decide. */
  mustAsk?: string;
  /** It is within what was signed in this turn. */
  isSigned: boolean;
  /** what a yes signs: of this task and those beside it; absent: it is signed */
  total?: { tokens: number; cost: number | undefined; kinds: readonly string[] };
}

/** Who makes children. */
export interface Delegation {
  readonly kinds: readonly AgentType[];
  /** Throws ToolError where it cannot be given. */
  offer(kind: AgentType, input: TaskInput, callId: string): Promise<Offer>;
  /** Resolves when it has ended, or, in the background, has begun. */
  run(
    kind: AgentType,
    input: TaskInput,
    offer: Offer,
    run: Pick<RunContext, "callId" | "signal">,
  ): Promise<ToolOutcome>;
}

/** The definition with all kinds takes at most so many tokens. */
const MAX_TOKENS = 220;
/** of the schema and the names around it */
const SCHEMA_TOKENS = 75;

export const taskTool = (delegation: Delegation): Tool =>
  defineTool({
    name: "Task",
    description: description(delegation.kinds),
    input: taskInput,
    effect: "delegate",
    forms: taskForms,
    async prepare(input, { callId }: CallContext) {
      const kind = delegation.kinds.find(({ name }) => name === input.subagent_type.trim());
      if (!kind) {
        const names = delegation.kinds.map(({ name }) => name).join(", ");
        throw new ToolError(
          "NOT_FOUND",
          `There is no agent "${oneLine(input.subagent_type, 80)}". These are: ${names}.`,
        );
      }
      const offer = await delegation.offer(kind, input, callId);
      const { title, lines, mustAsk, isSigned, budget, tasks = [] } = offer;
      return {
        targets: [],
        title,
        detail: { type: "other", summary: lines.join(" · "), input: tasks.length > 1 ? [...tasks] : input },
        binding: JSON.stringify(["Task", input, budget, tasks]),
        ...(mustAsk !== undefined && { mustAsk }),
        ...(isSigned && { isSigned }),
        perform: run => delegation.run(kind, input, offer, run),
      };
    },
  }) as Tool;

/** The report stays: it cost a conversation. */
const taskForms: ResultForms = { kept: () => undefined, folded: facts => oneLine(text(facts, "outcome"), 80) };

function description(kinds: readonly AgentType[]): string {
  const room = MAX_TOKENS - SCHEMA_TOKENS - estimateTokens(taskDescription);
  const lists = [100, 60, 30, 0].map(most =>
    kinds.map(({ name, description }) => (most > 0 ? `${name} (${oneLine(description, most)})` : name)).join(", "),
  );
  // Names alone where nothing more fits; of too many, the first.
  const list = lists.find(each => estimateTokens(each) <= room) ?? oneLine(lists.at(-1) ?? "", room * 3);
  return renderTemplate(taskDescription, { kinds: list });
}

/** How a task ended, for the caller's model. `tree`: where its changes stay */
interface TaskEnd {
  agent: string;
  title: string;
  /** of its session */
  id: string;
  reason?: string | undefined;
  why?: string | undefined;
  report: string;
  spent: Usage;
  trust: Trust | undefined;
  tree: { path: string; branch: string } | undefined;
}

export function taskOutcome({
  agent,
  title,
  id,
  reason = "error",
  why,
  report,
  spent,
  trust,
  tree,
}: TaskEnd): ToolOutcome {
  const isDone = reason === "done";
  const head = isDone ? "" : `It did not end by itself (${reason}${why ? `: ${why}` : ""}). What it said last:\n\n`;
  const at = tree ? `\n\nIts changes are in ${tree.path} (branch ${tree.branch}), not in the workspace.` : "";
  return success({
    data: { agent, outcome: reason, tokens: spent.input + spent.output, session: id },
    text: `${head}${report || "It said nothing."}${at}`,
    digest: `Task ${agent}: ${title}${isDone ? "" : ` · ${reason}`}`,
    partial: !isDone,
    ...defined({ trust }),
  });
}
