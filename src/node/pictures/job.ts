/** What the thread that makes pictures fit is asked, and answers. */

export interface PictureJob {
  bytes: Uint8Array;
  mediaType: string;
  /** pixels */
  maxSide: number;
  maxBytes: number;
}

export type PictureMade =
  | { kind: "as-it-is" }
  | { kind: "unreadable" }
  | { kind: "made"; bytes: Uint8Array; mediaType: string; width: number; height: number };
