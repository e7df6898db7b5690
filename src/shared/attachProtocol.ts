/** What the panel asks the host about what a person puts into a message beside words. */
import * as z from "zod";
import { t } from "./l10n";
import type { AttachmentKind } from "./mentions/attachments";

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

// A message's words with its pictures, and the place holders of these, which the model reads too.

/** What a person sends: words, pictures in their order, and in a terminal what was piped beside the words. */
export interface MessageWords {
  text: string;
  pictures?: readonly KeptPicture[] | undefined;
  piped?: string | undefined;
}

/** As records have them: without pictures where there are none. */
export const wordsOf = ({ text, pictures = [] }: MessageWords) => ({
  text,
  ...(pictures.length > 0 && { pictures: [...pictures] }),
});

/** @param name without brackets */
export const pictureHolder = (number: number, name: string) => `[Picture ${number}: ${name}]`;

const HOLDER = /\[Picture \d+: ([^[\]]*)\]/g;

/** The pictures that stay when a message is changed: all but those whose place holders were taken out of its words. */
export function stillHeld<T extends { readonly path: string }>(
  pictures: readonly T[],
  before: string,
  after: string,
): T[] {
  const holders = new Map([...before.matchAll(HOLDER)].map(([raw, name]) => [raw, name]));
  return pictures.filter(({ path }) => {
    // Several may have one name: theirs are in the same order.
    const [raw] = [...holders].find(([, name]) => name === path) ?? [];
    if (raw === undefined) return true;
    holders.delete(raw);
    return after.includes(raw);
  });
}

/** What can be mentioned beside files, in words for people. */
const hints: Readonly<Record<AttachmentKind, () => string>> = {
  problems: () => t("Errors and warnings of the whole workspace, as the editor lists them"),
  selection: () => t("What is selected in the editor, with its file and lines"),
  changes: () => t("What Git lists as not committed: the diff and the names of new files"),
  terminal: () => t("The last command of the active terminal and its output, if it ran after Strata started"),
};

export const attachmentHint = (kind: AttachmentKind): string => hints[kind]();
