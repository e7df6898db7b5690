/** What the composer's menu of mentions lists: found files, with what else fits put among them. Pure. */
import { type attachmentKinds, offeredAttachments } from "../../core/mentions/attachments";
import { writeMention } from "../../core/mentions/write";
import type { FoundMention } from "../../core/ports";
import type { MentionItem } from "../../shared/panelMentions";

export interface MentionAround {
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
    const first = around.active === undefined ? [] : [activeItem(around.active)];
    // By what people see: of the first of several folders a mention is written with its name and without.
    const others = files.filter(({ label }) => label !== around.active).slice(0, before - first.length);
    // All that is offered then is in sight.
    return [...first, ...others, ...attached];
  }
  const here = around.folder === undefined ? [] : [hereItem(around.folder)];
  const rest = files.filter(({ mention }) => mention !== here[0]?.mention);
  return [...here, ...rest.slice(0, before), ...attached, ...rest.slice(before)];
}

function fileItem({ kind, mention, path, positions }: FoundMention): MentionItem {
  return { kind, mention, label: path, positions };
}

function activeItem(path: string): MentionItem {
  return { kind: "file", mention: writeMention(path), label: path, positions: [], hint: "active editor" };
}

function hereItem(folder: string): MentionItem {
  return {
    ...{ kind: "folder", mention: writeMention(folder), label: folder, positions: [] },
    ...{ hint: "this folder", here: true },
  };
}

function attachmentItem({ name, hint }: (typeof attachmentKinds)[number], typed: number): MentionItem {
  const positions = Array.from({ length: typed }, (_, index) => index);
  return { kind: "attachment", mention: `@${name}`, label: name, positions, hint };
}
