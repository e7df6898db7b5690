/** What the fake host knows of mentions: the paths it was given, found by the words they contain. */

import type { MentionItem } from "../../../src/shared/findProtocol";
import { attachmentKind, parseMentions } from "../../../src/shared/mentions/parse";
import { writeMention } from "../../../src/shared/mentions/write";

interface Params {
  query?: string;
  mentions?: string[];
  places?: string[];
}

/** @param files folders with `/` at their end */
export function mentionResults(params: unknown, files: readonly string[]) {
  const { query = "", mentions = [], places = [] } = params as Params;
  const found = files.flatMap(path => itemOf(path, query) ?? []);
  return {
    completeMention: { items: found.slice(0, 50), indexing: false },
    mentionStates: { states: mentions.map(raw => stateOf(raw, files)) },
    mentionPlaces: { mentions: places.map(place => mentionOf(place, files)) },
  };
}

function itemOf(path: string, query: string): MentionItem | undefined {
  const at = path.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return undefined;
  const kind = path.endsWith("/") ? "folder" : "file";
  const positions = Array.from({ length: query.length }, (_, index) => at + index);
  const isHere = kind === "folder" && path === query;
  return {
    ...{ kind, mention: writeMention(path), label: path, positions },
    ...(isHere ? { here: true, hint: "this folder" } : {}),
  };
}

function stateOf(raw: string, files: readonly string[]) {
  if (attachmentKind(raw.slice(1))) return "attachment";
  const path = parseMentions(raw)[0]?.path ?? "";
  if (path.startsWith("/") || path.startsWith("..")) return "outside";
  if (files.includes(`${path.replace(/\/$/, "")}/`)) return "folder";
  return files.includes(path) ? "file" : "missing";
}

/** The workspace is `/code/invoices`. */
function mentionOf(place: string, files: readonly string[]): string | null {
  const path = decodeURIComponent(place.replace(/^[\w-]+:\/\/[^/]*/, ""));
  const inside = path.startsWith("/code/invoices/") ? path.slice("/code/invoices/".length) : undefined;
  if (inside === undefined) return null;
  const found = files.find(each => each === inside || each === `${inside.replace(/\/$/, "")}/`);
  return found === undefined ? null : writeMention(found);
}
