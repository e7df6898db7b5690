/** From a mention to the place: document links, go to definition. */
import type { DocumentLink, LocationLink, Position, Range } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { DocumentMention } from "../core/mentions/inDocument";
import type { Mention } from "../core/mentions/parse";
import type { Mentions } from "./mentions";
import type { Workspace } from "./workspace";

/** Links of those mentions that name something; a folder's opens it in the explorer. */
export async function links(document: TextDocument, mentions: Mentions, workspace: Workspace): Promise<DocumentLink[]> {
  const named = await mentions.named(mentions.of(document).filter(mention => !isPerson(mention, workspace)));
  return named.flatMap(({ mention, place, kind }) => {
    if (!place || !kind) return [];
    const uri = workspace.uriOf(place);
    const target = kind === "folder" ? revealing(uri) : uri + fragment(mention);
    const tooltip = kind === "folder" ? "Show in the explorer" : "Open the file";
    return [{ range: rangeOf(document, mention), target, tooltip }];
  });
}

/** A word that no index has may be somebody, of whom a changelog has thousands: no file is looked for. */
function isPerson({ doubtful, path }: DocumentMention, workspace: Workspace): boolean {
  if (!doubtful || !/^[\w-]+$/.test(path)) return false;
  const place = workspace.placeOf(path);
  return !place || !workspace.kindOf(place);
}

/** The file and the lines that a mention names; none of a folder, which cannot be opened. */
export async function definition(
  document: TextDocument,
  position: Position,
  mentions: Mentions,
  workspace: Workspace,
): Promise<LocationLink[]> {
  const mention = mentions.at(document, document.offsetAt(position));
  if (!mention) return [];
  const [found] = await mentions.named([mention]);
  if (!found?.place || found.kind !== "file") return [];
  const targetRange = lines(mention);
  return [
    {
      originSelectionRange: rangeOf(document, mention),
      targetUri: workspace.uriOf(found.place),
      targetRange,
      targetSelectionRange: { start: targetRange.start, end: targetRange.start },
    },
  ];
}

/** From UTF-16 offsets to lines and characters, as the protocol counts them. */
export function rangeOf(document: TextDocument, { start, end }: { start: number; end: number }): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

function lines({ range }: Mention): Range {
  const first = (range?.first ?? 1) - 1;
  return { start: { line: first, character: 0 }, end: { line: range?.last ?? 0, character: 0 } };
}

/** As the editor reads it: `#L10-L40`. */
function fragment({ range }: Mention): string {
  if (!range) return "";
  return range.first === range.last ? `#L${range.first}` : `#L${range.first}-L${range.last}`;
}

/** Folders cannot be opened, only shown. The editor revives what is marked as a URI. */
function revealing(uri: string): string {
  const [, scheme = "", authority = "", path = ""] = /^([^:]+):(?:\/\/([^/]*))?(.*)$/.exec(uri) ?? [];
  const resource = { $mid: 1, scheme, authority: decodeURIComponent(authority), path: decodeURIComponent(path) };
  return `command:revealInExplorer?${encodeURIComponent(JSON.stringify([resource]))}`;
}
