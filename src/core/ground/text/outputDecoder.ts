/**
 * Decodes a command's output: as UTF-8, or in the locale's encoding where the first bytes beyond ASCII are not UTF-8. Binary data
 * is counted instead of shown.
 */
import { count } from "./format";

const REPLACEMENT = "\uFFFD";

export class OutputDecoder {
  private decoder: TextDecoder | undefined;
  private isLossy = false;
  /** bytes of binary data right before the next chunk */
  private skipped = 0;
  private endsLine = true;

  /** @param locale as `Shell.encoding` */
  constructor(private readonly locale?: string) {}

  /** Every character stands for the bytes that were printed, in UTF-8. */
  get isExact(): boolean {
    return !this.isLossy && (this.decoder?.encoding ?? "utf-8") === "utf-8";
  }

  /** What is to be said of it: sentences. */
  get notes(): string[] {
    const encoding = this.decoder?.encoding ?? "utf-8";
    return [
      ...(encoding === "utf-8" ? [] : [`The output is not UTF-8 and was read as ${encoding}.`]),
      ...(this.isLossy ? [`Bytes of the output that are not text are shown as ${REPLACEMENT} or counted.`] : []),
    ];
  }

  push(chunk: Uint8Array): string {
    if (!this.decoder && chunk.some(byte => byte > 0x7f)) this.decoder = this.decoderFor(chunk);
    const decoder = this.decoder ?? new TextDecoder();
    return this.shown(decoder.decode(chunk, { stream: true }), chunk);
  }

  /** No more comes. */
  end(): string {
    const rest = this.shown(this.decoder?.decode() ?? "", new Uint8Array(0));
    return rest + this.endSkipped();
  }

  private decoderFor(chunk: Uint8Array): TextDecoder {
    const [first, second] = chunk;
    if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
    if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
    try {
      // A character that the chunk's end cuts does not throw.
      new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true });
      return new TextDecoder();
    } catch {
      return new TextDecoder(chunk.includes(0) ? "utf-8" : this.locale);
    }
  }

  private shown(text: string, chunk: Uint8Array): string {
    const isDamaged = text.includes(REPLACEMENT);
    this.isLossy ||= isDamaged;
    if (isDamaged && (this.skipped > 0 || chunk.includes(0))) {
      this.skipped += chunk.length;
      return "";
    }
    if (text === "") return "";
    const all = this.endSkipped() + text;
    this.endsLine = all.endsWith("\n");
    return all;
  }

  private endSkipped(): string {
    if (this.skipped === 0) return "";
    const words = `[${count(this.skipped)} bytes that are not text]\n`;
    this.skipped = 0;
    return this.endsLine ? words : `\n${words}`;
  }
}

/** What is said of both streams, each sentence once. */
export const decodingNotes = (decoders: Readonly<Record<string, OutputDecoder>>): string[] => [
  ...new Set(Object.values(decoders).flatMap(({ notes }) => notes)),
];
