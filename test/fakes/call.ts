/** What a call knows of its session, where there is none. */
import type { RunContext } from "../../src/core/toolkit/tool";

export const noSession = (): RunContext => ({
  callId: "call_1",
  signal: new AbortController().signal,
  stampOf: () => undefined,
  protectedBecause: () => undefined,
  standing: () => [],
  inject: { injectSystemOnce: () => true },
  bringRules: async () => undefined,
  output: () => undefined,
  redact: text => text,
});
