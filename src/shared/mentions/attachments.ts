/** What can be mentioned beside files: `@problems` and the like, whose content goes out with the message (docs/context.md). */

export const attachmentNames = ["problems", "selection", "changes", "terminal"] as const;
export type AttachmentKind = (typeof attachmentNames)[number];

/** As completion offers them, in this order. `title` and `hint` are for people. */
export const attachmentKinds: readonly { name: AttachmentKind; title: string; hint: string }[] = [
  { name: "problems", title: "Problems", hint: "Errors and warnings of the whole workspace, as the editor lists them" },
  { name: "selection", title: "Selection", hint: "What is selected in the editor, with its file and lines" },
  { name: "changes", title: "Changes", hint: "What Git lists as not committed: the diff and the names of new files" },
  {
    name: "terminal",
    title: "Terminal",
    hint: "The last command of the active terminal and what it printed, if it began after Strata did",
  },
];

/** How an attachment is called: `@problems`, `@server:uri`; a server's prompt `/server:prompt`. @param name as its record has it */
export const attachedAs = (name: string): string => (name.startsWith("/") ? name : `@${name}`);

/** Files that stand before them: where nothing is typed yet, and where a name has only been begun. */
const BEFORE_ALL = 7;
const BEFORE_BEGUN = 5;
/** Of so many letters on a word is meant rather than a file. */
const MEANT = 4;

/** Those that completion offers for what was typed after `@`, and how many of the files found stand before them. */
export function offeredAttachments(query: string): { kinds: typeof attachmentKinds; before: number } {
  const kinds = attachmentKinds.filter(({ name }) => name.startsWith(query.toLowerCase()));
  return { kinds, before: query === "" ? BEFORE_ALL : query.length < MEANT ? BEFORE_BEGUN : 0 };
}

/** `@problems` and the like. @param path of a mention, as `parseMentions` gives it */
export function attachmentKind(path: string): AttachmentKind | undefined {
  return attachmentNames.find(name => name === path);
}
