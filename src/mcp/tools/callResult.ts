/** What a server's tool gave back, as the model and the card get it: texts, pictures, links; all else is named. */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { ToolError } from "../../core/ground/ports";
import { size } from "../../core/ground/text/format";
import type { Image, ToolOutcome } from "../../core/tool/tool";
import { defined, some } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { parseJson } from "../../shared/isObject";
import { pictureFacts } from "../../shared/pictures";
import type { ServerConnection } from "../connection/connect";
import { isOfSandbox, lastWords, SANDBOX_HINT } from "../connection/failures";
import type { ToolName } from "./definition";

/** The rest of a longer text is not kept either. */
const MAX_CHARACTERS = 1_000_000;
const MAX_IMAGES = 10;
/** as of files */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** How the base64 of a picture begins that models take; servers name wrong types. */
const PICTURE = /^\s*(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;
const MESSAGE = 2_000;

/** @param name `server:tool` @param isConfined its server runs in the sandbox */
export function toOutcome(
  name: string,
  { content = [], structuredContent, isError }: CallToolResult,
  isConfined = false,
): ToolOutcome {
  const images: Image[] = [];
  const texts = content.map(block => blockText(block, name, images));
  // Many servers say the same twice, for clients that know no structure.
  const json = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  if (json !== undefined && !texts.some(text => sameJson(text, json))) texts.push(json);
  if (isError && isConfined && texts.some(isOfSandbox)) texts.push(SANDBOX_HINT);
  const whole = texts.join("\n").trim() || (images.length > 0 ? "" : "The tool gave nothing back.");
  const text = whole.length <= MAX_CHARACTERS ? whole : `${whole.slice(0, MAX_CHARACTERS)}\n[The rest was not kept.]`;
  const message = text.slice(0, MESSAGE) || "The tool failed and said nothing.";
  return {
    result: {
      status: isError ? "error" : "success",
      data: { tool: name, characters: whole.length, ...defined({ images: images.length || undefined }) },
      text: isError ? `EXIT: ${text}` : text,
      digest: `${name} · ${isError ? "failed: " : ""}${text.split("\n", 1)[0] ?? ""}`.slice(0, 300),
      ...(isError && { error: { code: "EXIT", message } }),
    },
    ...defined({ images: some(images) }),
  };
}

/** A block of what a server gave, as text; pictures go into `images`. @param name whose they are */
export function blockText(block: ContentBlock, name: string, images: Image[]): string {
  if (block.type === "text") return block.text;
  if (block.type === "image") return imageText(block, name, images);
  if (block.type === "audio") return `[Sound (${block.mimeType}), which cannot be shown.]`;
  if (block.type === "resource_link") {
    const { uri, title = block.name, description, mimeType } = block;
    const about = [mimeType, description].filter(Boolean).join(", ");
    return `[Resource ${title}: ${uri}${about === "" ? "" : ` (${about})`}]`;
  }
  const { resource } = block;
  if ("text" in resource) return `[Resource ${resource.uri}]\n${resource.text}`;
  const { uri, blob, mimeType = "application/octet-stream" } = resource;
  if (PICTURE.test(blob) || mimeType.startsWith("image/"))
    return `[Resource ${uri}]\n${imageText({ data: blob, mimeType }, name, images)}`;
  return `[Resource ${uri}: ${mimeType}, ${size(bytesIn(blob))}, which is no text.]`;
}

function imageText({ data, mimeType }: { data: string; mimeType: string }, name: string, images: Image[]): string {
  if (!PICTURE.test(data))
    return `[Picture of type ${mimeType} (${size(bytesIn(data))}), left out: it is no PNG, JPEG, GIF or WebP, which are what models take.]`;
  if (images.length >= MAX_IMAGES) return `[One more picture: only ${MAX_IMAGES} are taken.]`;
  if (bytesIn(data) > MAX_IMAGE_BYTES) return `[Picture of ${size(bytesIn(data))}, which is too large.]`;
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  const facts = pictureFacts(bytes);
  if (!facts) return `[Picture of type ${mimeType} (${size(bytes.length)}), left out: it is cut off or broken.]`;
  images.push({ mediaType: facts.mediaType, bytes, path: `${name} ${images.length + 1}` });
  return "[Image attached.]";
}

const bytesIn = (base64: string): number => Math.floor((base64.length * 3) / 4);

const sameJson = (text: string, json: string): boolean =>
  text.length <= json.length * 3 + 1_000 && JSON.stringify(parseJson(text)) === json;

const UNKNOWN_EFFECT = "Its effect is unknown: check before you repeat it.";

export const calledOff = (server: string, { name }: ToolName) =>
  new ToolError("INTERRUPTED", `${name} was called off while the server ${server} worked on it. ${UNKNOWN_EFFECT}`);

/** @param connection that the call went over; `isLive`: it is still the server's @param timeoutMs that it had without a sign of progress */
export function callFailure(
  { server, named: { tool, name } }: { server: string; named: ToolName },
  error: unknown,
  { connection, isLive, timeoutMs }: { connection: ServerConnection; isLive: boolean; timeoutMs: number },
): ToolError {
  const code = (error as { code?: unknown }).code;
  const words = errorMessage(error);
  const late = `${name} gave no answer within ${Math.round(timeoutMs / 1000)} s. ${UNKNOWN_EFFECT}`;
  if (code === "REQUEST_TIMEOUT") return new ToolError("TIMEOUT", late);
  const ended = connection.ended();
  if (!isLive || ended !== undefined || code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED") {
    const printed = lastWords(connection.printed());
    const said = printed === "" ? "" : ` It printed: ${printed}`;
    return new ToolError(
      "IO",
      `The MCP server ${server} is gone (${ended ?? "the connection broke"}) and gave no answer. The call's effect is unknown: check before you repeat it. The next call starts it again.${said}`,
    );
  }
  if (code === -32602) return new ToolError("INVALID_INPUT", `${name} does not take this input: ${words}`);
  if (code === -32601) return new ToolError("NOT_FOUND", `The MCP server ${server} has no ${tool.name} now: ${words}`);
  return new ToolError("IO", `${name} failed: ${words}`);
}
