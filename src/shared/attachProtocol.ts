/** What a person puts into a message beside words. */
import * as z from "zod";
import { t } from "./l10n";
import type { AttachmentKind } from "./mentions/parse";

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

/** What people read and change of a message: its words, and apart from them the place holders of its pictures. */
export function withoutPictures(text: string, isPicture = (_holder: string, _name: string) => true) {
  const holders: string[] = [];
  const names: string[] = [];
  const words = text.replace(/ ?(\[Picture \d+: ([^[\]]*)\])/g, (found, holder: string, name: string) => {
    if (!isPicture(holder, name)) return found;
    holders.push(holder);
    names.push(name);
    return "";
  });
  return { words: holders.length > 0 ? words.trimStart() : words, holders, names };
}

export const withPictures = (words: string, holders: readonly string[]) => [words, ...holders].join(" ");

/** The pictures that stay when a message is changed: all but those whose place holders were taken out of its words. */
export function stillHeld(pictures: readonly KeptPicture[], before: string, after: string): KeptPicture[] {
  const gone = picturesIn(before, pictures).filter(([holder]) => !after.includes(holder));
  return pictures.filter(picture => !gone.some(([, each]) => each === picture));
}

/** A message's pictures by their place holders. Several may have one name: theirs are in the same order. */
export function picturesIn(text: string, pictures: readonly KeptPicture[]): (readonly [string, KeptPicture])[] {
  const left = [...pictures];
  return [...text.matchAll(HOLDER)].flatMap(([holder, name]) => {
    const at = left.findIndex(({ path }) => path === name);
    return left.splice(at, at < 0 ? 0 : 1).map(picture => [holder, picture] as const);
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
