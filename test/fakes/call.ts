/** What a call knows of its session, where there is none. */

import type { ApprovalResponse } from "../../src/core/agent/questions";
import type { ToolError } from "../../src/core/ground/ports";
import type { RunContext, Tool } from "../../src/core/tool/tool";
import type { QuestionAnswer } from "../../src/shared/question";
import { asItIs } from "./redact";

export const noSession = (): RunContext & { whyAbsent(): Promise<ToolError | undefined> } => ({
  callId: "call_1",
  signal: new AbortController().signal,
  stampOf: () => undefined,
  protectedBecause: () => undefined,
  inSandbox: false,
  turn: 1,
  standing: () => [],
  inject: { injectSystemOnce: () => true },
  bringRules: async () => undefined,
  ask: async () => ({ action: "cancel", by: "nobody" }),
  output: () => undefined,
  redact: asItIs,
  whyAbsent: async () => undefined,
});

/** Nobody answers. */
export const noQuestions = {
  ask: async (): Promise<QuestionAnswer> => ({ action: "cancel", by: "nobody" }),
  approve: async (): Promise<ApprovalResponse> => ({ answer: { decision: "deny", scope: "once", by: "nobody" } }),
};

/** What a tool's schema makes of an input. */
export function parseInput<T>({ input }: Tool<T>, asked: unknown): T {
  const parsed = input.parse(asked);
  if ("complaint" in parsed) throw new Error(parsed.complaint);
  return parsed.value;
}
