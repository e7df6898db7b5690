/** A service of messages by which people reach the agent: what each has to do. */
import * as z from "zod";
import { ErrorForPeople, type Sleeper } from "../core/ground/ports";

/** What came. A service may give the same one twice. */
export const channelUpdateSchema = z.object({
  /** the service's number: unique among those of this channel */
  id: z.int(),
  kind: z.enum(["message", "edit", "press"]),
  chat: z.string(),
  /** who wrote or pressed */
  person: z.string(),
  /** what they call themselves */
  name: z.string(),
  /** of two */
  isPrivate: z.boolean(),
  /** that was written or changed; of a press the one with the button */
  message: z.int(),
  /** as typed; of a press what its button carries; "": neither text nor caption */
  text: z.string(),
  /** a press: to answer it by */
  press: z.string().optional(),
  /** `bytes`: as the service says; absent: it does not */
  file: z.object({ id: z.string(), name: z.string(), bytes: z.number().optional() }).optional(),
});
export type ChannelUpdate = z.infer<typeof channelUpdateSchema>;

export const channelMessageSchema = z.object({
  text: z.string(),
  /** rows; `data`: at most 64 bytes */
  buttons: z.array(z.array(z.object({ label: z.string(), data: z.string() }))).optional(),
  /** the text is sent as a document of this name, with these words beside it */
  file: z.object({ name: z.string(), caption: z.string() }).optional(),
});
export type ChannelMessage = z.infer<typeof channelMessageSchema>;

/** All methods reject with ChannelError, or with the signal's reason. */
export interface Channel {
  /** Waits for what comes. What the call before gave counts as received with this one: the service never gives it again. */
  receive(signal: AbortSignal): Promise<ChannelUpdate[]>;
  /** @returns the number of the message */
  send(chat: string, message: ChannelMessage, signal: AbortSignal): Promise<number>;
  /** Takes the buttons of a message away. */
  edit(chat: string, message: number, signal: AbortSignal): Promise<void>;
  /** What the person sees who pressed. */
  answerPress(press: string, text: string, signal: AbortSignal): Promise<void>;
  file(id: string, signal: AbortSignal): Promise<Uint8Array>;
}

/**
 * `ended`: the bot is no more, or its token; `taken`: another process receives its messages; `refused`: this message or file, for good;
 * `later`: nothing was done; `unknown`: whether it was done.
 */
type ChannelFailure = "ended" | "taken" | "refused" | "later" | "unknown";

export class ChannelError extends ErrorForPeople {
  override readonly name = "ChannelError";

  /** @param wait ms that the service asks for */
  constructor(
    readonly kind: ChannelFailure,
    message: string,
    readonly wait?: number,
  ) {
    super(message);
  }
}

/** ms between two attempts at most */
const MAX_WAIT = 60_000;
/** one after the other, together half a minute: no longer lasts a poll that a crash or the network left open */
const MAX_TAKEN = 6;

/**
 * Asks until there is an answer: without end while the service cannot be reached. Rejects with refusals, and with the signal's reason.
 * @param failed told of each attempt that failed
 * @param most attempts
 */
export async function persistently<T>(
  ask: () => Promise<T>,
  { clock, signal }: { clock: Sleeper; signal: AbortSignal },
  failed: (error: ChannelError) => void,
  most = Number.POSITIVE_INFINITY,
): Promise<T> {
  let taken = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ChannelError) || error.kind === "ended" || error.kind === "refused") throw error;
      taken = error.kind === "taken" ? taken + 1 : 0;
      if (taken >= MAX_TAKEN || attempt >= most) throw error;
      failed(error);
      await clock.sleep(error.wait ?? Math.min(2 ** attempt * 500, MAX_WAIT), signal);
    }
  }
}
