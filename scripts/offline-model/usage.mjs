/**
 * Token counts: four characters are a token. Cached tokens are what a provider's prefix cache would have found: the
 * longest beginning that this prompt shares, byte for byte, with one that came before.
 */
const KEPT_PROMPTS = 16;

/** @param {string} text */
export function countTokens(text) {
  return Math.ceil(text.length / 4);
}

/** One per server. Sees prompts in order and says how much of each it had seen before. */
export function createPrefixCache() {
  /** @type {Buffer[]} newest first */
  let prompts = [];
  return {
    /** @param {string} prompt @returns {number} characters (bytes) that were seen before */
    shared(prompt) {
      const bytes = Buffer.from(prompt);
      const longest = Math.max(0, ...prompts.map(earlier => sharedPrefix(earlier, bytes)));
      prompts = [bytes, ...prompts].slice(0, KEPT_PROMPTS);
      return longest;
    },
  };
}

/** By halving: comparing blocks costs nothing, walking bytes would. @param {Buffer} a @param {Buffer} b */
function sharedPrefix(a, b) {
  let low = 0;
  let high = Math.min(a.length, b.length);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (a.compare(b, low, middle, low, middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param {import("./server.mjs").OfflineAnswer} answer @param {string} prompt @param {number} sharedBytes */
export function usageOf(answer, prompt, sharedBytes) {
  const reasoning = countTokens(answer.reasoning ?? "");
  const calls = (answer.calls ?? []).map(call => call.name + JSON.stringify(call.input)).join("");
  const input = countTokens(prompt);
  return {
    input,
    cached: Math.min(input, Math.floor(sharedBytes / 4)),
    output: reasoning + countTokens((answer.text ?? "") + calls),
    reasoning,
  };
}
