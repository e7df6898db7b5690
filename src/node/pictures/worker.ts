/**
 * Makes one picture fit, in a thread of its own: decoding takes time and memory, and what a picture's bytes do to a decoder ends
 * with the thread. A program of its own, beside the decoder's WebAssembly.
 */
import { parentPort, workerData } from "node:worker_threads";
import { PhotonImage, resize, SamplingFilter } from "@silvia-odwyer/photon-node";
import type { PictureJob, PictureMade } from "./nodePictures";

/** times the size before, where the picture has too many bytes at any quality */
const SMALLER = 0.75;
const QUALITIES = [85, 70, 50];

function makeFit({ bytes, mediaType, isKept, maxSide, maxBytes }: PictureJob): PictureMade {
  const image = PhotonImage.new_from_byteslice(bytes);
  const [width, height] = [image.get_width(), image.get_height()];
  let scale = Math.min(1, maxSide / Math.max(width, height));
  if (isKept && scale === 1 && bytes.length <= maxBytes) return { kind: "as-it-is" };
  for (; ; scale *= SMALLER) {
    const [to, down] = [width, height].map(side => Math.max(1, Math.round(side * scale)));
    const small = scale === 1 ? image : resize(image, to ?? 1, down ?? 1, SamplingFilter.Triangle);
    const size = { width: small.get_width(), height: small.get_height() };
    const png = mediaType === "image/jpeg" ? undefined : small.get_bytes();
    if (png && png.length <= maxBytes) return { kind: "made", bytes: png, mediaType: "image/png", ...size };
    for (const quality of QUALITIES) {
      const jpeg = small.get_bytes_jpeg(quality);
      if (jpeg.length <= maxBytes) return { kind: "made", bytes: jpeg, mediaType: "image/jpeg", ...size };
    }
  }
}

function made(job: PictureJob): PictureMade {
  try {
    return makeFit(job);
  } catch {
    return { kind: "unreadable" };
  }
}

parentPort?.postMessage(made(workerData as PictureJob));
