/** What the host does for the panel's view of MCP servers. */
import {
  type Logger,
  type McpControl,
  ServerStopped,
  SessionError,
  type SignInBrowser,
} from "../../../core/ground/ports";
import { SerialQueue } from "../../../shared/async";
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import type { McpLists, McpServerRow, McpServerView, ServerAction } from "../../../shared/mcp";
import { errorText, handlersFor } from "../host/dispatch";

export interface McpViewDeps {
  /** loads them when a person looks */
  servers(): Promise<McpControl>;
  /** `strata.mcp.off` */
  off(): readonly string[];
  setOff(names: readonly string[]): Promise<void>;
  browser: SignInBrowser;
  /** Opens a file by its absolute path, in the editor. */
  openConfig(path: string): Promise<void>;
  /** Opens the first folder's mcp.json, made where there is none. */
  openOwnConfig(): Promise<void>;
  openText(name: string, text: string): Promise<void>;
  /** What failed after the panel had its answer. */
  complain(text: string): void;
}

type ServerParts = { deps: McpViewDeps; servers: McpControl; view: McpServerView; logger: Logger };

/** A list of thousands goes to the panel too. */
const DESCRIPTION = 300;
/** ms for a person to sign in, as the server's side of it has it */
const SIGN_IN_MS = 360_000;

const acts: Record<ServerAction, (on: ServerParts) => unknown> = {
  start,
  stop: ({ servers, view }) => servers.stop(view.name),
  // The person is in the browser for minutes: nobody waits for it here.
  "sign-in"({ deps, servers, view: { name } }) {
    servers.signIn(name, deps.browser, AbortSignal.timeout(SIGN_IN_MS)).catch(error => {
      if (!(error instanceof ServerStopped)) deps.complain(t("Signing in to {0} failed: {1}", name, errorText(error)));
    });
  },
  "sign-out": ({ servers, view }) => servers.signOut(view.name),
  withdraw: ({ servers, view }) => servers.withdraw(view.name),
  async log({ deps, servers, view: { name } }) {
    const text = await servers.log(name);
    if (text === "") throw new SessionError(t("{0} has no output yet.", name));
    await deps.openText(`${t("{0} log", name)}.txt`, text);
  },
  configure: ({ deps, view }) => deps.openConfig(view.path),
};

/** How it goes is the server's state: it comes as a change. */
function start({ servers, view: { name }, logger }: ServerParts): void {
  const never = new AbortController().signal;
  servers
    .check(name, never)
    .catch(error => logger.log("info", "an MCP server did not start", { name, error: String(error) }));
}

export function mcpHandlers(deps: McpViewDeps, logger: Logger) {
  const find = async (name: string): Promise<ServerParts> => {
    const servers = await deps.servers();
    const view = (await servers.views()).find(each => each.name === name);
    if (!view) throw new SessionError(t("The MCP server {0} is no longer configured.", name));
    return { deps, servers, view, logger };
  };
  const switches = new SerialQueue();
  return handlersFor({
    async mcpServers() {
      const servers = await deps.servers();
      await servers.refresh();
      return { servers: (await servers.views()).map(toRow), problems: [...servers.problems] };
    },
    async mcpLists({ name }) {
      const { view } = await find(name);
      return defined({ lists: view.tools && toLists(view) });
    },
    async mcpAct({ name, act }) {
      await acts[act](await find(name));
    },
    async mcpAgree({ name, hash }) {
      const acting = await find(name);
      await acting.servers.agree(name, hash);
      start(acting);
    },
    async mcpSwitch({ name, on }) {
      // One after the other: the next one reads what this one wrote.
      await switches.run(async () => deps.setOff(switched(deps.off(), name, on)));
      const servers = await deps.servers();
      if (!on && (await servers.views()).some(view => view.name === name)) await servers.stop(name);
    },
    mcpConfigure: () => deps.openOwnConfig(),
  });
}

/** @throws SessionError where it stays off all the same */
function switched(off: readonly string[], name: string, on: boolean): string[] {
  if (!on) return [...new Set([...off, name])];
  if (off.includes(name)) return off.filter(each => each !== name);
  throw new SessionError(t("{0} is turned off by a pattern in your settings. Change it there.", name));
}

function toRow({ tools, prompts: _, resources: __, ...server }: McpServerView): McpServerRow {
  const on = tools?.filter(({ off }) => !off);
  return {
    ...server,
    ...defined({ tools: on && { count: on.length, tokens: on.reduce((sum, { tokens }) => sum + tokens, 0) } }),
  };
}

function toLists({ tools = [], prompts = [], resources = [] }: McpServerView): McpLists {
  const cut = <T extends { description: string }>(each: T) => ({
    ...each,
    description: each.description.slice(0, DESCRIPTION),
  });
  return { tools: tools.map(cut), prompts: prompts.map(cut), resources };
}
