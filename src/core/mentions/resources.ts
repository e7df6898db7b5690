/** Resources of MCP servers in a text: `@server:uri`. Pure. */

import { attachmentHint } from "../../shared/attachProtocol";
import type { MentionItem } from "../../shared/findProtocol";
import { attachmentNames, parseMentions } from "../../shared/mentions/parse";
import { writeFolderName, writeMention } from "../../shared/mentions/write";
import type { OfferedResource } from "../ground/ports";

/** A resource, or a template of many: what stands in `{…}` is typed. */
export type ListedResource = OfferedResource & { server: string };

/** Different resources of one message that are read. */
const MAX_MENTIONED = 20;
/** Of so many letters on, titles and addresses are looked through too. */
const MEANT = 3;

/** By the address, or by a title that the server gave. An address with `://` need not be listed: templates have no end. */
function resourceNamed(path: string, servers: readonly string[], listed: readonly ListedResource[]) {
  const server = servers.find(name => path.startsWith(`${name}:`));
  if (server === undefined) return undefined;
  const rest = path.slice(server.length + 1);
  const known = listed.find(
    each => each.server === server && !each.template && (each.uri === rest || each.title === rest),
  );
  if (known) return { server, uri: known.uri };
  return /^[a-z][a-z0-9+.-]*:\/\/./i.test(rest) ? { server, uri: rest } : undefined;
}

/** Those that a text mentions, each once, in order. */
export function mentionedResources(text: string, servers: readonly string[], listed: readonly ListedResource[]) {
  const found = new Map<string, { server: string; uri: string }>();
  for (const { path } of parseMentions(text)) {
    const resource = resourceNamed(path, servers, listed);
    if (resource) found.set(`${resource.server}:${resource.uri}`, resource);
  }
  return [...found.values()].slice(0, MAX_MENTIONED);
}

/** Servers whose name begins so, then resources that have the letters in address or title; at most `limit`. */
export function matchResources(query: string, listed: readonly ListedResource[], limit: number): MentionItem[] {
  if (query === "") return [];
  const servers = [...new Set(listed.map(({ server }) => server))];
  const wanted = query.toLowerCase();
  const within = servers.find(name => wanted.startsWith(`${name.toLowerCase()}:`));
  const named = within === undefined ? servers.filter(name => name.toLowerCase().startsWith(wanted)) : [];
  const rest = within === undefined ? wanted : wanted.slice(within.length + 1);
  const some = within === undefined && rest.length < MEANT ? [] : listed;
  const inReach = some.filter(({ server }) => within === undefined || server === within);
  const begins = inReach.filter(each => holds(each, rest) === 0);
  const has = inReach.filter(each => holds(each, rest) > 0);
  return [
    ...named.map(server => itemOf(writeFolderName(server), `${server}:`, "MCP server", true)),
    ...[...begins, ...has].map(each => matchOf(each, within === undefined ? "" : query.slice(within.length + 1))),
  ].slice(0, limit);
}

/** -1: it does not have the letters; 0: it begins with them; 1: they stand within it */
function holds({ uri, title, template }: ListedResource, letters: string): number {
  const address = uri.toLowerCase();
  // What stands in a template's places is being typed.
  if (template && isFilled(address, letters)) return 0;
  if (address.startsWith(letters)) return 0;
  return address.includes(letters) || title.toLowerCase().includes(letters) ? 1 : -1;
}

/** @param typed behind the server's name: of a template, what was typed into its places stays */
function matchOf({ server, uri, title, mimeType, template }: ListedResource, typed: string): MentionItem {
  const hint = [title, mimeType].filter(Boolean).join(" · ");
  const whole = !template ? uri : isFilled(uri, typed) ? typed : undefined;
  if (whole !== undefined) return itemOf(writeMention(`${server}:${whole}`), `${server}:${whole}`, hint);
  return itemOf(openMention(`${server}:${beforePlaces(uri)}`), `${server}:${uri}`, hint, true);
}

/** @param open a server, or a template: the mention goes on */
function itemOf(mention: string, label: string, hint: string, open = false): MentionItem {
  return { kind: "resource", mention, label, positions: [], hint, ...(open && { open }) };
}

const isFilled = (template: string, typed: string) =>
  typed.startsWith(beforePlaces(template)) && typed.length > beforePlaces(template).length;

const beforePlaces = (template: string) => template.split("{", 1)[0] ?? "";

/** It is not whole yet: what is typed next stands in it. */
const openMention = (path: string) =>
  /^[\w.-]+:[\w/.:-]*$/.test(path) ? `@${path}` : `@"${path.replace(/["\\]/g, "\\$&")}"`;

// What a mention that is being typed may become, as the composer and prompt documents list it.

/** They stand before the files. */
const MAX_RESOURCES = 20;
/** Files that stand before attachments: where nothing is typed yet, and where a name has only been begun. */
const BEFORE_ALL = 7;
const BEFORE_BEGUN = 5;
/** Of so many letters on a word is meant rather than a file. */
const MEANS_WORD = 4;

interface Sources {
  /** of the workspace, best first */
  files: readonly MentionItem[];
  resources: readonly ListedResource[];
  /** stands before all other files */
  first?: MentionItem | undefined;
  /** in quotes a name is a file's */
  quoted?: boolean;
  /** Before anything is typed, there are no more files than leave the attachments in sight. */
  brief?: boolean;
}

/** Resources, then files, and among these the attachments whose name begins so. */
export function mentionItems(query: string, sources: Sources): MentionItem[] {
  const { files, resources, first, quoted = false, brief = false } = sources;
  const begun = quoted ? [] : attachmentNames.filter(name => name.startsWith(query.toLowerCase()));
  const positions = Array.from({ length: query.length }, (_, index) => index);
  const attached = begun.map((name): MentionItem => {
    return { kind: "attachment", mention: `@${name}`, label: name, positions, hint: attachmentHint(name) };
  });
  const before = query === "" ? BEFORE_ALL : query.length < MEANS_WORD ? BEFORE_BEGUN : 0;
  const others = files.filter(({ mention }) => mention !== first?.mention);
  const listed = first && query === "" ? [first, ...others] : others;
  return [
    ...matchResources(query, resources, MAX_RESOURCES),
    ...(first && query !== "" ? [first] : []),
    ...listed.slice(0, before),
    ...attached,
    ...(query === "" && brief ? [] : listed.slice(before)),
  ];
}
