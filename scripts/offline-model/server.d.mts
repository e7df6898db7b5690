/** The offline model: an OpenAI-compatible server that plays scripts (server.mjs). */
import type { IncomingHttpHeaders } from "node:http";

export interface OfflineMessage {
  /** `developer` reads as `system` */
  role: "system" | "user" | "assistant" | "tool";
  text: string;
  reasoning?: string;
  /** of an assistant's message; `input` is the raw text where it is no JSON */
  calls?: { id: string; name: string; input: unknown }[];
  /** of a tool's message: the call that it answers */
  callId?: string;
}

/** A request as a script sees it, the same for both interfaces. */
export interface OfflineRequest {
  api: "chat" | "responses";
  model: string;
  /** names, in order */
  tools: string[];
  messages: OfflineMessage[];
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the body as it came, of either interface
  body: any;
}

export type Fault =
  | "401"
  | "404-model"
  | "429"
  | "500"
  | "context-length"
  | "cut"
  | "cut-clean"
  | "slow"
  | "hang"
  | "garbage"
  | "html"
  | "refuse-tools"
  | "bad-json-call"
  | "unknown-tool";

export interface OfflineAnswer {
  text?: string;
  reasoning?: string;
  /** `input` as a string goes over the wire as it is: that is how broken JSON is made */
  calls?: { id?: string; name: string; input: unknown }[];
  /** as the wire has it: `stop`, `tool_calls`, `length`; follows from the calls where it is absent */
  finishReason?: string;
  /** played instead of the answer, or on it (`cut`, `cut-clean`, `garbage`, `slow`) */
  fault?: Fault;
  /** sent as it is, instead of an answer: what a server says that refuses the request */
  response?: { status: number; body: unknown; headers?: Record<string, string> };
  /** with a fault that is an HTTP response */
  headers?: Record<string, string>;
  /** ms before each piece of this answer */
  chunkDelayMs?: number;
}

/** A pure function of the conversation so far. */
export type OfflineScript = (request: OfflineRequest) => OfflineAnswer | Promise<OfflineAnswer>;

export interface RecordedRequest {
  api: "chat" | "responses";
  /** exactly the bytes that came, as text */
  rawBody: string;
  // biome-ignore lint/suspicious/noExplicitAny: of either interface
  body: any;
  headers: IncomingHttpHeaders;
}

export interface OfflineModelOptions {
  /** 0: any free one */
  port?: number;
  /** the demo for the sample project where it is absent */
  script?: OfflineScript;
  /** ms before each piece */
  chunkDelayMs?: number;
  record?: (request: RecordedRequest) => void;
}

export interface OfflineModel {
  /** for `strata.model.baseUrl`: `http://127.0.0.1:<port>/v1` */
  url: string;
  /** every model request so far, oldest first */
  requests: RecordedRequest[];
  close(): Promise<void>;
}

export const MODEL_NAME: "offline-model";
export function startOfflineModel(options?: OfflineModelOptions): Promise<OfflineModel>;
