/** A request as its interface takes it: pictures, ids of calls, schemas of tools and the names of their parameters. */
import { defined } from "../shared/defined";
import type { Json } from "../shared/messages";
import { type CallIds, plainIds, withFittingIds, withOwnItems } from "./callIds";
import { withOwnParts } from "./ownParts";
import { type ParameterNames, renameParameters, withNames } from "./parameterNames";
import { PictureFits } from "./pictures";
import type { SdkCallOptions, SdkMessage, SdkModel, SdkStreamPart, SdkTool } from "./sdk/types";
import { fitSchema, forGemini } from "./toolSchemas";

type StreamResult = Awaited<ReturnType<SdkModel["doStream"]>>;

/** What an interface takes; what is absent is as most have it. */
export interface WireRules {
  ids?: CallIds;
  /** names under which its package keeps what is its own with a part; absent: not known */
  keys?: readonly string[];
  /** It refuses ids of parts of an answer that another server gave. */
  ownItems?: true;
  gemini?: true;
}

interface FitSchema {
  schema: Json;
  renamed?: ParameterNames;
}

/** Makes schemas and pictures fit, each once: they are the same from request to request. */
export class WireFits {
  readonly pictures = new PictureFits();
  private readonly plain = new WeakMap<object, FitSchema>();
  private readonly gemini = new WeakMap<object, FitSchema>();

  of(schema: object, forGoogle: boolean): FitSchema {
    const known = forGoogle ? this.gemini : this.plain;
    const before = known.get(schema);
    if (before) return before;
    const { schema: named, renamed } = renameParameters(fitSchema(schema as Json));
    const fit = { schema: forGoogle ? forGemini(named) : named, ...defined({ renamed }) };
    known.set(schema, fit);
    return fit;
  }
}

interface FitParams {
  params: SdkCallOptions;
  renamed: ReadonlyMap<string, ParameterNames>;
}

/** What fits already stays the same object. */
export function fitParams(params: SdkCallOptions, rules: WireRules, fits: WireFits, mark: string): FitParams {
  const { ids = plainIds, keys, ownItems, gemini } = rules;
  const renamed = new Map<string, ParameterNames>();
  const tools = params.tools?.map((tool): SdkTool => {
    if (tool.type !== "function") return tool;
    const fit = fits.of(tool.inputSchema, gemini === true);
    if (fit.renamed) renamed.set(tool.name, fit.renamed);
    if (fit.schema === (tool.inputSchema as Json)) return tool;
    return { ...tool, inputSchema: fit.schema as typeof tool.inputSchema };
  });
  let prompt = fits.pictures.fit(withFittingIds(withOwnParts(params.prompt, { mark, keys }), ids));
  if (ownItems) prompt = withOwnItems(prompt);
  if (renamed.size > 0) prompt = prompt.map(message => withWireNames(message, renamed));
  return { params: { ...params, prompt, ...defined({ tools }) }, renamed };
}

function withWireNames(message: SdkMessage, renamed: ReadonlyMap<string, ParameterNames>): SdkMessage {
  if (message.role !== "assistant") return message;
  const content = message.content.map(part => {
    const names = part.type === "tool-call" ? renamed.get(part.toolName) : undefined;
    return part.type === "tool-call" && names ? { ...part, input: withNames(part.input as Json, names, "wire") } : part;
  });
  return { ...message, content };
}

/** Calls get the names of their parameters back. */
export function withOwnNames(
  stream: StreamResult["stream"],
  renamed: ReadonlyMap<string, ParameterNames>,
): typeof stream {
  if (renamed.size === 0) return stream;
  return stream.pipeThrough(
    new TransformStream<SdkStreamPart, SdkStreamPart>({
      transform(part, controller) {
        const names = part.type === "tool-call" ? renamed.get(part.toolName) : undefined;
        if (part.type !== "tool-call" || !names) return controller.enqueue(part);
        controller.enqueue({ ...part, input: ownNames(part.input, names) });
      },
    }),
  );
}

/** What is no JSON is passed on as it is: whoever reads it says what is wrong. */
function ownNames(input: string, names: ParameterNames): string {
  try {
    return JSON.stringify(withNames(JSON.parse(input) as Json, names, "own"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return input;
  }
}
