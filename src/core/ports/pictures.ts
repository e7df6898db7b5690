/** Pictures as providers take them. */

export interface FitPicture {
  bytes: Uint8Array;
  /** by its bytes, whatever it was called */
  mediaType: string;
  /** what was done to it; absent: nothing */
  note?: string;
}

export interface Pictures {
  /** At most 5 MB as base64, 2,000 pixels a side. `why` it cannot be had so. Never rejects. */
  fit(bytes: Uint8Array): Promise<FitPicture | { why: string }>;
}
