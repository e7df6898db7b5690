/** A model over real HTTP: the offline model at one end, createModels and modelStep at the other. */
import assert from "node:assert/strict";
import { type OfflineModel, type OfflineModelOptions, startOfflineModel } from "../../scripts/offline-model/server.mjs";
import type { StepDelta } from "../../src/core/context/requests/answer";
import type { ModelRequest, StepOutcome } from "../../src/core/context/requests/modelStep";
import { modelStep } from "../../src/core/context/requests/modelStep";
import type { Clock, ModelConnection, ModelFailure } from "../../src/core/ground/ports";
import { createModels } from "../../src/models";
import { nodeClock } from "../../src/node/system";
import { defined } from "../../src/shared/defined";
import { inSentences } from "../../src/shared/format";
import { type MessagePart, messagePartSchema } from "../../src/shared/messages";
import { type Settings, settingsSchema } from "../../src/shared/settings";
import { hash } from "../fakes/hash";

/** All that a person can read of a failure. */
export const told = (failure: Pick<ModelFailure, "message" | "details"> | undefined): string =>
  inSentences([failure?.message, failure?.details]);

export type Api = "chat" | "responses";
export const apis: readonly Api[] = ["chat", "responses"];
export const KEY = "sk-test-1234567890abcdef";

export function models(
  settings: Partial<Settings>,
  options: {
    key?: string | undefined;
    fetch?: typeof fetch;
    proxy?: string;
    lostCertificates?: string;
    patientFetch?: (waitMs?: () => number) => typeof fetch;
  } = {},
) {
  const { key = "key" in options ? undefined : KEY, fetch } = options;
  return createModels({
    settings: { get: () => settingsSchema.parse({ "model.name": "offline-model", ...settings }) },
    apiKey: async () => key,
    ...{ hash, clock: nodeClock },
    ...defined({ fetch: options.patientFetch ?? (fetch && (() => fetch)) }),
    ...(options.proxy ? { proxy: options.proxy } : {}),
    ...(options.lostCertificates ? { lostCertificates: options.lostCertificates } : {}),
  });
}

/** Starts a model for one test and closes it, whatever happens. */
export async function withModel<T>(
  options: OfflineModelOptions & { api: Api; settings?: Partial<Settings>; key?: string | undefined },
  use: (connection: ModelConnection, server: OfflineModel) => Promise<T>,
): Promise<T> {
  const { api, settings, ...rest } = options;
  const server = await startOfflineModel(rest);
  try {
    const from = models(
      { "model.baseUrl": server.url, "model.api": api, ...settings },
      "key" in options ? { key: options.key } : {},
    );
    return await use(await from.connect(), server);
  } finally {
    await server.close();
  }
}

export const tools: ModelRequest["tools"] = [
  {
    name: "Read",
    description: "Reads a file.",
    inputSchema: {
      type: "object",
      properties: { file_path: { type: "string" }, offset: { type: "integer" } },
      required: ["file_path"],
    },
  },
  {
    name: "LS",
    description: "Lists a folder.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];

export function ask(prompt = "Hello"): ModelRequest {
  return { instructions: "You are a test.", messages: [{ role: "user", content: prompt }], tools };
}

/** What goes out for a request, whose server fails. */
export async function bodyOf(settings: Partial<Settings>, request = ask()) {
  let sent = "";
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent = Buffer.from(init?.body as Uint8Array).toString("utf8");
    return new Response("", { status: 500 });
  };
  await step(await models(settings, { fetch }).connect(), request);
  return JSON.parse(sent);
}

export interface Step {
  outcome: StepOutcome;
  deltas: StepDelta[];
  /** what `beforeSend` was given */
  hashes: (string | null)[];
}

export async function step(
  connection: ModelConnection,
  request: ModelRequest = ask(),
  options: {
    signal?: AbortSignal;
    onDelta?: (delta: StepDelta) => void;
    beforeSend?: () => Promise<void>;
    clock?: Clock;
  } = {},
): Promise<Step> {
  const deltas: StepDelta[] = [];
  const hashes: (string | null)[] = [];
  const outcome = await modelStep({
    connection,
    request,
    signal: options.signal ?? new AbortController().signal,
    clock: options.clock ?? nodeClock,
    beforeSend: async sha256 => {
      hashes.push(sha256);
      await options.beforeSend?.();
    },
    onDelta: delta => {
      deltas.push(delta);
      options.onDelta?.(delta);
    },
  });
  return { outcome, deltas, hashes };
}

/** Without what a provider keeps with its parts, and with the calls' ids by position. */
export function plain(parts: readonly MessagePart[]): unknown[] {
  let calls = 0;
  return parts.map(part => {
    assert.deepEqual(messagePartSchema.parse(part), part, "a part that the log takes");
    if (part.type === "dynamic-tool") {
      const { callProviderMetadata: _, ...rest } = part;
      return { ...rest, toolCallId: calls++ };
    }
    if (part.type !== "text" && part.type !== "reasoning") return part;
    return { type: part.type, text: part.text };
  });
}

export const call = (toolName: string, input: unknown, index: number) => ({
  type: "dynamic-tool",
  toolName,
  toolCallId: index,
  state: "input-available",
  input,
});

export function done(outcome: StepOutcome): Extract<StepOutcome, { kind: "answered" }> {
  assert.equal(outcome.kind, "answered", JSON.stringify(outcome));
  return outcome as Extract<StepOutcome, { kind: "answered" }>;
}
