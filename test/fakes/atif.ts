/** Whether a document is one of ATIF 1.7: by the schema, and by the rules that no schema can say. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { trajectory } from "../../src/core/proof/trajectory";

export type Trajectory = Awaited<ReturnType<typeof trajectory>>;
type Step = Trajectory["steps"][number];

const schema = JSON.parse(readFileSync("test/fixtures/atif/atif-1.7.schema.json", "utf8"));
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

/** What is wrong with a document, a sentence each; empty: nothing. */
export const atifComplaints = (document: unknown): string[] =>
  validate(document)
    ? ruleComplaints(document as Trajectory)
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

function ruleComplaints({ steps, ...rest }: Trajectory): string[] {
  const subagents = (rest as { subagent_trajectories?: { trajectory_id: string }[] }).subagent_trajectories ?? [];
  const isTwice = new Set(subagents.map(each => each.trajectory_id)).size < subagents.length;
  return [...steps.flatMap(stepComplaints), ...(isTwice ? ["two subagents have one trajectory_id"] : [])];
}

function stepComplaints(step: Step, at: number): string[] {
  const calls = (step.tool_calls ?? []) as { tool_call_id: string }[];
  const results = (step.observation?.results ?? []) as { source_call_id?: string }[];
  const ids = new Set(calls.map(({ tool_call_id }) => tool_call_id));
  const strays = results.filter(({ source_call_id: id }) => id !== undefined && !ids.has(id));
  return [
    ...(step.step_id === at + 1 ? [] : [`step ${at + 1} has the number ${step.step_id}`]),
    ...(ids.size === calls.length ? [] : [`step ${at + 1} has two calls with one id`]),
    ...strays.map(({ source_call_id: id }) => `step ${at + 1} has a result of ${id}, which is no call of it`),
  ];
}

const FIELDS = ["prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"] as const;
type Counted = { readonly [Field in (typeof FIELDS)[number]]?: number };

/** What all steps took and what stands beside them, and the totals that the document names: both are the same. */
export function atifSums({ steps, final_metrics: totals }: Trajectory): [counted: number[], named: number[]] {
  const counted: Counted[] = [...steps.map(({ metrics }) => metrics ?? {}), totals.extra.beside_steps];
  const sum = (field: (typeof FIELDS)[number]) => counted.reduce((all, each) => all + (each[field] ?? 0), 0);
  const named: Record<string, unknown> = { ...totals };
  const round = (value: number) => Number(value.toFixed(9));
  return [FIELDS.map(sum).map(round), FIELDS.map(field => Number(named[`total_${field}`] ?? 0)).map(round)];
}
