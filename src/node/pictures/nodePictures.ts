/** Pictures are looked at, and made smaller, each in a thread of its own that is started for it. */
import { Worker } from "node:worker_threads";
import type { FitPicture, Pictures } from "../../core/ground/ports";
import { MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, MAX_SIDE_OF_MANY, pictureFacts } from "../../shared/pictures";
import { turnedAs, withoutMetadata } from "./metadata";

/** More takes more memory than a picture is worth: four bytes each, some three times. */
const MAX_PIXELS = 80_000_000;
const LIMIT_MS = 60_000;
const UNREADABLE = "it is no whole PNG, JPEG, GIF or WebP picture";

/** What the thread that makes pictures fit is asked. */
export interface PictureJob {
  bytes: Uint8Array;
  mediaType: string;
  /** It stays of its type: others are made a PNG. */
  isKept: boolean;
  /** pixels */
  maxSide: number;
  maxBytes: number;
}

export type PictureMade =
  | { kind: "as-it-is" }
  | { kind: "unreadable" }
  | { kind: "made"; bytes: Uint8Array; mediaType: string; width: number; height: number };

export class NodePictures implements Pictures {
  /** One at a time: each takes much memory. */
  private before: Promise<unknown> = Promise.resolve();

  /** @param program the worker, built */
  constructor(private readonly program: string) {}

  fit(bytes: Uint8Array): Promise<FitPicture | { why: string }> {
    const fitted = this.before.then(() => this.fitOne(bytes));
    this.before = fitted;
    return fitted;
  }

  private async fitOne(bytes: Uint8Array): Promise<FitPicture | { why: string }> {
    const facts = pictureFacts(bytes);
    if (!facts) return { why: UNREADABLE };
    const { mediaType, width, height } = facts;
    if (width * height > MAX_PIXELS)
      return { why: `it has ${width} × ${height} pixels, which is too much to make it smaller here` };
    const isKept = mediaType === "image/png" || mediaType === "image/jpeg";
    const job = { bytes, mediaType, isKept, maxSide: MAX_SIDE_OF_MANY, maxBytes: MAX_PICTURE_BYTES };
    const made = await this.ask(job).catch(() => undefined);
    if (made?.kind === "unreadable") return { why: UNREADABLE };
    if (made?.kind === "made") {
      const now = `${made.width} × ${made.height}`;
      const isWhole = !isKept && made.width === width && made.height === height;
      return {
        bytes: made.mediaType === "image/jpeg" ? turnedAs(bytes, made.bytes) : made.bytes,
        mediaType: made.mediaType,
        ...(!isWhole && { note: `made smaller: ${width} × ${height} pixels, sent ${now}` }),
      };
    }
    const isFine = bytes.length <= MAX_PICTURE_BYTES && Math.max(width, height) <= MAX_PICTURE_SIDE;
    if (made || (isFine && isKept)) return { bytes: withoutMetadata(bytes), mediaType };
    return { why: isFine ? "it could not be made a PNG here" : "it is too large, and could not be made smaller here" };
  }

  /** Rejects where the thread cannot be started, ends by itself, or takes too long. */
  private async ask(job: PictureJob): Promise<PictureMade> {
    const worker = new Worker(this.program, { workerData: job });
    const limit = AbortSignal.timeout(LIMIT_MS);
    try {
      return await new Promise<PictureMade>((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
        worker.once("exit", () => reject(new Error("the thread ended without an answer")));
        limit.addEventListener("abort", () => reject(limit.reason), { once: true });
      });
    } finally {
      await worker.terminate();
    }
  }
}
