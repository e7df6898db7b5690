/** Markdown of others, as tokens: in bounded time. */
import { Hooks, Lexer, type Token, Tokenizer, type Tokens, type TokensList } from "marked";
import { blockStart, maths } from "./maths";

/** Quotes and lists within each other: each level is read anew, some twice, and a call within a call. */
const MAX_DEPTH = 8;
/** Emphasis, links and the like within each other: a call within a call, too. */
const MAX_INLINE_DEPTH = 16;
/** Characters of one paragraph, heading or cell: finding emphasis in odd text takes time that grows with their square. */
const MAX_INLINE = 10_000;
/** A line that begins so is no quote that anybody wrote. */
const DEEP_QUOTE = /^(?:[ \t]*>){8}/;
const QUOTED_LINES = /^(?:[ \t]*>[^\n]*(?:\n|$))+/;

/** marked's, for text of others: what goes deeper or on for longer than any answer does is plain text. */
class BoundedLexer extends Lexer {
  private depth = 0;
  private inlineDepth = 0;

  constructor() {
    super({ gfm: true, tokenizer: new BoundedTokenizer(), hooks: new UnspacedHooks(), extensions: maths });
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = this.tokens, lastParagraphClipped?: boolean): Token[] {
    if (this.depth === MAX_DEPTH) {
      tokens.push(plain(src));
      return tokens;
    }
    this.depth += 1;
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped);
    } finally {
      this.depth -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length > MAX_INLINE || this.inlineDepth === MAX_INLINE_DEPTH) {
      tokens.push(plain(src));
      return tokens;
    }
    this.inlineDepth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.inlineDepth -= 1;
    }
  }
}

/** No person writes an item of a list so far in, and reading so many lists takes time that grows with their square. */
const DEEP_ITEM = /^[ \t]{200}[ \t]{0,99999}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

/** What cannot be read is one plain block. */
export function boundedLex(text: string): Token[] {
  if (DEEP_ITEM.test(text)) return [plain(text)];
  try {
    return new BoundedLexer().lex(text);
  } catch {
    return [plain(text)];
  }
}

/**
 * Characters of scripts that put no spaces between words, and their punctuation. `**注意：**文件`: by CommonMark that is bold only
 * where a space follows, which is not written there.
 */
const UNSPACED =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u2018-\u201d\u2014\u2026]|[\ud840-\ud888][\udc00-\udfff]/;
/** marked gives the last half of a sign that has two. */
const ENDS_UNSPACED = new RegExp(`(?:${UNSPACED.source}|[\\udc00-\\udfff])$`);
/** An address up to their punctuation: letters of theirs stand in addresses. */
const ADDRESS = /^[^\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u2018-\u201d\u2014\u2026]+/;

const BESIDE = new RegExp(`(?:${UNSPACED.source})(?=[*~])|(?<=[*~])(?:${UNSPACED.source})`, "g");
/** `**(` may begin something, `*.` in `文件*.js` does not. */
const MAY_BEGIN = /^\*+[^!#-&+-/:;=?@\\\]^_|}]/;

/** Beside these characters emphasis may both begin and end: for that they count as punctuation, before a letter as one. */
class UnspacedHooks extends Hooks {
  override emStrongMask(src: string): string {
    return src.replace(BESIDE, found => "。".repeat(found.length)).replace(/。(?=\*+[\p{L}\p{N}])/gu, "a");
  }
}

class BoundedTokenizer extends Tokenizer {
  override emStrong(src: string, maskedSrc: string, prevChar = ""): Tokens.Em | Tokens.Strong | undefined {
    return super.emStrong(src, maskedSrc, MAY_BEGIN.test(src) && ENDS_UNSPACED.test(prevChar) ? "" : prevChar);
  }

  override del(src: string, maskedSrc: string, prevChar = ""): Tokens.Del | undefined {
    return super.del(src, maskedSrc, ENDS_UNSPACED.test(prevChar) ? "" : prevChar);
  }

  /** A bare address ends where such a text continues: `见 https://a.example/b。然后`. */
  override url(src: string): Tokens.Link | undefined {
    const found = super.url(src);
    const [address = ""] = ADDRESS.exec(found?.raw ?? "") ?? [];
    return found === undefined || address.length === found.raw.length ? found : super.url(address);
  }

  override def(src: string): Tokens.Def | undefined {
    return FOOTNOTE.test(src) ? undefined : super.def(src);
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const end = blockStart(src);
    return super.lheading(end < 0 ? src : src.slice(0, end));
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    const raw = DEEP_QUOTE.test(src) ? QUOTED_LINES.exec(src)?.[0] : undefined;
    return raw ? { type: "blockquote", raw, text: raw, tokens: [plain(raw)] } : super.blockquote(src);
  }
}

/** `[^1]: words`: a footnote, which marked would take for a link's address and leave out. */
const FOOTNOTE = /^ {0,3}\[\^/;

const plain = (raw: string): Token => ({ type: "text", raw, text: raw, escaped: false });
