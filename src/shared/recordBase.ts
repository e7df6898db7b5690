/** What every record has. */
import * as z from "zod";

export const base = {
  id: z.string(),
  /** counts from 1 in its session, without a gap: the number of the durable AgentEvent */
  seq: z.int().positive(),
  /** ms since the epoch; for people, never an order */
  ts: z.number(),
};
