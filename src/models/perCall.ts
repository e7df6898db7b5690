/** One model for all requests of a connection: each as its interface takes it, and told before it leaves. */
import type { ModelConnection, StreamedModel } from "../core/ground/ports";
import { defined, remembered } from "../shared/defined";
import type { Json } from "../shared/messages";
import { EventFilter } from "./events/eventReader";
import type { LeftOut } from "./leftOut";
import { createFetch, type SendOptions } from "./modelFetch";
import type { LoadedModel, WireRules } from "./provider";
import type { SdkCallOptions, SdkPart, SdkPrompt, SdkTool } from "./sdk/prompt";
import { mapParts, plainIds, withFittingIds, withOwnParts } from "./sdk/prompt";
import { fitSchema, forGemini } from "./toolSchemas";

/** Makes schemas fit, each once: they are the same from request to request. */
export class WireFits {
  private readonly plain = remembered((schema: object) => fitSchema(schema as Json), new WeakMap<object, Json>());
  private readonly gemini = remembered((schema: object) => forGemini(this.plain(schema)), new WeakMap<object, Json>());

  /** What fits already stays the same object. @param mark of this model at this server */
  fit(params: SdkCallOptions, { ids = plainIds, keys, gemini }: WireRules, mark: string): SdkCallOptions {
    const tools = params.tools?.map((tool): SdkTool => {
      if (tool.type !== "function") return tool;
      const schema = (gemini ? this.gemini : this.plain)(tool.inputSchema) as typeof tool.inputSchema;
      return schema === tool.inputSchema ? tool : { ...tool, inputSchema: schema };
    });
    const prompt = boundPictures(withFittingIds(withOwnParts(params.prompt, { mark, keys }), ids));
    return { ...params, prompt, ...defined({ tools }) };
  }
}

/** `mark`: of this model at this server */
type FitOptions = { fits: WireFits; mark: string };

/** Over HTTP: the hash of a body is told before it leaves. */
export function modelPerCall(
  loaded: LoadedModel,
  options: SendOptions & FitOptions & { leftOut: LeftOut },
): ModelConnection["open"] {
  const { leftOut, fits, mark } = options;
  const { events, wire = {} } = loaded;
  const filter =
    events && events !== "chat" ? (contentType: string) => new EventFilter(events, contentType) : undefined;
  return (beforeSend, onBytes) => {
    const sending = { ...options, filter, isBinary: events === undefined };
    const model = loaded.model(createFetch(sending, { beforeSend, onBytes }));
    return { doStream: params => model.doStream(leftOut.takeOut(fits.fit(params, wire, mark))) };
  };
}

/** Without HTTP: there is no body whose hash could be told. */
export const directModelPerCall =
  (model: StreamedModel, { fits, mark }: FitOptions): ModelConnection["open"] =>
  beforeSend => ({
    async doStream(params) {
      await beforeSend(null);
      return model.doStream(fits.fit(params, {}, mark));
    },
  });

/** characters of base64 in one request; the least that a provider takes is 20 MB, text included */
const MAX_TOTAL = 15_000_000;
/** in one request */
const MAX_PICTURES = 90;

/** The newest pictures that a request may have; the others are named in their place. The same object where all may go. */
function boundPictures(prompt: SdkPrompt): SdkPrompt {
  const left = new Set<object>();
  let [count, total] = [0, 0];
  for (const { role, content } of [...prompt].reverse()) {
    if (role !== "user") continue;
    for (const part of [...content].reverse()) {
      if (part.type !== "file") continue;
      const characters = part.data.type === "data" ? part.data.data.length : 0;
      if (count >= MAX_PICTURES || total + characters > MAX_TOTAL) left.add(part);
      else [count, total] = [count + 1, total + characters];
    }
  }
  if (left.size === 0) return prompt;
  const bounded = (part: SdkPart): SdkPart => {
    if (part.type !== "file" || !left.has(part)) return part;
    return { type: "text", text: `[${part.mediaType}: left out, since there are too many newer ones]` };
  };
  return prompt.map(message => mapParts(message, bounded));
}
