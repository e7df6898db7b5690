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
import type { z } from "zod";
import { typedMention } from "../core/mentions/inDocument";
import type { PathMatch } from "../core/mentions/pathIndex";
import { matchResources, type ResourceMatch } from "../core/mentions/resources";
import { type attachmentKinds, offeredAttachments } from "../shared/mentions/attachments";
import { isDocTag } from "../shared/mentions/parse";
import type { SearchParams, searchResultSchema } from "../shared/mentions/serverProtocol";
import { fileName } from "../shared/paths";
import { languageOf } from "./documents";
import type { Feed, Workspace } from "./workspace";

const MAX_ITEMS = 50;
const MAX_RESOURCES = 20;

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
  const typed = typedMention(document.getText(), offset, languageOf(document), workspace.syntaxOf);
  if (!typed) return undefined;
  const range = { start: document.positionAt(typed.start), end: document.positionAt(typed.end) };
  if (range.start.line !== position.line || range.end.line !== position.line) return undefined;
  const matches = workspace.search(typed.query, workspace.placeOfUri(document.uri), MAX_ITEMS);
  const text = line.slice(range.start.character);
  const items = matches.map(match => item(match, { range, text, workspace }));
  if (isPrompt) {
    const found = matchResources(typed.query, workspace.resources, MAX_RESOURCES);
    items.unshift(...found.map(match => resource(match, { range, text })));
  }
  if (isPrompt && !typed.quoted) {
    const { kinds, before } = offeredAttachments(typed.query);
    items.splice(before, 0, ...kinds.map(kind => attachment(kind, { range, text })));
  }
  return {
    isIncomplete: true,
    items: items.map((each, index) => ({ ...each, sortText: String(index).padStart(4, "0") })),
  };
}

interface Around {
  range: Range;
  /** what stands before the cursor, from `@` on */
  text: string;
  workspace: Workspace;
}

/** `@server:uri`: read when the prompt is sent. */
function resource(
  { mention, label, hint, open }: ResourceMatch,
  { range, text }: Omit<Around, "workspace">,
): CompletionItem {
  return {
    label,
    detail: hint,
    kind: CompletionItemKind.Reference,
    filterText: `${text}\u0001${label}`,
    ...(open ? goOn(mention, range) : { textEdit: { range, newText: mention } }),
  };
}

/** `@problems` and the like, whose content goes out with a prompt. */
function attachment(
  { name, hint }: (typeof attachmentKinds)[number],
  { range, text }: Omit<Around, "workspace">,
): CompletionItem {
  return {
    label: name,
    detail: hint,
    kind: CompletionItemKind.Reference,
    filterText: `${text}\u0001${name}`,
    textEdit: { range, newText: `@${name}` },
  };
}

function item(match: PathMatch, { range, text, workspace }: Around): CompletionItem {
  const isFolder = match.kind === "folder";
  const path = workspace.pathOf(match);
  const mention = workspace.mentionOf(match, match.kind);
  return {
    ...labelOf(match, path),
    kind: isFolder ? CompletionItemKind.Folder : CompletionItemKind.File,
    detail: path,
    // Beginning with what was typed, all match alike; the path lets them match what is typed next. What stands between is
    // nothing that can be typed: a blank would otherwise keep the list open.
    filterText: `${text}\u0001${path}`,
    ...(isFolder ? goOn(mention, range) : { textEdit: { range, newText: mention } }),
  };
}

/** @param path for people */
function labelOf(match: PathMatch, path: string): Pick<CompletionItem, "label" | "labelDetails"> {
  if (match.path === "") return { label: path, labelDetails: { description: "workspace folder" } };
  const name = fileName(match.path);
  const description = path.slice(0, path.length - name.length).replace(/[/:]$/, "");
  return { label: match.kind === "folder" ? `${name}/` : name, labelDetails: { description } };
}

/** A folder that was chosen is asked for what is in it; the cursor stays within the quotes. */
function goOn(mention: string, range: Range): Partial<CompletionItem> {
  const isQuoted = mention.endsWith('"');
  const newText = isQuoted ? `${mention.slice(0, -1).replace(/[\\$}]/g, "\\$&")}$0"` : mention;
  return {
    textEdit: { range, newText },
    ...(isQuoted && { insertTextFormat: InsertTextFormat.Snippet }),
    command: { title: "Show what is in it", command: "editor.action.triggerSuggest" },
  };
}

/** `positions` are offsets in the path that people see, with the folder's name where there are several. */
export function search(
  { query, limit }: SearchParams,
  workspace: Workspace,
  { indexing }: Pick<Feed, "indexing">,
): z.infer<typeof searchResultSchema> {
  const items = workspace.search(query, undefined, limit).map(match => {
    const { kind, positions } = match;
    const mention = workspace.mentionOf(match, kind);
    if (match.path === "") return { kind, mention, path: workspace.nameOf(match.root), positions, root: true as const };
    const path = workspace.pathOf(match);
    const shift = path.length - match.path.length;
    return { kind, mention, path, positions: positions.map(at => at + shift) };
  });
  return { items, indexing };
}
