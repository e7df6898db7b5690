/** A server of one's own that counts far less than was sent has cut the prompt at its beginning, without a word: people hear it. */
import { isNear } from "../../shared/nearAddress";
import type { History } from "../history/history";
import type { ModelConnection } from "../ports";
import type { StepResult } from "../requests/request";

const CODE = "prompt-cut";
/** tokens: of less our estimate says too little */
const MIN_SENT = 3_000;
/** tokens: what a server adds to what is new */
const MARGIN = 1_000;
/** of what we estimate; no tokenizer differs from it by so much */
const FAR_LESS = 0.5;

export async function warnOfCutPrompt(
  result: Extract<StepResult, { kind: "answered" }>,
  { name, address }: Pick<ModelConnection, "name" | "address">,
  history: History,
): Promise<void> {
  if (!isCut(result) || !URL.canParse(address) || !isNear(new URL(address).hostname)) return;
  if (history.records.some(record => record.kind === "note" && record.code === CODE)) return;
  const text = `"${name}" at ${address} counted ${result.usage?.input} tokens of a request of about ${result.requestTokens}: the server cuts off what is longer than it was started for, so the model does not see all of it. Start it with more (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH; llama.cpp: -c), or set strata.model.contextWindow to what it has.`;
  await history.append({ kind: "note", level: "warning", code: CODE, text });
}

/** What came from a cache some servers do not count: a count of just the rest accuses nobody. */
function isCut({ usage, requestTokens, sharedTokens }: Extract<StepResult, { kind: "answered" }>): boolean {
  if (!usage || usage.cachedInput || requestTokens < MIN_SENT || usage.input >= FAR_LESS * requestTokens) return false;
  const rest = requestTokens - sharedTokens;
  return sharedTokens === 0 || usage.input > 2 * rest + MARGIN;
}
