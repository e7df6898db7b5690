/** Files as other programs name them, in what is dropped or pasted. Pure. */
import { parseJson } from "../../../src/shared/isObject";

/** More are not taken for mentions. */
const MAX_PLACES = 200;
/** Nobody copies longer lists of paths. */
const MAX_PASTED = 50_000;

/** `file:///a`, `vscode-remote://host/a`: what VS Code names files by, and not the web */
const uri = /^(?!https?:|data:)[a-z][\w+.-]+:\/\S+$/i;
/** `/home/me/a.ts`, `C:\me\a.ts`, `\\server\share\a.ts`: of at least two parts, or with a file's ending */
const absolute = /^(?:\/(?:[^/\n]+\/|[^/\n]+\.\w)|[a-zA-Z]:[\\/]|\\\\[^\\\s]+\\)[^\n]*$/;

/** `src/a.ts`, `src\\a.ts:10:5`, `a.ts:10`: whether it is a path the host knows, who is asked. A mention is one already. */
const relative =
  /^(?![@/\\]|[a-z][\w+.-]+:\/\/)(?:[^\n/\\]*[^\s:/\\][/\\][^\s/\\][^\n]*|[^\s/\\]+\.\w+:\d+(?::\d+)?)$/i;
const MAX_RELATIVE = 300;

/**
 * The paths or URIs that a pasted text consists of, a line each, one alone if it is relative; undefined: it is a text, whatever
 * paths it contains
 */
export function pastedPlaces(text: string): string[] | undefined {
  if (text.length > MAX_PASTED) return undefined;
  const lines = linesOf(text).map(unquoted);
  if (lines.length === 0 || lines.length > MAX_PLACES) return undefined;
  const [line = ""] = lines;
  if (lines.length === 1 && line.length <= MAX_RELATIVE && relative.test(line)) return lines;
  return lines.every(line => uri.test(line) || absolute.test(line)) ? lines : undefined;
}

/** "Copy as path" of some systems puts quotes around it. */
const unquoted = (line: string) => /^(["'])(.+)\1$/.exec(line)?.[2] ?? line;

/** What VS Code's explorer and tabs, and other programs, give along with what is dragged; in the order of what is surest. */
const types = ["application/vnd.code.uri-list", "text/uri-list", "resourceurls"];

/** Whether files are dragged, as far as can be told before they are dropped. */
export const bringsFiles = (dragged: readonly string[]): boolean =>
  dragged.some(type => types.includes(type.toLowerCase()) || type === "Files");

/** URIs of what was dropped; none: it does not say where it is. */
export function droppedPlaces(data: Pick<DataTransfer, "getData">): string[] {
  for (const type of types) {
    const text = data.getData(type);
    // Of a list of URIs (RFC 2483), comments begin with "#".
    const found = text.startsWith("[") ? jsonList(text) : linesOf(text).filter(line => !line.startsWith("#"));
    if (found.length > 0) return [...new Set(found)].slice(0, MAX_PLACES);
  }
  return [];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map(line => line.trim());
  return lines.filter(line => line !== "");
}

/** None: it is some other program's data under that name. */
function jsonList(text: string): string[] {
  const list = parseJson(text);
  return Array.isArray(list) ? list.filter(each => typeof each === "string") : [];
}

/** As by typing: one step of undo, the cursor ends behind it. The box gets the focus, and tells of it as `input`. */
export function replaceText(box: HTMLTextAreaElement, start: number, end: number, text: string): void {
  box.focus({ preventScroll: true });
  box.setSelectionRange(start, end);
  if (text === "" && start === end) return;
  // No other way of changing a text box leaves its undo steps alone; where it is switched off, the text is still changed.
  if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
  box.setRangeText(text, start, end, "end");
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** What was pasted becomes something else, and the caret stays; nothing where it was changed meanwhile. */
export function replacePasted(
  box: HTMLTextAreaElement,
  { pasted, start }: { pasted: string; start: number },
  text: string,
): void {
  const end = start + pasted.length;
  const { value, selectionStart: from, selectionEnd: to } = box;
  if (value.slice(start, end) !== pasted) return;
  replaceText(box, start, end, text);
  const moved = (offset: number) => (offset >= end ? offset + text.length - pasted.length : offset);
  box.setSelectionRange(moved(from), moved(to));
}

/** At the cursor, with a blank before it where a word would run into it. */
export function insertAtCursor(box: HTMLTextAreaElement, text: string): void {
  const { selectionStart: start, selectionEnd: end, value } = box;
  const gap = start > 0 && !/\s/.test(value.charAt(start - 1)) ? " " : "";
  replaceText(box, start, end, gap + text);
}
