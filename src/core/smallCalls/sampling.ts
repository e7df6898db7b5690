/** What an MCP server asks of the person's model: one text, seen by the person before it goes out. */
import samplingPrompt from "../../../prompts/sampling.md";
import { ErrorForPeople, type Redactor, type SamplingRequest } from "../ports";
import { renderTemplate, sanitizeText } from "../text/format";
import { type AskSmallDeps, askSmall } from "./askSmall";

/** characters, some 4,000 tokens: more than a person reads before they say yes */
export const MAX_SAMPLED = 16_000;
const PATIENCE_MS = 60_000;

class SamplingRefused extends ErrorForPeople {
  override readonly name = "SamplingRefused";
}

/** All that would go out, without secrets: what the person is shown and what is sent. Rejects with ErrorForPeople. */
export function sampledText({ system, messages }: SamplingRequest, redactor: Pick<Redactor, "redact">): string {
  const said = messages.map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text}`);
  const parts = system === "" ? said : [`Instructions: ${system}`, ...said];
  const text = sanitizeText(redactor.redact(parts.join("\n\n")));
  if (text.length <= MAX_SAMPLED) return text;
  throw new SamplingRefused(`The text is too long: ${text.length} characters, ${MAX_SAMPLED} are the limit.`);
}

/**
 * @param text as `sampledText` gave it, and the person allowed it
 * Rejects as `askSmall` does.
 */
export async function answerSampling(
  text: string,
  { server, maxTokens }: SamplingRequest,
  deps: Omit<AskSmallDeps, "account">,
  signal: AbortSignal,
): Promise<{ text: string; model: string }> {
  const question = {
    ...{ purpose: "sampling" as const, patience: PATIENCE_MS, text },
    ...{ instruction: renderTemplate(samplingPrompt, { server }), maxOutputTokens: maxTokens },
  };
  const answer = await askSmall(question, deps, signal);
  return { text: answer.text, model: answer.model };
}
