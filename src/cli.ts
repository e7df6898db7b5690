/** Composition root of the terminal: parses the command line, builds the ports, runs the command. No logic. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../package.json";
import { forbiddenPlaces } from "./core/permissions/forbiddenPlaces";
import { rulesInForce } from "./core/permissions/levels";
import { protectedBecause } from "./core/permissions/protectedPaths";
import { ErrorForPeople, type FileRef, type Logger, type Redactor } from "./core/ports";
import { looksSecret, MIN_ENV_LENGTH } from "./core/secrets/looksSecret";
import { createRedactor } from "./core/secrets/redact";
import { SecretMemory } from "./core/secrets/secretMemory";
import type { AgentPorts } from "./core/session/openSession";
import { NoRequestError } from "./core/verify/rebuild";
import { LazyServers } from "./mcp/lazyServers";
import { createModels, isKeyVariable, ModelDirectory, modelFacts } from "./models";
import { NodeEnvFiles } from "./node/envFiles";
import { readExported, writeExported } from "./node/exportedFile";
import { NodeFiles } from "./node/files";
import { NodeLogger } from "./node/logger";
import { managedSettingsPath, readManagedSettings } from "./node/managedSettings";
import { nodeRoots, realPath, withSlashes } from "./node/paths";
import { createPatterns } from "./node/patterns";
import { proxyFromEnvironment } from "./node/proxy";
import { packagedRipgrep, RipgrepSearch } from "./node/ripgrep";
import { NodeRules } from "./node/rules";
import { NodeSandbox } from "./node/sandbox/sandbox";
import { keyedHash, SecretFile, userKey } from "./node/secretFiles";
import { readGitChanges } from "./node/shell/gitChanges";
import { type NodeShell, ownShell } from "./node/shell/shell";
import { NodeSkills } from "./node/skills";
import { configDir, defaultStorageDir, NodeStorage, spendingDir } from "./node/storage/sessionStorage";
import { NodeSpending } from "./node/storage/spending";
import { nodeClock, nodeHash, nodeIds, nodeRunningHash } from "./node/system";
import { LateTelemetry } from "./node/telemetry";
import { NodeToolRefusals } from "./node/toolRefusals";
import { errorMessage } from "./shared/errorMessage";
import type { Settings } from "./shared/settings";
import { addAllowRules } from "./terminal/allowedRules";
import {
  type AgentCommand,
  type McpCommand,
  type ModelsCommand,
  type PermitCommand,
  parseCommand,
  type SessionCommand,
  USAGE,
  UsageError,
} from "./terminal/args";
import { terminalAttachments } from "./terminal/attachments";
import { compact, undoOrRedo } from "./terminal/compact";
import { Interrupts } from "./terminal/interrupts";
import { mcp } from "./terminal/mcp";
import { listModels } from "./terminal/models";
import { EXIT, Output } from "./terminal/output";
import { showPermissions } from "./terminal/permissionLog";
import { permit } from "./terminal/permit";
import { run } from "./terminal/run";
import { listSessions, recall, removeSessions, showSession } from "./terminal/sessions";
import { loadSettings, SettingsError, type TerminalSettings } from "./terminal/settings";
import { showSkills } from "./terminal/skills";
import { exportToFile, importFile } from "./terminal/transfer";
import { showRequest, verify } from "./terminal/verify";

async function main(streams: Output): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  if (command.kind === "help") streams.out(USAGE);
  if (command.kind === "version") streams.out(`${version}\n`);
  if (command.kind === "help" || command.kind === "version") return EXIT.done;
  const workspace = openFolder(command.workspace);
  const storageDir = resolve(command.storage ?? defaultStorageDir(workspace));
  const storage = new NodeStorage(storageDir);
  const place = { workspace, storageDir, storage, streams };
  if (command.kind === "permit") return tryPermission(command, place);
  if (command.kind === "mcp") return withMcp(command, place);
  if (command.kind === "models") return showModels(command, place);
  if (command.kind === "skills") {
    const files = new NodeFiles([workspace]);
    const logger = createLogger(storageDir);
    // Whoever asks here sees them: nothing of them is used.
    const skills = new NodeSkills(instructionPlaces(files, { logger, trusted: () => true }));
    return showSkills(command, { skills, hash: nodeHash, streams });
  }
  return "trust" in command ? withAgent(command, place) : withSessions(command, place);
}

interface Place {
  workspace: string;
  storageDir: string;
  storage: NodeStorage;
  streams: Output;
}

async function tryPermission(command: PermitCommand, place: Place): Promise<number> {
  const { workspace, storageDir, streams } = place;
  const settings = readSettings(place, permissionFlags(command), true);
  const ownFolders = await bothForms([configDir(), storageDir, spendingDir()]);
  const files = new NodeFiles([workspace]);
  const cwd = withSlashes(await realPath(workspace));
  return permit(command, { files, settings, cwd, ownFolders, streams });
}

async function withMcp(command: McpCommand, place: Place): Promise<number> {
  const settings = readSettings(place, {}, command.trust);
  const servers = createMcp(place, { trusted: command.trust, settings, readsUsers: true });
  try {
    return await mcp(command, await servers.get(), {
      streams: place.streams,
      interrupts: watchInterrupts(place.streams),
    });
  } finally {
    await servers.close();
  }
}

/** MCP servers; `--trust` is the agreement to all that the workspace names, for this run. */
function createMcp(
  { workspace, streams }: Place,
  { trusted, settings, readsUsers = trusted, learn }: McpParts,
): LazyServers {
  const folder = join(configDir(), "mcp");
  const places = () => ({
    userFiles: readsUsers ? [{ path: join(configDir(), "mcp.json"), shown: join(configDir(), "mcp.json") }] : [],
    folders: trusted ? [workspace] : [],
  });
  const servers = new LazyServers(places, async () => {
    const { McpServers, environmentInput, SecretTextFile } = await import("./mcp/servers");
    return new McpServers({
      secrets: new SecretTextFile(join(folder, "secrets.json")),
      ...(learn && { learn }),
      ...{ places, folder, version, agreesToAll: trusted, now: nodeClock.now },
      sources: { environment: process.env, input: environmentInput(process.env, learn) },
      timeoutMs: () => settings.get()["mcp.timeoutSeconds"] * 1000,
      maxToolTokens: () => settings.get()["mcp.maxToolTokens"],
      off: () => settings.get()["mcp.off"],
      warn: text => streams.err(`! ${text}\n`),
    });
  });
  process.on("exit", () => servers.killNow());
  return servers;
}

interface McpParts {
  trusted: boolean;
  settings: Pick<TerminalSettings, "get">;
  /** the user's own servers count although the workspace is not trusted: nothing of it starts them */
  readsUsers?: boolean;
  /** A value that is to be kept from the model. */
  learn?(value: string): void;
}

async function showModels(command: ModelsCommand, place: Place): Promise<number> {
  const settings = readSettings(place, flagSettings(command), command.trust);
  const models = createModels({ settings, apiKey: environmentKey, hash: nodeHash });
  const directory = new ModelDirectory({ settings, apiKey: environmentKey });
  const inUse = models.connect().catch((error: unknown) => errorMessage(error));
  return listModels(command, {
    ...{ shelves: await directory.all(new AbortController().signal), inUse: await inUse, streams: place.streams },
    ...{ favorites: settings.get()["model.favorites"], facts: modelFacts },
  });
}

const environmentKey = async ({ variables }: { variables: readonly string[] }) =>
  variables.map(name => process.env[name]).find(Boolean);

/** What needs no agent. */
async function withSessions(command: SessionCommand, place: Place): Promise<number> {
  const { storage, streams } = place;
  switch (command.kind) {
    case "sessions":
      await listSessions(storage, command, streams, command.size ? readSettings(place).get()["storage.maxBytes"] : 0);
      return EXIT.done;
    case "verify":
      return verify(storage, nodeHash, command, streams);
    case "show":
      if (command.permissions) {
        await showPermissions(storage, command.session, command.json, streams);
        return EXIT.done;
      }
      if (command.request) return showRequest(storage, nodeHash, { ...command, request: command.request }, streams);
      await showSession(storage, command.session, command.json, streams);
      return EXIT.done;
    case "recall":
      await recall(command, storage, nodeHash, streams);
      return EXIT.done;
    case "export": {
      const redactor = await buildRedactor(place);
      await redactor.refresh("workspace");
      const deps = {
        redact: redactor.redact,
        hash: nodeHash,
        newHash: nodeRunningHash,
        now: nodeClock.now,
        app: version,
      };
      const interrupts = watchInterrupts(streams);
      return exportToFile(command, { ...deps, write: writeExported, storage, streams, interrupts });
    }
    case "import": {
      const roots = await bothForms([place.workspace]);
      const deps = { storage, ids: nodeIds, newHash: nodeRunningHash, roots, read: readExported };
      return importFile(command.file, { ...deps, streams, interrupts: watchInterrupts(streams) });
    }
    case "remove": {
      const input = process.stdin.isTTY ? process.stdin : undefined;
      return removeSessions(command, { storage, streams, input, output: process.stderr });
    }
  }
}

async function withAgent(command: AgentCommand, place: Place): Promise<number> {
  const { streams, workspace, storageDir } = place;
  proxyFromEnvironment(process.env, text => streams.err(`${text}\n`));
  const loaded = readSettings(place, flagSettings(command), command.trust);
  const ownFolders = await bothForms([configDir(), storageDir, spendingDir()]);
  const sandbox = new NodeSandbox({
    ...{ ownFolders, keep: join(storageDir, "sandbox"), roots: () => nodeRoots([workspace]) },
    isSecret: variable => looksSecret(variable, MIN_ENV_LENGTH),
    forbidden: () => forbiddenPlaces(rulesInForce(loaded)),
  });
  const shell = ownShell(isKeyVariable, { variables: () => loaded.get()["bash.env"], sandbox });
  // However this process ends, unless it is killed outright: no command lives on without it.
  process.on("exit", () => {
    shell.killAll();
    sandbox.closeNow();
  });
  const servers = createMcp(place, {
    ...{ trusted: command.trust, settings: loaded },
    learn: value => ports.redactor.learn(`MCP_INPUT_SECRET=${JSON.stringify(value)}`),
  });
  const built = await buildPorts(command, { ...place, shell, sandbox, loaded, ownFolders });
  const ports: AgentPorts = { ...built, foreignTools: servers };
  const interrupts = watchInterrupts(streams);
  const environment = { streams, input: process.stdin, output: process.stderr, interrupts };
  const end = async () => {
    if (command.kind === "run") return run(command, ports, environment);
    return command.kind === "compact" ? compact(command, ports, environment) : undoOrRedo(command, ports, streams);
  };
  const code = await end().finally(() => Promise.all([built.telemetry.flush(), servers.close()]));
  if (code === EXIT.error && !("json" in command && command.json))
    streams.err(`What happened, in detail: the newest file in ${logFolder(storageDir)}\n`);
  return code;
}

function watchInterrupts(streams: Output): Interrupts {
  const interrupts = new Interrupts({ err: streams.err, quit: () => process.exit(EXIT.stopped) }).watch();
  streams.onFailure(() => interrupts.stop());
  return interrupts;
}

interface AgentPlace extends Place {
  shell: NodeShell;
  sandbox: NodeSandbox;
  loaded: TerminalSettings;
  ownFolders: string[];
}

async function buildPorts(
  command: AgentCommand,
  place: AgentPlace,
): Promise<AgentPorts & { telemetry: LateTelemetry }> {
  const { workspace, storageDir, storage, shell, sandbox, loaded, ownFolders } = place;
  const config = configDir();
  const trusted = command.trust;
  const settings = {
    get: () => loaded.get(),
    layers: () => loaded.layers(),
    allow: async (rules: readonly string[]) => {
      loaded.add(rules);
      await addAllowRules(config, rules).catch(error => {
        place.streams.err(
          `The rule could not be written into your settings: ${errorMessage(error)}. It holds for this run.\n`,
        );
      });
    },
  };
  const files = new NodeFiles([workspace]);
  const logger = createLogger(storageDir, loaded.get()["log.payload"]);
  const written = instructionPlaces(files, { logger, trusted: () => trusted });
  return {
    files,
    search: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots }),
    ...{ shell, sandbox },
    patterns: createPatterns(),
    storage,
    spending: new NodeSpending(spendingDir()),
    models: createModels({
      settings,
      apiKey: environmentKey,
      hash: nodeHash,
      toolRefusals: new NodeToolRefusals(config),
    }),
    rules: new NodeRules(written),
    skills: new NodeSkills(written),
    surroundings: { platform: process.platform, trusted: () => trusted, editor: () => undefined },
    settings,
    redactor: await buildRedactor(place, { files, logger }),
    clock: nodeClock,
    ids: nodeIds,
    hash: nodeHash,
    logger,
    telemetry: new LateTelemetry({ settings, env: process.env, logger, version }),
    attachments: terminalAttachments({ changes: readGitChanges, folder: workspace, trusted: () => trusted }),
    ownFolders,
    attended: Boolean(process.stdin.isTTY) && !command.json,
  };
}

/** Where people write rules, skills and prompts. */
const instructionPlaces = (files: Pick<NodeFiles, "roots">, how: { logger: Logger; trusted(): boolean }) => ({
  ...how,
  configDir: configDir(),
  roots: () => files.roots,
  protectedBecause: (ref: FileRef) => protectedBecause(ref, []),
});

/** @throws SettingsError */
function readSettings({ workspace, streams }: Place, flags: Partial<Settings> = {}, trusted = false): TerminalSettings {
  return loadSettings({
    configDir: configDir(),
    ...(trusted ? { trustedWorkspace: workspace } : {}),
    env: process.env,
    flags,
    managed: readManagedSettings(managedSettingsPath()),
    warn: text => streams.err(`${text}\n`),
  });
}

/** Knows the secrets of the environment and of former processes; those of the workspace's files with its first `refresh`. */
async function buildRedactor(
  { workspace, storageDir, streams }: Place,
  { files, logger } = { files: new NodeFiles([workspace]), logger: createLogger(storageDir) },
): Promise<Redactor> {
  const config = configDir();
  const warn = (text: string) => streams.err(`${text}\n`);
  const memory = new SecretMemory({ vault: new SecretFile(config), now: nodeClock.now, warn });
  await memory.load();
  const envFiles = new NodeEnvFiles({ roots: () => files.roots, logger });
  return createRedactor(keyedHash(userKey(config, warn)), { environment: process.env, envFiles, memory });
}

const logFolder = (storageDir: string) => join(storageDir, "logs");

function createLogger(storageDir: string, payload = false): NodeLogger {
  return new NodeLogger({ folder: logFolder(storageDir), clock: nodeClock, level: payload ? "debug" : "info" });
}

/** As they are called and as they are, links followed: what tools touch is named by the latter. */
async function bothForms(folders: string[]): Promise<string[]> {
  const real = await Promise.all(folders.map(folder => realPath(folder)));
  return [...new Set([...folders, ...real])].map(withSlashes);
}

function flagSettings({ model, provider, baseUrl, maxSteps, rules }: AgentCommand | ModelsCommand): Partial<Settings> {
  return {
    ...(model ? { "model.name": model } : {}),
    ...(provider ? { "model.provider": provider } : {}),
    ...(baseUrl ? { "model.baseUrl": baseUrl } : {}),
    ...(maxSteps ? { "agent.maxSteps": maxSteps } : {}),
    ...(rules && permissionFlags({ rules })),
  };
}

function permissionFlags({ rules, mode }: Pick<PermitCommand, "rules" | "mode">): Partial<Settings> {
  const given = rules && {
    "permissions.allow": rules.allow,
    "permissions.ask": rules.ask,
    "permissions.deny": rules.deny,
  };
  return { ...(mode && { "permissions.mode": mode }), ...given };
}

function openFolder(path: string): string {
  const folder = resolve(path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`The workspace ${folder} is not there. Name a folder with --workspace.`);
  if (!found.isDirectory()) throw new UsageError(`The workspace ${folder} is a file. Name a folder with --workspace.`);
  return folder;
}

/** What a person can mend is one sentence; anything else is a fault of ours, with its stack. */
function explain(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: `${error.message}\nstrata --help says more.`, code: EXIT.usage };
  if (error instanceof SettingsError || error instanceof NoRequestError)
    return { text: error.message, code: EXIT.usage };
  if (error instanceof ErrorForPeople) return { text: error.message, code: EXIT.error };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.error };
}

const output = new Output(process.stdout, process.stderr);
main(output).then(
  code => {
    if (output.complaint) output.err(`${output.complaint}\n`);
    process.exitCode = output.failure ? EXIT.error : code;
  },
  (error: unknown) => {
    const { text, code } = explain(error);
    output.err(`${text}\n`);
    process.exitCode = code;
  },
);
