/** One model for all requests of a connection, and who is told before each leaves. */
import type { ModelConnection } from "../core/ground/ports";
import { EventFilter } from "./events/eventFilter";
import type { LeftOut, SentParts } from "./leftOut";
import { CALL_HEADER, createFetch, type HttpCall, type SendOptions } from "./modelFetch";
import { withoutParts } from "./optionalParts";
import type { ParameterNames } from "./parameterNames";
import type { LoadedModel } from "./provider";
import type { SdkModel } from "./sdk/types";
import { fitParams, type WireFits, withOwnNames } from "./wireFit";

interface PartOptions {
  leftOut: LeftOut;
  sent: SentParts;
  fits: WireFits;
  /** of this model at this server */
  mark: string;
}

/** One model for all requests. What is about to leave is told before it does, over HTTP. */
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
  const { leftOut, sent, fits, mark } = options;
  let calls = 0;
  return (beforeSend, onBytes) => {
    const name = String(++calls);
    waiting.set(name, { beforeSend, onBytes });
    let renamed: ReadonlyMap<string, ParameterNames> = new Map();
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: "v4",
        async transformParams({ params }) {
          const fit = fitParams(params, loaded.wire ?? {}, fits, mark);
          renamed = fit.renamed;
          const goes = leftOut.isEmpty ? fit.params : withoutParts(fit.params, leftOut);
          sent.note(goes);
          return { ...goes, headers: { ...params.headers, [CALL_HEADER]: name } };
        },
        async wrapStream({ doStream }) {
          const { stream, ...rest } = await doStream();
          return { ...rest, stream: withOwnNames(stream, renamed) };
        },
      },
    });
  };
}

/** Without HTTP: there is no body whose hash could be told. */
export async function directModelPerCall(
  model: SdkModel,
  { fits, mark }: Pick<PartOptions, "fits" | "mark">,
): Promise<ModelConnection["open"]> {
  const { wrapLanguageModel } = await import("ai");
  return (beforeSend, onBytes) => {
    let renamed: ReadonlyMap<string, ParameterNames> = new Map();
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: "v4",
        async transformParams({ params }) {
          const fit = fitParams(params, {}, fits, mark);
          renamed = fit.renamed;
          return fit.params;
        },
        wrapStream: async ({ doStream }) => {
          await beforeSend(null);
          const { stream, ...rest } = await doStream();
          return {
            ...rest,
            stream: withOwnNames(stream, renamed).pipeThrough(heard(onBytes)),
          };
        },
      },
    });
  };
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
