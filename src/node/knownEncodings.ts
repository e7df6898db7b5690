/**
 * In what files without a mark were read and written, as long as the process lives: that stays theirs, and tells of others
 * which are too short to say it by themselves.
 */
import type { TextFile } from "../core/ground/ports";
import type { Stamp } from "../shared/toolResult";

type TextReading = Pick<TextFile, "text" | "encoding" | "reading">;

/** What is known of a file before its bytes are looked at. */
export interface EncodingHint {
  /** what it was in */
  own?: string | undefined;
  /** these very bytes were read or written so */
  isSame?: boolean;
  /** what most text of other files is in */
  others?: string | undefined;
}

/** Of all characters beyond ASCII so many have to be in one encoding. */
const MOST = 0.75;

export class KnownEncodings {
  private readonly files = new Map<string, { encoding: string; sha256: string }>();
  private readonly counted = new Set<string>();
  /** characters beyond ASCII, by the encoding that they were told to be in */
  private readonly characters = new Map<string, number>();

  /** @param path absolute @param sha256 of what it holds now; absent: not looked at */
  hint(path: string, sha256?: string): EncodingHint {
    const known = this.files.get(path);
    return { own: known?.encoding, isSame: known !== undefined && known.sha256 === sha256, others: this.others() };
  }

  /** It was read or written so. @returns its stamp, which says it where nothing in the bytes does */
  note(path: string, read: TextReading, stamp: Stamp): Stamp {
    const { encoding, reading } = read;
    this.files.delete(path);
    if (reading !== "guessed" && reading !== "unknown") return stamp;
    this.keep(path, encoding, stamp.sha256);
    this.count(path, read);
    return { ...stamp, encoding };
  }

  keep(path: string, encoding: string, sha256: string): void {
    this.files.set(path, { encoding, sha256 });
  }

  /** It was looked at. */
  count(path: string, { text, encoding, reading }: TextReading): void {
    if (reading !== "guessed" || this.counted.has(path)) return;
    this.counted.add(path);
    const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
    this.characters.set(encoding, (this.characters.get(encoding) ?? 0) + beyond);
  }

  private others(): string | undefined {
    const all = [...this.characters.values()].reduce((sum, count) => sum + count, 0);
    return [...this.characters].find(([, count]) => count > MOST * all)?.[0];
  }
}
