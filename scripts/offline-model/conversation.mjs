/**
 * What scripts see of a request, the same for both wires, and small questions about it. All of it comes from the request:
 * nothing is remembered between two of them, so one server plays for many sessions.
 *
 * @typedef {import("./server.mjs").OfflineRequest} OfflineRequest
 * @typedef {import("./server.mjs").OfflineMessage} OfflineMessage
 */

const REMINDER = /<(system-reminder|earlier-words)>[\s\S]*?<\/\1>/g;

/** A user message's own words: what Strata adds for the model is taken out. @param {string} text */
export function ownWords(text) {
  return text.replace(REMINDER, "").trim();
}

/**
 * The turn that runs: the last thing the user wrote, and the calls made since with their results.
 * @param {OfflineRequest} request
 */
export function currentTurn(request) {
  const { messages } = request;
  const start = messages.findLastIndex(message => message.role === "user" && ownWords(message.text) !== "");
  const calls = messages
    .slice(start + 1)
    .flatMap(message => message.calls ?? [])
    .map(call => ({ ...call, result: messages.find(message => message.callId === call.id)?.text }));
  return { prompt: start < 0 ? "" : ownWords(messages[start]?.text ?? ""), calls };
}

/** @param {ReturnType<typeof currentTurn>} turn @param {string} tool */
export function callsOf(turn, tool) {
  return turn.calls.filter(call => call.name === tool);
}

/**
 * The text that Read showed, without line numbers; undefined where the result is not a numbered listing.
 * @param {string | undefined} result
 */
export function readText(result) {
  const lines = numberedLines(result);
  return lines.length > 0 ? lines.map(line => line.text).join("\n") : undefined;
}

/** @param {string | undefined} result */
export function numberedLines(result) {
  return [...(result ?? "").matchAll(/^[ ]*(\d+)(?:\t|→)(.*)$/gm)].map(match => ({
    number: Number(match[1]),
    text: match[2] ?? "",
  }));
}
