/**
 * What can be mentioned beside files, by name, in the order in which completion offers it: its content goes out with the message
 * (docs/context.md). Where it is read: the port `Attachments`; what it becomes: core/attachments/attach.ts.
 */
export const attachments = {
  problems: {
    title: "Problems",
    hint: "Errors and warnings of the whole workspace, as the editor lists them",
    icon: "warning",
  },
  selection: {
    title: "Selection",
    hint: "What is selected in the editor, with its file and lines",
    icon: "list-selection",
  },
  changes: {
    title: "Changes",
    hint: "What Git lists as not committed: the diff and the names of new files",
    icon: "diff",
  },
  terminal: {
    title: "Terminal",
    hint: "The last command of the active terminal and what it printed, if it began after Strata did",
    icon: "terminal",
  },
} as const;
export type AttachmentKind = keyof typeof attachments;

export const attachmentNames = Object.keys(attachments) as readonly AttachmentKind[];

/** How an attachment is called: `@problems`, `@server:uri`; a server's prompt `/server:prompt`. @param name as its record has it */
export const attachedAs = (name: string): string => (name.startsWith("/") ? name : `@${name}`);

/** `@problems` and the like. @param path of a mention, as `parseMentions` gives it */
export function attachmentKind(path: string): AttachmentKind | undefined {
  return attachmentNames.find(name => name === path);
}
