/** Pictures of all sorts, through the thread that makes them fit: what comes out is what every provider takes, or a reason. */
import assert from "node:assert/strict";
import { PhotonImage } from "@silvia-odwyer/photon-node";
import { builtPictureWorker } from "../../../scripts/lib/product.mjs";
import { NodePictures } from "../../../src/node/pictures/nodePictures";
import { MAX_PICTURE_BYTES, MAX_SIDE_OF_MANY, pictureFacts } from "../../../src/shared/pictures";
import { pngChunk as chunk, png } from "../../fakes/png";
import { temporaryFolder } from "../../fakes/temporary";

const decoded = (width: number, height: number) => PhotonImage.new_from_byteslice(png(width, height));
const gif = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");
/** Two pictures, one after the other. */
const animated = Buffer.concat([gif.subarray(0, -1), gif.subarray(19)]);

describe("pictures that fit", () => {
  let pictures: NodePictures;
  before(async () => {
    pictures = new NodePictures(await builtPictureWorker(temporaryFolder("pictures")));
  });

  const whole: Record<string, () => Buffer | Uint8Array> = {
    "a PNG": () => png(40, 30),
    "a JPEG": () => decoded(64, 48).get_bytes_jpeg(80),
    "the largest that needs nothing": () => png(2000, 2000),
  };
  for (const [name, make] of Object.entries(whole)) {
    it(`${name} stays as it is`, async () => {
      const bytes = make();
      const fit = await pictures.fit(bytes);
      assert.ok("bytes" in fit, JSON.stringify(fit));
      assert.equal(fit.note, undefined);
      assert.equal(fit.bytes, bytes);
      assert.equal(fit.mediaType, pictureFacts(bytes)?.mediaType);
    });
  }

  for (const [name, bytes] of Object.entries({
    ...{ "a GIF": gif, "an animated GIF": animated, "a WebP": decoded(64, 48).get_bytes_webp() },
  }))
    it(`${name} becomes a PNG of its first picture, so that nothing else of it is sent`, async () => {
      const fit = await pictures.fit(bytes);
      assert.ok("bytes" in fit, JSON.stringify(fit));
      assert.deepEqual([fit.mediaType, fit.note], ["image/png", undefined]);
      const [before, after] = [bytes, fit.bytes].map(each => PhotonImage.new_from_byteslice(each));
      assert.deepEqual(after?.get_raw_pixels(), before?.get_raw_pixels());
    });

  const SECRET = "SECRET 48.85N 2.35E";
  /** Exif as cameras write it, in the order of bytes that most have: a text, and how it is turned. */
  const tiff = (turned: number) => {
    const entries = Buffer.from(`0002010e000200000014000000260112000300000001000${turned}0000`, "hex");
    return Buffer.concat([
      Buffer.from("MM\0*"),
      Buffer.from([0, 0, 0, 8]),
      entries,
      Buffer.alloc(4),
      Buffer.from(`${SECRET}\0`),
    ]);
  };
  const segment = (marker: number, ...data: (string | Uint8Array)[]) => {
    const body = Buffer.concat(data.map(one => Buffer.from(one as Uint8Array)));
    return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);
  };
  const jpegWith = (image: Uint8Array, turned: number) =>
    Buffer.concat([
      image.subarray(0, 2),
      segment(0xe1, "Exif\0\0", tiff(turned)),
      segment(0xe1, "http://ns.adobe.com/xap/1.0/\0", SECRET),
      segment(0xe2, "MPF\0", SECRET),
      segment(0xed, "Photoshop 3.0\0", SECRET),
      segment(0xfe, SECRET),
      image.subarray(2),
      Buffer.from(SECRET),
    ]);
  const said: Record<string, [make: () => Uint8Array, stays?: string]> = {
    "a PNG": [
      () => {
        const image = png(40, 30);
        const texts = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "prVt"].map(name => chunk(name, Buffer.from(SECRET)));
        const colours = chunk("gAMA", Buffer.from([0, 1, 0x86, 0xa0]));
        const end = Buffer.from(SECRET);
        return Buffer.concat([image.subarray(0, 33), colours, ...texts, image.subarray(33), end]);
      },
      "gAMA",
    ],
    "a JPEG": [() => jpegWith(decoded(64, 48).get_bytes_jpeg(80), 1)],
    "a JPEG that is turned": [() => jpegWith(decoded(64, 48).get_bytes_jpeg(80), 6), "\x12\x01\x03\0\x01\0\0\0\x06"],
    "a JPEG that is made smaller": [
      () => jpegWith(decoded(5000, 300).get_bytes_jpeg(90), 8),
      "\x12\x01\x03\0\x01\0\0\0\x08",
    ],
  };
  for (const [name, [make, stays = ""]] of Object.entries(said)) {
    it(`${name} says nothing but its pixels, their colours and how it is turned`, async () => {
      const bytes = make();
      const fit = await pictures.fit(bytes);
      assert.ok("bytes" in fit, JSON.stringify(fit));
      const text = Buffer.from(fit.bytes).toString("latin1");
      assert.doesNotMatch(text, /SECRET/);
      assert.ok(text.includes(stays));
      assert.equal(/Exif\0|EXIF/.test(text), stays.startsWith("\x12"));
      const { mediaType, ...size } = pictureFacts(fit.bytes) ?? {};
      assert.equal(mediaType, fit.mediaType);
      if (fit.note !== undefined) return;
      const [before, after] = [bytes, fit.bytes].map(each => PhotonImage.new_from_byteslice(each));
      assert.deepEqual(after?.get_raw_pixels(), before?.get_raw_pixels());
      assert.deepEqual(size, { width: before?.get_width(), height: before?.get_height() });
      assert.equal(await pictures.fit(fit.bytes).then(again => "bytes" in again && again.bytes), fit.bytes);
    });
  }

  const large: Record<string, () => Buffer | Uint8Array> = {
    "9,000 pixels wide": () => png(9000, 20),
    "a PNG of noise, over 4 MB": () => png(1300, 1200, true),
    "a PNG of noise, over 11 MB": () => png(2500, 1500, true),
    "a JPEG, 5,000 pixels wide": () => decoded(5000, 300).get_bytes_jpeg(90),
    "a WebP, 3,000 pixels wide": () => decoded(3000, 30).get_bytes_webp(),
  };
  for (const [name, make] of Object.entries(large)) {
    it(`${name}: made smaller, and said`, async () => {
      const fit = await pictures.fit(make());
      assert.ok("bytes" in fit, JSON.stringify(fit));
      const facts = pictureFacts(fit.bytes);
      assert.ok(facts && Math.max(facts.width, facts.height) <= MAX_SIDE_OF_MANY);
      assert.ok(fit.bytes.length <= MAX_PICTURE_BYTES);
      assert.equal(fit.mediaType, facts.mediaType);
      assert.match(fit.note ?? "", /^made smaller: \d+ × \d+ pixels, sent \d+ × \d+$/);
    });
  }

  const broken: Record<string, () => Uint8Array> = {
    nothing: () => Buffer.alloc(0),
    "a PNG that was cut off": () => png(400, 300, true).subarray(0, 5000),
    "a PNG with another byte": () => {
      const bytes = png(400, 300, true);
      bytes[5000] = (bytes[5000] ?? 0) ^ 255;
      return bytes;
    },
    "a PNG whose data is none": () =>
      Buffer.concat([
        png(40, 30).subarray(0, 33),
        chunk("IDAT", Buffer.from("no data")),
        chunk("IEND", Buffer.alloc(0)),
      ]),
    "a JPEG that was cut off": () => decoded(640, 480).get_bytes_jpeg(90).slice(0, -200),
    "a WebP that was cut off": () => decoded(64, 48).get_bytes_webp().slice(0, -10),
    "a BMP": () => Buffer.concat([Buffer.from("BM"), Buffer.alloc(100)]),
  };
  for (const [name, make] of Object.entries(broken)) {
    it(`${name} never goes out`, async () => {
      const fit = await pictures.fit(make());
      assert.deepEqual(fit, { why: "it is no whole PNG, JPEG, GIF or WebP picture" });
    });
  }

  it("one that would take all memory is named with its size", async () => {
    const head = png(1, 1);
    head.writeUInt32BE(60_000, 16);
    head.writeUInt32BE(60_000, 20);
    assert.match(JSON.stringify(await pictures.fit(head)), /60000 × 60000 pixels/);
  });

  it("without the program, what is small enough goes all the same", async () => {
    const without = new NodePictures("/nowhere/pictureWorker.js");
    assert.ok("bytes" in (await without.fit(png(3000, 20))));
    assert.match(JSON.stringify(await without.fit(png(9000, 20))), /could not be made smaller/);
    assert.deepEqual(await without.fit(gif), { why: "it could not be made a PNG here" });
  });
});
