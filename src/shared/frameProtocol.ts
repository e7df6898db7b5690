/** What the panel's frame asks for, and is asked for: what is shown in the conversation's place, the order of what waits to be sent, and whether keys of the panel hold. */
import * as z from "zod";

/** What the panel can show in the conversation's place. */
export const panelSubviews = ["sessions", "context"] as const;
export type PanelSubview = (typeof panelSubviews)[number];

export const frameRequests = {
  /** Puts messages that wait into this order; all of them wait for the same: to be sent by themselves, or by the person. */
  orderPending: { params: z.object({ pendingIds: z.array(z.string()).min(2).max(1000) }), result: z.object({}) },
  /** The page got the focus, and commands are about its session; or it lost it, and keys of the panel hold no more. */
  pageFocus: { params: z.object({ focused: z.boolean() }), result: z.object({}) },
} as const;
