/** What the host does for the panel's requests about mentions. */

import { mentionState } from "../../core/mentions/state";
import { canBeMentioned, mentionedPath, writeMention } from "../../core/mentions/write";
import type { FileRef, Files, MentionSearch } from "../../core/ports";
import { mapBounded } from "../../shared/async";
import type { PanelHandlers } from "./dispatch";
import { mentionItems } from "./mentionItems";
import { mentionOfPasted } from "./pastedPlace";

export interface MentionDeps {
  search: MentionSearch;
  files: Pick<Files, "resolve" | "stat" | "roots">;
  /** FileRef.path of the active editor's file; undefined: none is open */
  activeFile(): string | undefined;
  /** What an absolute path or a URI names; undefined: nothing that files are in, or no name at all */
  refOf(place: string): Promise<FileRef | undefined>;
}

export type MentionHandlers = Pick<PanelHandlers, "completeMention" | "mentionStates" | "mentionPlaces">;

/** Items that a menu is sent; nobody scrolls through more. */
const LIMIT = 50;
const AT_ONCE = 8;

/** Of one panel: a question about what is typed puts an end to the one before it. */
export function mentionHandlers({ search, files, activeFile, refOf }: MentionDeps): MentionHandlers {
  let asked: AbortController | undefined;
  return {
    async completeMention({ query }) {
      asked?.abort();
      asked = new AbortController();
      const { signal } = asked;
      const folder = query.endsWith("/") ? await folderCalled(query, files) : undefined;
      const active = activeFile();
      try {
        const { items, indexing } = await search.search(query, LIMIT, signal);
        const roots = files.roots.map(({ name }) => name);
        const around = {
          roots,
          ...(active === undefined ? {} : { active }),
          ...(folder === undefined ? {} : { folder }),
        };
        return { items: mentionItems(query, items, around), indexing };
      } catch (error) {
        // Nobody waits for this answer any more.
        if (signal.aborted) return { items: [], indexing: false };
        throw error;
      }
    },
    mentionStates: async ({ mentions }) => ({
      states: await mapBounded(mentions, AT_ONCE, raw => mentionState(raw, files)),
    }),
    mentionPlaces: async ({ places }) => ({
      mentions: await mapBounded(places, AT_ONCE, place =>
        mentionOfPasted(place, { files, refOf, mentionOf: ref => mentionOfPlace(ref, files) }),
      ),
    }),
  };
}

/** The mention of a file or folder of the workspace; undefined: it is not there, lies outside, or has no name to write. */
export async function mentionOfPlace(ref: FileRef, files: Pick<Files, "stat" | "roots">): Promise<string | undefined> {
  if (!ref.inside || ref.relative === "." || !canBeMentioned(ref.path)) return undefined;
  const stat = await files.stat(ref);
  if (stat === undefined || stat.type === "other") return undefined;
  const roots = files.roots.map(({ name }) => name);
  const path = mentionedPath(ref.path, roots);
  return writeMention(stat.type === "directory" ? `${path.replace(/\/$/, "")}/` : path);
}

async function folderCalled(query: string, files: Pick<Files, "resolve" | "stat">): Promise<string | undefined> {
  if (!canBeMentioned(query)) return undefined;
  return (await mentionState(writeMention(query), files)) === "folder" ? query : undefined;
}
