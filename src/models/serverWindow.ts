/** The window that a server in the person's own network was started with: each says it elsewhere. */
import type { WallClock } from "../core/ground/ports";
import { isObject } from "../shared/isObject";
import { isNear } from "../shared/nearAddress";
import { usableWindow } from "./modelCatalog";
import { beginningText, type HttpSend } from "./modelFetch";

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
  private readonly asked = new Map<string, AskedWindow>();

  constructor(
    private readonly clock: WallClock,
    private readonly send: HttpSend,
  ) {}

  /** As it was said last; undefined: it was not. */
  known = ({ baseUrl, name }: ServerPlace): number | undefined => this.asked.get(`${baseUrl} ${name}`)?.window;

  /** Asks where that is long ago. undefined: the server is another's, or does not say it. Never rejects. */
  async find({ baseUrl, name, key }: ServerPlace): Promise<number | undefined> {
    if (!isNear(new URL(baseUrl).hostname)) return undefined;
    const last = this.asked.get(`${baseUrl} ${name}`);
    const patience = last?.window === undefined ? UNKNOWN_FOR : KNOWN_FOR;
    if (!last || this.clock.now() - last.at >= patience) {
      const answer = this.ask({ baseUrl, name, key });
      const asked: AskedWindow = { at: this.clock.now(), window: last?.window, answer };
      this.asked.set(`${baseUrl} ${name}`, asked);
      asked.window = (await answer) ?? asked.window;
    } else await last.answer;
    return this.known({ baseUrl, name, key });
  }

  private async ask({ baseUrl, name, key }: ServerPlace): Promise<number | undefined> {
    const signal = AbortSignal.timeout(PATIENCE);
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
    const root = baseUrl.replace(/\/v\d+$/, "");
    const url = ({ path, isInterface }: WindowQuestion) => `${isInterface ? baseUrl : root}${path}`;
    const said = await Promise.all(
      questions.map(async each => saidIn(await this.read(url(each), headers, signal), each, name)),
    );
    return said.map(usableWindow).find(each => each !== undefined);
  }

  /** undefined: it does not say it there */
  private async read(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    try {
      const answer = await this.send(url, { headers, redirect: "manual", signal });
      const text = await beginningText(answer, MAX_BYTES);
      return answer.status === 200 ? JSON.parse(text) : undefined;
    } catch {
      // No server there, or none that says it in this way: the setting counts.
      return undefined;
    }
  }
}

type AskedWindow = { at: number; window: number | undefined; answer: Promise<number | undefined> };

type ServerPlace = { baseUrl: string; name: string; key: string | undefined };

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
