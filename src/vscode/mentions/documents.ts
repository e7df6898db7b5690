/** Mentions in documents: the one that is being typed, and what those that are there name. */

import { mentionItems } from "../../core/mentions/resources";
import { attachmentKind, type Mention } from "../../shared/mentions/parse";
import { mentionsIn, typedMention } from "./inDocument";
import type { Place } from "./pathIndex";
import type { EntryKind, Workspace } from "./workspace";

/** A longer document has no mentions: it is data. In UTF-16 units. */
const MAX_TEXT = 2_000_000;
/** So many places are looked at for one document. */
const MAX_LOOKED = 500;
/** `@name` may be a person, and changelogs have thousands: so many mentions that are a plain word count. */
const MAX_WORDS = 100;
const MAX_ITEMS = 50;

/** A document as the editor has it. */
interface MentionDocument {
  readonly languageId: string;
  readonly version: number;
  readonly uri: { toString(): string };
  getText(): string;
}

/** The kinds of places as they are now: an ignored file is one, too. undefined: there is nothing. */
type LookAt = (places: readonly Place[]) => Promise<readonly (EntryKind | undefined)[]>;

type NamedMention = { mention: Mention; place: Place; kind: EntryKind };

export class Mentions {
  private readonly found = new WeakMap<MentionDocument, { state: string; mentions: Mention[] }>();

  constructor(
    readonly workspace: Workspace,
    private readonly lookAt: LookAt,
  ) {}

  /** What the mention that is being typed there may become, and the text that it replaces; undefined: none is */
  completion(document: MentionDocument, offset: number) {
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
    let words = 0;
    const isWord = ({ path, range }: Mention) => !range && /^[\w-]+$/.test(path);
    return this.named(this.of(document).filter(mention => !isWord(mention) || ++words <= MAX_WORDS));
  }

  /** Those that name something; of more than `MAX_LOOKED` places the first ones. */
  async named(mentions: readonly Mention[]): Promise<NamedMention[]> {
    const all = mentions.flatMap(mention => {
      const place = this.workspace.placeOf(mention.path);
      return place ? [{ mention, place }] : [];
    });
    const asked = [...new Map(all.map(({ place }) => [keyOf(place), place]))].slice(0, MAX_LOOKED);
    const looks = asked.length > 0 ? await this.lookAt(asked.map(([, place]) => place)) : [];
    const kinds = new Map(asked.map(([key], index) => [key, looks[index]]));
    return all.flatMap(({ mention, place }) => {
      const kind = kinds.get(keyOf(place));
      return kind ? [{ mention, place, kind }] : [];
    });
  }

  /** The mentions of files and folders: bare words like `@changes` are attachments, whatever a folder is called. */
  private of(document: MentionDocument): Mention[] {
    const { comments } = this.workspace;
    const state = `${document.version} ${document.languageId} ${comments}`;
    const known = this.found.get(document);
    if (known?.state === state) return known.mentions;
    const text = document.getText();
    const all = text.length > MAX_TEXT ? [] : mentionsIn(text, languageOf(document), comments);
    const mentions = all.filter(({ raw }) => !attachmentKind(raw.slice(1)));
    this.found.set(document, { state, mentions });
    return mentions;
  }
}

const keyOf = ({ root, path }: Place) => `${root}\n${path}`;

/** The box for a commit's message is one of git's. */
const languageOf = ({ languageId }: MentionDocument) => (languageId === "scminput" ? "git-commit" : languageId);
