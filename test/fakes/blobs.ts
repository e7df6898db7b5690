import { createHash } from "node:crypto";
import type { BlobWriter } from "../../src/core/ground/ports";

/** Blobs in memory. `failWrites` makes every write reject, as a full disk does. */
export class MemoryBlobs {
  readonly blobs = new Map<string, Uint8Array>();
  /** writers that were opened and neither finished nor discarded */
  open = 0;
  opened = 0;
  failWrites: Error | undefined;

  readonly writer = (): BlobWriter => {
    const chunks: Uint8Array[] = [];
    this.open += 1;
    this.opened += 1;
    return {
      write: async chunk => {
        if (this.failWrites) throw this.failWrites;
        chunks.push(Buffer.from(chunk as string));
      },
      finish: async () => {
        const data = Buffer.concat(chunks);
        const sha256 = createHash("sha256").update(data).digest("hex");
        this.blobs.set(sha256, data);
        this.open -= 1;
        return { sha256, bytes: data.length };
      },
      discard: async () => {
        this.open -= 1;
      },
    };
  };

  text(sha256: string): string | undefined {
    const data = this.blobs.get(sha256);
    return data && Buffer.from(data).toString("utf8");
  }
}
