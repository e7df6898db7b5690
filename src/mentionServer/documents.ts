/** The mentions of documents: what they name, links, hovers. */

import {
  type DocumentLink,
  type Hover,
  type LocationLink,
  MarkupKind,
  type Position,
  type Range,
} from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { mentionsIn } from "../core/mentions/inDocument";
import type { Place } from "../core/mentions/pathIndex";
import { resourceNamed } from "../core/mentions/resources";
import { fenced } from "../shared/fences";
import { sizeText } from "../shared/format";
import { locale, plural, t } from "../shared/l10n";
import { attachmentKind } from "../shared/mentions/attachments";
import type { Mention } from "../shared/mentions/parse";
import type { LookParams, LookResult } from "../shared/mentions/serverProtocol";
import type { EntryKind, Workspace } from "./workspace";

/** A longer document has no mentions: it is data. In UTF-16 units. */
const MAX_TEXT = 2_000_000;
/** So many places that no index has are asked for at once. */
const MAX_ASKED = 500;

interface MentionTarget {
  mention: Mention;
  /** undefined: a place outside of every folder */
  place: Place | undefined;
  kind: EntryKind | undefined;
}

export class Mentions {
  private readonly found = new WeakMap<TextDocument, { version: number; comments: boolean; mentions: Mention[] }>();

  constructor(
    private readonly workspace: Workspace,
    private readonly look: (params: LookParams) => Promise<LookResult>,
  ) {}

  of(document: TextDocument): Mention[] {
    const { version } = document;
    const { comments } = this.workspace;
    const known = this.found.get(document);
    if (known?.version === version && known.comments === comments) return known.mentions;
    const mentions = fileMentions(document, comments);
    this.found.set(document, { version, comments, mentions });
    return mentions;
  }

  at(document: TextDocument, offset: number): Mention | undefined {
    return this.of(document).find(({ start, end }) => start <= offset && offset <= end);
  }

  /**
   * With what they name. Names not in the index may be ignored files, so the client checks up to `MAX_ASKED` of them; further
   * ones are left out.
   */
  async named(mentions: readonly Mention[]): Promise<MentionTarget[]> {
    const named = mentions.map(mention => {
      const place = this.workspace.placeOf(mention.path);
      return { mention, place, kind: place && this.workspace.kindOf(place) };
    });
    const unknown = new Map(
      named.flatMap(({ place, kind }) => (place && !kind ? [[keyOf(place), place] as const] : [])),
    );
    if (unknown.size === 0) return named;
    const asked = [...unknown].slice(0, MAX_ASKED);
    const answers = await this.look({ places: asked.map(([, place]) => place) });
    const kinds = new Map(asked.map(([key], index) => [key, answers[index]?.kind]));
    return named.flatMap(each => {
      if (!each.place || each.kind) return [each];
      const key = keyOf(each.place);
      return kinds.has(key) ? [{ ...each, kind: kinds.get(key) }] : [];
    });
  }
}

const keyOf = ({ root, path }: Place) => `${root}\n${path}`;

/** The mentions of files and folders: bare words like `@changes` are attachments, whatever a folder is called. */
function fileMentions(document: TextDocument, comments: boolean): Mention[] {
  const text = document.getText();
  if (text.length > MAX_TEXT) return [];
  return mentionsIn(text, languageOf(document), comments).filter(({ raw }) => !attachmentKind(raw.slice(1)));
}

/** The box for a commit's message is one of git's. */
export function languageOf({ languageId }: { languageId: string }): string {
  return languageId === "scminput" ? "git-commit" : languageId;
}

/** Links of those mentions that name something; a folder's opens it in the explorer. */
export async function links(document: TextDocument, mentions: Mentions, workspace: Workspace): Promise<DocumentLink[]> {
  const named = await mentions.named(mentions.of(document).filter(mention => !isPerson(mention, workspace)));
  return named.flatMap(({ mention, place, kind }) => {
    if (!place || !kind) return [];
    const uri = workspace.uriOf(place);
    const target = kind === "folder" ? revealing(uri) : uri + fragment(mention);
    const tooltip = kind === "folder" ? t("Show in the explorer") : t("Open the file");
    return [{ range: rangeOf(document, mention), target, tooltip }];
  });
}

/** `@name` may be a person (changelogs have thousands): plain words that no index has are not looked up. */
function isPerson({ path, range }: Mention, workspace: Workspace): boolean {
  if (range || !/^[\w-]+$/.test(path)) return false;
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
function rangeOf(document: TextDocument, { start, end }: { start: number; end: number }): Range {
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

const LINES = 12;

export interface HoverDeps {
  mentions: Mentions;
  workspace: Workspace;
  look(params: LookParams): Promise<LookResult>;
}

/** null: no mention stands there, or it names nothing. Rejects where the editor cannot be asked. */
export async function hover(document: TextDocument, position: Position, deps: HoverDeps): Promise<Hover | null> {
  const mention = deps.mentions.at(document, document.offsetAt(position));
  const resource = mention && resourceHover(mention.path, deps.workspace);
  if (mention && resource)
    return { range: rangeOf(document, mention), contents: { kind: MarkupKind.Markdown, value: resource } };
  const place = mention && deps.workspace.placeOf(mention.path);
  if (!mention || !place) return null;
  const first = mention.range?.first ?? 1;
  const most = mention.range ? Math.min(LINES, mention.range.last - first + 1) : LINES;
  const [look] = await deps.look({ places: [place], lines: { first, most } });
  if (!look) return null;
  const path = deps.workspace.pathOf(place) || place.root;
  const value = [`**${escaped(path)}**`, facts(look), block(look, path)].filter(Boolean).join("\n\n");
  return { range: rangeOf(document, mention), contents: { kind: MarkupKind.Markdown, value } };
}

/** Title and type, as the server says them. */
function resourceHover(path: string, { resources }: Workspace): string | undefined {
  const named = resourceNamed(path, [...new Set(resources.map(({ server }) => server))], resources);
  if (!named) return undefined;
  const known = resources.find(({ server, uri }) => server === named.server && uri === named.uri);
  const about = [known?.title, known?.mimeType, t("resource of the MCP server {0}", named.server)].filter(Boolean);
  return `**${escaped(named.uri)}**\n\n${escaped(about.join(" · "))}`;
}

function facts({ kind, size, mtime }: NonNullable<LookResult[number]>): string {
  const much = kind === "folder" ? plural(size, "folder, 1 entry", "folder, {0} entries") : bytes(size);
  return mtime > 0 ? t("{0} · changed {1}", much, new Date(mtime).toLocaleString(locale())) : much;
}

function block({ lines }: NonNullable<LookResult[number]>, path: string): string {
  if (lines.length === 0) return "";
  return fenced(lines.join("\n"), /\.(\w+)$/.exec(path)?.[1], "`");
}

function bytes(size: number): string {
  if (size < 1024) return plural(size, "1 byte", "{0} bytes");
  return sizeText(size);
}

/** Names with `*`, `_` or `<` are shown as they are. */
const escaped = (path: string) => path.replace(/[\\`*_{}[\]()#+\-.!|<>&~$]/g, "\\$&");
