/** One configured server: started when it is first needed, shared by all who need it, and never in the way of who does not. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { ServerStopped, type SignInBrowser, ToolError } from "../core/ground/ports";
import type { RunContext, ToolOutcome } from "../core/tool/tool";
import { SerialQueue, untilAborted } from "../shared/async";
import { errorMessage } from "../shared/errorMessage";
import type { McpServerView } from "../shared/mcp";
import type { Json } from "../shared/messages";
import { agreedLaunch, type LaunchFacts, type ServerSandbox, startQuestion } from "./config/agreedLaunch";
import { type Agreements, type ListedTool, type ServerList, sameList } from "./config/agreements";
import type { ServerConfig } from "./config/serverConfig";
import { McpError } from "./config/variables";
import type { Ask, CallsDeps } from "./connection/callsInFlight";
import { CallsInFlight, NO_LIMIT_MS } from "./connection/callsInFlight";
import type { ConnectDeps, ServerConnection } from "./connection/connect";
import { howItEnded, isUnauthorized } from "./connection/failures";
import { SignedIn, type SignedInDeps } from "./connection/signIn";
import { calledOff, callFailure, toOutcome } from "./tools/callResult";
import { nameTools, type ToolName } from "./tools/definition";

export interface ServerDeps extends SignedInDeps, CallsDeps {
  /** ours, as servers hear of it */
  version: string;
  processes: ConnectDeps["processes"];
  elicits: boolean;
  agreements: Agreements;
  /** `--trust`: what stood there when the run began is agreed to. */
  agreesAtBegin?: boolean;
  /** What a workspace's server starts in; absent: there is none here. */
  sandbox?: ServerSandbox;
  facts: LaunchFacts;
  /** Keeps what its error stream had, for who looks later. */
  keepLog(server: { name: string; hash: string }, text: string): void;
}

/** ms for which it is not asked again whether a server learned the newest revision */
const LEGACY_MS = 7 * 24 * 3_600_000;
/** ms between two looks at lists of which it says that they changed */
const LOOK_PAUSE_MS = 5_000;

export class McpServer {
  private live: ServerConnection | undefined;
  private starting: { promise: Promise<ServerConnection>; waiting: number; stop: AbortController } | undefined;
  private closing: Promise<void> | undefined;
  /** as it said last, without a look at agreements */
  list: ServerList | undefined;
  named: readonly ToolName[] | undefined;
  /** why it did not start, or ended: a sentence */
  error: string | undefined;
  private signedOut = false;
  private retired = false;
  readonly signedIn: SignedIn;
  private printedLast = "";
  private readonly inFlight: CallsInFlight;

  constructor(
    readonly config: ServerConfig,
    readonly hash: string,
    private readonly deps: ServerDeps,
  ) {
    this.signedIn = new SignedIn(config, deps);
    this.inFlight = new CallsInFlight(config.name, deps);
  }

  get name(): string {
    return this.config.name;
  }

  /** undefined without an agreement, too */
  get tools(): readonly ToolName[] | undefined {
    return this.agreement() ? undefined : this.named;
  }

  /** undefined without an agreement, too */
  get offered(): ServerList | undefined {
    return this.agreement() ? undefined : this.list;
  }

  get runs(): boolean {
    return this.live !== undefined || this.starting !== undefined;
  }

  /** It runs, or nothing is known that keeps it from starting. */
  get canStart(): boolean {
    return this.live !== undefined || (this.error === undefined && !this.agreement());
  }

  /** Asks it something that is no call. Rejects as `connected` does, or with what the package throws. */
  async ask<T>(
    question: (client: ServerConnection["client"], options: { signal: AbortSignal; timeout: number }) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { client } = await this.connected(signal);
    return question(client, { signal, timeout: this.deps.timeoutMs() });
  }

  /** What it had when it was asked last. */
  async loadList(): Promise<void> {
    if (!this.list) this.setList(await this.deps.agreements.list(this.hash));
  }

  /** Why the person has to be asked before it starts, and what would; undefined: they agreed. */
  agreement(): { reason: string; detail: Json } | undefined {
    const { config, deps, hash } = this;
    if (config.origin.level === "user" || deps.agreements.hasAgreed(hash)) return undefined;
    return startQuestion(config, deps.agreesAtBegin);
  }

  private mustBeAgreed(): void {
    const asked = this.agreement();
    if (asked) throw new McpError(`The server ${this.name} is not started: ${asked.reason}.`);
  }

  /** The person said yes to what `agreement` asks. */
  async agree(): Promise<void> {
    await this.deps.agreements.decide(this.hash, this.name, true);
    this.deps.onChange();
  }

  /** It stops, and asks before it starts again. */
  async withdraw(): Promise<void> {
    await this.deps.agreements.decide(this.hash, this.name, false);
    await this.close();
  }

  /** what was known of the tool when it was called last; undefined: it never was */
  calledAs = (tool: string): string | undefined => this.deps.agreements.calledAs(this.hash, tool);

  /** What the server said of the tool last; the same where it said nothing since. */
  newest = (read: ToolName): ToolName => this.named?.find(({ tool }) => tool.name === read.tool.name) ?? read;

  /** Starts it where it does not run. Gives what it says of the tool now; undefined: it has none of this name any more. */
  async ready(tool: string, signal: AbortSignal): Promise<ToolName | undefined> {
    await this.look(signal);
    return this.named?.find(named => named.tool.name === tool);
  }

  /** Rejects with ToolError or the signal's reason. */
  async call(named: ToolName, input: Record<string, Json>, run: RunContext): Promise<ToolOutcome> {
    const connection = await this.look(run.signal);
    await this.deps.agreements.rememberCall(this.hash, this.name, named.tool.name, named.hash);
    try {
      const result = await this.callTool(named.tool, input, run, text => run.output("stdout", text));
      return toOutcome(named.name, result, this.config.isConfined);
    } catch (error) {
      if (run.signal.aborted) throw calledOff(this.name, named);
      const isLive = connection === this.live;
      throw callFailure({ server: this.name, named }, error, { connection, isLive, timeoutMs: this.deps.timeoutMs() });
    }
  }

  /** Rejects with what the package throws. */
  async callTool(
    tool: ListedTool,
    input: Record<string, Json>,
    by: { signal: AbortSignal; ask?: Ask },
    onProgress: (line: string) => void,
  ): Promise<CallToolResult> {
    const { client } = await this.connected(by.signal);
    type CallOptions = NonNullable<Parameters<typeof client.callTool>[1]>;
    const toolDefinition = tool as CallOptions["toolDefinition"] & object;
    return this.inFlight.run(by, ({ signal, progress }) => {
      const onprogress: CallOptions["onprogress"] = said => {
        const line = progress(said);
        if (line !== undefined) onProgress(line);
      };
      const options = { signal, timeout: NO_LIMIT_MS, toolDefinition, onprogress };
      return client.callTool({ name: tool.name, arguments: input }, options);
    });
  }

  /** The connection, made where there is none. Rejects with McpError, or with the signal's reason. */
  async connected(signal: AbortSignal): Promise<ServerConnection> {
    for (let before = this.leaving(); before; before = this.leaving()) await untilAborted(before, signal);
    signal.throwIfAborted();
    // Judged anew after each wait: meanwhile it may have been taken away, or the yes to it.
    if (this.retired) throw new McpError("It is configured no more, or otherwise by now: look at what there is.");
    this.mustBeAgreed();
    if (this.live) return this.live;
    this.starting ??= this.begin();
    const { starting } = this;
    starting.waiting += 1;
    try {
      return await untilAborted(starting.promise, signal);
    } finally {
      starting.waiting -= 1;
      // A start that hangs is not left behind.
      if (starting.waiting === 0 && !this.live) starting.stop.abort(signal.reason);
    }
  }

  /** The end of the connection or start before, which is waited for: two processes of one server might disturb each other. */
  private leaving(): Promise<unknown> | undefined {
    const { live, starting } = this;
    if (this.closing) return this.closing;
    if (live?.ended() !== undefined) return this.close();
    return starting?.stop.signal.aborted ? starting.promise.catch(() => undefined) : undefined;
  }

  /** It is configured no more: it starts nothing again. @param isReplaced it is configured otherwise: calls that are under way end first, within the time of one */
  async retire(isReplaced: boolean): Promise<void> {
    this.retired = true;
    if (isReplaced) await this.inFlight.ended(this.deps.timeoutMs());
    await this.close();
  }

  /** Stops it; the next who needs it starts it anew. */
  close(): Promise<void> {
    this.closing ??= this.stop().finally(() => {
      this.closing = undefined;
    });
    return this.closing;
  }

  private async stop(): Promise<void> {
    this.starting?.stop.abort(new ServerStopped("It was stopped."));
    await this.starting?.promise.catch(() => undefined);
    const { live } = this;
    this.live = undefined;
    if (live) this.keepPrinted(live);
    await live?.close();
    this.deps.onChange();
  }

  /** the end of its error stream; "": nothing came, or it has none */
  get printed(): string {
    return this.live?.printed() ?? this.printedLast;
  }

  get state(): McpServerView["state"] {
    if (this.live) return "running";
    if (this.starting) return this.signedIn.underWay ? "signing-in" : "starting";
    if (this.agreement()) return "unasked";
    if (this.signedOut) return "signed-out";
    return this.error === undefined ? "idle" : "failed";
  }

  /** Starts it with a person who signs in. Rejects as `connected` does. */
  async signIn(browser: SignInBrowser, signal: AbortSignal): Promise<void> {
    this.mustBeAgreed();
    await this.close();
    await this.signedIn.during(browser, () => this.connected(signal));
  }

  async signOut(): Promise<void> {
    await this.close();
    await this.signedIn.forget();
    this.deps.onChange();
  }

  /** Starts it, so that its tools are known. Rejects with ToolError or the signal's reason. */
  async look(signal: AbortSignal): Promise<ServerConnection> {
    try {
      return await this.connected(signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new ToolError("IO", `The MCP server ${this.name} cannot be used: ${errorMessage(error)}`);
    }
  }

  private begin() {
    const stop = new AbortController();
    const promise = this.start(stop.signal).finally(() => {
      this.starting = undefined;
      this.deps.onChange();
    });
    // Those who wait get the error themselves.
    promise.catch(() => undefined);
    queueMicrotask(() => this.deps.onChange());
    return { promise, waiting: 0, stop };
  }

  private async start(signal: AbortSignal): Promise<ServerConnection> {
    const { deps, config } = this;
    try {
      // Loaded with the first connection.
      const { connect } = await import("./connection/connect");
      const { launch, ...agreed } = await agreedLaunch(config, this.hash, deps, signal);
      const auth = await this.signedIn.auth(launch);
      const isLegacy = this.list?.isLegacy === true && deps.clock.now() - this.list.at < LEGACY_MS;
      let connection: ServerConnection | undefined;
      const how: ConnectDeps = {
        version: deps.version,
        processes: deps.processes,
        clock: deps.clock,
        timeoutMs: deps.timeoutMs,
        isLegacy,
        ...agreed,
        ...(auth && { auth }),
        onListsChanged: () => this.listsChanged(),
        onClose: why => this.onClose(connection, why),
        ...(deps.elicits && { elicit: (params, taken) => this.inFlight.elicit(params, taken) }),
      };
      connection = await connect(launch, how, signal);
      try {
        await this.takeLists(connection, signal);
        // It has its lists on disk by now, and may have ended since it gave them.
        if (connection.ended() !== undefined) throw new McpError("It ended as soon as it had started.");
      } catch (error) {
        const ended = connection.ended();
        await connection.close();
        this.keepPrinted(connection);
        throw ended === undefined ? error : new McpError(howItEnded(ended, connection.printed()), { cause: error });
      }
      this.live = connection;
      this.error = undefined;
      this.signedOut = false;
      return connection;
    } catch (error) {
      if (error instanceof ServerStopped) throw error;
      this.signedOut = isUnauthorized(error);
      this.error = this.signedOut ? "It wants you to sign in." : errorMessage(error);
      if (!this.signedOut) throw error;
      throw new McpError(`It wants the user to sign in, which they can do in the view of MCP servers.`);
    }
  }

  private onClose(connection: ServerConnection | undefined, why: string): void {
    if (!connection || this.live !== connection) return;
    this.live = undefined;
    this.error = why;
    this.keepPrinted(connection);
    // Of a broken connection, the process and its timers.
    void connection.close().catch(() => undefined);
    this.deps.onChange();
  }

  private keepPrinted(connection: ServerConnection): void {
    this.printedLast = connection.printed();
    if (this.printedLast !== "") this.deps.keepLog({ name: this.name, hash: this.hash }, this.printedLast);
  }

  private readonly looks = new SerialQueue();
  private nextLook: Promise<void> | undefined;

  /** It says that they changed. One look at a time: at once, and one more however often it says so meanwhile. */
  private listsChanged(): void {
    this.nextLook ??= this.looks.run(() => this.lookAgain());
  }

  private async lookAgain(): Promise<void> {
    this.nextLook = undefined;
    // It may say so while it is still asked for the first time.
    const live = this.live ?? (await this.starting?.promise.catch(() => undefined));
    if (!live) return;
    const before = [this.list, this.error];
    try {
      await this.takeLists(live, AbortSignal.timeout(this.deps.timeoutMs()), true);
      this.error = undefined;
    } catch (error) {
      this.error = errorMessage(error);
    }
    if (this.list !== before[0] || this.error !== before[1]) this.deps.onChange();
    await new Promise<void>(next => this.deps.clock.after(LOOK_PAUSE_MS, next, "aside"));
  }

  private async takeLists({ client, isLegacy, odd }: ServerConnection, signal: AbortSignal, again = false) {
    const { readLists } = await import("./connection/connect");
    odd.clear();
    const list = { ...(await readLists(client, signal)), isLegacy, at: this.deps.clock.now(), odd: [...odd] };
    // Nothing is new for those who show it, nor for the disk.
    if (again && sameList(list, this.list)) return;
    this.setList(list);
    await this.deps.agreements.keepList(this.hash, list);
  }

  private setList(list: ServerList | undefined): void {
    this.list = list;
    this.named = list && nameTools(this.name, list.tools, this.config.launch.tools);
  }
}
