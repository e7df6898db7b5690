/** The mentions of an open document, and what they name. */
import type { TextDocument } from "vscode-languageserver-textdocument";
import { attachmentKind } from "../core/mentions/attachments";
import { type DocumentMention, type InDocument, mentionsIn } from "../core/mentions/inDocument";
import type { Mention } from "../core/mentions/parse";
import type { Place } from "../core/mentions/pathIndex";
import type { KindsParams } from "../shared/mentionProtocol";
import type { Kind, Workspace } from "./workspace";

/** A longer document has no mentions: it is data. In UTF-16 units. */
const LONGEST = 2_000_000;
/** So many places that no index has are asked for at once. */
const MOST_ASKED = 500;

export interface Named {
  mention: Mention;
  /** undefined: a place outside of every folder */
  place: Place | undefined;
  /** undefined: there is nothing */
  kind: Kind | undefined;
}

export class Mentions {
  private readonly found = new WeakMap<
    TextDocument,
    { version: number; inComments: boolean; mentions: DocumentMention[] }
  >();

  constructor(
    private readonly workspace: Workspace,
    private readonly askKinds: (params: KindsParams) => Promise<(Kind | null)[]>,
  ) {}

  of(document: TextDocument): DocumentMention[] {
    const { version } = document;
    const { inComments } = this.workspace;
    const known = this.found.get(document);
    if (known?.version === version && known.inComments === inComments) return known.mentions;
    const text = document.getText();
    const mentions = fileMentions(text, document.languageId, { inComments });
    this.found.set(document, { version, inComments, mentions });
    return mentions;
  }

  at(document: TextDocument, offset: number): Mention | undefined {
    return this.of(document).find(({ start, end }) => start <= offset && offset <= end);
  }

  /**
   * With what they name: what no index has may be there all the same (an ignored file), so that is asked for. Where that is
   * too much, the last ones are left out: nothing is known of them.
   */
  async named(mentions: readonly Mention[]): Promise<Named[]> {
    const named = mentions.map(mention => {
      const place = this.workspace.placeOf(mention.path);
      return { mention, place, kind: place && this.workspace.kindOf(place) };
    });
    const unknown = new Map(
      named.flatMap(({ place, kind }) => (place && !kind ? [[keyOf(place), place] as const] : [])),
    );
    if (unknown.size === 0) return named;
    const asked = [...unknown].slice(0, MOST_ASKED);
    const answers = await this.askKinds({ places: asked.map(([, place]) => place) });
    const kinds = new Map(asked.map(([key], index) => [key, answers[index] ?? undefined]));
    return named.flatMap(each => {
      if (!each.place || each.kind) return [each];
      const key = keyOf(each.place);
      return kinds.has(key) ? [{ ...each, kind: kinds.get(key) }] : [];
    });
  }
}

const keyOf = ({ root, path }: Place) => `${root}\n${path}`;

/** The mentions of files and folders: bare words like `@changes` are attachments, whatever a folder is called. */
export function fileMentions(text: string, languageId: string, how: InDocument): DocumentMention[] {
  if (text.length > LONGEST) return [];
  return mentionsIn(text, languageOf({ languageId }), how).filter(({ raw }) => !attachmentKind(raw.slice(1)));
}

/** The box for a commit's message is one of git's. */
export function languageOf({ languageId }: Pick<TextDocument, "languageId">): string {
  return languageId === "scminput" ? "git-commit" : languageId;
}
