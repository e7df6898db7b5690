/** Providers with an interface of their own, each before a local server that speaks it: a whole session, faults, models. */
import assert from "node:assert/strict";
import type { ModelFailureCode } from "../../src/core/ground/ports";
import type { ChatPiece } from "../../src/models/editorModel";
import { findProvider } from "../../src/models/providers";
import type { LogRecord } from "../../src/shared/records";
import { settingsSchema } from "../../src/shared/settings";
import { fakeChat } from "../fakes/editorChat";
import { endWorlds, proven, type World, words, world } from "../overHttp/world";
import type { WireAnswer } from "../wire/anthropicServer";
import { ask, models, step } from "./connect";
import { type Kind, kindOf, kinds } from "./kinds";

const script: readonly WireAnswer[] = [
  {
    thinking: "Both first.",
    text: "Reading.",
    calls: [
      { id: "c1", name: "Read", input: { file_path: "src/a.ts" } },
      { id: "c2", name: "Glob", input: { pattern: "**/*.ts" } },
    ],
  },
  {
    thinking: "Now the change.",
    calls: [{ id: "c3", name: "Write", input: { file_path: "new.txt", content: "new\n" } }],
  },
  { text: "Done." },
  { text: "Nothing more." },
];

async function say({ session }: World, text: string): Promise<void> {
  await session.submit(text);
  await session.idle();
}

/** What is the same whoever answered: no ids, times, sizes, nor what the provider says of its parts. */
function plain(records: readonly LogRecord[]): unknown {
  const own =
    /^(id|model|messageId|parentId|callId|toolCallId|runId|requestId|ts|seq|usage|finishReason|requestTokens|sharedTokens|durationMs|thoughtMs|providerMetadata|callProviderMetadata|sessionId|cwd|mtime|createdAt|workspace)$/;
  const text = JSON.stringify(records, (name, value) => (own.test(name) ? undefined : value));
  return JSON.parse(text.replace(/strata-http-\w+/g, "ws").replace(/obs:[0-9a-f]+/g, "obs"));
}

const logOf = ({ session }: World) =>
  plain(
    session.history.records.filter(
      record => !(record.kind === "inject" || (record.kind === "note" && record.level === "info")),
    ),
  );

const withoutReasoning = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter(part => part?.type !== "reasoning") : value;

/** What the editor makes of an answer. */
const pieces = ({ text, calls = [] }: WireAnswer): ChatPiece[] => [
  ...(text ? [{ type: "text" as const, text }] : []),
  ...calls.map(call => ({ type: "call" as const, ...call })),
];

describe("models: other providers", () => {
  afterEach(endWorlds);
  const logs: unknown[] = [];

  for (const { name, settings, key, start } of kinds) {
    it(`${name}: a session with thinking, parallel calls and a second turn, proven`, async () => {
      const server = await start(number => script[number] ?? { text: "The script is over." });
      const at = await world({
        key,
        files: { "src/a.ts": words(100) },
        settings: { ...settings, "model.baseUrl": server.url },
      });
      await say(at, "Change it.");
      await say(at, "More?");
      assert.deepEqual(server.refused, []);
      const { history } = at.session;
      const last = history.conversation.messages.at(-1)?.parts.find(part => part.type === "text");
      assert.equal(last?.text, "Nothing more.");
      const thoughts = history.conversation.messages.flatMap(({ parts }) =>
        parts.flatMap(part => (part.type === "reasoning" ? [part.text] : [])),
      );
      assert.deepEqual(thoughts, ["Both first.", "Now the change."]);
      const usage = history.conversation.messages.flatMap(({ metadata }) => metadata?.usage ?? []);
      assert.equal(usage.length, 4);
      assert.ok(usage.every(({ input, output }) => input > 100 && output > 0));
      // `input` has what was cached, also where the server counts that apart.
      assert.ok(usage.every(({ cachedInput = 0, cacheWrite = 0, input }) => cachedInput + cacheWrite <= input));
      if (["anthropic", "bedrock"].includes(name))
        assert.ok(usage[1]?.cacheWrite && usage[1].cachedInput !== undefined);
      await proven(at);
      logs.push(logOf(at));
      await server.close();
    });
  }

  it("vscode: the same session, without what it thought", async () => {
    const chat = fakeChat(number => pieces(script[number] ?? {}));
    const at = await world({
      ...{ files: { "src/a.ts": words(100) }, editorModels: { list: async () => [chat] } },
      settings: { "model.provider": "vscode", "model.name": "" },
    });
    await say(at, "Change it.");
    await say(at, "More?");
    await proven(at);
    const spoken = (log: unknown) => JSON.parse(JSON.stringify(log), (_, value) => withoutReasoning(value));
    assert.deepEqual(spoken(logOf(at)), spoken(logs[0]));
  });

  it("the log is the same whoever answered, but for ids, times, counts and what a provider says of its parts", () => {
    assert.equal(logs.length, kinds.length);
    for (const log of logs) assert.deepEqual(log, logs[0]);
  });

  const body = {
    anthropic: (type: string, message: string) => JSON.stringify({ type: "error", error: { type, message } }),
    google: (status: string, message: string) => JSON.stringify({ error: { code: 0, message, status } }),
    bedrock: (_: string, message: string) => JSON.stringify({ message }),
  };
  const faults: [Kind["name"], number, string, ModelFailureCode, boolean][] = [
    [
      "anthropic",
      400,
      body.anthropic("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
      "context-too-long",
      false,
    ],
    [
      "google",
      429,
      body.google("RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details."),
      "rate-limit",
      true,
    ],
    ["bedrock", 429, body.bedrock("", "Too many requests, please wait before trying again."), "rate-limit", true],
  ];
  for (const [provider, status, text, code, retryable] of faults) {
    it(`${provider} ${status} ${text.slice(0, 90)}`, async () => {
      const { failure, key } = await failed(provider, {
        refuse: { status, body: text, headers: { "retry-after": "7" } },
      });
      assert.deepEqual([failure.code, failure.retryable, failure.status], [code, retryable, status], failure.message);
      assert.ok(failure.message.endsWith(".") && !failure.message.includes(key));
      assert.equal(failure.retryAfterMs, 7000);
    });
  }

  it("an error inside the stream, an end before the end and nothing at all are told apart", async () => {
    const text = "Half of it";
    assert.deepEqual(await codes({ text, breakOff: "cut" }), new Set(["cut"]));
    assert.deepEqual(await codes({}), new Set(["bad-answer"]));
    assert.equal((await failed("anthropic", { text, breakOff: "error" })).failure.retryable, true);
    assert.equal((await failed("bedrock", { text, breakOff: "error" })).failure.code, "rate-limit");
  });

  async function codes(answer: WireAnswer): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { name } of kinds) found.add((await failed(name, answer)).failure.code);
    return found;
  }

  async function failed(provider: Kind["name"], answer: WireAnswer) {
    const kind = kindOf(provider);
    const server = await kind.start(() => answer);
    const connection = await models({ ...kind.settings, "model.baseUrl": server.url }, { key: kind.key }).connect();
    const { outcome } = await step(connection, ask());
    await server.close();
    assert.equal(outcome.kind, "failed", JSON.stringify(outcome));
    return { failure: connection.explain(outcome.kind === "failed" ? outcome.error : undefined), key: kind.key };
  }

  it("lists what it has, sorted, with what each reads where it says so", async () => {
    const listed: unknown[] = [];
    for (const { settings, key, start } of [kindOf("anthropic"), kindOf("google")]) {
      const server = await start(() => ({ text: "never" }));
      const row = findProvider(settingsSchema.parse(settings)).provider;
      const signal = new AbortController().signal;
      listed.push(await row.listModels(server.url, key, signal), await row.listModels(server.url, undefined, signal));
      await server.close();
    }
    assert.deepEqual(listed, [
      [{ id: "claude-opus-5-5" }, { id: "claude-sonnet-5-5", contextWindow: 1_000_000 }],
      "denied",
      [{ id: "gemini-3-pro", contextWindow: 1_048_576 }],
      "denied",
    ]);
  });
});
