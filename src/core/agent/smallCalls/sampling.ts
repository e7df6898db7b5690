/** What an MCP server asks of the person's model: one text, seen by the person before it goes out. */
import samplingPrompt from "../../../../prompts/sampling.md";
import type { Redacted } from "../../../shared/redacted";
import { ErrorForPeople, type Redactor, SaidNo, type SamplingRequest, type TextRedactor } from "../../ground/ports";
import { renderTemplate, sanitizeText } from "../../ground/text/format";
import { type AskSmallDeps, askSmall } from "./askSmall";

/** characters, some 4,000 tokens: more than a person reads before they say yes */
export const MAX_SAMPLED = 16_000;
const PATIENCE_MS = 60_000;

class SamplingRefused extends ErrorForPeople {
  override readonly name = "SamplingRefused";
}

export type SamplingDeps = Omit<AskSmallDeps, "account"> & { redactor: Pick<Redactor, "redact" | "refresh"> };

/** Rejects with SaidNo, with ErrorForPeople where no model answers, or with the signal's reason. */
export type Sample = (request: SamplingRequest, signal: AbortSignal) => Promise<{ text: string; model: string }>;

/**
 * Shows the person the exact text, each time, and asks the model after their yes. One question at a time.
 * @param allows shows the text and asks; undefined: nobody answered. Rejects with ErrorForPeople where nobody is there
 */
export function askedSampling(
  deps: () => SamplingDeps,
  allows: (text: Redacted, request: SamplingRequest, signal: AbortSignal) => Promise<boolean | undefined>,
): Sample {
  let isAsking = false;
  return async (request, signal) => {
    if (isAsking) throw new SamplingRefused("The user is being asked something like it already: try again later.");
    isAsking = true;
    try {
      const own = deps();
      await own.redactor.refresh("workspace");
      const text = sampledText(request, own.redactor);
      const answer = await allows(text, request, signal);
      // A no to what nobody wants any more is none.
      signal.throwIfAborted();
      if (answer === undefined) throw new SamplingRefused("The user gave no answer.");
      if (!answer) throw new SaidNo("The user did not allow it.");
      return await answerSampling(text, request, own, signal);
    } finally {
      isAsking = false;
    }
  };
}

/** All that would go out, without secrets: what the person is shown and what is sent. Rejects with ErrorForPeople. */
export function sampledText({ system, messages }: SamplingRequest, redactor: TextRedactor): Redacted {
  const said = messages.map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text}`);
  const parts = system === "" ? said : [`Instructions: ${system}`, ...said];
  const text = redactor.redact(sanitizeText(parts.join("\n\n")));
  if (text.length <= MAX_SAMPLED) return text;
  throw new SamplingRefused(`The text is too long: ${text.length} characters, ${MAX_SAMPLED} are the limit.`);
}

/**
 * @param text as `sampledText` gave it, and the person allowed it
 * Rejects as `askSmall` does.
 */
export async function answerSampling(
  text: Redacted,
  { server, maxTokens }: SamplingRequest,
  deps: SamplingDeps,
  signal: AbortSignal,
): Promise<{ text: string; model: string }> {
  const question = {
    purpose: "sampling" as const,
    patience: PATIENCE_MS,
    text,
    instruction: renderTemplate(samplingPrompt, { server }),
    maxOutputTokens: maxTokens,
  };
  const answer = await askSmall(question, deps, signal);
  return { text: answer.text, model: answer.model };
}
