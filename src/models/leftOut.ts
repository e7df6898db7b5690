/**
 * What requests to a model go without, as its server refused it, and what the newest one had.
 * It is taken out behind the manifest, and remembered for the process only: servers change, and one refusal costs a
 * moment.
 */
import type { OptionalKind, OptionalPart } from "../core/ground/ports";
import type { SdkAssistantPart, SdkCallOptions, SdkFilePart, SdkTool } from "./sdk/types";

export interface PartRefusal<Part = OptionalPart> {
  part: Part;
  /** what the person is told */
  words(name: string, address: string): string;
}

/** tokens: less is no answer to work with, and a shorter conversation is */
export const LEAST_ANSWER = 1_000;

/** Grows as long as this process lives. */
export class LeftOut {
  private readonly kinds = new Set<OptionalKind>();
  private readonly keys = new Set<string>();
  /** tokens of an answer */
  private most = Number.POSITIVE_INFINITY;
  private room: Extract<OptionalPart, { window: number }> | undefined;

  get isEmpty(): boolean {
    return this.names.length === 0;
  }

  /** of all of it, in one order */
  get names(): string[] {
    const answer = [this.most, ...Object.values(this.room ?? {})].filter(Number.isFinite);
    return [...this.kinds, ...this.keys, ...answer.map(String)].sort();
  }

  has = (kind: OptionalKind): boolean => this.kinds.has(kind);
  hasSome = (key: string): boolean => this.keys.has(key);

  add(part: OptionalPart): void {
    if (typeof part === "string") this.kinds.add(part);
    else if ("answer" in part) this.most = Math.min(this.most, part.answer);
    else if ("window" in part) this.room = part;
    else for (const key of Object.values(part).flat()) this.keys.add(key);
  }

  /** How many tokens the answer to a request may have, of those that are asked for; undefined: as many as the server likes. */
  answerTokens({ maxOutputTokens: asked, prompt }: SdkCallOptions): number | undefined {
    const { window, perCharacter } = this.room ?? { window: Number.POSITIVE_INFINITY, perCharacter: 0 };
    const left = Math.floor(window - MARGIN * perCharacter * charactersOf(prompt));
    const tokens = Math.min(asked ?? Number.POSITIVE_INFINITY, Math.max(LEAST_ANSWER, left));
    return Number.isFinite(tokens) ? Math.min(tokens, this.most) : undefined;
  }
}

/** of a request: how far its tokens may differ from what is known of one before it */
const MARGIN = 1.01;

/** What the newest request had, for a refusal that means a part of it. Looked at where one comes alone. */
export class SentParts {
  private params: SdkCallOptions = { prompt: [] };

  note(params: SdkCallOptions): void {
    this.params = params;
  }

  /** in the order of the request */
  get tools(): { key: string; name: string }[] {
    return (this.params.tools ?? []).map(tool => ({ key: toolKey(tool), name: tool.name }));
  }

  /** oldest first; `message` tells which came together */
  get pictures(): { key: string; name: string; message: number; bytes: number }[] {
    return this.params.prompt.flatMap(({ content }, message) => {
      if (typeof content === "string") return [];
      return content.flatMap((part, at) => {
        if (part.type !== "file") return [];
        const before = content[at - 1];
        const named = before?.type === "text" ? /Image of (.+):$/.exec(before.text)?.[1] : undefined;
        const bytes = part.data.type === "data" ? part.data.data.length : 0;
        return [{ key: pictureKey(part), name: named ?? part.filename ?? part.mediaType, message, bytes }];
      });
    });
  }

  /** of what models thought in steps before, the signatures of their calls included */
  get thoughts(): string[] {
    return this.params.prompt.flatMap(({ role, content }) =>
      role === "assistant" ? content.flatMap(part => thoughtKey(part) ?? []) : [],
    );
  }

  get characters(): number {
    return charactersOf(this.params.prompt);
  }

  /** undefined: as many as the server likes */
  get answerTokens(): number | undefined {
    return this.params.maxOutputTokens;
  }
}

/** of all but pictures, about */
const charactersOf = (prompt: SdkCallOptions["prompt"]): number =>
  prompt.reduce((sum, { content }) => {
    if (typeof content === "string") return sum + content.length;
    const lengths = content.map(part =>
      part.type === "text" ? part.text.length : part.type === "file" ? 500 : JSON.stringify(part).length,
    );
    return lengths.reduce((all, length) => all + length, sum);
  }, 0);

/** One whose server says something else of it is another one. */
export const toolKey = (tool: SdkTool): string =>
  `${tool.name} ${tool.type === "function" ? (tool.description?.length ?? 0) : ""}`;

/** Some of its bytes from beginning to end tell pictures apart. */
export function pictureKey({ data, mediaType }: SdkFilePart): string {
  if (data.type !== "data") return mediaType;
  const { length } = data.data;
  const parts = Array.from({ length: SAMPLES + 1 }, (_, at) => {
    const from = Math.floor((Math.max(0, length - SAMPLE) * at) / SAMPLES);
    return data.data.slice(from, from + SAMPLE);
  });
  return `${mediaType} ${length} ${parts.join(" ")}`;
}

/** undefined: nothing of it was thought */
export function thoughtKey(part: SdkAssistantPart): string | undefined {
  if (part.type !== "reasoning" && signatureOf(part) === undefined) return undefined;
  const text = part.type === "reasoning" ? part.text : part.type;
  const signed = JSON.stringify(part.providerOptions ?? {});
  return `${text.length} ${text.slice(0, SAMPLE)} ${signed.length} ${signed.slice(0, 2 * SAMPLE)} ${signed.slice(-2 * SAMPLE)}`;
}

/** Google's, which stands beside a call or a text. */
const signatureOf = ({ providerOptions }: SdkAssistantPart) => providerOptions?.google?.thoughtSignature;

const SAMPLES = 16;
const SAMPLE = 64;
