/**
 * What OpenRouter and servers like it send of a model's thinking beside its text (`reasoning_details`: signatures, encrypted blocks): it
 * goes back to the model and server that it came from, as it came, or the model goes on without what it thought. Pure but for what it heard.
 */
import type { Json } from "../shared/messages";
import type { SdkMessage, SdkPrompt } from "./sdk/types";

type ReasoningDetail = Record<string, Json>;

/** the provider's name, as its metadata has it */
const COMPATIBLE = "compatible";
/** Texts that come in pieces. */
const STREAMED = ["text", "summary", "data", "signature"];

interface Origin {
  host: string;
  model: string;
}

/** Collects them from the pieces of one answer. */
export class ReasoningDetails {
  private readonly all: ReasoningDetail[] = [];

  constructor(private readonly from: Origin) {}

  hear(chunk: unknown): void {
    const [choice] =
      (chunk as { choices?: { delta?: { reasoning_details?: unknown } | null }[] } | null)?.choices ?? [];
    const details = choice?.delta?.reasoning_details;
    if (!Array.isArray(details)) return;
    for (const detail of details)
      if (typeof detail === "object" && detail !== null) this.add(detail as ReasoningDetail);
  }

  /** undefined: there were none */
  metadata(): Record<string, Record<string, Json>> | undefined {
    return this.all.length > 0 ? { [COMPATIBLE]: { reasoningDetails: this.all, ...this.from } } : undefined;
  }

  private add(detail: ReasoningDetail): void {
    const last = this.all.at(-1);
    const isSame =
      last && last.type === detail.type && last.index === detail.index && (detail.id ?? last.id) === last.id;
    // An encrypted block comes whole.
    if (!isSame || detail.type === "reasoning.encrypted") {
      this.all.push({ ...detail });
      return;
    }
    for (const [key, value] of Object.entries(detail)) {
      const before = last[key];
      if (STREAMED.includes(key) && typeof before === "string" && typeof value === "string") last[key] = before + value;
      else if (value !== null) last[key] = value;
    }
  }
}

/** The prompt as the package is to send it to this server: the details beside the message that they belong to. */
export function withReasoningDetails(prompt: SdkPrompt, to: Origin): SdkPrompt {
  return prompt.map(message => {
    const details = message.role === "assistant" ? detailsOf(message, to) : [];
    if (details.length === 0) return message;
    const { openaiCompatible, ...others } = message.providerOptions ?? {};
    const own = { ...openaiCompatible, reasoning_details: details };
    return { ...message, providerOptions: { ...others, openaiCompatible: own } } as SdkMessage;
  });
}

function detailsOf({ content }: Extract<SdkMessage, { role: "assistant" }>, { host, model }: Origin): Json[] {
  return content.flatMap(part => {
    const own = part.type === "reasoning" ? part.providerOptions?.[COMPATIBLE] : undefined;
    return own?.host === host && own.model === model && Array.isArray(own.reasoningDetails)
      ? (own.reasoningDetails as Json[])
      : [];
  });
}
