/** What the panel asks about the conversation, beside panelProtocol.ts. */
import * as z from "zod";

const empty = z.object({});

export const talkRequests = {
  /**
   * What a command printed, as the terminal had it: all of it in `first` where it is short, else its beginning and its end.
   * `hidden`: what lies between; `handle` leads to the whole, and is absent where it is not kept
   */
  printed: {
    params: z.object({ callId: z.string() }),
    result: z.object({
      first: z.string(),
      last: z.string(),
      hidden: z.object({ lines: z.int(), bytes: z.int() }).optional(),
      handle: z.string().optional(),
    }),
  },
  /** An answer as Markdown, in an editor; `pasted`: no Markdown, but a text of the message that is written. */
  openAnswer: { params: z.object({ markdown: z.string(), pasted: z.literal(true).optional() }), result: empty },
  /** Puts the files back that a rewind of the conversation left as they were. Refused once something was sent since. */
  rewindFiles: { params: z.object({ rewindId: z.string() }), result: empty },
  /** Makes again what a review took back of a file last, and with it all that was taken back in the same step. */
  redoReview: { params: z.object({ uri: z.string() }), result: empty },
} as const;
