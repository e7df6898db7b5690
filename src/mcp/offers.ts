/** Prompts and resources of a server: as its list has them, and fetched. */
import type { OfferedContent, ServerOffers } from "../core/ground/ports";
import { oneLine } from "../core/ground/text/format";
import type { Image } from "../core/tool/tool";
import { errorMessage } from "../shared/errorMessage";
import { fillArguments } from "../shared/slashCommand";
import type { ServerList } from "./config/agreements";
import { McpError } from "./config/variables";
import type { McpServer } from "./server";
import { blockText } from "./tools/callResult";

/** Of one server; what it has beyond that is reached by its address, or its name. */
const MAX_OFFERED = 5_000;
const WORDS = 200;
const MAX_CHARACTERS = 1_000_000;
const MAX_ARGUMENTS = 30;

type ServerPrompt = ServerList["prompts"][number];

/** Starts nothing. */
export function offersOf({ name, offered }: McpServer): ServerOffers {
  const { prompts = [], resources = [], templates = [] } = offered ?? {};
  const about = (title: string | undefined, text: string) => oneLine(title || text, WORDS);
  return {
    server: name,
    known: offered !== undefined,
    prompts: namedPrompts(prompts).map(({ called, prompt: { title, description = "", arguments: given = [] } }) => ({
      name: called,
      description: oneLine(description || title || "", WORDS),
      arguments: given.slice(0, MAX_ARGUMENTS).map(each => ({ name: each.name, required: each.required ?? false })),
    })),
    resources: [
      ...resources.map(({ uri, name: id, title, mimeType }) => {
        const type = mimeType && { mimeType: oneLine(mimeType, WORDS) };
        return { uri, title: about(title, id), ...type, template: false };
      }),
      ...templates.map(({ uriTemplate, name: id, description }) => {
        return { uri: uriTemplate, title: about(description, id), template: true };
      }),
    ]
      .filter(({ uri }) => uri !== "" && !/[\s\p{Cc}\p{Cf}]/u.test(uri))
      .slice(0, MAX_OFFERED),
  };
}

/** As they can be typed: other characters become `_`, and of two equal names the first counts. */
function namedPrompts(prompts: readonly ServerPrompt[]): { called: string; prompt: ServerPrompt }[] {
  const named = new Map<string, ServerPrompt>();
  for (const prompt of prompts.slice(0, MAX_OFFERED)) {
    const called = prompt.name.replace(/[^\p{L}\p{N}_.:-]+/gu, "_").slice(0, 100);
    if (called !== "" && !named.has(called)) named.set(called, prompt);
  }
  return [...named].map(([called, prompt]) => ({ called, prompt }));
}

/** Rejects with McpError, or with the signal's reason. */
export const getPrompt = async (
  server: McpServer,
  { name, words }: { name: string; words: string },
  signal: AbortSignal,
): Promise<OfferedContent> =>
  orSaid(`The prompt ${name} of the MCP server ${server.name}`, signal, async () => {
    await server.connected(signal);
    const all = namedPrompts(server.offered?.prompts ?? []);
    const found = all.find(({ called }) => called === name)?.prompt;
    if (!found) throw new McpError(`it has none of this name. ${namesText(all.map(({ called }) => called))}`);
    const given = found.arguments ?? [];
    const names = given.map(each => each.name);
    const args = fillArguments(words, names);
    const missing = given.filter(each => each.required && !Object.hasOwn(args, each.name)).map(each => each.name);
    if (missing.length > 0) throw new McpError(`type ${missing.join(", ")} behind its name`);
    const asked = { name: found.name, arguments: args };
    const result = await server.ask((client, options) => client.getPrompt(asked, options), signal);
    const images: Image[] = [];
    const texts = result.messages.map(({ role, content }) => ({ role, text: blockText(content, name, images) }));
    const spoken = texts.some(({ role }) => role !== "user");
    const text = texts.map(each =>
      spoken ? `${each.role === "user" ? "User" : "Assistant"}:\n${each.text}` : each.text,
    );
    if (texts.length === 0) throw new McpError("there is nothing in it");
    return { title: oneLine(`${server.name}:${name}`, WORDS), text: bounded(text.join("\n\n")), images };
  });

const namesText = (names: readonly string[]): string =>
  names.length === 0
    ? "It has no prompts."
    : `There are: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}.`;

/** Rejects with McpError, or with the signal's reason. */
export const readResource = (server: McpServer, uri: string, signal: AbortSignal): Promise<OfferedContent> =>
  orSaid(`The resource ${uri} of the MCP server ${server.name}`, signal, async () => {
    const { contents } = await server.ask((client, options) => client.readResource({ uri }, options), signal);
    const images: Image[] = [];
    const [only, ...more] = contents;
    if (!only) throw new McpError("there is nothing in it");
    const texts = contents.map(resource => blockText({ type: "resource", resource }, uri, images));
    const text = more.length === 0 && "text" in only ? only.text : texts.join("\n");
    const listed = server.offered?.resources.find(each => each.uri === uri);
    const title = [listed?.title ?? listed?.name ?? `${server.name}:${uri}`, only.mimeType].filter(Boolean).join(" · ");
    return { title: oneLine(title, WORDS), text: bounded(text), images };
  });

/** A longer one is refused: cut anywhere, a secret could be cut in two, of whose half the redaction finds nothing. */
function bounded(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  throw new McpError(`it has more than ${MAX_CHARACTERS.toLocaleString("en")} characters`);
}

/** What the server says of its failure is its words: cut, and in one line. */
async function orSaid<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new McpError(`${what} cannot be had: ${oneLine(errorMessage(error), 500)}`, { cause: error });
  }
}
