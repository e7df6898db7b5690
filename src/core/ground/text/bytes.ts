/** Bytes in pieces. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The end of a stream that may be endless, in bounded memory. */
export class LastBytes {
  private pieces: Uint8Array[] = [];
  private length = 0;
  /** bytes that went by */
  total = 0;

  constructor(private readonly most: number) {}

  push(bytes: Uint8Array): void {
    this.total += bytes.length;
    // A copy: the caller may use its memory again.
    const last = new Uint8Array(bytes.subarray(-this.most));
    this.pieces.push(last);
    this.length += last.length;
    // Joined seldom, so that many small pieces cost no more than their bytes.
    if (this.length <= this.most * 2 && this.pieces.length < 1_000) return;
    this.pieces = [this.bytes()];
    this.length = this.pieces[0]?.length ?? 0;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return concatBytes(this.pieces).slice(-this.most);
  }
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), char => char.charCodeAt(0));
  } catch {
    // the one way in which atob fails
    return undefined;
  }
}
