/** Mentions in documents: the one that is being typed, what those that are there name, and what a hover says. */

import { mentionsIn, typedMention } from "../../core/mentions/inDocument";
import type { Place } from "../../core/mentions/pathIndex";
import { mentionItems, resourceNamed } from "../../core/mentions/resources";
import { fenced } from "../../shared/fences";
import { sizeText } from "../../shared/format";
import { locale, plural, t } from "../../shared/l10n";
import { attachmentKind } from "../../shared/mentions/attachments";
import type { MentionItem } from "../../shared/mentions/panelProtocol";
import type { Mention } from "../../shared/mentions/parse";
import type { EntryKind, Workspace } from "./workspace";

/** A longer document has no mentions: it is data. In UTF-16 units. */
const MAX_TEXT = 1_000_000;
/** So many places that no index has are looked at for one document. */
const MAX_LOOKED = 500;
const MAX_ITEMS = 50;
const MAX_HOVER_LINES = 12;

/** A document as the editor has it. */
interface MentionDocument {
  readonly languageId: string;
  readonly version: number;
  readonly uri: { toString(): string };
  getText(): string;
}

/** Lines of a file to show. */
export interface ShownLines {
  first: number;
  most: number;
}

/** A file or folder that is there. */
export interface PlaceLook {
  kind: EntryKind;
  /** bytes; of a folder that is shown: entries */
  size: number;
  /** ms since the epoch; 0: not known */
  mtime: number;
  /** of a folder: the names of its first entries; of a binary or large file none */
  lines: string[];
}

/** What is at places, of which an index need not have any: an ignored file is one, too. undefined: nothing is. */
type LookAt = (places: readonly Place[], lines?: ShownLines) => Promise<readonly (PlaceLook | undefined)[]>;

interface NamedMention {
  mention: Mention;
  place: Place;
  kind: EntryKind;
}

/** What the mention that is being typed may become. Offsets are those of the text that it replaces. */
interface TypedItems {
  start: number;
  end: number;
  items: MentionItem[];
}

export class Mentions {
  private readonly found = new WeakMap<MentionDocument, { version: number; comments: boolean; mentions: Mention[] }>();

  constructor(
    readonly workspace: Workspace,
    private readonly lookAt: LookAt,
  ) {}

  /** undefined: no mention is being typed there */
  completion(document: MentionDocument, offset: number): TypedItems | undefined {
    const { workspace } = this;
    const isPrompt = document.languageId === "strata-prompt";
    if (workspace.folders.length === 0 && !isPrompt) return undefined;
    const text = document.getText();
    const typed = typedMention(text, offset, languageOf(document), workspace.comments);
    if (!typed) return undefined;
    const { start, end, query, quoted } = typed;
    if (text.slice(start, end).includes("\n")) return undefined;
    const files = workspace.items(query, MAX_ITEMS, workspace.placeOfUri(document.uri.toString()));
    const { resources } = workspace;
    return { start, end, items: isPrompt ? mentionItems(query, { files, resources, quoted }) : files };
  }

  at(document: MentionDocument, offset: number): Mention | undefined {
    return this.of(document).find(({ start, end }) => start <= offset && offset <= end);
  }

  /** Those that name something, for links. */
  linked(document: MentionDocument): Promise<NamedMention[]> {
    return this.named(this.of(document).filter(mention => !this.isPerson(mention)));
  }

  /**
   * Those that name something. Names not in the index may be ignored files, so up to `MAX_LOOKED` of them are looked at; further
   * ones are left out.
   */
  async named(mentions: readonly Mention[]): Promise<NamedMention[]> {
    const all = mentions.flatMap(mention => {
      const place = this.workspace.placeOf(mention.path);
      return place ? [{ mention, place, kind: this.workspace.kindOf(place) }] : [];
    });
    const unknown = new Map(all.flatMap(({ place, kind }) => (kind ? [] : [[keyOf(place), place] as const])));
    const asked = [...unknown].slice(0, MAX_LOOKED);
    const looks = asked.length > 0 ? await this.lookAt(asked.map(([, place]) => place)) : [];
    const kinds = new Map(asked.map(([key], index) => [key, looks[index]?.kind]));
    return all.flatMap(({ mention, place, kind = kinds.get(keyOf(place)) }) =>
      kind ? [{ mention, place, kind }] : [],
    );
  }

  /** Markdown on what a mention names; undefined: it names nothing */
  async hover({ path, range }: Mention): Promise<string | undefined> {
    const { workspace } = this;
    const resource = resourceHover(path, workspace);
    if (resource) return resource;
    const place = workspace.placeOf(path);
    if (!place) return undefined;
    const first = range?.first ?? 1;
    const most = range ? Math.min(MAX_HOVER_LINES, range.last - first + 1) : MAX_HOVER_LINES;
    const [look] = await this.lookAt([place], { first, most });
    if (!look) return undefined;
    const shown = workspace.pathOf(place) || place.root;
    return [`**${escaped(shown)}**`, facts(look), block(look, shown)].filter(Boolean).join("\n\n");
  }

  /** The mentions of files and folders: bare words like `@changes` are attachments, whatever a folder is called. */
  private of(document: MentionDocument): Mention[] {
    const { version } = document;
    const { comments } = this.workspace;
    const known = this.found.get(document);
    if (known?.version === version && known.comments === comments) return known.mentions;
    const text = document.getText();
    const all = text.length > MAX_TEXT ? [] : mentionsIn(text, languageOf(document), comments);
    const mentions = all.filter(({ raw }) => !attachmentKind(raw.slice(1)));
    this.found.set(document, { version, comments, mentions });
    return mentions;
  }

  /** `@name` may be a person (changelogs have thousands): plain words that no index has are not looked up. */
  private isPerson({ path, range }: Mention): boolean {
    if (range || !/^[\w-]+$/.test(path)) return false;
    const place = this.workspace.placeOf(path);
    return !place || !this.workspace.kindOf(place);
  }
}

const keyOf = ({ root, path }: Place) => `${root}\n${path}`;

/** The box for a commit's message is one of git's. */
const languageOf = ({ languageId }: MentionDocument) => (languageId === "scminput" ? "git-commit" : languageId);

/** Title and type, as the server says them. */
function resourceHover(path: string, { resources }: Workspace): string | undefined {
  const named = resourceNamed(path, [...new Set(resources.map(({ server }) => server))], resources);
  if (!named) return undefined;
  const known = resources.find(({ server, uri }) => server === named.server && uri === named.uri);
  const about = [known?.title, known?.mimeType, t("resource of the MCP server {0}", named.server)].filter(Boolean);
  return `**${escaped(named.uri)}**\n\n${escaped(about.join(" · "))}`;
}

function facts({ kind, size, mtime }: PlaceLook): string {
  const bytes = size < 1024 ? plural(size, "1 byte", "{0} bytes") : sizeText(size);
  const much = kind === "folder" ? plural(size, "folder, 1 entry", "folder, {0} entries") : bytes;
  return mtime > 0 ? t("{0} · changed {1}", much, new Date(mtime).toLocaleString(locale())) : much;
}

function block({ lines }: PlaceLook, path: string): string {
  if (lines.length === 0) return "";
  return fenced(lines.join("\n"), /\.(\w+)$/.exec(path)?.[1], "`");
}

/** Names with `*`, `_` or `<` are shown as they are. */
const escaped = (path: string) => path.replace(/[\\`*_{}[\]()#+\-.!|<>&~$]/g, "\\$&");
