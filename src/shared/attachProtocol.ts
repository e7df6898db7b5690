/** What the panel asks the host about what a person puts into a message beside words. */
import * as z from "zod";
import { t } from "./l10n";
import type { AttachmentKind } from "./mentions/parse";
import { ask } from "./panelRequest";

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

// Mentions.

/** One of what a mention that is being typed may become: in a document, and in the panel's menu. */
const mentionItemSchema = z.object({
  kind: z.enum(["file", "folder", "attachment", "resource"]),
  /** as it is written into the text: `@src/a.ts`, `@src/`, `@"my notes.md"`, `@problems` */
  mention: z.string(),
  /** for people: the path, or the attachment's name */
  label: z.string(),
  /** UTF-16 offsets in `label` of what was typed */
  positions: z.array(z.int()),
  /** what it is, beside the path */
  hint: z.string().optional(),
  /** the folder whose contents are listed: choosing it ends the mention, where choosing another one opens it */
  here: z.literal(true).optional(),
  /** a server, or a template of resources: choosing it goes on with what stands behind it */
  open: z.literal(true).optional(),
});
export type MentionItem = z.infer<typeof mentionItemSchema>;

const completionSchema = z.object({
  /** best first */
  items: z.array(mentionItemSchema),
  /** not all files are known yet: asked again, there may be more */
  indexing: z.boolean(),
});
export type MentionCompletion = z.infer<typeof completionSchema>;

/** What a mention names, as it would be decided if the message were sent now. */
const mentionStateSchema = z.enum(["file", "folder", "attachment", "resource", "missing", "outside"]);
export type MentionState = z.infer<typeof mentionStateSchema>;

/** Requests of the panel about mentions (docs/context.md). */
export const mentionRequests = {
  /** What the mention that is being typed may become. `query`: what stands between its `@` and the cursor, unquoted */
  completeMention: ask({ query: z.string() }, completionSchema),
  /** `mentions` as they stand in the text; the states in the same order */
  mentionStates: ask({ mentions: z.array(z.string()) }, z.object({ states: z.array(mentionStateSchema) })),
  /** Paths, with `:line[:column]` too, and URIs as mentions, in the same order; null: nothing of the workspace is there */
  mentionPlaces: ask({ places: z.array(z.string()) }, z.object({ mentions: z.array(z.string().nullable()) })),
} as const;
