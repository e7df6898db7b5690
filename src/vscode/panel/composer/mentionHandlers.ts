/** What the host does for the panel's requests about mentions. */

import { FileError, type FileRef, type Files, type McpOffers, type MentionSearch } from "../../../core/ground/ports";
import { listedResources } from "../../../core/mentions/attachments/offered";
import { mentionState } from "../../../core/mentions/message";
import { mentionedResources, mentionItems } from "../../../core/mentions/resources";
import { mapBounded } from "../../../shared/async";
import type { MentionItem } from "../../../shared/findProtocol";
import { t } from "../../../shared/l10n";
import { canBeMentioned, mentionedPath, writeMention } from "../../../shared/mentions/write";
import { handlersFor } from "../host/dispatch";

export interface MentionDeps {
  search: MentionSearch;
  files: Files;
  /** FileRef.path of the active editor's file; undefined: none is open */
  activeFile(): string | undefined;
  /** What an absolute path or a URI names; undefined: nothing that files are in, or no name at all */
  refOf(place: string): Promise<FileRef | undefined>;
  /** what MCP servers offer; absent: there are none */
  offers?: McpOffers | undefined;
}

/** Items that a menu is sent; more rows are of no use. */
const MAX_ITEMS = 50;
const MAX_CONCURRENT_LOOKUPS = 8;

/** Of one panel: a question about what is typed puts an end to the one before it. */
export function mentionHandlers(deps: MentionDeps) {
  const { search, files, offers } = deps;
  let asked: AbortController | undefined;
  return handlersFor({
    async completeMention({ query }) {
      asked?.abort();
      asked = new AbortController();
      const { signal } = asked;
      try {
        const found = search.search(query, MAX_ITEMS, signal);
        const [first, { items, indexing }] = await Promise.all([firstItem(query, deps), found]);
        const resources = listedResources(offers?.offers() ?? []);
        return { items: mentionItems(query, { files: items, resources, first, brief: true }), indexing };
      } catch (error) {
        // A newer question was asked.
        if (signal.aborted) return { items: [], indexing: false };
        throw error;
      }
    },
    async mentionStates({ mentions }) {
      const offered = offers?.offers() ?? [];
      const servers = offered.map(({ server }) => server);
      const listed = listedResources(offered);
      const isResource = (raw: string) => mentionedResources(raw, servers, listed).length > 0;
      const state = async (raw: string) => (isResource(raw) ? "resource" : mentionState(raw, files));
      return { states: await mapBounded(mentions, MAX_CONCURRENT_LOOKUPS, state) };
    },
    mentionPlaces: async ({ places }) => ({
      mentions: await mapBounded(places, MAX_CONCURRENT_LOOKUPS, place => mentionOfPasted(place, deps)),
    }),
  });
}

/** The mention of a file or folder of the workspace; undefined: it is not there, lies outside, or has no name to write. */
export async function mentionOfPlace(ref: FileRef, files: Files): Promise<string | undefined> {
  if (!ref.inside || ref.relative === "." || !canBeMentioned(ref.path)) return undefined;
  const stat = await files.stat(ref);
  if (stat === undefined || stat.type === "other") return undefined;
  const roots = files.roots.map(({ name }) => name);
  const path = mentionedPath(ref.path, roots);
  return writeMention(stat.type === "directory" ? `${path.replace(/\/$/, "")}/` : path);
}

async function folderCalled(query: string, files: Files): Promise<string | undefined> {
  if (!canBeMentioned(query)) return undefined;
  return (await mentionState(writeMention(query), files)) === "folder" ? query : undefined;
}

/** What stands first: the active editor's file where nothing is typed, else the folder whose contents are listed. */
async function firstItem(query: string, { files, activeFile }: MentionDeps): Promise<MentionItem | undefined> {
  const isFolder = query.endsWith("/");
  const path = query === "" ? activeFile() : isFolder ? await folderCalled(query, files) : undefined;
  if (path === undefined) return undefined;
  const roots = files.roots.map(({ name }) => name);
  const known = { mention: writeMention(mentionedPath(path, roots)), label: path, positions: [] };
  return isFolder
    ? { kind: "folder", ...known, hint: t("this folder"), here: true }
    : { kind: "file", ...known, hint: t("active editor") };
}

/**
 * @param place absolute, a URI, or relative to the workspace folder; `:line` or `:line:column` may stand behind it
 * @returns null: nothing of the workspace is there
 */
async function mentionOfPasted(place: string, { files, refOf }: MentionDeps): Promise<string | null> {
  for (const { path, line } of readingsOf(place)) {
    const ref = (await refOf(path)) ?? (await relativeTo(path, files));
    const mention = ref && (await mentionOfPlace(ref, files));
    if (mention) return line === undefined || mention.endsWith("/") ? mention : `${mention}:${line}`;
  }
  return null;
}

/** A file may be called `a:10`. */
function readingsOf(place: string): { path: string; line?: string }[] {
  const [, path, line] = /^(.+?):(\d{1,9})(?::\d{1,9})?$/.exec(place) ?? [];
  return path === undefined || line === undefined ? [{ path: place }] : [{ path: place }, { path, line }];
}

async function relativeTo(path: string, files: Files): Promise<FileRef | undefined> {
  if (/^(?:[/\\]|[a-z]:[/\\]|[\w+.-]+:\/\/)/i.test(path)) return undefined;
  try {
    return await files.resolve(path.replaceAll("\\", "/"));
  } catch (error) {
    // A path that leads nowhere, or that no file system takes, is no file's.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
