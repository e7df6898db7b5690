/**
 * What a server of one's own was started with: how much its model reads is a setting of the server, and each says it elsewhere. Asked in
 * the person's own network only.
 */
import type { WallClock } from "../core/ground/ports";
import { isObject } from "../shared/isObject";
import { isNear } from "../shared/nearAddress";
import { usableWindow } from "./modelCatalog";
import { beginningText } from "./modelFetch";

/** ms: it answers at once or is no such server */
const PATIENCE = 1_000;
/** ms: it may be started anew; a model that was not loaded yet has no window yet */
const KNOWN_FOR = 300_000;
const UNKNOWN_FOR = 20_000;
const MAX_BYTES = 2_000_000;

interface WindowQuestion {
  /** below the server's root, or below its interface */
  path: string;
  isInterface?: true;
  /** the list of its models; absent: it says it of itself */
  list?: "models" | "data";
  /** The only model of its list is meant, by any name. */
  takesOnly?: true;
  /** places of the number; the first that is there counts */
  fields: readonly string[];
}

/** In the order in which they count: a loaded model before a known one. */
const questions: readonly WindowQuestion[] = [
  { path: "/api/ps", list: "models", fields: ["context_length"] },
  { path: "/api/v0/models", list: "data", takesOnly: true, fields: ["loaded_context_length"] },
  { path: "/api/v1/models", list: "models", fields: ["loaded_instances.0.config.context_length"] },
  { path: "/props", fields: ["default_generation_settings.n_ctx", "n_ctx"] },
  {
    ...{ path: "/models", isInterface: true, list: "data", takesOnly: true },
    fields: ["max_model_len", "loaded_context_length", "meta.n_ctx", "context_length", "context_window"],
  },
  { path: "/info", fields: ["max_total_tokens", "max_input_tokens", "max_input_length"] },
];

export class ServerWindows {
  private readonly known = new Map<string, { at: number; window: number | undefined }>();

  constructor(private readonly clock: WallClock) {}

  /** undefined: the server is another's, or does not say it. Never rejects. */
  async find(
    { baseUrl, name }: { baseUrl: string; name: string },
    key: string | undefined,
  ): Promise<number | undefined> {
    if (!isNear(new URL(baseUrl).hostname)) return undefined;
    const place = `${baseUrl} ${name}`;
    const known = this.known.get(place);
    const patience = known?.window === undefined ? UNKNOWN_FOR : KNOWN_FOR;
    if (known && this.clock.now() - known.at < patience) return known.window;
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
    const root = baseUrl.replace(/\/v\d+$/, "");
    const url = ({ path, isInterface }: WindowQuestion) => `${isInterface ? baseUrl : root}${path}`;
    const said = await Promise.all(questions.map(async each => saidIn(await ask(url(each), headers), each, name)));
    const window = said.map(usableWindow).find(each => each !== undefined);
    this.known.set(place, { at: this.clock.now(), window });
    return window;
  }
}

/** undefined: it does not say it there */
async function ask(url: string, headers: Record<string, string>): Promise<unknown> {
  try {
    const response = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    const text = await beginningText(response, MAX_BYTES);
    return response.ok ? JSON.parse(text) : undefined;
  } catch {
    // No server there, or none that says it in this way: the setting counts.
    return undefined;
  }
}

function saidIn(answer: unknown, { list, takesOnly, fields }: WindowQuestion, name: string): unknown {
  const model = list === undefined ? answer : modelIn(valueAt(answer, list), name, takesOnly === true);
  return fields.map(field => valueAt(model, field)).find(value => Number.isInteger(value) && Number(value) > 0);
}

function modelIn(list: unknown, name: string, takesOnly: boolean): unknown {
  const all = Array.isArray(list) ? list.filter(isObject) : [];
  const named = all.find(({ id, name: title, model, key }) => [id, title, model, key].some(each => isSame(each, name)));
  return named ?? (takesOnly && all.length === 1 ? all[0] : undefined);
}

const bare = (name: string): string => name.toLowerCase().replace(/:latest$/, "");
const isSame = (id: unknown, name: string): boolean => typeof id === "string" && bare(id) === bare(name);

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined), value);
