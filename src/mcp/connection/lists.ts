/** What a server has: tools, prompts, resources. */
import type { Client } from "@modelcontextprotocol/client";
import { defined } from "../../shared/defined";
import type { ServerList } from "../config/agreements";
import { McpError } from "../config/variables";

/** ms for one list; of some there are thousands of entries, page by page */
const LIST_MS = 30_000;
const MAX_ENTRIES = 10_000;

type Lists = Omit<ServerList, "isLegacy" | "at">;

/** Rejects with McpError where it does not say which tools it has; of what else it has, none is as good as no answer. */
export async function readLists(client: Client, signal: AbortSignal): Promise<Lists> {
  const options = { signal, timeout: LIST_MS, cacheMode: "refresh" as const };
  const has = client.getServerCapabilities() ?? {};
  // Of what else it has, none is as good as no answer.
  const orNone = <T>(offered: unknown, asked: () => Promise<T>, empty: T): Promise<T> =>
    offered
      ? asked().catch(() => {
          signal.throwIfAborted();
          return empty;
        })
      : Promise.resolve(empty);
  const listTools = () =>
    client.listTools(undefined, options).catch(error => {
      signal.throwIfAborted();
      throw new McpError(`It does not say which tools it has: ${String((error as Error).message).slice(0, 300)}`);
    });
  const [{ tools }, { prompts }, { resources }, { resourceTemplates }] = await Promise.all([
    has.tools ? listTools() : { tools: [] },
    orNone(has.prompts, () => client.listPrompts(undefined, options), { prompts: [] }),
    orNone(has.resources, () => client.listResources(undefined, options), { resources: [] }),
    orNone(has.resources, () => client.listResourceTemplates(undefined, options), { resourceTemplates: [] }),
  ]);
  const server = client.getServerVersion();
  const protocol = client.getNegotiatedProtocolVersion();
  const lists = {
    version: 1,
    ...defined({ server: server && { name: server.name, version: server.version }, protocol }),
    tools: tools.slice(0, MAX_ENTRIES).map(({ name, title, description = "", inputSchema, annotations }) => ({
      ...{ name, title, description, inputSchema, annotations },
    })),
    prompts: prompts.slice(0, MAX_ENTRIES),
    resources: resources.slice(0, MAX_ENTRIES),
    templates: resourceTemplates.slice(0, MAX_ENTRIES),
  };
  // Exactly what the file will hold.
  return JSON.parse(JSON.stringify(lists)) as Lists;
}
