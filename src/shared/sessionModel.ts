/** The model that a session has chosen for itself, and what lists know of a session. */
import * as z from "zod";
import { reasoningValues } from "./settingValues";

/** What is absent is as the settings have it. */
export const sessionModelSchema = z.object({
  /** its name, with whose it is: `anthropic:claude-…` */
  name: z.string().optional(),
  /** how much it thinks */
  reasoning: z.enum(reasoningValues).optional(),
  /** tokens that it reads, as its server or the person said */
  contextWindow: z.int().positive().optional(),
});
export type SessionModel = z.infer<typeof sessionModelSchema>;

export const sameModel = (one: SessionModel, other: SessionModel): boolean =>
  one.name === other.name && one.reasoning === other.reasoning && one.contextWindow === other.contextWindow;

/** The settings' model, thinking as much as it was told here. */
export const withoutName = ({ reasoning }: SessionModel) => (reasoning === undefined ? {} : { reasoning });

/** What was learnt of the models that a session's requests went over. A model is named by a hash of its name, address and window. */
export const modelLimitsSchema = z.object({
  /** tokens that its server refused as too long, though its window is said to be larger */
  ceiling: z.object({ model: z.string(), tokens: z.int().positive() }).optional(),
});
export type ModelLimits = z.infer<typeof modelLimitsSchema>;

/** What lists of sessions know of one. */
export const sessionMetaSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** ms since the epoch */
  created: z.number(),
  updated: z.number(),
  turns: z.int().min(0),
  /** US dollars; absent: unknown */
  cost: z.number().min(0).optional(),
  /** it is at the top of lists */
  pinned: z.literal(true).optional(),
  /** files that it changed, and the lines of that; absent: none, or not known */
  changes: z.object({ files: z.int().min(0), added: z.int().min(0), removed: z.int().min(0) }).optional(),
  /** a newer version of Strata wrote its log: it opens there */
  newer: z.literal(true).optional(),
});
export type SessionMeta = z.infer<typeof sessionMetaSchema>;
