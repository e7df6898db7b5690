/** The newest part of what a command prints, as far as it is kept. By itself, since activation loads it. */
import type { Stream } from "./output/outputDigest";

/** A part of what was printed. */
export interface TextPart {
  stream: Stream;
  text: string;
}

/** Pieces that follow each other in a stream are joined up to this length, so that many small ones cost no more. */
const PIECE = 4096;

/** The newest part of a text that comes in pieces of two streams. */
export class TextRing {
  /** characters that came and are not kept any more */
  dropped = 0;
  private parts: TextPart[] = [];
  private kept = 0;

  /** @param most characters that are kept */
  constructor(private readonly most: number) {}

  push(stream: Stream, text: string): void {
    if (text === "") return;
    const last = this.parts.at(-1);
    if (last?.stream === stream && last.text.length < PIECE) last.text += text;
    else this.parts.push({ stream, text });
    this.kept += text.length;
    for (let first = this.parts[0]; first && this.kept > this.most; first = this.parts[0]) {
      const cut = Math.min(this.kept - this.most, first.text.length);
      if (cut === first.text.length) this.parts.shift();
      else first.text = first.text.slice(cut);
      this.kept -= cut;
      this.dropped += cut;
    }
  }

  /** in the order they came */
  get pieces(): readonly TextPart[] {
    return this.parts;
  }

  /** Both streams, as a terminal shows them. */
  get text(): string {
    return this.parts.map(part => part.text).join("");
  }
}
