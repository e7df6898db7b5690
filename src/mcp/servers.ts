/** All configured servers: what of their tools a session gets, and what people see and do. Nothing is started by being here. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as ports from "../core/ground/ports";
import type { Tool } from "../core/tool/tool";
import { makePrivateFolder, writeCache } from "../node/disk";
import { nodeFileSystem } from "../node/fileSystem";
import { SerialQueue } from "../shared/async";
import { defined, some } from "../shared/defined";
import { errorMessage } from "../shared/errorMessage";
import { inARow } from "../shared/format";
import { t } from "../shared/l10n";
import type { McpProblem, McpServerView } from "../shared/mcp";
import type { Json } from "../shared/messages";
import { LaunchFacts } from "./config/agreedLaunch";
import { Agreements, configHash } from "./config/agreements";
import type { ConfigPlaces } from "./config/places";
import { readConfigs } from "./config/readConfigs";
import { problemText, type ServerConfig } from "./config/serverConfig";
import { McpError, namedEnvironment } from "./config/variables";
import { definitionTokens, findToolsTool } from "./findTools";
import { foreignTool } from "./foreignTool";
import { getPrompt, offersOf, readResource } from "./offers";
import { McpServer, type ServerDeps } from "./server";
import { toOutcome } from "./tools/callResult";
import type { ToolName } from "./tools/definition";

export interface McpDeps extends Omit<ServerDeps, "agreements" | "facts" | "processes" | "keepLog" | "onChange"> {
  places(): ConfigPlaces;
  /** the person's own folder for MCP: absolute */
  folder: string;
  /** `strata.mcp.maxToolTokens`: what definitions take of a request before they have to be found */
  maxToolTokens(): number;
  /** `strata.mcp.off`: names of servers and tools, `*` matches any part */
  off(): readonly string[];
  /** a sentence for the log or the person */
  warn(text: string): void;
}

export { askedInput, SecretTextFile } from "./config/variables";

export class McpServers implements ports.McpControl, ports.McpOffers {
  private servers: readonly McpServer[] = [];
  private problemsFound: readonly McpProblem[] = [];
  private readonly agreements: Agreements;
  private readonly facts: LaunchFacts;
  /** those that are configured no more, on their way out */
  private readonly leaving = new Set<McpServer>();
  private readonly processes: ServerDeps["processes"] = new Set();
  /** what was made of the tools of servers, until they say something else of them */
  private readonly made = new WeakMap<ToolName, { tool: Tool; tokens: number }>();
  private search: { key: string; tool: Tool } | undefined;
  /** by a server's name: what of its entry does nothing. Apart from it, since a note makes it no other server */
  private notes: ReadonlyMap<string, readonly string[]> = new Map();
  private readonly listeners = new Set<() => void>();
  private readonly deps: McpDeps;

  constructor(given: McpDeps) {
    const folders = () => given.places().folders;
    const deps = { ...given, sources: { ...given.sources, folders } };
    this.deps = deps;
    this.agreements = new Agreements(deps.folder, deps.warn);
    this.facts = new LaunchFacts(deps.sources.environment, folders, deps.sandbox);
  }

  get problems(): readonly McpProblem[] {
    const odd = [...this.servers.values()].flatMap(({ name, offered }) =>
      (offered?.odd ?? []).map(what => t("{0}: {1}, so it is left out; the others are there.", name, what)),
    );
    return [...this.problemsFound, ...odd];
  }

  private readonly refreshes = new SerialQueue();

  /** Reads what is configured now. What is configured no more is stopped. Never rejects. */
  refresh = (): Promise<void> => this.refreshes.run(() => this.readConfigured());

  private async readConfigured(): Promise<void> {
    const reading = readConfigs(this.deps.places(), this.deps.sandbox);
    const [{ servers, problems }] = await Promise.all([reading, this.agreements.load()]);
    // A file that is empty by now has the hash of the one that was missing.
    const knownBy = (config: ServerConfig) => JSON.stringify([configHash(config), config.envFile?.problem]);
    const known = new Map(this.servers.map(server => [knownBy(server.config), server]));
    this.notes = new Map(servers.flatMap(({ name, notes }) => (notes ? [[name, notes]] : [])));
    const looked = await Promise.all(
      servers.map(async read => {
        const config = await this.facts.of(read);
        if (typeof config === "string") {
          problems.push({ file: read.origin.shown, entry: read.name, why: config.replace(/\.$/, "") });
          return undefined;
        }
        const server = known.get(knownBy(config)) ?? this.newServer(config);
        await server.loadList();
        return server;
      }),
    );
    const next = looked.filter(server => server !== undefined);
    const gone = this.servers.filter(server => !next.includes(server));
    this.servers = next;
    if (gone.length > 0) this.search = undefined;
    const before = new Set(this.problemsFound);
    this.problemsFound = problems.map(problemText);
    for (const problem of this.problemsFound) if (!before.has(problem)) this.deps.warn(problem);
    for (const server of gone) {
      this.leaving.add(server);
      void server.retire(next.some(({ name }) => name === server.name)).finally(() => this.leaving.delete(server));
    }
    // In another window they took their yes back.
    for (const server of next) if (server.runs && server.agreement()) void server.close();
  }

  /** For as long as this process is, to what was read last: `--trust`. */
  agreeForNow(): void {
    this.agreements.agreeForNow(this.servers.map(({ hash }) => hash));
  }

  /** The tools of a session: all, or where they would take too much room, those that it found, in that order, and the one to find them by. */
  list(found: ReadonlySet<string>): readonly Tool[] {
    const servers = this.servers.filter(({ name }) => !this.isOff(name));
    if (servers.length === 0) return [];
    const known = servers.flatMap(server =>
      (server.tools ?? []).filter(({ name }) => !this.isOff(name)).map(named => ({ server, named })),
    );
    let room = this.deps.maxToolTokens();
    // Of hundreds of tools no more are described than tell that there is no room.
    const fits = known.every(({ server, named }) => {
      room -= this.madeOf(server, named).tokens;
      return room >= 0;
    });
    const isComplete = fits && servers.every(({ tools }) => tools);
    const direct = fits ? known : [];
    const asked = [...found].flatMap(name => known.find(({ named }) => named.name === name) ?? []);
    const searched = isComplete ? [] : [this.findTools(servers)];
    return [
      ...direct.map(each => this.madeOf(each.server, each.named).tool),
      ...searched,
      ...asked.filter(each => !direct.includes(each)).map(each => this.madeOf(each.server, each.named).tool),
    ];
  }

  views = (): Promise<McpServerView[]> => Promise.all(this.servers.map(server => this.view(server)));

  /** Starts nothing, asks for nothing. */
  private async view(server: McpServer): Promise<McpServerView> {
    const { config, name, hash, list, error, signedIn } = server;
    const { launch, origin } = config;
    const agreed = origin.level === "workspace" && this.agreements.hasAgreed(hash);
    const identity =
      list?.server && [`${list.server.name} ${list.server.version}`, list.protocol].filter(Boolean).join(", ");
    const toolView = (named: ToolName) => {
      const { name, tool } = named;
      return { name, description: tool.description, tokens: this.madeOf(server, named).tokens, off: this.isOff(name) };
    };
    return {
      ...{ name, hash, file: origin.shown, path: origin.file, level: origin.level },
      target: launch.type === "stdio" ? [launch.command, ...launch.args].join(" ") : launch.url,
      environment: namedEnvironment(config),
      state: this.isOff(name) ? "off" : server.state,
      ...defined({ error, identity, question: server.agreement(), agreed: agreed || undefined }),
      ...defined({ signedIn: await signedIn.isThere(), signInAt: signedIn.underWay?.at }),
      ...defined({ notes: some([...(this.notes.get(name) ?? [])]) }),
      ...(list && {
        tools: (server.named ?? []).map(toolView),
        prompts: list.prompts.map(({ name, description = "" }) => ({ name, description })),
        resources: list.resources.map(({ name, uri }) => ({ name, uri })),
      }),
    };
  }

  async check(place: string, signal: AbortSignal): Promise<McpServerView> {
    const server = this.at(place);
    await server.close();
    await server.connected(signal);
    return this.view(server);
  }

  async callByHand(
    place: string,
    { tool, input }: { tool: string; input: Record<string, Json> },
    { signal, progress }: Parameters<ports.McpControl["callByHand"]>[2],
  ): Promise<{ text: string; isError: boolean }> {
    const server = this.at(place);
    await server.connected(signal);
    const named = server.tools?.find(each => each.tool.name === tool || each.name === tool);
    if (!named) throw new McpError(`The server ${server.name} has no tool ${tool}.`);
    try {
      const { result } = toOutcome(named.name, await server.callTool(named.tool, input, { signal }, progress));
      return { text: result.error?.message ?? result.text, isError: result.status === "error" };
    } catch (error) {
      throw new McpError(`${named.name} failed: ${errorMessage(error)}`);
    }
  }

  offers = (): ports.ServerOffers[] => this.servers.filter(({ name }) => !this.isOff(name)).map(offersOf);

  async prompt(name: string, call: { name: string; words: string }, signal: AbortSignal) {
    return getPrompt(this.startable(name), call, signal);
  }

  async resource(name: string, uri: string, signal: AbortSignal): Promise<ports.OfferedContent> {
    return readResource(this.startable(name), uri, signal);
  }

  private startable(name: string): McpServer {
    const server = this.server(name);
    if (this.isOff(name)) throw new McpError(t("The MCP server {0} is switched off.", name));
    return server;
  }

  async agree(name: string, hash: string): Promise<void> {
    const server = this.server(name);
    if (server.hash !== hash) throw new McpError(t("{0} was changed meanwhile: look again at what would start.", name));
    await server.agree();
  }

  async withdraw(name: string): Promise<void> {
    await this.server(name).withdraw();
  }

  async signIn(place: string, browser: ports.SignInBrowser, signal: AbortSignal): Promise<void> {
    await this.at(place).signIn(browser, signal);
  }

  signOut = (place: string): Promise<void> => this.at(place).signOut();

  stop = (name: string): Promise<void> => this.server(name).close();

  private at(place: string): McpServer {
    if (!/^https?:\/\//i.test(place)) return this.server(place);
    const known = this.servers.find(({ config: { launch } }) => launch.type !== "stdio" && launch.url === place);
    return known ?? this.serverAt(place);
  }

  /** @throws McpError for an unknown name */
  server(name: string): McpServer {
    const server = this.servers.find(each => each.name === name);
    if (server) return server;
    const names = inARow(this.servers.map(each => each.name));
    if (names === "") throw new McpError(t("There is no MCP server {0}. None is configured.", name));
    throw new McpError(t("There is no MCP server {0}. There are: {1}.", name, names));
  }

  /** For an address that no file names. */
  private serverAt(url: string): McpServer {
    if (!URL.canParse(url)) throw new McpError(t("{0} is no address.", url));
    const origin = { file: "", shown: t("the command line"), level: "user" as const, folder: undefined };
    const name = new URL(url).hostname.replaceAll(":", "_");
    const server = this.newServer({ name, origin, inputs: new Map(), launch: { type: "http", url, headers: {} } });
    this.servers = [...this.servers, server];
    return server;
  }

  /** What its error stream had last, now or in a process before; "": nothing is known. */
  async log(name: string): Promise<string> {
    const server = this.server(name);
    return server.printed || (await readFile(this.logPath(server), "utf8").catch(() => ""));
  }

  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    await Promise.all([...this.leaving, ...this.servers].map(server => server.close()));
    await Promise.allSettled([...this.logWrites]);
  }

  /** At once, for a process that is about to end itself. */
  killNow(): void {
    for (const each of this.processes) each.killNow();
  }

  private readonly logWrites = new Set<Promise<void>>();

  private newServer(config: ServerConfig): McpServer {
    const deps: ServerDeps = {
      ...this.deps,
      agreements: this.agreements,
      facts: this.facts,
      processes: this.processes,
      keepLog: (server, text) => this.keepLog(server, text),
      onChange: () => this.changed(),
    };
    return new McpServer(config, configHash(config), deps);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private keepLog(server: { name: string; hash: string }, text: string): void {
    const written = makePrivateFolder(join(this.deps.folder, "logs"))
      .then(() => writeCache(nodeFileSystem, this.logPath(server), text))
      .catch(error => this.deps.warn(t("What {0} printed could not be kept: {1}", server.name, String(error))))
      .finally(() => this.logWrites.delete(written));
    this.logWrites.add(written);
  }

  private logPath = ({ hash }: { hash: string }) => join(this.deps.folder, "logs", `${hash}.log`);

  private isOff(name: string): boolean {
    return this.deps.off().some(pattern => {
      const parts = pattern.split("*").map(part => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
    });
  }

  private madeOf(server: McpServer, named: ToolName) {
    const known = this.made.get(named);
    if (known) return known;
    const tool = foreignTool(server, named) as Tool;
    const made = { tool, tokens: definitionTokens(named, { ...tool, ...tool.input }) };
    this.made.set(named, made);
    return made;
  }

  private findTools(servers: readonly McpServer[]): Tool {
    const key = JSON.stringify(servers.map(({ name, hash }) => [name, hash]));
    if (this.search?.key !== key) this.search = { key, tool: findToolsTool(servers, name => this.isOff(name)) as Tool };
    return this.search.tool;
  }
}
