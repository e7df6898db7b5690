/**
 * From what a script says to what goes over a wire.
 *
 * @typedef {object} Finished
 * @property {string} id differs between any two requests that differ
 * @property {string} model
 * @property {number} created seconds since the epoch
 * @property {import("./server.mjs").OfflineAnswer} answer
 * @property {{id: string, name: string, json: string}[]} calls
 * @property {string} finishReason
 * @property {ReturnType<typeof import("./usage.mjs").usageOf>} usage
 */
import { createHash } from "node:crypto";
import { usageOf } from "./usage.mjs";

/** @returns {Finished} */
export function finish(answer, { model, rawBody, prompt, sharedBytes }) {
  const id = createHash("sha256").update(rawBody).digest("hex").slice(0, 12);
  const calls = (answer.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${id}_${index}`,
    name: call.name,
    // A string is sent as it is: that is how a script makes broken JSON.
    json: typeof call.input === "string" ? call.input : JSON.stringify(call.input ?? {}),
  }));
  return {
    id,
    model,
    created: Math.floor(Date.now() / 1000),
    answer,
    calls,
    finishReason: answer.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: usageOf(answer, prompt, sharedBytes),
  };
}

/** Words and line breaks stay whole, as models stream them: a few words at a time. @param {string} text */
export function pieces(text) {
  return text.match(/\s*\S{1,40}(?:[ ]+\S{1,12})?|\s+/g) ?? [];
}
