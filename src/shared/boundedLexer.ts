/** Markdown of others, as tokens: in bounded time, whatever it is. */
import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from "marked";

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
    super({ gfm: true, tokenizer: new BoundedTokenizer() });
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

/** An item of a list so far in is none that anybody wrote, and reading so many lists takes time that grows with their square. */
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

class BoundedTokenizer extends Tokenizer {
  override def(src: string): Tokens.Def | undefined {
    return FOOTNOTE.test(src) ? undefined : super.def(src);
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    const raw = DEEP_QUOTE.test(src) ? QUOTED_LINES.exec(src)?.[0] : undefined;
    return raw ? { type: "blockquote", raw, text: raw, tokens: [plain(raw)] } : super.blockquote(src);
  }
}

/** `[^1]: words`: a footnote, which marked would take for a link's address and leave out. */
const FOOTNOTE = /^ {0,3}\[\^/;

const plain = (raw: string): Token => ({ type: "text", raw, text: raw, escaped: false });
