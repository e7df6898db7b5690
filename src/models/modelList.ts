/** Which models a server has, as it says itself. */
import { defined } from "../shared/defined";
import { isObject } from "../shared/isObject";
import { beginningText } from "./modelFetch";

export interface ListedModel {
  id: string;
  /** tokens that it reads, where the server says so */
  contextWindow?: number;
}

/** Sorted by name; `denied`: the server wants a key, or another one; `none`: it gives no such list; `dead`: no answer. */
export type ModelList = ListedModel[] | "denied" | "none" | "dead";

const LIST_TIMEOUT_MS = 5_000;
/** OpenRouter's list, the longest of all, has a tenth. */
const MAX_LIST_BYTES = 10_000_000;

interface ListRequest {
  url: string;
  /** without a key where none is to be sent */
  headers: Record<string, string>;
  signal: AbortSignal;
  /** the field that has the models */
  list: string;
  /** the field of each that has its name */
  id: string;
  /** what its names begin with and are known without */
  prefix?: string;
  /** fields that may have its window, in tokens */
  windows?: readonly string[];
  /** absent: all of them answer chats */
  isModel?(row: Record<string, unknown>): boolean;
}

/** Never rejects. A redirection is not followed: it would take the key along, or give another server's list for this one's. */
export async function fetchModelList(request: ListRequest): Promise<ModelList> {
  const { url, headers, signal } = request;
  const wait = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
  const response = await fetch(url, { headers, redirect: "error", signal: wait }).catch(whyNoResponse);
  if (typeof response === "string") return response;
  try {
    if (response.status === 401 || response.status === 403) return "denied";
    const text = await beginningText(response, MAX_LIST_BYTES);
    // Google's answer to a wrong key.
    if (response.status === 400 && /API[ _]key[ _]?(?:not valid|invalid)/i.test(text)) return "denied";
    const answer: unknown = response.ok ? JSON.parse(text) : undefined;
    const rows = isObject(answer) ? answer[request.list] : undefined;
    if (!Array.isArray(rows)) return "none";
    const models = rows.flatMap(row => modelOf(row, request));
    if (models.length === 0 && rows.length > 0) return "none";
    return models.sort((one, other) => (one.id < other.id ? -1 : 1));
  } catch {
    // The name can still be typed; the connection check says the fault.
    return "none";
  }
}

function modelOf(row: unknown, { id, prefix = "", windows = [], isModel = () => true }: ListRequest): ListedModel[] {
  const name = isObject(row) ? row[id] : undefined;
  if (!isObject(row) || typeof name !== "string" || !isModel(row)) return [];
  const window = windows.map(field => row[field]).find(tokens => Number.isInteger(tokens) && Number(tokens) > 0);
  const contextWindow = window === undefined ? undefined : Number(window);
  return [{ id: name.startsWith(prefix) ? name.slice(prefix.length) : name, ...defined({ contextWindow }) }];
}

/** Who sends on somewhere else has answered; each fetch says that in words of its own. */
function whyNoResponse(error: unknown): "none" | "dead" {
  const cause = error instanceof Error ? error.cause : undefined;
  return /redirect/i.test(`${error} ${cause}`) ? "none" : "dead";
}

export const showsModels = (list: ModelList): list is ListedModel[] => Array.isArray(list);

/** They write no text that an agent could work with: pictures, sound, vectors, or only what continues a text. */
const otherUse =
  /dall-e|image|whisper|tts|audio|realtime|transcri|speech|embed|moderation|rerank|sora|video|davinci|babbage/i;

/** As far as its name says. */
export const isForText = (name: string): boolean => !otherUse.test(name);

/** Those that an agent can work with first, otherwise as the server has them. */
export function sensibleFirst(models: readonly ListedModel[]): ListedModel[] {
  const isSensible = ({ id }: ListedModel) => isForText(id);
  return [...models.filter(isSensible), ...models.filter(model => !isSensible(model))];
}
