/**
 * The bytes of bodies hang on more than a request: `strata verify` makes them again only where the form is the same. Where this fails,
 * bodies are made otherwise than before: raise BODIES in models/wireFit.ts, else sessions of before are called damaged; then write the
 * new hashes here.
 */

import assert from "node:assert/strict";
import { bodiesAsSent } from "../../src/cli/bodies";
import type { RequestContent } from "../../src/core/context/compose";
import { createModels } from "../../src/models";
import { nodeClock, nodeHash } from "../../src/node/system";
import type { Manifest } from "../../src/shared/manifest";
import { settingsSchema } from "../../src/shared/settings";
import { asItIs } from "../fakes/redact";

const content: RequestContent = {
  instructions: "Be kind. 丁寧に",
  tools: [
    {
      name: "Read",
      description: asItIs("reads"),
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
    },
    {
      name: "mcp:x.y",
      description: asItIs("odd"),
      inputSchema: { anyOf: [{ type: "object", properties: { $filter: { type: ["string", "null"] } } }] },
    },
  ],
  messages: [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Look first." },
        { type: "tool-call", toolCallId: `call_${"x".repeat(80)}`, toolName: "Read", input: { path: "a" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: `call_${"x".repeat(80)}`,
          toolName: "Read",
          output: { type: "text", value: "one" },
        },
      ],
    },
    { role: "user", content: "and now?" },
  ],
  callOptions: { providerOptions: {} },
  cached: {
    instructions: [
      { text: "Be kind.", isMarked: true },
      { text: "丁寧に", isMarked: false },
    ],
    messages: [1, 4],
  },
};

async function bodyOf(settings: object): Promise<string | undefined> {
  const own = settingsSchema.parse({ "model.name": "m", "model.contextWindow": 10_000, ...settings });
  const source = { get: () => own };
  const fetch = () => Promise.reject(new Error("nothing is sent"));
  const models = createModels({
    settings: source,
    apiKey: async () => "none",
    hash: nodeHash,
    clock: nodeClock,
    fetch,
  });
  const bodyForm = (await models.connect()).bodyForm?.(content.messages);
  assert.match(bodyForm ?? "", /^[0-9a-f]{16}$/);
  const manifest = { model: own["model.name"], bodyForm, callOptions: content.callOptions } as unknown as Manifest;
  return bodiesAsSent(source, nodeHash)(manifest, content);
}

describe("the bytes of a body", () => {
  const rows: [what: string, settings: object, expected: string][] = [
    [
      "Chat Completions",
      { "model.baseUrl": "http://localhost/v1" },
      "2a21382493f8b88f1334a29f878d2dffde1a09c3aacaaa67d0517e696e35fd42",
    ],
    [
      "Chat Completions without thoughts",
      { "model.baseUrl": "https://api.groq.com/v1" },
      "42e0f0fe2dc5da9ac17bd6689c8e9dc00690576e37e82cef2ba1afcc1533dc35",
    ],
    [
      "OpenAI's Responses",
      { "model.api": "responses" },
      "68aff3aa14dc7fd22b00fb0698b20a4f1c29ddd92924f3369eeea6b4364a1556",
    ],
    [
      "Anthropic's, with marks of its cache",
      { "model.provider": "anthropic", "model.name": "claude-opus-5-5" },
      "fbe9e04bce911c37e8f83e553222513e8a157d825b2d33bcb774d131655af7ab",
    ],
    [
      "Google's",
      { "model.provider": "google", "model.name": "gemini-3-pro" },
      "a9b9af5d48e9fdbd1eb8843907397c0e3de5a966065e605cce48e789abf6479b",
    ],
    [
      "Bedrock's, with marks of its cache",
      { "model.provider": "bedrock", "model.name": "us.anthropic.claude-opus-5-5-v1:0" },
      "132b7774280e95b7922edd0f5f4f3f1b8889266c1be09a56c694003c9df716f2",
    ],
  ];
  for (const [what, settings, expected] of rows)
    it(`stay, in the form that is called so: ${what}`, async () => {
      assert.equal(await bodyOf(settings), expected);
    });
});
