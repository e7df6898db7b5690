/**
 * What can be mentioned beside files, by name, in the order in which completion offers it: its content goes out with the message
 * (docs/context.md). Where it is read: the port `Attachments`; what it becomes: core/mentions/attachments/attach.ts.
 */
export const attachments = {
  problems: { title: "Problems", icon: "pulse" },
  selection: { title: "Selection", icon: "list-selection" },
  changes: { title: "Changes", icon: "diff" },
  terminal: { title: "Terminal", icon: "terminal" },
} as const;
export type AttachmentKind = keyof typeof attachments;

export const attachmentNames = Object.keys(attachments) as readonly AttachmentKind[];

/** How an attachment is called: `@problems`, `@server:uri`; a server's prompt `/server:prompt`. @param name as its record has it */
export const attachedAs = (name: string): string => (name.startsWith("/") ? name : `@${name}`);

/** `@problems` and the like. @param path of a mention, as `parseMentions` gives it */
export const attachmentKind = (path: string): AttachmentKind | undefined => attachmentNames.find(name => name === path);
