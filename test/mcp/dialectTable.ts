/** Entries and files of servers as other clients have them. */
interface EntryRow {
  name: string;
  entry: unknown;
  /** absent: it does not start */
  launch?: object;
  notes?: readonly RegExp[];
  problem?: RegExp;
}

const npx = { type: "stdio", command: "npx", args: ["-y", "x"], env: {} };
const plain = { command: "npx", args: ["-y", "x"] };
const web = { type: "http", url: "https://x/mcp", headers: {} };
const address = { url: "https://x/mcp" };

export const entryRows: readonly EntryRow[] = [
  // what starts
  { name: "type stdio", entry: { type: "stdio", ...plain }, launch: npx },
  { name: "type local (Copilot CLI) with tools: *", entry: { type: "local", ...plain, tools: ["*"] }, launch: npx },
  {
    name: "type local with a command as a list (opencode)",
    entry: { type: "local", command: ["npx", "-y", "x"], enabled: true },
    launch: npx,
  },
  { name: "a command as a list, and args", entry: { command: ["npx", "-y"], args: ["x"] }, launch: npx },
  {
    name: "a command as an object (Zed)",
    entry: { source: "custom", command: { path: "npx", args: ["-y", "x"] } },
    launch: npx,
  },
  { name: "type in capitals", entry: { type: "STDIO", ...plain }, launch: npx },
  { name: "type: null", entry: { type: null, ...plain }, launch: npx },
  {
    name: "environment (opencode) with a number",
    entry: { ...plain, environment: { PORT: 1, NO: null, ON: true } },
    launch: { ...npx, env: { PORT: "1", ON: "true" } },
  },
  {
    name: "env and environment",
    entry: { ...plain, env: { A: "1" }, environment: { B: "2" } },
    launch: { ...npx, env: { A: "1", B: "2" } },
  },
  { name: "env as a list", entry: { ...plain, env: ["A=1", "B=x=y"] }, launch: { ...npx, env: { A: "1", B: "x=y" } } },
  {
    name: "envFile and cwd in other letters",
    entry: { ...plain, env_file: ".env", workingDirectory: "srv" },
    launch: { ...npx, envFile: ".env", cwd: "srv" },
  },
  {
    name: "args with a number and a boolean",
    entry: { command: "npx", args: ["-p", 3, true] },
    launch: { ...npx, args: ["-p", "3", "true"] },
  },
  {
    name: "paths from the home folder",
    entry: { command: "~/bin/x", args: ["~/y"], cwd: "~/srv", envFile: "~/.env" },
    launch: {
      ...{ ...npx, command: `$\{userHome}/bin/x`, args: ["~/y"] },
      ...{ cwd: `$\{userHome}/srv`, envFile: `$\{userHome}/.env` },
    },
  },
  { name: "args: null", entry: { command: "npx", args: null }, launch: { ...npx, args: [] } },
  { name: "url alone", entry: address, launch: web },
  { name: "serverUrl (Windsurf)", entry: { serverUrl: "https://x/mcp" }, launch: web },
  {
    name: "httpUrl (Gemini)",
    entry: { httpUrl: "https://x/mcp", headers: { A: "b" } },
    launch: { ...web, headers: { A: "b" } },
  },
  { name: "httpUrl beside url", entry: { url: "https://x/sse", httpUrl: "https://x/mcp" }, launch: web },
  { name: "type remote (opencode)", entry: { type: "remote", ...address }, launch: web },
  { name: "streamable-http", entry: { type: "streamable-http", ...address }, launch: web },
  { name: "streamableHttp", entry: { type: "streamableHttp", ...address }, launch: web },
  { name: "streamable_http", entry: { type: "streamable_http", ...address }, launch: web },
  {
    name: "transport in place of type",
    entry: { transport: "streamable-http", streamable: true, ...address },
    launch: web,
  },
  { name: "transportType (Cline)", entry: { transportType: "sse", ...address }, launch: { ...web, type: "sse" } },
  { name: "transport as an object", entry: { transport: { type: "http" }, ...address }, launch: web },
  { name: "sse", entry: { type: "sse", ...address }, launch: { ...web, type: "sse" } },
  {
    name: "headers with a number and null",
    entry: { ...address, headers: { A: 1, B: null } },
    launch: { ...web, headers: { A: "1" } },
  },
  {
    name: "oauth with scopes as a list",
    entry: { ...address, oauth: { clientId: "a", scopes: ["r", "w"] } },
    launch: { ...web, oauth: { clientId: "a", scopes: "r w" } },
  },
  { name: "oauth: false (opencode)", entry: { ...address, oauth: false }, launch: web },
  { name: "oauth switched off (Gemini)", entry: { ...address, oauth: { enabled: false, clientId: "a" } }, launch: web },
  // which tools
  {
    name: "tools, some (Copilot CLI)",
    entry: { ...plain, tools: ["a", "b"] },
    launch: { ...npx, tools: { only: ["a", "b"] } },
  },
  { name: "tools, none", entry: { ...plain, tools: [] }, launch: { ...npx, tools: { only: [] } } },
  {
    name: "includeTools and excludeTools (Gemini)",
    entry: { ...plain, includeTools: ["a", "b"], excludeTools: ["b"] },
    launch: { ...npx, tools: { only: ["a", "b"], without: ["b"] } },
  },
  {
    name: "disabledTools (Roo, Windsurf)",
    entry: { ...address, disabledTools: ["rm"] },
    launch: { ...web, tools: { without: ["rm"] } },
  },
  {
    name: "enabled_tools (Codex)",
    entry: { ...plain, enabled_tools: ["a"] },
    launch: { ...npx, tools: { only: ["a"] } },
  },
  { name: "tools as an object", entry: { ...plain, tools: { a: true } }, launch: npx, notes: [/`tools` is no list/] },
  // what is switched off
  { name: "disabled: true", entry: { ...plain, disabled: true } },
  { name: 'disabled: "true"', entry: { ...plain, disabled: "true" } },
  { name: "disabled: false", entry: { ...plain, disabled: false }, launch: npx },
  { name: "enabled: false (opencode)", entry: { ...plain, enabled: false } },
  { name: "isActive: false", entry: { ...address, isActive: false } },
  { name: "enabled and disabled", entry: { ...plain, enabled: true, disabled: true } },
  // what is named
  {
    name: "alwaysAllow (Roo)",
    entry: { ...plain, alwaysAllow: ["read"] },
    launch: npx,
    notes: [/`alwaysAllow` allows nothing here/],
  },
  { name: "autoApprove (Cline), empty", entry: { ...plain, autoApprove: [] }, launch: npx },
  { name: "trust (Gemini)", entry: { ...plain, trust: true }, launch: npx, notes: [/`trust` allows nothing here/] },
  { name: "trust: false", entry: { ...plain, trust: false }, launch: npx },
  {
    name: "timeout",
    entry: { ...plain, timeout: 60 },
    launch: npx,
    notes: [/`timeout` does nothing here: the time limit of calls is in your settings/],
  },
  {
    name: "startup_timeout_sec (Codex)",
    entry: { ...plain, startup_timeout_sec: 20 },
    launch: npx,
    notes: [/a start has 60 s/],
  },
  {
    name: "dev (VS Code)",
    entry: { ...plain, dev: { watch: "src/**", debug: { type: "node" } } },
    launch: npx,
    notes: [/`dev` is not known and has no effect\.$/],
  },
  {
    name: "gallery and version (VS Code)",
    entry: { ...address, gallery: "https://g", version: "1.0.0" },
    launch: web,
    notes: [/`gallery` is not known/],
  },
  {
    name: "sandbox, its rules alone",
    entry: { ...plain, sandbox: { network: {} } },
    launch: npx,
    notes: [/`sandbox` is true or false here/],
  },
  {
    name: "headersHelper (Claude)",
    entry: { ...address, headersHelper: "get-token" },
    launch: web,
    notes: [/`headersHelper` is not known/],
  },
  {
    name: "parts of oauth that are not done",
    entry: { ...address, oauth: { clientId: "a", tokenUrl: "https://t" } },
    launch: { ...web, oauth: { clientId: "a" } },
    notes: [/`oauth\.tokenUrl` does nothing here/],
  },
  {
    name: "for people alone",
    entry: { ...plain, description: "x", name: "y", $schema: "z", _comment: "c", "//": "d" },
    launch: npx,
  },
  {
    name: "a command beside an address",
    entry: { ...address, ...plain, env: { A: "1" } },
    launch: web,
    notes: [/`command` does nothing for a server at an address/, /`args`/, /`env`/],
  },
  {
    name: "headers beside a command",
    entry: { ...plain, type: "stdio", headers: { A: "b" } },
    launch: npx,
    notes: [/`headers` does nothing for a server that is a command/],
  },
  // slips
  { name: "sandboxEnabled", entry: { ...plain, sandboxEnabled: true }, launch: { ...npx, sandbox: true } },
  { name: "sandbox: false", entry: { ...plain, sandbox: false }, launch: { ...npx, sandbox: false } },
  {
    name: "sandbox of an address",
    entry: { ...address, sandbox: true },
    launch: web,
    notes: [/`sandbox` does nothing/],
  },
  { name: "sanbox", entry: { ...plain, sanbox: false }, launch: npx, notes: [/is `sandbox` meant\?/] },
  { name: "arg", entry: { command: "npx", arg: ["-y"] }, launch: { ...npx, args: [] }, notes: [/is `args` meant\?/] },
  { name: "enviroment", entry: { ...plain, enviroment: { A: "1" } }, launch: npx, notes: [/is `environment` meant\?/] },
  { name: "header", entry: { ...address, header: { A: "1" } }, launch: web, notes: [/is `headers` meant\?/] },
  {
    name: "comand",
    entry: { comand: "npx", args: [] },
    problem: /neither a command nor an address.*is `command` meant\?$/,
  },
  { name: "command in capitals", entry: { Command: "npx", Args: ["-y", "x"] }, launch: npx },
  { name: "ulr", entry: { type: "http", ulr: "https://x" }, problem: /names no address.*is `url` meant\?$/ },
  // what cannot be used
  { name: "type ws", entry: { type: "ws", ...address }, problem: /its type is "ws"/ },
  { name: "an empty list as command", entry: { command: [] }, problem: /neither a command/ },
  { name: "args as one text", entry: { command: "npx", args: "-y x" }, problem: /args/ },
  { name: "env of objects", entry: { ...plain, env: { A: {} } }, problem: /env/ },
  { name: "nothing", entry: {}, problem: /neither a command nor an address/ },
  { name: "a text", entry: "npx x", problem: /not an object/ },
];

interface FileRow {
  name: string;
  text: unknown;
  /** names, in their order */
  servers: readonly string[];
  problem?: RegExp;
}

const a = { command: "a" };
const b = { command: "b" };

export const fileRows: readonly FileRow[] = [
  { name: "an empty servers beside a filled mcpServers", text: { servers: {}, mcpServers: { a } }, servers: ["a"] },
  { name: "an empty mcpServers beside filled servers", text: { mcpServers: {}, servers: { a } }, servers: ["a"] },
  { name: "servers: null beside mcpServers", text: { servers: null, mcpServers: { a } }, servers: ["a"] },
  { name: "both filled", text: { servers: { a }, mcpServers: { b } }, servers: ["a", "b"] },
  { name: "both filled, the other way round", text: { mcpServers: { b }, servers: { a } }, servers: ["a", "b"] },
  { name: "both with one name, the same", text: { servers: { a }, mcpServers: { a } }, servers: ["a"] },
  {
    name: "both with one name, not the same",
    text: { servers: { a }, mcpServers: { a: b } },
    servers: ["a"],
    problem: /has a server of this name/,
  },
  {
    name: "servers that are no object, beside mcpServers",
    text: { servers: 7, mcpServers: { a } },
    servers: ["a"],
    problem: /`servers` is not an object/,
  },
  { name: "mcp.servers, as in settings of the editor", text: { mcp: { servers: { a } } }, servers: ["a"] },
  { name: "mcp_servers", text: { mcp_servers: { a } }, servers: ["a"] },
  { name: "a list", text: { mcpServers: [{ name: "a", command: "a" }, { command: "b" }] }, servers: ["a", "server_2"] },
  { name: "mcpServer", text: { mcpServer: { a } }, servers: [], problem: /is `mcpServers` meant\?$/ },
  {
    name: "serveres beside mcpServers",
    text: { serveres: { a }, mcpServers: { b } },
    servers: ["b"],
    problem: /is `servers` meant\?$/,
  },
  {
    name: "servers under nothing",
    text: { a },
    servers: [],
    problem: /stands under neither `servers` nor `mcpServers`/,
  },
  {
    name: "comments, trailing commas, a mark",
    text: '\uFEFF{ // x\n "mcpServers": { /* y */ "a": {"command": "a",}, }, }',
    servers: ["a"],
  },
  { name: "inputs: null", text: { inputs: null, servers: { a } }, servers: ["a"] },
  { name: "other keys", text: { $schema: "x", globalShortcut: "y", preferences: {}, servers: { a } }, servers: ["a"] },
  { name: "nothing", text: {}, servers: [] },
];
