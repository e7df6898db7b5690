/** The regular expressions that stand in a TypeScript source, found without a parser. */

export interface FoundExpression {
  source: string;
  flags: string;
  /** 1-based */
  line: number;
}

/** Words behind which a `/` begins an expression; behind any other it divides. */
const OPENS = new Set("return typeof case in of else do void yield await".split(" "));

export function findExpressions(text: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  /** of each brace that is open: it is one of a template */
  const braces: boolean[] = [];
  let at = 0;
  /** the last word or sign that is code */
  let before = "";
  const passString = (quote: string) => {
    for (at += 1; at < text.length && text[at] !== quote; at += 1) if (text[at] === "\\") at += 1;
    at += 1;
    before = '"';
  };
  const passTemplate = () => {
    for (; at < text.length && text[at] !== "`"; at += 1) {
      if (text[at] === "\\") at += 1;
      else if (text.startsWith("${", at)) {
        at += 2;
        braces.push(true);
        before = "{";
        return;
      }
    }
    at += 1;
    before = '"';
  };
  const passExpression = () => {
    const start = at + 1;
    let inSet = false;
    for (at = start; at < text.length && (inSet || text[at] !== "/"); at += 1) {
      if (text[at] === "\\") at += 1;
      else if (text[at] === "[") inSet = true;
      else if (text[at] === "]") inSet = false;
    }
    const flags = /^[a-z]*/.exec(text.slice(at + 1, at + 12))?.[0] ?? "";
    found.push({ source: text.slice(start, at), flags, line: text.slice(0, start).split("\n").length });
    at += 1 + flags.length;
    before = '"';
  };
  while (at < text.length) {
    const sign = text.charAt(at);
    const word = /^[\w$]+/.exec(text.slice(at, at + 100))?.[0];
    if (text.startsWith("//", at)) at = (text.indexOf("\n", at) + 1 || text.length + 1) - 1;
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 2;
    else if (sign === '"' || sign === "'") passString(sign);
    else if (sign === "`") {
      at += 1;
      passTemplate();
    } else if (sign === "}" && braces.pop()) {
      at += 1;
      passTemplate();
    } else if (sign === "/" && (!/[\w$)\]"]$/.test(before) || OPENS.has(before))) passExpression();
    else {
      if (sign === "{") braces.push(false);
      if (sign.trim() !== "") before = word ?? sign;
      at += word?.length ?? 1;
    }
  }
  return found;
}

const SIGNS = [..."aA0é \t\n\r.-_/\"'`\\<>[](){}:;,=*#|+@!?$%&~^…", "\u2028", "\u001b"];

/**
 * What could take an expression long: what it speaks of itself, again and again, behind what lets it begin and before what lets it
 * fail. @returns makers of such texts, by their length
 */
export function* oddTexts(source: string): Generator<(characters: number) => string> {
  const plain = source.replace(/\\[a-zA-Z](?:\{[^}]*\})?|\[[^\]]*\]|\{\d*,?\d*\}/g, " ");
  const words = [...new Set(plain.match(/[^\s^$*+?.()|\\]{2,}/g) ?? [])].slice(0, 6);
  const own = [...new Set(source.replace(/\\[a-zA-Z]/g, "").match(/[^\s\\^$*+?.()|[\]{}]/g) ?? [])].slice(0, 12);
  const mixed = own.flatMap(sign => [`${sign} `, `${sign}a`, `a${sign}`, `0${sign}`]);
  const pieces = new Set([...SIGNS, ...own, ...words, ...words.map(word => `${word} `), ...mixed]);
  for (const piece of pieces)
    for (const head of ["", ...words.slice(0, 10), ...own.slice(0, 10)])
      for (const tail of ["\u0000", ""]) yield characters => head + piece.repeat(characters / piece.length) + tail;
}
