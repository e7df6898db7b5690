/** What mentions become when files and folders move. */
import type { DocumentMention } from "../core/mentions/inDocument";
import type { Place } from "../core/mentions/pathIndex";
import { isScope } from "../shared/mentions/lookalikes";
import type { MovesParams, MovesResult } from "../shared/mentions/serverProtocol";
import { mentionedPath, writeMention } from "../shared/mentions/write";
import { fileMentions } from "./documents";
import type { Workspace } from "./workspace";

/** As `Workspace.addressOf` has them. */
interface Move {
  from: string;
  to: string;
}

/** What moves out of every folder keeps its mentions: there is no way to name it. */
export function moved({ moves, documents }: MovesParams, workspace: Workspace): MovesResult {
  const inside = moves.flatMap(({ from, to }): Move[] => {
    const places = { from: workspace.placeOfUri(from), to: workspace.placeOfUri(to) };
    if (!places.from?.path || !places.to?.path) return [];
    return [{ from: workspace.addressOf(places.from), to: workspace.addressOf(places.to) }];
  });
  if (inside.length === 0) return [];
  return documents.flatMap(({ uri, languageId, text }) => {
    const edits = fileMentions(text, languageId, workspace.syntaxOf).flatMap(mention => {
      const written = isScope(text, mention) ? undefined : movedMention(mention, inside, workspace);
      return written === undefined ? [] : [{ start: mention.start, end: mention.end, text: written }];
    });
    return edits.length > 0 ? [{ uri, edits }] : [];
  });
}

function movedMention(mention: DocumentMention, moves: readonly Move[], workspace: Workspace): string | undefined {
  const place = workspace.placeOf(mention.path);
  if (!place) return undefined;
  const address = workspace.addressOf(place);
  for (const { from, to } of moves) {
    const rest = address.slice(from.length);
    if (!workspace.isSame(address.slice(0, from.length), from) || (rest !== "" && !rest.startsWith("/"))) continue;
    // A package `@types/node` is none of ours because a folder `types` is. What moves itself is there.
    if (mention.doubtful && rest !== "" && !workspace.kindOf(place)) return undefined;
    const moved = workspace.placeAt(to + rest);
    return moved && written(mention, moved, workspace);
  }
  return undefined;
}

/** The name of the folder stands there where it stood before, and where it has to. */
function written({ path, range }: DocumentMention, to: Place, workspace: Workspace): string {
  const { names } = workspace;
  const whole = workspace.pathOf(to) + (path.endsWith("/") ? "/" : "");
  const wasNamed = names.length > 1 && names.some(name => path.startsWith(`${name}:`));
  return writeMention(wasNamed ? whole : mentionedPath(whole, names), { ...(range && { range }) });
}
