/** What a call knows of its session, where there is none. */

import type { ApprovalResponse } from "../../src/core/agent/questions";
import type { ToolError } from "../../src/core/ground/ports";
import type { PolicyState } from "../../src/core/permissions/verdict";
import { createRedactor } from "../../src/core/secrets/redact";
import type { RunContext, Tool } from "../../src/core/tool/tool";
import type { QuestionAnswer } from "../../src/shared/question";
import { MemoryBlobs } from "./blobs";
import { FakeClock } from "./clock";
import { hash } from "./hash";
import { asItIs } from "./redact";
import { noObserver, noSandbox, ScriptedShell } from "./shell";
import { backgroundTasks } from "./tasks";

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

/** A run of a call of which nothing is told. @param policy how it differs from `policyState` */
export const quietRun = (policy: () => Partial<PolicyState>) => ({
  ...{ ...noSession(), hash, redactor: createRedactor(text => hash.sha256(text)), confinesAll: () => false },
  ...{
    onStart: () => undefined,
    onOutput: () => undefined,
    synced: async () => undefined,
    write: async () => undefined,
  },
  policy: () => policyState(policy()),
});

/** A trusted workspace without rules and grants. */
export const policyState = (more: Partial<PolicyState> = {}): PolicyState => ({
  ...{ mode: "ask", trusted: true, ownFolders: [], grants: [], rules: [] },
  ...{ runEverything: false, trustsAllContent: false, ...more },
});

/** What tools need of the world where nothing is kept and no command was run. */
export const quietPorts = () => ({
  ...{ textOf: async () => undefined, remember: async () => ({ sha256: "" }), now: () => 0, clock: new FakeClock() },
  ...{ shell: new ScriptedShell({}), sandbox: noSandbox(), bashTimeoutMs: () => 1000, tasks: backgroundTasks() },
  ...{ learnFrom: async () => undefined, learnFromOutput: async () => undefined, observer: noObserver },
  ...{ blobs: new MemoryBlobs().writer, log: { records: [], files: { getBlob: async () => undefined } } },
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
