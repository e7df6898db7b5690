/** Events of Google's Gemini interface. */
import { isObject } from "../../shared/isObject";
import { NotAnAnswerError } from "./eventReader";
import { idText, isText, type JsonFields, type Mender, mendCounts, put } from "./mender";

/** What gateways write in the manner of other interfaces. */
const NAMES: readonly [string, string][] = [
  ["function_call", "functionCall"],
  ["inline_data", "inlineData"],
  ["thought_signature", "thoughtSignature"],
  ["finish_reason", "finishReason"],
  ["usage_metadata", "usageMetadata"],
  ["model_version", "modelVersion"],
];
/** Parts that are read. */
const PARTS = [
  "text",
  "functionCall",
  "inlineData",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];

export class GeminiEvents implements Mender {
  mend(event: JsonFields): readonly JsonFields[] {
    // Vertex's way for some clients
    if (isObject(event.response) && event.candidates === undefined) return this.mend(event.response);
    // The package's schema takes it for an empty piece.
    if (isObject(event.error)) throw new NotAnAnswerError("application/json", JSON.stringify(event));
    rename(event);
    const { candidates } = event;
    if (!Array.isArray(candidates) && !isObject(event.usageMetadata) && !isObject(event.promptFeedback)) return [];
    if (event.usageMetadata !== undefined && !isObject(event.usageMetadata)) put(event, "usageMetadata", undefined);
    if (isObject(event.usageMetadata)) mendCounts(event.usageMetadata);
    const all = Array.isArray(candidates) ? candidates.filter(isObject) : [];
    if (candidates !== undefined && (!Array.isArray(candidates) || all.length < candidates.length))
      put(event, "candidates", all);
    for (const candidate of all) mendCandidate(candidate);
    return [event];
  }
}

function mendCandidate(candidate: JsonFields): void {
  rename(candidate);
  const { content, finishReason } = candidate;
  if (finishReason !== undefined && !isText(finishReason)) put(candidate, "finishReason", undefined);
  if (content === undefined) return;
  if (!isObject(content)) {
    put(candidate, "content", undefined);
    return;
  }
  const parts = Array.isArray(content.parts) ? content.parts : isObject(content.parts) ? [content.parts] : [];
  for (const part of parts) if (isObject(part)) mendPart(part);
  const read = parts.filter(part => isObject(part) && PARTS.some(name => name in part));
  if (!Array.isArray(content.parts) || read.length < parts.length) put(content, "parts", read);
}

function mendPart(part: JsonFields): void {
  rename(part);
  if ("text" in part && typeof part.text !== "string") put(part, "text", undefined);
  const { functionCall: call } = part;
  if (!isObject(call)) return;
  if (call.id !== undefined && !isText(call.id)) put(call, "id", idText(call.id));
  if (isText(call.args)) {
    try {
      put(call, "args", JSON.parse(call.args));
    } catch {
      // It stays what it is: the call's input then says that it cannot be read.
    }
  }
}

function rename(of: JsonFields): void {
  for (const [written, name] of NAMES) {
    if (!(written in of)) continue;
    if (!(name in of)) put(of, name, of[written]);
    put(of, written, undefined);
  }
}
