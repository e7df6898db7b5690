/** PNG pictures of any size, written by hand. */
import { crc32, deflateSync } from "node:zlib";

/** Of one colour, or of noise that nothing makes smaller. */
export function png(width: number, height: number, noise = false): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  if (noise) {
    let state = 7;
    for (let at = 0; at < rows.length; at++) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      if (at % (width * 3 + 1) !== 0) rows[at] = state >> 16;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", head),
    pngChunk("IDAT", deflateSync(rows, { level: noise ? 0 : 9 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}
