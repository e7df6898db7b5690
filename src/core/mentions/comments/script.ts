/** JavaScript and TypeScript: templates with code in them, and what tells a regular expression from a division. */
import { block, double, line, quoted, single } from "./rules";
import type { Rule } from "./scan";

/** After these words an expression begins, so a `/` begins a regular expression. */
const operators = /(?:^|[^\w$.])(?:return|typeof|instanceof|in|of|new|delete|void|throw|case|do|else|await|yield)$/;

/** Divides, rather than begins a regular expression: it stands after a value. `</` and `/>` are those of JSX. */
function divides(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /\s/.test(text.charAt(before))) before--;
  if (before < 0) return false;
  const char = text.charAt(before);
  if (char === "<" || text[at + 1] === ">") return true;
  if (/[)\]}"'`]/.test(char)) return true;
  if (!/[\p{L}\p{N}_$]/u.test(char)) return false;
  return !operators.test(text.slice(Math.max(0, before - 11), before + 1));
}

/** `/[/"'`]/g`: up to the `/` outside brackets, or to the line's end where there is none. */
export const regularExpression: Rule = {
  first: "/",
  read({ text }, at) {
    if (divides(text, at)) return at;
    let inClass = false;
    for (let end = at + 1; end < text.length; end++) {
      const char = text[end];
      if (char === "\n") return end;
      if (char === "\\") end++;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "/" && !inClass) return end + 1;
    }
    return text.length;
  },
};

const template = quoted("`", { lines: true, inserted: "${" });

export const script: readonly Rule[] = [line("//"), block("/*", "*/"), single, double, template, regularExpression];

/** `<p>https://example.com</p>`: in the text of an element two slashes stand in addresses. */
const address: Rule = {
  first: "/",
  read: ({ text }, at) => (text.startsWith("//", at) && text[at - 1] === ":" ? at + 2 : at),
};

export const scriptWithElements: readonly Rule[] = [address, ...script];
