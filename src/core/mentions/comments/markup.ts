/** HTML and what is built on it: scripts, styles and PHP in it follow their own rules. */
import { block, double, line, quoted, single } from "./rules";
import { type Rule, scanComments } from "./scan";
import { script } from "./script";
import { phpDocument } from "./strings";

/** `url(http://…)`: no comment, and no string. */
const address: Rule = {
  first: "uU",
  read({ text }, at) {
    if (!/^url\((?!\s*["'])/i.test(text.slice(at, at + 8))) return at;
    const end = text.slice(at, at + 10_000).search(/[)\n]/);
    return end < 0 ? Math.min(text.length, at + 10_000) : at + end + 1;
  },
};

export const css: readonly Rule[] = [block("/*", "*/"), double, single, address];
export const scss: readonly Rule[] = [...css, line("//")];

/** A part of the text by other rules, from what opens it to what closes it or the text's end. */
export function part(first: string, open: RegExp, close: RegExp, rules: (opened: string) => readonly Rule[]): Rule {
  const sticky = new RegExp(open.source, `y${open.flags.replace(/[gy]/g, "")}`);
  return {
    first,
    read({ text, comments }, at) {
      sticky.lastIndex = at;
      const opened = sticky.exec(text)?.[0];
      if (opened === undefined) return at;
      const from = at + opened.length;
      const last = new RegExp(close.source, `g${close.flags}`);
      last.lastIndex = from;
      const to = last.exec(text)?.index ?? text.length;
      for (const { start, end, line: isLine } of scanComments(text.slice(from, to), rules(opened))) {
        comments.push({ start: start + from, end: end + from, line: isLine });
      }
      return Math.max(to, from);
    },
  };
}

const comment = block("<!--", "-->");
export const xml: readonly Rule[] = [comment, quoted("<![CDATA[", { close: "]]>", escape: "", lines: true })];

export const html: readonly Rule[] = [
  comment,
  part("<", /<script\b[^<>]{0,2000}>/i, /<\/script/i, () => script),
  part("<", /<style\b[^<>]{0,2000}>/i, /<\/style/i, opened => (/\blang=/.test(opened) ? scss : css)),
];

/** An attribute `#[…]` is none. */
const hash = line("#", "anywhere", (text, at) => text[at + 1] === "[");
const phpCode: readonly Rule[] = [
  ...[line("//"), hash, block("/*", "*/"), phpDocument],
  ...[quoted("'", { lines: true }), quoted('"', { lines: true })],
];
export const php: readonly Rule[] = [part("<", /<\?(?:php\b|=)/i, /\?>/, () => phpCode), ...html];
