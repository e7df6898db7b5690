/**
 * What a server of one's own was started with: how much its model reads is a setting of the server, and each says it elsewhere. Asked in
 * the person's own network only.
 */
import * as z from "zod";
import type { WallClock } from "../core/ground/ports";
import { isNear } from "../shared/nearAddress";
import { usableWindow } from "./contextWindows";
import { beginningText } from "./modelFetch";

/** ms: it answers at once or is no such server */
const PATIENCE = 1_000;
/** ms: it may be started anew; a model that was not loaded yet has no window yet */
const KNOWN_FOR = 300_000;
const UNKNOWN_FOR = 20_000;
const MAX_BYTES = 2_000_000;

const tokens = z.int().positive().optional().catch(undefined);
const named = z.string().optional().catch(undefined);

interface WindowQuestion {
  /** below the server's root, or below its interface */
  path: string;
  isInterface?: true;
  read(answer: unknown, name: string): number | undefined;
}

const models = z.object({
  data: z.array(
    z.object({
      id: named,
      max_model_len: tokens,
      loaded_context_length: tokens,
      context_length: tokens,
      context_window: tokens,
      max_context_length: tokens,
      state: named,
      meta: z.object({ n_ctx: tokens }).optional().catch(undefined),
    }),
  ),
});
const ollama = z.object({ models: z.array(z.object({ name: named, model: named, context_length: tokens })) });
const props = z.object({
  n_ctx: tokens,
  default_generation_settings: z.object({ n_ctx: tokens }).optional().catch(undefined),
});
const lmStudio = z.object({
  models: z.array(
    z.object({
      key: named,
      loaded_instances: z
        .array(z.object({ id: named, config: z.object({ context_length: tokens }).optional().catch(undefined) }))
        .catch([]),
    }),
  ),
});
const tgi = z.object({ max_total_tokens: tokens, max_input_tokens: tokens, max_input_length: tokens });

/** In the order in which they count: what is loaded before what could be. */
const questions: readonly WindowQuestion[] = [
  {
    path: "/api/ps",
    read: (answer, name) =>
      ollama.safeParse(answer).data?.models.find(each => isNamed(each.name, name) || isNamed(each.model, name))
        ?.context_length,
  },
  {
    path: "/api/v0/models",
    read: (answer, name) => ofName(models.safeParse(answer).data?.data, name)?.loaded_context_length,
  },
  {
    path: "/api/v1/models",
    read: (answer, name) =>
      lmStudio
        .safeParse(answer)
        .data?.models.flatMap(({ key, loaded_instances }) => loaded_instances.map(each => ({ ...each, key })))
        .find(({ id, key }) => isNamed(id, name) || isNamed(key, name))?.config?.context_length,
  },
  {
    path: "/props",
    read(answer) {
      const said = props.safeParse(answer).data;
      return said?.default_generation_settings?.n_ctx ?? said?.n_ctx;
    },
  },
  {
    path: "/models",
    isInterface: true,
    read(answer, name) {
      const model = ofName(models.safeParse(answer).data?.data, name);
      const { max_model_len, loaded_context_length, meta, context_length, context_window } = model ?? {};
      return max_model_len ?? loaded_context_length ?? meta?.n_ctx ?? context_length ?? context_window;
    },
  },
  {
    path: "/info",
    read(answer) {
      const said = tgi.safeParse(answer).data;
      return said?.max_total_tokens ?? said?.max_input_tokens ?? said?.max_input_length;
    },
  },
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
    const answers = await Promise.all(questions.map(question => this.ask(question, baseUrl, headers)));
    const said = questions.map(({ read }, at) => read(answers[at], name)).find(each => each !== undefined);
    const window = said === undefined ? undefined : usableWindow(said);
    this.known.set(place, { at: this.clock.now(), window });
    return window;
  }

  /** undefined: it does not say it there */
  private async ask({ path, isInterface }: WindowQuestion, baseUrl: string, headers: Record<string, string>) {
    const url = `${isInterface ? baseUrl : baseUrl.replace(/\/v\d+$/, "")}${path}`;
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const response = await fetch(url, { headers, redirect: "error", signal });
      const text = await beginningText(response, MAX_BYTES);
      return response.ok ? (JSON.parse(text) as unknown) : undefined;
    } catch {
      // No server there, or none that says it in this way: it goes on with what is set.
      return undefined;
    }
  }
}

const bare = (name: string): string => name.toLowerCase().replace(/:latest$/, "");
const isNamed = (id: string | undefined, name: string): boolean => id !== undefined && bare(id) === bare(name);

/** The one of this name; a server that has one only means that. */
function ofName<Model extends { id?: string | undefined }>(
  all: readonly Model[] = [],
  name: string,
): Model | undefined {
  return all.find(({ id }) => isNamed(id, name)) ?? (all.length === 1 ? all[0] : undefined);
}
