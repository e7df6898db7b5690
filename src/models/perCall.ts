/** One model for all requests of a connection: each as its interface takes it, and told before it leaves. */
import type { ModelConnection } from "../core/ground/ports";
import { defined } from "../shared/defined";
import type { Json } from "../shared/messages";
import {
  MANY_PICTURES,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_SIDE,
  MAX_SIDE_OF_MANY,
  type PictureFacts,
  pictureFacts,
} from "../shared/pictures";
import { EventFilter } from "./events/eventReader";
import { type LeftOut, pictureKey } from "./leftOut";
import { CALL_HEADER, createFetch, type HttpCall, type SendOptions } from "./modelFetch";
import type { LoadedModel, WireRules } from "./provider";
import {
  plainIds,
  type SdkCallOptions,
  type SdkFilePart,
  type SdkModel,
  type SdkPrompt,
  type SdkTool,
  type SdkUserPart,
  withFittingIds,
  withOwnParts,
} from "./sdk/prompt";
import { fitSchema, forGemini } from "./toolSchemas";

/** Makes schemas and pictures fit, each once: they are the same from request to request. */
export class WireFits {
  private readonly pictures = new PictureFits();
  private readonly plain = new WeakMap<object, Json>();
  private readonly gemini = new WeakMap<object, Json>();

  /** What fits already stays the same object. @param mark of this model at this server */
  fit(params: SdkCallOptions, { ids = plainIds, keys, gemini }: WireRules, mark: string): SdkCallOptions {
    const tools = params.tools?.map((tool): SdkTool => {
      if (tool.type !== "function") return tool;
      const schema = this.schema(tool.inputSchema, gemini === true) as typeof tool.inputSchema;
      return schema === tool.inputSchema ? tool : { ...tool, inputSchema: schema };
    });
    const prompt = this.pictures.fit(withFittingIds(withOwnParts(params.prompt, { mark, keys }), ids));
    return { ...params, prompt, ...defined({ tools }) };
  }

  private schema(schema: object, forGoogle: boolean): Json {
    const known = forGoogle ? this.gemini : this.plain;
    const before = known.get(schema);
    if (before !== undefined) return before;
    const plain = fitSchema(schema as Json);
    const fit = forGoogle ? forGemini(plain) : plain;
    known.set(schema, fit);
    return fit;
  }
}

interface FitOptions {
  fits: WireFits;
  /** of this model at this server */
  mark: string;
}

interface PartOptions extends FitOptions {
  leftOut: LeftOut;
}

/** What is about to leave is told before it does, over HTTP. */
export async function modelPerCall(
  loaded: LoadedModel,
  options: SendOptions & PartOptions,
): Promise<ModelConnection["open"]> {
  const { wrapLanguageModel } = await import("ai");
  // Each request is marked with the name of its call, by which `fetch` finds who waits for it.
  const waiting = new Map<string, HttpCall>();
  const { events } = loaded;
  const filter =
    events && events !== "chat" ? (contentType: string) => new EventFilter(events, contentType) : undefined;
  const model = loaded.model(
    createFetch({ ...options, filter, isBinary: events === undefined }, name => {
      const call = waiting.get(name ?? "");
      waiting.delete(name ?? "");
      return call;
    }),
  );
  const { leftOut, fits, mark } = options;
  let calls = 0;
  return (beforeSend, onBytes) => {
    const name = String(++calls);
    waiting.set(name, { beforeSend, onBytes });
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: "v4",
        async transformParams({ params }) {
          const goes = leftOut.takeOut(fits.fit(params, loaded.wire ?? {}, mark));
          return { ...goes, headers: { ...params.headers, [CALL_HEADER]: name } };
        },
      },
    });
  };
}

/** Without HTTP: there is no body whose hash could be told. */
export async function directModelPerCall(
  model: SdkModel,
  { fits, mark }: FitOptions,
): Promise<ModelConnection["open"]> {
  const { wrapLanguageModel } = await import("ai");
  return (beforeSend, onBytes) =>
    wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: "v4",
        transformParams: async ({ params }) => fits.fit(params, {}, mark),
        async wrapStream({ doStream }) {
          await beforeSend(null);
          const { stream, ...rest } = await doStream();
          return { ...rest, stream: stream.pipeThrough(heard(onBytes)) };
        },
      },
    });
}

/** Passes parts on and says that one came: what a time-out by silence is measured by. */
function heard<Part>(onPart: (() => void) | undefined): TransformStream<Part, Part> {
  return new TransformStream({
    transform(part, controller) {
      onPart?.();
      controller.enqueue(part);
    },
  });
}

/** characters of base64 in one request; the least that a provider takes is 20 MB, with all that stands beside them */
const MAX_TOTAL = 15_000_000;
/** in one request */
const MAX_PICTURES = 90;
/** looked at once; what is beyond is looked at again */
const MAX_KNOWN = 2_000;

type PictureReading = (PictureFacts & { characters: number }) | { why: string };

class PictureFits {
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
