/**
 * Completion after `@`. The editor filters and sorts what it gets by the text between the start of the range and the cursor;
 * so every item says that it is exactly that text, and the order is left to `sortText`. Incomplete, so that the editor asks
 * again with every letter.
 */

import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  InsertTextFormat,
  type Position,
  type Range,
} from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { typedMention } from "../core/mentions/inDocument";
import type { Place } from "../core/mentions/pathIndex";
import { mentionItems } from "../core/mentions/resources";
import { t } from "../shared/l10n";
import type { MentionItem } from "../shared/mentions/panelProtocol";
import { isDocTag } from "../shared/mentions/parse";
import { languageOf } from "./documents";
import type { Workspace } from "./workspace";

const MAX_ITEMS = 50;

/** undefined: no mention is being typed there */
export function completion(
  document: TextDocument,
  position: Position,
  workspace: Workspace,
): CompletionList | undefined {
  const isPrompt = document.languageId === "strata-prompt";
  if (workspace.folders.length === 0 && !isPrompt) return undefined;
  const line = document.getText({ start: { line: position.line, character: 0 }, end: position });
  // Asked with every dot of code: nothing is worked out where no mention can be.
  if (!line.includes("@")) return undefined;
  if (isDocTag(line) && document.languageId !== "markdown") return undefined;
  const offset = document.offsetAt(position);
  const typed = typedMention(document.getText(), offset, languageOf(document), workspace.comments);
  if (!typed) return undefined;
  const range = { start: document.positionAt(typed.start), end: document.positionAt(typed.end) };
  if (range.start.line !== position.line || range.end.line !== position.line) return undefined;
  const { query, quoted } = typed;
  const { resources } = workspace;
  const files = foundItems(query, MAX_ITEMS, workspace, workspace.placeOfUri(document.uri));
  const items = isPrompt ? mentionItems(query, { files, resources, quoted }) : files;
  const text = line.slice(range.start.character);
  return { isIncomplete: true, items: items.map((item, index) => completionItem(item, index, { range, text })) };
}

/**
 * Files and folders, best first. `positions` are offsets in the path that people see, with the folder's name where there are
 * several.
 */
export function foundItems(query: string, limit: number, workspace: Workspace, current?: Place): MentionItem[] {
  return workspace.search(query, current, limit).map(match => {
    const { kind, positions } = match;
    const mention = workspace.mentionOf(match, kind);
    if (match.path === "")
      return { kind, mention, label: workspace.nameOf(match.root), positions, hint: t("workspace folder") };
    const label = workspace.pathOf(match);
    const shift = label.length - match.path.length;
    return { kind, mention, label, positions: positions.map(at => at + shift) };
  });
}

interface TextBeforeCursor {
  range: Range;
  /** what stands before the cursor, from `@` on */
  text: string;
}

const kinds = {
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
  attachment: CompletionItemKind.Reference,
  resource: CompletionItemKind.Reference,
};

function completionItem(item: MentionItem, index: number, { range, text }: TextBeforeCursor): CompletionItem {
  const { kind, mention, hint, open } = item;
  const label = kind === "folder" && hint ? `${item.label}:` : item.label;
  const isFile = kind === "file" || kind === "folder";
  return {
    ...(isFile && !hint ? nameOf(label, kind === "folder") : { label }),
    ...(kind === "folder" && hint && { labelDetails: { description: hint } }),
    kind: kinds[kind],
    detail: isFile ? label : (hint ?? ""),
    // Beginning with what was typed, all match alike; the path lets them match what is typed next. What stands between is
    // nothing that can be typed: a blank would otherwise keep the list open.
    filterText: `${text}\u0001${label}`,
    sortText: String(index).padStart(4, "0"),
    ...(open || kind === "folder" ? goOn(mention, range) : { textEdit: { range, newText: mention } }),
  };
}

/** @param path for people */
function nameOf(path: string, isFolder: boolean): { label: string; labelDetails: CompletionItem["labelDetails"] } {
  const cut = path.lastIndexOf(path.includes("/") ? "/" : ":") + 1;
  const label = path.slice(cut) + (isFolder ? "/" : "");
  return { label, labelDetails: { description: path.slice(0, Math.max(0, cut - 1)) } };
}

/** A folder that was chosen is asked for what is in it; the cursor stays within the quotes. */
function goOn(mention: string, range: Range): Partial<CompletionItem> {
  const isQuoted = mention.endsWith('"');
  const newText = isQuoted ? `${mention.slice(0, -1).replace(/[\\$}]/g, "\\$&")}$0"` : mention;
  return {
    textEdit: { range, newText },
    ...(isQuoted && { insertTextFormat: InsertTextFormat.Snippet }),
    command: { title: t("Show what is in it"), command: "editor.action.triggerSuggest" },
  };
}
