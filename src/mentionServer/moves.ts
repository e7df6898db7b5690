/** What mentions become when files and folders move. */
import type { DocumentMention } from "../core/mentions/inDocument";
import { isScope } from "../core/mentions/lookalikes";
import type { Mention } from "../core/mentions/parse";
import type { Place } from "../core/mentions/pathIndex";
import { writeMention } from "../core/mentions/write";
import type { MovesParams, MovesResult } from "../shared/mentionProtocol";
import { fileMentions } from "./mentions";
import type { Workspace } from "./workspace";

interface Move {
  from: Place;
  to: Place;
}

/** What moves out of every folder keeps its mentions: there is no way to name it. */
export function moved({ moves, documents }: MovesParams, workspace: Workspace): MovesResult {
  const inside = moves.flatMap(({ from, to }): Move[] => {
    const places = { from: workspace.placeOfUri(from), to: workspace.placeOfUri(to) };
    return places.from?.path && places.to?.path ? [{ from: places.from, to: places.to }] : [];
  });
  if (inside.length === 0) return [];
  return documents.flatMap(({ uri, languageId, text }) => {
    const { inComments } = workspace;
    const edits = fileMentions(text, languageId, { inComments }).flatMap(mention => {
      const written = isScope(text, mention) ? undefined : movedMention(mention, inside, workspace);
      return written === undefined ? [] : [{ start: mention.start, end: mention.end, text: written }];
    });
    return edits.length > 0 ? [{ uri, edits }] : [];
  });
}

function movedMention(mention: DocumentMention, moves: readonly Move[], workspace: Workspace): string | undefined {
  const place = workspace.placeOf(mention.path);
  if (!place) return undefined;
  for (const { from, to } of moves) {
    if (place.root !== from.root) continue;
    const { length } = from.path;
    const rest = place.path.slice(length);
    if (!workspace.isSame(place.path.slice(0, length), from.path) || (rest !== "" && !rest.startsWith("/"))) continue;
    // A package `@types/node` is none of ours because a folder `types` is. What moves itself is there.
    if (mention.doubtful && rest !== "" && !workspace.kindOf(place)) return undefined;
    const path = to.path + rest + (mention.path.endsWith("/") ? "/" : "");
    const folder = folderFor(mention, to, workspace);
    return writeMention(path, {
      ...(folder !== undefined && { folder }),
      ...(mention.range && { range: mention.range }),
    });
  }
  return undefined;
}

/** The name of the folder stands there where it stood before, and where it has to. */
function folderFor({ path }: Mention, { root }: Place, { folders }: Workspace): string | undefined {
  const name = folders.find(({ uri }) => uri === root)?.name;
  const wasNamed = folders.length > 1 && folders.some(folder => path.startsWith(`${folder.name}:`));
  return wasNamed || folders[0]?.uri !== root ? name : undefined;
}
