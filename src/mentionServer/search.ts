/** The composer's question: the same search, with mentions as they are written. */
import type { z } from "zod";
import type { SearchParams, searchResultSchema } from "../shared/mentionProtocol";
import type { Feed } from "./feed";
import type { Workspace } from "./workspace";

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
