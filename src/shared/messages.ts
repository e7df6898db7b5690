/**
 * The conversation as everything but the log sees it: `UIMessage[]` of the AI SDK (docs/context.md).
 * One user message per turn and one for each steering message; one assistant message per step, which holds its tool
 * calls and, once they ended, their results: a pair cannot be split.
 */
import type { UIMessage } from "ai";
import * as z from "zod";

export const jsonSchema = z.json();
export type Json = z.infer<typeof jsonSchema>;

/** US dollars for a million tokens. */
const price = z.number().min(0).max(1_000_000);

/** `cachedInput`, `cacheWrite`: of input that the provider had in its cache, or puts there; absent: as other input. */
export const tokenPricesSchema = z.object({
  input: price,
  output: price,
  cachedInput: price.optional(),
  cacheWrite: price.optional(),
});
export type TokenPrices = z.infer<typeof tokenPricesSchema>;

/** What a model's tokens cost. `dearer`: with more than `above` tokens of input, the whole request costs that; in order. */
export interface ModelPrices extends TokenPrices {
  readonly dearer: readonly (TokenPrices & { above: number })[];
}

/** Tokens as the provider reported them, of one request or of several. */
export const usageSchema = z.object({
  input: z.int(),
  output: z.int(),
  /** of `input`: what the provider had in its cache, and what it put there. Absent: it says nothing of it */
  cachedInput: z.int().optional(),
  cacheWrite: z.int().optional(),
  /** of `output` */
  reasoning: z.int().optional(),
  /** US dollars, at the prices of then; 0 where the model costs nothing. Absent: nobody knows it */
  cost: z.number().min(0).optional(),
  /** of a sum: what some of its requests cost nobody knows */
  costIsPartial: z.literal(true).optional(),
  /** what one request was reckoned with; absent: it cost nothing, or nobody knows */
  prices: tokenPricesSchema.optional(),
});
export type Usage = z.infer<typeof usageSchema>;

const messageMetadataSchema = z.object({
  /** ms since the epoch */
  ts: z.number(),
  /** 1-based; every message from a user's message to the final answer has the same one */
  turn: z.int(),
  /** 1-based model call within the turn; 0 for user messages */
  step: z.int(),
  runId: z.string(),
  requestId: z.string().optional(),
  kind: z.enum(["normal", "steer", "notice"]),
  model: z.string().optional(),
  usage: usageSchema.optional(),
  /** Estimate of the request that this message answered: what the budget holds `usage` against. */
  requestTokens: z.int().optional(),
  /** Of that estimate, what the request before began with too: what the provider should have in its cache. */
  sharedTokens: z.int().optional(),
  finishReason: z.string().optional(),
  /** ms that the model thought, as far as it let its thoughts be heard */
  thoughtMs: z.int().nonnegative().optional(),
  /** The user pressed Stop while this message was streaming: its text is what had come by then. */
  stopped: z.boolean().optional(),
  /** The pending message (steer or queue) that became this one: whoever reads this knows that it was sent. */
  pendingId: z.string().optional(),
  /** Its pictures came with a call: once its turn has settled a line stands for each. */
  settles: z.literal(true).optional(),
});
export type MessageMetadata = z.infer<typeof messageMetadataSchema>;

/** What a provider wants back with a part (reasoning signatures, item ids); opaque to us. */
const providerMetadataSchema = z.record(z.string(), z.record(z.string(), jsonSchema));

/** Of reasoning that is the person's to see, and goes back to no model: thoughts that stood in the text, calls that the provider ran. */
export const SHOWN_ONLY = { strata: { shownOnly: true } };

export const messagePartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), providerMetadata: providerMetadataSchema.optional() }),
  z.object({ type: z.literal("reasoning"), text: z.string(), providerMetadata: providerMetadataSchema.optional() }),
  /** Text that Strata adds for the model, as a part of its own so that the user's words stay as typed. */
  z.object({ type: z.literal("data-reminder"), data: z.object({ name: z.string(), text: z.string() }) }),
  /** An image, by reference: `url` is `blob:<sha256>`, never base64. */
  z.object({ type: z.literal("file"), mediaType: z.string(), url: z.string(), filename: z.string().optional() }),
  /**
   * A tool call as the model made it. `errorText` is set when it never could run: unknown tool, broken JSON or input that
   * the schema refused; `input` is then what could be understood of it.
   */
  z.object({
    type: z.literal("dynamic-tool"),
    toolName: z.string(),
    toolCallId: z.string(),
    state: z.literal("input-available"),
    input: jsonSchema,
    errorText: z.string().optional(),
    callProviderMetadata: providerMetadataSchema.optional(),
  }),
]);
export type MessagePart = z.infer<typeof messagePartSchema>;
export type ToolCallPart = Extract<MessagePart, { type: "dynamic-tool" }>;

/** A message as it is logged: results are records of their own and join it in the projection. */
export const loggedMessageSchema = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant", "system"]),
  parts: z.array(messagePartSchema),
  metadata: messageMetadataSchema,
});
export type LoggedMessage = z.infer<typeof loggedMessageSchema>;

/** Whose words an attachment has: Strata's own, where there was nothing to attach. */
export const attachedTrustSchema = z.enum(["strata", "workspace", "outside", "mcp"]);
export type AttachedTrust = z.infer<typeof attachedTrustSchema>;

/**
 * `reminder.trust`: of an attachment, whose words these are; of others the name says it. `brief`: what stands for the calls of the
 * turn that this answer ended, from when it is sent brief.
 */
export type StrataMessage = UIMessage<
  MessageMetadata,
  { reminder: { name: string; text: string; trust?: AttachedTrust | "tool" }; brief: { text: string } }
>;

/** What was said, without thoughts, calls and reminders. */
export const textOf = (parts: readonly { type: string; text?: string }[], between = "\n"): string =>
  parts.flatMap(part => (part.type === "text" ? (part.text ?? "") : [])).join(between);
