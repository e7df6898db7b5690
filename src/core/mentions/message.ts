/** What a message mentions: the files and folders that are there, and what else it attaches (docs/context.md). */
import { mapBounded } from "../../shared/async";
import type { MentionState } from "../../shared/findProtocol";
import {
  type AttachmentKind,
  attachmentKind,
  type Mention,
  parseMentions,
  shorterReadings,
} from "../../shared/mentions/parse";
import { remindedLine } from "../../shared/mentions/write";
import { reminder } from "../context/layers";
import { unlessFileError } from "../ground/ports/files";
import { sanitizeText } from "../ground/text/format";
import type { PathLookup } from "../tool/writtenPaths";

/** Different mentions of one message that are looked up; what comes after them gets no reminder. */
const MAX_LOOKED_UP = 200;
const MAX_CONCURRENT_LOOKUPS = 8;

export interface MentionedPlace {
  /** as the user wrote it, without `@`: quotes and lines too; of a folder with `/` at its end */
  name: string;
  kind: "file" | "folder";
}

/** The files and folders of the workspace that a text mentions, each once, in order. Others are passed over: they get no reminder (docs/context.md). */
export async function mentionedPlaces(text: string, files: PathLookup): Promise<MentionedPlace[]> {
  const mentions = new Map(parseMentions(text).map(mention => [mention.raw, mention]));
  const named = [...mentions.values()].filter(mention => !attachmentOf(mention)).slice(0, MAX_LOOKED_UP);
  const found = new Map<string, MentionedPlace>();
  for (const place of await mapBounded(named, MAX_CONCURRENT_LOOKUPS, mention => lookLongest(mention, files))) {
    if (place && !found.has(place.key)) found.set(place.key, { name: place.name, kind: place.kind });
  }
  return [...found.values()];
}

/** The attachments that a text mentions, each once, in order. */
export const mentionedAttachments = (text: string): AttachmentKind[] => [
  ...new Set(parseMentions(text).flatMap(mention => attachmentOf(mention) ?? [])),
];

/** A bare word keeps its meaning, whatever a folder is called. A file of that name is `@./problems` or `@"problems"`, a folder `@terminal/`. */
const attachmentOf = ({ raw }: Mention): AttachmentKind | undefined => attachmentKind(raw.slice(1));

/** What is there decides where a path without quotes ends, if that is not plain. */
async function lookLongest(mention: Mention, files: PathLookup): Promise<FoundPlace | undefined> {
  for (const reading of [mention, ...shorterReadings(mention)]) {
    const place = await placeNamed(reading, files);
    if (place) return place;
  }
  return undefined;
}

type FoundPlace = MentionedPlace & { key: string };

/** What that very mention names, no shorter reading of it. `key`: two names of the same file, or of the same lines of it, are one. */
async function placeNamed(mention: Mention, files: PathLookup): Promise<FoundPlace | undefined> {
  const place = await placeInside(mention.path, files);
  if (!place) return undefined;
  const { range, raw } = mention;
  const name = raw.slice(1);
  if (place.kind === "folder") return { key: place.ref.uri, kind: "folder", name: withSlash(mention.path, name) };
  return { key: `${place.ref.uri}${range ? `:${range.first}-${range.last}` : ""}`, kind: "file", name };
}

/** A path that leads nowhere, or that no file system takes, is no file's. */
async function placeInside(path: string, files: PathLookup) {
  const ref = await unlessFileError(files.resolve(path), undefined);
  const stat = ref?.inside ? await unlessFileError(files.stat(ref), undefined) : undefined;
  if (!ref || (stat?.type !== "file" && stat?.type !== "directory")) return undefined;
  return { ref, kind: stat.type === "file" ? ("file" as const) : ("folder" as const) };
}

/** Lines of a folder mean nothing. @param written the mention as the user wrote it, without `@` */
function withSlash(path: string, written: string): string {
  const quoted = written.startsWith('"');
  const name = quoted ? written.slice(0, written.lastIndexOf('"')) : path;
  return `${name}${name.endsWith("/") ? "" : "/"}${quoted ? '"' : ""}`;
}

const MAX_REMINDED = 5;

/** @param places each once, in the order they were named @returns undefined where there is none */
export function mentionReminder(places: readonly MentionedPlace[]): string | undefined {
  if (places.length === 0) return undefined;
  const shown = places.slice(0, MAX_REMINDED);
  const lines = shown.map(({ name }) => remindedLine(sanitizeText(name)));
  if (places.length > MAX_REMINDED) lines.push(`(and ${places.length - MAX_REMINDED} more…)`);
  return reminder([...lines, whatToDo(shown)].join("\n"));
}

function whatToDo(shown: readonly MentionedPlace[]): string {
  const [one] = shown;
  const kinds = new Set(shown.map(({ kind }) => kind));
  if (kinds.size > 1)
    return "You MUST look at these before answering, one by one in this order: files with the Read tool, folders (their names end with /) with the LS tool.";
  if (one?.kind === "folder")
    return shown.length === 1
      ? "You MUST look into this folder with the LS tool before answering."
      : "You MUST look into these folders with the LS tool, one by one in this order, before answering.";
  return shown.length === 1
    ? "You MUST read this file with the Read tool before answering."
    : "You MUST read these files with the Read tool, one by one in this order, before answering.";
}

/** @param raw one mention as it stands in a text, with `@`: that one, no shorter reading of it */
export async function mentionState(raw: string, files: PathLookup): Promise<MentionState> {
  if (mentionedAttachments(raw).length > 0) return "attachment";
  const [mention] = parseMentions(raw);
  if (!mention) return "missing";
  const place = await placeNamed(mention, files);
  if (place) return place.kind;
  const ref = await unlessFileError(files.resolve(mention.path), undefined);
  return ref && !ref.inside ? "outside" : "missing";
}
