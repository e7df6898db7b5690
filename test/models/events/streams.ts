/** Streams as servers really send them, piece by piece over HTTP, and what an answer amounts to. */
import assert from "node:assert/strict";
import type { MessagePart } from "../../../src/shared/messages";
import type { Settings } from "../../../src/shared/settings";
import { type RawAnswer, startRawServer } from "../../wire/rawServer";
import { models, step } from "../connect";

/** What an answer amounts to: `text`, `thought`, calls as `name {input}`. */
export interface Want {
  text?: string;
  thought?: string;
  calls?: string[];
  finish?: string;
}

export interface Row extends Want {
  what: string;
  /** the whole body, in its pieces */
  body: readonly (string | Uint8Array)[];
  contentType?: string;
}

export const said: Want = { text: "Hello world" };
export const input = '{"file_path":"a.ts"}';
export const read: Want = { calls: [`Read ${input}`] };

/** In pieces of seven bytes: characters of several bytes are cut, too. */
export function cut(text: string): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7));
}

/** A `fetch` whose answers come in pieces of so many bytes, wherever the network cut them. */
const inPieces =
  (size: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const cutting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (let at = 0; at < chunk.length; at += size) controller.enqueue(chunk.subarray(at, at + size));
      },
    });
    const { status, headers } = response;
    return new Response(response.body?.pipeThrough(cutting) ?? null, { status, headers });
  };

/** What each of the sizes gives. */
async function asked(settings: Partial<Settings>, path: string, answer: RawAnswer): Promise<Want[]> {
  const server = await startRawServer(() => answer);
  try {
    const all: Want[] = [];
    for (const size of SIZES) {
      const set = { ...settings, "model.baseUrl": `${server.url}${path}` };
      const connection = await models(set, size === undefined ? {} : { fetch: inPieces(size) }).connect();
      const { outcome } = await step(connection);
      if (outcome.kind !== "answered")
        throw new Error(outcome.kind === "failed" ? connection.explain(outcome.error).message : outcome.kind);
      all.push(wantOf(outcome.parts));
    }
    return all;
  } finally {
    await server.close();
  }
}

function wantOf(parts: readonly MessagePart[]): Want {
  const textOf = (type: string) =>
    parts.flatMap(part => (part.type === type && "text" in part ? [part.text] : [])).join("");
  const calls = parts.flatMap(part => {
    if (part.type !== "dynamic-tool") return [];
    return [`${part.toolName} ${part.errorText ?? JSON.stringify(part.input)}`];
  });
  return { text: textOf("text"), thought: textOf("reasoning"), calls };
}

/** As it comes, and in pieces of so many bytes: characters of several bytes are cut, too. */
const SIZES = [undefined, 1, 3, 7];

/** Each of them a test. */
export function tests(name: string, settings: Partial<Settings>, path: string, rows: readonly Row[]): void {
  describe(`streams as servers send them: ${name}`, () => {
    for (const { what, body, contentType, text = "", thought = "", calls = [] } of rows) {
      it(what, async () => {
        const got = await asked(settings, path, { body, ...(contentType && { contentType }) });
        assert.deepEqual(got, Array(SIZES.length).fill({ text, thought, calls }));
      });
    }
  });
}
