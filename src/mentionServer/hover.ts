/** What a mention names, at a glance: path, size, first lines, last change. */
import { type Hover, MarkupKind, type Position } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { LookParams, LookResult } from "../shared/mentionProtocol";
import type { Mentions } from "./mentions";
import { rangeOf } from "./places";
import type { Workspace } from "./workspace";

const LINES = 12;

export interface HoverDeps {
  mentions: Mentions;
  workspace: Workspace;
  look(params: LookParams): Promise<LookResult>;
}

/** null: no mention stands there, or it names nothing. Rejects where the editor cannot be asked. */
export async function hover(document: TextDocument, position: Position, deps: HoverDeps): Promise<Hover | null> {
  const mention = deps.mentions.at(document, document.offsetAt(position));
  const place = mention && deps.workspace.placeOf(mention.path);
  if (!mention || !place) return null;
  const first = mention.range?.first ?? 1;
  const wanted = mention.range ? Math.min(LINES, mention.range.last - first + 1) : LINES;
  const look = await deps.look({ ...place, first, lines: wanted });
  if (!look) return null;
  const path = deps.workspace.pathOf(place) || place.root;
  const value = [`**${escaped(path)}**`, facts(look), block(look, path)].filter(Boolean).join("\n\n");
  return { range: rangeOf(document, mention), contents: { kind: MarkupKind.Markdown, value } };
}

function facts({ kind, size, mtime }: NonNullable<LookResult>): string {
  const much = kind === "folder" ? `folder, ${counted(size, "entry", "entries")}` : bytes(size);
  return mtime > 0 ? `${much} · changed ${new Date(mtime).toLocaleString()}` : much;
}

function block({ lines }: NonNullable<LookResult>, path: string): string {
  if (lines.length === 0) return "";
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? "";
  return `${fence}${extension}\n${text}\n${fence}`;
}

function bytes(size: number): string {
  if (size < 1024) return counted(size, "byte", "bytes");
  return size < 1024 * 1024 ? `${(size / 1024).toFixed(1)} KB` : `${(size / 1024 / 1024).toFixed(1)} MB`;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Names with `*`, `_` or `<` are shown as they are. */
const escaped = (path: string) => path.replace(/[\\`*_{}[\]()#+\-.!|<>&~$]/g, "\\$&");
