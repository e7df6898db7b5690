/** A mention that is being typed: what the menu lists for it, and what choosing does to the text. It knows no page. */

import type { MentionCompletion, MentionItem } from "../../../src/shared/findProtocol";
import { t } from "../../../src/shared/l10n";
import { attachmentKind, attachments } from "../../../src/shared/mentions/parse";
import { mentionUnderCursor, type TypedMention } from "../../../src/shared/mentions/typed";
import type { MenuAnswer, MenuItem, MenuReplacement, MenuSubject, Piece } from "./menu";

interface MentionSourceDeps {
  /** undefined: refused */
  ask(query: string): Promise<MentionCompletion | undefined>;
  /** names of the workspace's folders */
  folders(): readonly string[];
  /** A person chooses some of this machine. */
  choosePictures(): void;
}

export function mentionSource({ ask, folders, choosePictures }: MentionSourceDeps) {
  const name = t("Picture…");
  const picture: MenuItem = {
    ...{ text: "", icon: "file-media", name: plain(name), hint: [], title: t("Attach pictures of this machine") },
    choose(_, { start, end }) {
      choosePictures();
      return { start, end, text: "", caret: start, open: false };
    },
  };
  /** names of servers that were chosen: what stands behind their colon is no line */
  const servers = new Set<string>();
  const itemOf = (item: MentionItem) =>
    menuItem(item, () => {
      if (item.open) servers.add(item.label.slice(0, item.label.indexOf(":")));
    });
  return (text: string, caret: number | undefined): MenuSubject | undefined => {
    const typed = caret === undefined ? undefined : mentionUnderCursor(text, caret);
    if (typed === undefined || isBeforeLines(typed, [...folders(), ...servers])) return undefined;
    const { start, end, query } = typed;
    return {
      ...{ of: "mention", start, end, query, place: `@${start}` },
      async ask(): Promise<MenuAnswer | undefined> {
        const answer = await ask(query);
        const more = query === "" ? [picture] : [];
        return answer && { items: [...answer.items.map(itemOf), ...more], indexing: answer.indexing };
      },
    };
  };
}

function menuItem(item: MentionItem, onChosen: () => void): MenuItem {
  const { kind, mention, label, positions, hint } = item;
  const { name, hint: folder } = pathPieces(label, positions);
  const isResource = kind === "resource";
  return {
    ...{ text: mention, icon: mentionIcon(kind, label), opens: kind === "folder" || item.open === true },
    name: isResource ? plain(label) : kind === "folder" ? [...name, ...plain("/")] : name,
    hint: hint === undefined ? folder : plain(hint),
    title: kind === "attachment" && hint ? hint : isResource ? `${label} ${hint ?? ""}` : label,
    choose(text, subject) {
      onChosen();
      return chosen(text, subject, item);
    },
  };
}

export const plain = (text: string): Piece[] => [{ text, matched: false }];

/** What choosing an item makes of the text. A blank follows a whole mention, unless one is there or the text goes on. */
export function chosen(
  text: string,
  { start, end }: { start: number; end: number },
  { kind, mention, here, open }: MentionItem,
): MenuReplacement {
  if (open || (kind === "folder" && !here)) {
    const caret = start + mention.length - (mention.endsWith('"') ? 1 : 0);
    return { start, end, text: mention, caret, open: true };
  }
  const next = text.charAt(end);
  const takesBlank = next === "" || next === " " || next === "\n";
  const written = takesBlank ? `${mention} ` : mention;
  const caret = start + written.length;
  if (next === " ") return { start, end: end + 1, text: written, caret, open: false };
  return { start, end, text: written, caret, open: false, ...(takesBlank ? { blank: true } : {}) };
}

/** Whether lines follow (`src/a.ts:`, `Makefile:1`) and no path: only names of folders and servers have one behind their colon. */
function isBeforeLines({ query, quoted }: TypedMention, folders: readonly string[]): boolean {
  const colon = quoted ? -1 : query.indexOf(":");
  if (colon < 0 || folders.includes(query.slice(0, colon))) return false;
  return /[./]/.test(query.slice(0, colon)) || !/^\D(?:.*[^:])?$/.test(query.slice(colon + 1));
}

/** A path as its name and the folder around it (`hint`: "" where there is none), each in pieces of what was typed or not. */
export function pathPieces(label: string, positions: readonly number[]): { name: Piece[]; hint: Piece[] } {
  const whole = label.replace(/\/$/, "");
  const cut = Math.max(whole.lastIndexOf("/"), whole.indexOf(":")) + 1;
  const matched = new Set(positions);
  return { name: pieces(whole, cut, whole.length, matched), hint: pieces(whole, 0, Math.max(0, cut - 1), matched) };
}

function pieces(text: string, from: number, to: number, matched: ReadonlySet<number>): Piece[] {
  const found: Piece[] = [];
  for (let at = from; at < to; ) {
    const isMatch = matched.has(at);
    let end = at + 1;
    while (end < to && matched.has(end) === isMatch) end++;
    found.push({ text: text.slice(at, end), matched: isMatch });
    at = end;
  }
  return found;
}

/** Endings of files, by their codicon. */
const endings: Readonly<Record<string, string>> = {
  "file-code":
    "bash c cc clj cpp cs css cts cxx dart erl ex go h hpp hs html java jl js jsx kt less lua m mjs ml mts php pl ps1 py r rb rs scala scss sh sql svelte swift ts tsx vue xml zig",
  "file-media": "avif bmp gif ico jpeg jpg mp3 mp4 ogg png svg wav webm webp",
  markdown: "md mdx",
  json: "json jsonc jsonl",
  notebook: "ipynb",
  "file-pdf": "pdf",
  "file-zip": "zip gz tgz 7z",
  "file-text": "txt",
};
const byEnding = new Map(
  Object.entries(endings).flatMap(([icon, all]) => all.split(" ").map(ending => [ending, icon] as const)),
);

/** The codicon of what a mention names. @param path of a file or folder, or an attachment's name */
export function mentionIcon(kind: MentionItem["kind"], path: string): string {
  if (kind === "resource") return "plug";
  if (kind === "folder") return "folder";
  const attachment = attachmentKind(path);
  if (kind === "attachment" && attachment) return attachments[attachment].icon;
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return byEnding.get(ending ?? "") ?? "file";
}
