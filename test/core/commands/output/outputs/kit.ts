/** What the outputs in this folder are made of: lines by the hundred that look as if programs had printed them. */

export interface Output {
  name: string;
  stdout?: string;
  stderr?: string;
  /** what the model must see of it */
  matters: readonly string[];
}

export const lines = <T = string>(count: number, make: (line: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at + 1));

export const text = (...parts: readonly (string | readonly string[])[]): string => `${parts.flat().join("\n")}\n`;

/** `list`, with `middle` in it after the given share of its lines. */
export function amid(list: readonly string[], share: number, ...middle: readonly string[]): string[] {
  const at = Math.floor(list.length * share);
  return [...list.slice(0, at), ...middle, ...list.slice(at)];
}

const FOLDERS = ["billing", "orders", "stock", "users", "mail", "search", "export", "audit", "http", "queue"];
const NOUNS = "invoice cart refund customer session price label basket report token parcel".split(" ");
const VERBS = ["adds", "keeps", "rounds", "moves", "sorts", "opens", "merges", "splits", "renames", "counts", "prints"];
const ENDS = ["when empty", "twice", "in order", "by name", "for a guest", "after a restart", "with one entry"];

const at = (list: readonly string[], n: number): string => list[n % list.length] as string;

export const folder = (n: number) => at(FOLDERS, n);
export const noun = (n: number) => at(NOUNS, n * 7 + Math.floor(n / 11));
export const upper = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
/** "invoice keeps the label in order" */
export const title = (n: number) => `${noun(n)} ${at(VERBS, n * 3 + 1)} the ${noun(n + 5)} ${at(ENDS, n)}`;
/** "src/orders/cart.ts" */
export const file = (n: number, ext: string, root = "src") => `${root}/${folder(n)}/${noun(Math.floor(n / 3))}.${ext}`;
/** "refundLabel" */
export const symbol = (n: number) => `${noun(n)}${upper(noun(n * 5 + 2))}`;
export const pascal = (n: number) => upper(symbol(n));
const two = (n: number) => String(n % 60).padStart(2, "0");
/** "14:03:27" */
export const clock = (n: number) => `14:${two(Math.floor(n / 60))}:${two(n)}`;
/** "2026-03-02 14:03:27.412" */
export const stamp = (n: number) => `2026-03-02 ${clock(n)}.${String((n * 37) % 1000).padStart(3, "0")}`;
