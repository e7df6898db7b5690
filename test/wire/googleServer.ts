/**
 * A local server that speaks Google's Gemini interface and is as strict as it: calls are answered in the next turn by their names,
 * and the signature of a thought comes back with its call.
 */
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { answerJson, listening } from "../fakes/http";
import type { WireAnswer } from "./anthropicServer";

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { name: string; args: unknown; id?: string };
  functionResponse?: { name: string; response: unknown };
}
export interface GoogleRequest {
  systemInstruction?: { parts: Part[] };
  contents: { role: "user" | "model"; parts: Part[] }[];
  generationConfig?: { thinkingConfig?: { includeThoughts?: boolean } };
}

export interface GoogleServer {
  url: string;
  served: GoogleRequest[];
  refused: string[];
  close(): Promise<void>;
}

export const GOOGLE_KEY = "AIzaSyTest0123456789abcdefghijklmnopqrs";

export async function startGoogleServer(
  answer: (request: GoogleRequest, number: number) => WireAnswer,
): Promise<GoogleServer> {
  const served: GoogleRequest[] = [];
  const refused: string[] = [];
  const signed = new Set<string>();
  const { url, close } = await listening(async (request, response) => {
    const sent = await text(request);
    const refuse = (status: number, kind: string, message: string) => {
      refused.push(message);
      answerJson(response, status, { error: { code: status, message, status: kind } });
    };
    if (request.headers["x-goog-api-key"] !== GOOGLE_KEY)
      return refuse(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.");
    if (request.method === "GET") return answerJson(response, 200, modelList);
    if (!/^\/v1beta\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/.test(request.url ?? ""))
      return refuse(404, "NOT_FOUND", `models/${request.url} is not found for API version v1beta`);
    const body = JSON.parse(sent) as GoogleRequest;
    const wrong = complaint(body, signed);
    if (wrong) return refuse(400, "INVALID_ARGUMENT", wrong);
    const given = answer(body, served.length);
    if (given.play) return given.play(response);
    if (given.refuse) return answerJson(response, given.refuse.status, given.refuse.body, given.refuse.headers);
    served.push(body);
    stream(response, given, signed, Buffer.byteLength(sent));
  });
  return { url: `${url}/v1beta`, served, refused, close };
}

const modelList = {
  models: [
    { name: "models/gemini-3-pro", inputTokenLimit: 1_048_576, supportedGenerationMethods: ["generateContent"] },
    { name: "models/text-embedding-005", inputTokenLimit: 2048, supportedGenerationMethods: ["embedContent"] },
  ],
};

/** What stands for the signature of a call that another model made, as Google documents it. */
const FOREIGN = "skip_thought_signature_validator";

/** What is wrong with it, in Google's words; undefined: nothing. */
function complaint({ contents }: GoogleRequest, signed: ReadonlySet<string>): string | undefined {
  for (const [at, { role, parts }] of contents.entries()) {
    if (parts.length === 0) return "GenerateContentRequest.contents: contents.parts must not be empty.";
    if (at === 0 && role !== "user") return "Please ensure that the first content has role user.";
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const next = contents[at + 1]?.parts.flatMap(({ functionResponse }) => functionResponse?.name ?? []) ?? [];
    if (calls.length > 0 && calls.some(({ name }, index) => next[index] !== name))
      return "Please ensure that the number of function response parts is equal to the number of function call parts.";
    const first = parts.find(({ functionCall }) => functionCall);
    if (role === "model" && first && !signed.has(first.thoughtSignature ?? "") && first.thoughtSignature !== FOREIGN)
      return `Function call ${first.functionCall?.name} is missing a thought_signature.`;
  }
  return undefined;
}

function stream(response: ServerResponse, answer: WireAnswer, signed: Set<string>, bytes: number): void {
  const { thinking, text, calls = [], stop, breakOff } = answer;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const usageMetadata = {
    ...{ promptTokenCount: Math.ceil(bytes / 4), candidatesTokenCount: 7, thoughtsTokenCount: 3 },
    ...{ cachedContentTokenCount: 11, totalTokenCount: Math.ceil(bytes / 4) + 10 },
  };
  const send = (parts: Part[], more: object = {}) => {
    const candidates = [{ content: { role: "model", parts }, index: 0, ...more }];
    response.write(`data: ${JSON.stringify({ candidates, usageMetadata })}\n\n`);
  };
  if (thinking) send([{ text: thinking, thought: true }]);
  if (text) send([{ text }]);
  const thoughtSignature = Buffer.from(`signature ${signed.size}`).toString("base64");
  signed.add(thoughtSignature);
  for (const [at, { name, input }] of calls.entries())
    send([{ functionCall: { name, args: input }, ...(at === 0 ? { thoughtSignature } : {}) }]);
  if (breakOff === "cut") return void response.end();
  send([{ text: "" }], { finishReason: stop ?? "STOP" });
  response.end();
}
