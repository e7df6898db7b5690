/** What the composer's menu of mentions lists: found files, with what else fits put among them. Pure. */
import { type attachmentKinds, offeredAttachments } from "../../core/mentions/attachments";
import { mentionedPath, writeMention } from "../../core/mentions/write";
import type { FoundMention } from "../../core/ports";
import type { MentionItem } from "../../shared/panelMentions";

export interface MentionAround {
  /** names of the workspace's folders */
  roots?: readonly string[];
  /** FileRef.path of the active editor's file */
  active?: string;
  /** the query is the path of this folder, `/` at its end */
  folder?: string;
}

/**
 * Before anything is typed: the active editor's file, other found files, attachments. Then: the folder whose contents are
 * listed, found files, and attachments whose name begins so.
 */
export function mentionItems(query: string, found: readonly FoundMention[], around: MentionAround): MentionItem[] {
  const files = found.map(fileItem);
  const { kinds, before } = offeredAttachments(query);
  const attached = kinds.map(kind => attachmentItem(kind, query.length));
  if (query === "") {
    const first = around.active === undefined ? [] : [activeItem(around.active, around)];
    const others = files.filter(({ mention }) => mention !== first[0]?.mention).slice(0, before - first.length);
    // All that is offered then is in sight.
    return [...first, ...others, ...attached];
  }
  const here = around.folder === undefined ? [] : [hereItem(around.folder, around)];
  const rest = files.filter(({ mention }) => mention !== here[0]?.mention);
  return [...here, ...rest.slice(0, before), ...attached, ...rest.slice(before)];
}

function fileItem({ kind, mention, path, positions, root }: FoundMention): MentionItem {
  return { kind, mention, label: path, positions, ...(root && { hint: "workspace folder" }) };
}

function activeItem(path: string, { roots = [] }: MentionAround): MentionItem {
  const mention = writeMention(mentionedPath(path, roots));
  return { kind: "file", mention, label: path, positions: [], hint: "active editor" };
}

function hereItem(folder: string, { roots = [] }: MentionAround): MentionItem {
  const mention = writeMention(mentionedPath(folder, roots));
  return {
    ...{ kind: "folder", mention, label: folder, positions: [] },
    ...{ hint: "this folder", here: true },
  };
}

function attachmentItem({ name, hint }: (typeof attachmentKinds)[number], typed: number): MentionItem {
  const positions = Array.from({ length: typed }, (_, index) => index);
  return { kind: "attachment", mention: `@${name}`, label: name, positions, hint };
}
