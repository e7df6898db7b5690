/**
 * Pictures as every provider takes them: what is no picture, not whole, or larger than they take is named in its place, and so are
 * the oldest of more than one request can have. They were made smaller when they were read, where that could be done.
 */
import {
  MANY_PICTURES,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE,
  MAX_SIDE_OF_MANY,
  type PictureFacts,
  pictureFacts,
} from "../shared/pictures";
import { pictureKey } from "./leftOut";
import type { SdkFilePart, SdkPrompt, SdkUserPart } from "./sdk/types";

/** characters of base64 in one request; the least that a provider takes is 20 MB, with all that stands beside them */
const MAX_TOTAL = 15_000_000;
/** in one request */
const MAX_PICTURES = 90;
/** looked at once; what is beyond is looked at again */
const MAX_KNOWN = 2_000;

type PictureReading = (PictureFacts & { characters: number }) | { why: string };

export class PictureFits {
  private readonly known = new Map<string, PictureReading>();

  /** The same object where there are none, or all are as they may be. */
  fit(prompt: SdkPrompt): SdkPrompt {
    const seen = new Map<SdkFilePart, PictureReading>();
    for (const part of prompt.flatMap(({ role, content }) => (role === "user" ? content : [])))
      if (part.type === "file") seen.set(part, this.look(part));
    if (seen.size === 0) return prompt;
    const instead = chosen(seen);
    if (instead.size === 0) return prompt;
    return prompt.map(message => {
      if (message.role !== "user" || !message.content.some(part => part.type === "file" && instead.has(part)))
        return message;
      return { ...message, content: message.content.map(part => (part.type === "file" && instead.get(part)) || part) };
    });
  }

  private look(part: SdkFilePart): PictureReading {
    if (part.data.type !== "data") return { why: "it is not here" };
    const key = pictureKey(part);
    const before = this.known.get(key);
    if (before) return before;
    const { data } = part.data;
    const bytes = typeof data === "string" ? Buffer.from(data, "base64") : data;
    const facts = pictureFacts(bytes);
    const seen = facts ? { ...facts, characters: Math.ceil(bytes.length / 3) * 4 } : { why: UNREADABLE };
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(key, seen);
    return seen;
  }
}

const UNREADABLE = "it is no whole PNG, JPEG, GIF or WebP picture";

/** What goes out in a picture's place, of those that do not go as they are. */
function chosen(seen: ReadonlyMap<SdkFilePart, PictureReading>): Map<SdkFilePart, SdkUserPart> {
  const instead = new Map<SdkFilePart, SdkUserPart>();
  const leave = (part: SdkFilePart, why: string) =>
    instead.set(part, { type: "text", text: `[${part.mediaType}: left out, since ${why}]` });
  const most = seen.size > MANY_PICTURES ? MAX_SIDE_OF_MANY : MAX_PICTURE_SIDE;
  let [count, total] = [0, 0];
  // The newest matter most.
  for (const [part, facts] of [...seen].reverse()) {
    if ("why" in facts) {
      leave(part, facts.why);
      continue;
    }
    const { width, height, characters, mediaType } = facts;
    if (Math.max(width, height) > most) leave(part, `it has ${width} × ${height} pixels, and ${most} are the most`);
    else if (characters > Math.ceil(MAX_PICTURE_BYTES / 3) * 4) leave(part, "it has more than 5 MB");
    else if (count >= MAX_PICTURES || total + characters > MAX_TOTAL) leave(part, "there are too many newer ones");
    else {
      count += 1;
      total += characters;
      // A provider refuses one that is called something else than it is.
      if (part.mediaType !== mediaType) instead.set(part, { ...part, mediaType });
    }
  }
  return instead;
}
