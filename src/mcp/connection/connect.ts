/** Connects to one server, over standard streams or HTTP, in its revision of the protocol. The one module that loads the package, with the first connection. */
import type { Client, ClientOptions, ElicitResult, OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import type { Clock } from "../../core/ground/ports";
import { patientFetch } from "../../node/httpFetch";
import { untilAborted } from "../../shared/async";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { inSentences } from "../../shared/format";
import { t } from "../../shared/l10n";
import type { ServerList } from "../config/agreements";
import { McpError, type ReadyLaunch, type ReadyProcess } from "../config/variables";
import { type boundedFetch, fetchFor } from "./boundedFetch";
import type { ElicitParams } from "./elicitForm";
import { howItEnded, isUnauthorized, SANDBOX_HINT, wantsClientId } from "./failures";
import { plainMessage, withPlainMessages } from "./plainMessages";
import { ProcessTransport } from "./processTransport";

export interface ConnectDeps {
  version: string;
  /** all that run, for a process that is about to end */
  processes: Set<ProcessTransport>;
  clock: Clock;
  /** how long an answer is waited for */
  timeoutMs(): number;
  /** It is known to speak no revision that is negotiated without a session: one exchange less. */
  isLegacy?: boolean;
  /** what an earlier sign-in gave; or a person who signs in now, and what the browser comes back with; absent: neither */
  auth?: OAuthClientProvider & { callback?(signal: AbortSignal): Promise<URLSearchParams> };
  /** Answers a server's question; absent without a person */
  elicit?: (params: ElicitParams, signal: AbortSignal) => Promise<ElicitResult>;
  /** Rejects with McpError where its program is not to be started after all: asked before each time. */
  mayStart(): Promise<void>;
  /** Puts the sandbox around it; absent: it starts outside. Rejects with an error in words for people. */
  confine?(launch: ReadyProcess): Promise<ReadyProcess>;
  onListsChanged(): void;
  onClose(why: string): void;
}

type OpenClient = { client: Client; isLegacy: boolean; close(): Promise<void> };

export interface ServerConnection extends OpenClient {
  /** what of its newest lists could not be used */
  odd: Set<string>;
  /** what its error stream had last; "": it has none */
  printed(): string;
  /** how its process ended, in words; undefined: it runs, or has none */
  ended(): string | undefined;
}

/** ms for the whole start: some are fetched from a registry first */
const START_MS = 60_000;
/** ms where a person signs in meanwhile */
const SIGN_IN_START_MS = 360_000;
/** ms after which a program that does not answer the newest revision's question is asked as the older ones are */
const PROBE_MS = 20_000;

/** Rejects with McpError, or with the signal's reason. Nothing that it started is left then. */
export async function connect(launch: ReadyLaunch, deps: ConnectDeps, signal: AbortSignal): Promise<ServerConnection> {
  const most = deps.auth?.callback ? SIGN_IN_START_MS : START_MS;
  const timeout = AbortSignal.timeout(most);
  const either = AbortSignal.any([signal, timeout]);
  const attempt = { launch, deps, signal: either, mcp: await import("@modelcontextprotocol/client") };
  try {
    return launch.type === "stdio" ? await overStreams(attempt) : await overHttp(attempt);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const late = inSentences([`It did not answer within ${most / 1000} s.`, sandboxHint(deps)]);
    if (timeout.aborted) throw new McpError(late, { cause: error });
    if (wantsClientId(error)) throw new McpError(clientIdWords(), { cause: error });
    if (error instanceof McpError || isUnauthorized(error)) throw error;
    throw new McpError(errorMessage(error), { cause: error });
  }
}

const clientIdWords = () =>
  t(
    "Its authorization server does not register clients by itself. Register Strata there, and set {0} in the server's entry to the client's id ({1} and {2} too, where it names them).",
    ...["`oauth.clientId`", "`clientSecret`", "`callbackPort`"],
  );

/** What it lacks may be what the sandbox keeps from it. */
const sandboxHint = ({ confine }: ConnectDeps) => confine && SANDBOX_HINT;

interface Attempt {
  launch: ReadyLaunch;
  deps: ConnectDeps;
  signal: AbortSignal;
  mcp: typeof import("@modelcontextprotocol/client");
}

async function overStreams(attempt: Attempt, isLegacy = attempt.deps.isLegacy ?? false): Promise<ServerConnection> {
  const { launch, deps, signal, mcp } = attempt;
  if (launch.type !== "stdio") throw new McpError("It is not started as a program.");
  await deps.mayStart();
  const odd = new Set<string>();
  const parse = (line: string) => mcp.deserializeMessage(plainMessage(line, odd));
  const start = deps.confine ? await deps.confine(launch) : launch;
  const transport = new ProcessTransport(start, parse, deps.processes, deps.clock);
  const printed = () => transport.printed();
  const onClose = () => deps.onClose(transport.ended ?? "its connection was closed");
  try {
    const connection = await open(transport, { launch, mcp, deps: { ...deps, onClose }, signal }, isLegacy);
    return { ...connection, printed, ended: () => transport.ended, odd };
  } catch (error) {
    const ended = transport.ended;
    await transport.close();
    // Some end at a question that they do not know.
    if (!isLegacy && !signal.aborted) return overStreams(attempt, true);
    throw new McpError(inSentences([howItEnded(ended ?? errorMessage(error), printed()), sandboxHint(deps)]));
  }
}

async function overHttp(attempt: Attempt): Promise<ServerConnection> {
  const { launch, deps, signal, mcp } = attempt;
  if (launch.type === "stdio") throw new McpError("It has no address.");
  const url = new URL(launch.url);
  const odd = new Set<string>();
  const send = fetchFor(url, launch.headers, patientFetch(deps.timeoutMs));
  const options = {
    requestInit: { headers: launch.headers },
    fetch: async (...asked: Parameters<typeof boundedFetch>) => withPlainMessages(await send(...asked), odd),
    ...(deps.auth && { authProvider: deps.auth }),
  };
  const none = { printed: () => "", ended: () => undefined, odd };
  const overStreamable = () =>
    signedIn(() => new mcp.StreamableHTTPClientTransport(url, options), deps.isLegacy ?? false);
  const overSse = () => signedIn(() => new mcp.SSEClientTransport(url, options), true);
  /** Once more after a sign-in, where it wants one and a person is there. */
  const signedIn = async (
    make: () => Transport & { finishAuth(back: URLSearchParams): Promise<void> },
    isLegacy: boolean,
  ): Promise<ServerConnection> => {
    const transport = make();
    try {
      return { ...(await open(transport, attempt, isLegacy)), ...none };
    } catch (error) {
      if (!isUnauthorized(error) || !deps.auth?.callback) throw error;
      await transport.finishAuth(await deps.auth.callback(signal));
      return { ...(await open(make(), attempt, isLegacy)), ...none };
    }
  };
  if (launch.type === "sse") return overSse();
  try {
    return await overStreamable();
  } catch (error) {
    // An older server answers so to what it does not know.
    if (!(error instanceof mcp.SdkHttpError) || ![400, 404, 405, 406].includes(error.status)) throw error;
    return overSse();
  }
}

/** The client over a transport; closed again where it does not come to terms with the server. */
async function open(transport: Transport, { mcp, deps, signal }: Attempt, isLegacy: boolean): Promise<OpenClient> {
  const client = new mcp.Client({ name: "strata", title: "Strata", version: deps.version }, clientOptions(deps));
  const { elicit } = deps;
  if (elicit) client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => elicit(params, mcpReq.signal));
  let opened = false;
  client.onclose = () => {
    if (opened) deps.onClose("its connection was closed");
  };
  // What it sends that makes no sense is its own affair: a call that waits for it ends by its time limit.
  client.onerror = () => undefined;
  try {
    const options = { signal, timeout: START_MS, ...(isLegacy && { prior: { kind: "legacy" as const } }) };
    // The package would start the program in spite of an aborted signal.
    signal.throwIfAborted();
    // The package does not stop the probe of the newest revision.
    await untilAborted(client.connect(transport, options), signal);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  opened = true;
  return { client, isLegacy: client.getProtocolEra() !== "modern", close: () => client.close() };
}

function clientOptions(deps: ConnectDeps): ClientOptions {
  const changed = { autoRefresh: false, debounceMs: 0, onChanged: () => deps.onListsChanged() };
  return {
    capabilities: { ...(deps.elicit && { elicitation: { form: {}, url: {} } }) },
    versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
    listChanged: { tools: changed, prompts: changed, resources: changed },
    jsonSchemaValidator: unchecked,
  };
}

type Validator = NonNullable<ClientOptions["jsonSchemaValidator"]>;

/** A result that breaks its declared schema still counts. */
const passes = (data: unknown) => ({ valid: true, data, errorMessage: undefined });
const unchecked: Validator = { getValidator: (() => passes) as Validator["getValidator"] };

/** ms for one list; of some there are thousands of entries, page by page */
const LIST_MS = 30_000;
const MAX_ENTRIES = 10_000;

type Lists = Omit<ServerList, "isLegacy" | "at">;

/** Rejects with McpError where it does not say which tools it has; of what else it has, none is as good as no answer. */
export async function readLists(client: Client, signal: AbortSignal): Promise<Lists> {
  const options = { signal, timeout: LIST_MS, cacheMode: "refresh" as const };
  const has = client.getServerCapabilities() ?? {};
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
