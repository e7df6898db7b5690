/**
 * The one estimate of tokens (docs/context.md, "Budget"): a third of the characters, one each for CJK. Its ratio to the usage that
 * providers report is shown to people, so it is never "improved" in one place only.
 */

/** Blocks whose characters take about a token each, as UTF-16 code units: [first, last]. */
const CJK_BLOCKS: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff],
  [0x2e80, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  // High surrogates of the supplementary ideographs (U+20000 to U+323AF).
  [0xd840, 0xd888],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
];

const isCjk = (unit: number) => unit >= 0x1100 && CJK_BLOCKS.some(([first, last]) => unit >= first && unit <= last);

const unitPattern = (unit: number) => `\\u${unit.toString(16).padStart(4, "0")}`;
const ANY_CJK = new RegExp(`[${CJK_BLOCKS.map(block => block.map(unitPattern).join("-")).join("")}]`);

/** Tokens that `text` takes, estimated; 0 for an empty text, else at least 1. */
export function estimateTokens(text: string): number {
  // Asked of every result in every step, and mostly there is none.
  if (!ANY_CJK.test(text)) return Math.ceil(text.length / 3);
  let cjk = 0;
  let other = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (!isCjk(unit)) {
      other += 1;
      continue;
    }
    cjk += 1;
    // The second half of a supplementary ideograph belongs to the same character.
    if (unit >= 0xd840 && unit <= 0xd888) i += 1;
  }
  return cjk + Math.ceil(other / 3);
}

/**
 * Of a text in a request, where it stands as JSON: a line end or a quote is two characters there, and more where the text is
 * JSON itself. What a form saves is counted so, as the budget counts it.
 */
export const sentTokens = (text: string): number => estimateTokens(JSON.stringify(text));

/** How many from the first one on fit into so many tokens. */
export function fitting<T>(all: readonly T[], tokens: number, tokensOf: (one: T) => number): number {
  let left = tokens;
  const end = all.findIndex(one => {
    left -= tokensOf(one);
    return left < 0;
  });
  return end < 0 ? all.length : end;
}

export const fittingLines = (lines: readonly string[], tokens: number): number =>
  fitting(lines, tokens, line => estimateTokens(`${line}\n`));

/** So many characters at its beginning have about so many tokens: letters of some scripts have one each. */
export function charactersWithin(text: string, tokens: number): number {
  const most = text.slice(0, 3 * tokens);
  return Math.floor(most.length * Math.min(1, tokens / Math.max(1, estimateTokens(most))));
}

/** What providers count for a picture of a screen, of any size in bytes. */
const IMAGE_TOKENS = 1_600;

/** Of a segment's value; `content` is its JSON. A picture counts as one, not as the letters of its base64. */
export function estimateValue(value: unknown, content: string): number {
  const images = imagesIn(value);
  if (images.length === 0) return estimateTokens(content);
  const letters = images.reduce((sum, data) => sum + data.length, 0);
  return IMAGE_TOKENS * images.length + Math.ceil(Math.max(0, content.length - letters) / 3);
}

function imagesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || !("content" in value) || !Array.isArray(value.content)) return [];
  return value.content.flatMap((part: unknown) => {
    if (typeof part !== "object" || part === null || !("type" in part) || part.type !== "file") return [];
    return "data" in part && typeof part.data === "string" ? [part.data] : [];
  });
}
