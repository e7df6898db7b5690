/** The one place that writes mentions (docs/context.md). Pure. */
import { attachmentKind, type LineRange, parseMentions } from "./parse";

/**
 * `@src/a.ts:10-40`, `@src/a.ts:10`, `@src/` (a folder, where the path ends so), `@app:src/a.ts`, `@"my notes.md":3`: what
 * `parseMentions` reads back as that path and range. A path with a line break in it has no such text: `canBeMentioned`.
 * @param path relative to the workspace folder, or as FileRef.path
 * @param folder name of the workspace folder, where there are several
 */
export function writeMention(path: string, { folder, range }: { folder?: string; range?: LineRange } = {}): string {
  const named = folder === undefined ? path : `${folder}:${path}`;
  const plain = `@${named}${suffix(range)}`;
  if (readsAs(plain, named, range)) return plain;
  return `@"${quoted(named)}"${suffix(range)}`;
}

/**
 * The path by which everybody writes a file's mention, so that one file has one spelling: where the workspace has several
 * folders, what is in the first one goes without its name unless it would read otherwise then.
 * @param path as FileRef.path
 * @param folders the names of the workspace's folders, in their order
 */
export function mentionedPath(path: string, folders: readonly string[]): string {
  const [first] = folders;
  if (folders.length < 2 || first === undefined || !path.startsWith(`${first}:`)) return path;
  const below = path.slice(first.length + 1);
  const readsOtherwise = /^(?:$|~|[a-z]:[/\\])/i.test(below) || folders.some(name => below.startsWith(`${name}:`));
  return readsOtherwise ? path : below;
}

/** What mentions of that folder's files begin with: `@app:`, `@"my app:"`. The file is still to be typed. */
export function writeFolderName(name: string): string {
  const isPlain = writeMention("x", { folder: name }) === `@${name}:x`;
  return isPlain ? `@${name}:` : `@"${quoted(name)}:"`;
}

/** Whether a mention of that path can be written. */
export const canBeMentioned = (path: string): boolean => !/[\n\r]/.test(path) && /[^\s./]/.test(path);

const quoted = (path: string) => path.replace(/["\\]/g, "\\$&");

function suffix(range: LineRange | undefined): string {
  if (!range) return "";
  return range.first === range.last ? `:${range.first}` : `:${range.first}-${range.last}`;
}

function readsAs(text: string, path: string, range: LineRange | undefined): boolean {
  // Other letters would be read back too, but into them the sentence might go on.
  if (!/^[a-zA-Z0-9/._:-]*$/.test(path)) return false;
  // The bare word is an attachment, not the file of that name.
  if (attachmentKind(text.slice(1)) !== undefined) return false;
  const [mention, ...more] = parseMentions(text);
  if (!mention || more.length > 0 || mention.end !== text.length || mention.start !== 0) return false;
  return mention.path === path && mention.range?.first === range?.first && mention.range?.last === range?.last;
}

/** @param name as the user wrote it, without `@`; of a folder with `/` at its end */
export const remindedLine = (name: string) => `The user mentioned @${name}.`;

/** The names that a reminder has: at most five, whatever the message mentions. */
export const remindedNames = (reminder: string): string[] =>
  [...reminder.matchAll(/^The user mentioned @(.+)\.$/gm)].flatMap(([, name]) => name ?? []);
