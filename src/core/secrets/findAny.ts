/** Many words in a long text at once. */

export interface Found {
  /** UTF-16 offsets */
  start: number;
  end: number;
  word: string;
}

const BLOCK = 3;
const TABLE = 1 << 16;
/** No window is longer: distances fit into a byte. */
const WINDOW = 64;

/**
 * Finds words by the algorithm of Wu and Manber: three characters at the end of a window tell how far the window can move
 * on, so that most of the text is never looked at. (A regular expression of 200 alternatives tries them at every place.)
 * @param words each at least 3 characters long
 * @returns for a text: where they stand, from left to right, not overlapping; of several at one place the longest. A word
 *   that a tool cut off is found too: its beginning, at least as long as the shortest word, before an ellipsis.
 */
export function findAny(words: readonly string[]): (text: string) => Found[] {
  const window = Math.min(WINDOW, ...words.map(word => word.length));
  const distance = new Uint8Array(TABLE).fill(window - BLOCK + 1);
  /** by the last characters of the window */
  const candidates = new Map<number, string[]>();
  for (const word of words) {
    for (let end = BLOCK - 1; end < window; end += 1) {
      const block = blockAt(word, end);
      distance[block] = Math.min(distance[block] ?? 0, window - 1 - end);
    }
    const last = blockAt(word, window - 1);
    candidates.set(last, [...(candidates.get(last) ?? []), word]);
  }
  return text => {
    const found: Found[] = [];
    for (let end = window - 1; end < text.length; ) {
      const block = blockAt(text, end);
      const far = distance[block] ?? 0;
      const hit = far === 0 ? longestAt(text, end - window + 1, candidates.get(block) ?? [], window) : undefined;
      if (hit) found.push(hit);
      end = hit ? hit.end + window - 1 : end + Math.max(1, far);
    }
    return found;
  };
}

const blockAt = (text: string, end: number) =>
  (text.charCodeAt(end - 2) * 961 + text.charCodeAt(end - 1) * 31 + text.charCodeAt(end)) & (TABLE - 1);

function longestAt(text: string, start: number, words: readonly string[], window: number): Found | undefined {
  let best: Found | undefined;
  for (const word of words) {
    let length = 0;
    while (length < word.length && word[length] === text[start + length]) length += 1;
    const isHit = length === word.length || (length >= window && text[start + length] === "…");
    if (isHit && start + length > (best?.end ?? 0)) best = { start, end: start + length, word };
  }
  return best;
}
