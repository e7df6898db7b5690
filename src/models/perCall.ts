/** One model for all requests of a connection, and who is told before each leaves. */
import type { ModelConnection, OptionalPart } from "../core/ports";
import { CALL_HEADER, type Call, createFetch, type SendOptions } from "./modelFetch";
import { withoutParts } from "./optionalParts";
import type { LoadedModel } from "./provider";

type DirectModel = Extract<LoadedModel, { kind: "direct" }>["model"];

/** One model for all requests. What is about to leave is told before it does, over HTTP or without. */
export async function modelPerCall(
  loaded: LoadedModel,
  options: SendOptions & { leftOut: ReadonlySet<OptionalPart> },
): Promise<ModelConnection["open"]> {
  if (loaded.kind === "direct") return directModelPerCall(loaded.model);
  const { wrapLanguageModel } = await import("ai");
  // Each request is marked with the name of its call, by which `fetch` finds who waits for it.
  const waiting = new Map<string, Call>();
  const model = loaded.model(
    createFetch(options, name => {
      const call = waiting.get(name ?? "");
      waiting.delete(name ?? "");
      return call;
    }),
  );
  let calls = 0;
  return (beforeSend, onBytes) => {
    const name = String(++calls);
    waiting.set(name, { beforeSend, onBytes });
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: "v4",
        transformParams: async ({ params }) => ({
          ...withoutParts(params, options.leftOut),
          headers: { ...params.headers, [CALL_HEADER]: name },
        }),
      },
    });
  };
}

/** Without HTTP: there is no body whose hash could be told. */
export async function directModelPerCall(model: DirectModel): Promise<ModelConnection["open"]> {
  const { wrapLanguageModel } = await import("ai");
  return (beforeSend, onBytes) =>
    wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: "v4",
        wrapStream: async ({ doStream }) => {
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
