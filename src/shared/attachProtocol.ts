/** What the panel asks the host about what a person puts into a message beside words. */
import * as z from "zod";

/** A picture that is kept in its session: `blob:<sha256>`, under the name that the person knows it by. */
export const keptPictureSchema = z.object({ mediaType: z.string(), url: z.string(), path: z.string() });
export type KeptPicture = z.infer<typeof keptPictureSchema>;

/** What stands in the composer's text for a picture or a long text, by that place holder. */
export const heldSchema = z.record(
  z.string(),
  z.discriminatedUnion("kind", [
    /** `thumb`: a data URL of some kilobytes */
    z.object({ kind: z.literal("picture"), picture: keptPictureSchema, thumb: z.string() }),
    z.object({ kind: z.literal("text"), text: z.string() }),
  ]),
);
export type HeldThings = z.infer<typeof heldSchema>;
export type HeldThing = HeldThings[string];

export const attachRequests = {
  /** Keeps a picture for a message of the session that is shown; rejected with what is wrong with it. */
  keepPicture: {
    params: z.object({ name: z.string(), base64: z.string() }),
    result: keptPictureSchema,
  },
  /** What a text was copied from: the mention of those lines, where an editor has exactly this text selected. */
  copiedFrom: { params: z.object({ text: z.string() }), result: z.object({ mention: z.string().nullable() }) },
} as const;
