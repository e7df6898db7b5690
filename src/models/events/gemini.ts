/** Events of Google's Gemini interface. */
import { isObject } from "../../shared/isObject";
import { Changes, type EventRepair, idText, isText, type JsonFields, type Mender } from "./mender";
import { NotAnAnswerError } from "./notAnAnswer";
import { mendCounts } from "./usage";

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
  mend(event: JsonFields): EventRepair {
    const changes = new Changes();
    // Vertex's way for some clients
    if (isObject(event.response) && event.candidates === undefined) return this.whole(event.response);
    // The package's schema takes it for an empty piece.
    if (isObject(event.error)) throw new NotAnAnswerError("application/json", JSON.stringify(event));
    rename(event, changes);
    const { candidates } = event;
    if (!Array.isArray(candidates) && !isObject(event.usageMetadata) && !isObject(event.promptFeedback)) return [];
    if (event.usageMetadata !== undefined && !isObject(event.usageMetadata))
      changes.put(event, "usageMetadata", undefined);
    if (isObject(event.usageMetadata)) mendCounts(event.usageMetadata, changes);
    const all = Array.isArray(candidates) ? candidates.filter(isObject) : [];
    if (candidates !== undefined && (!Array.isArray(candidates) || all.length < candidates.length))
      changes.put(event, "candidates", all);
    for (const candidate of all) mendCandidate(candidate, changes);
    return changes.any ? [event] : "as it is";
  }

  whole(answer: JsonFields): readonly JsonFields[] {
    const mended = this.mend(answer);
    return mended === "as it is" ? [answer] : mended;
  }
}

function mendCandidate(candidate: JsonFields, changes: Changes): void {
  rename(candidate, changes);
  const { content, finishReason } = candidate;
  if (finishReason !== undefined && !isText(finishReason)) changes.put(candidate, "finishReason", undefined);
  if (content === undefined) return;
  if (!isObject(content)) {
    changes.put(candidate, "content", undefined);
    return;
  }
  const parts = Array.isArray(content.parts) ? content.parts : isObject(content.parts) ? [content.parts] : [];
  for (const part of parts) if (isObject(part)) mendPart(part, changes);
  const read = parts.filter(part => isObject(part) && PARTS.some(name => name in part));
  if (!Array.isArray(content.parts) || read.length < parts.length) changes.put(content, "parts", read);
}

function mendPart(part: JsonFields, changes: Changes): void {
  rename(part, changes);
  if ("text" in part && typeof part.text !== "string") changes.put(part, "text", undefined);
  const { functionCall: call } = part;
  if (!isObject(call)) return;
  if (call.id !== undefined && !isText(call.id)) changes.put(call, "id", idText(call.id));
  if (isText(call.args)) {
    try {
      changes.put(call, "args", JSON.parse(call.args));
    } catch {
      // It stays what it is: the call's input then says that it cannot be read.
    }
  }
}

function rename(of: JsonFields, changes: Changes): void {
  for (const [written, name] of NAMES) {
    if (!(written in of)) continue;
    if (!(name in of)) changes.put(of, name, of[written]);
    changes.put(of, written, undefined);
  }
}
