/** Every provider that is asked over HTTP, each before a local server that speaks its interface. */
import type { Settings } from "../../src/shared/settings";
import { KEY, startAnthropicServer, type WireAnswer } from "../wire/anthropicServer";
import { startBedrockServer } from "../wire/bedrockServer";
import { GOOGLE_KEY, startGoogleServer } from "../wire/googleServer";
import { startOpenaiServer } from "../wire/openaiServer";

interface Server {
  url: string;
  refused: unknown[];
  close(): Promise<void>;
}

export interface Kind {
  name: "responses" | "chat" | "anthropic" | "google" | "bedrock";
  key: string;
  settings: Partial<Settings>;
  /** @param answer what it says to each request, by how many were answered before */
  start(answer: (number: number, body: unknown) => WireAnswer): Promise<Server>;
  /** the body of an error as this provider writes it */
  error(status: number, label: string, message: string): string;
}

const openaiError = (_: number, type: string, message: string) =>
  JSON.stringify({ error: { message, type, param: null, code: type } });

export const kinds: readonly Kind[] = [
  {
    name: "responses",
    key: "sk-test-0123456789abcdef",
    settings: { "model.provider": "server", "model.name": "gpt-5", "model.api": "responses" },
    start: answer => startOpenaiServer((body, number) => answer(number, body)),
    error: openaiError,
  },
  {
    name: "chat",
    key: "sk-test-0123456789abcdef",
    settings: { "model.provider": "server", "model.name": "glm-4.6", "model.api": "chat" },
    start: answer => startOpenaiServer((body, number) => answer(number, body)),
    error: openaiError,
  },
  {
    name: "anthropic",
    key: KEY,
    settings: { "model.provider": "anthropic", "model.name": "claude-opus-5-5" },
    start: answer => startAnthropicServer({ answer: (body, number) => answer(number, body) }),
    error: (_, type, message) => JSON.stringify({ type: "error", error: { type, message } }),
  },
  {
    name: "google",
    key: GOOGLE_KEY,
    settings: { "model.provider": "google", "model.name": "gemini-3-pro" },
    start: answer => startGoogleServer((body, number) => answer(number, body)),
    error: (code, label, message) => JSON.stringify({ error: { code, message, status: label.toUpperCase() } }),
  },
  {
    name: "bedrock",
    key: "bedrock-api-key-0123456789",
    settings: { "model.provider": "bedrock", "model.name": "us.anthropic.claude-sonnet-4-5-v1:0" },
    start: answer => startBedrockServer((body, number) => answer(number, body)),
    error: (_, __, message) => JSON.stringify({ message }),
  },
];

export const kindOf = (name: Kind["name"]): Kind => {
  const kind = kinds.find(each => each.name === name);
  if (!kind) throw new Error(name);
  return kind;
};
