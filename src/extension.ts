/**
 * The composition root in VS Code: builds, wires, disposes; no logic. Activation registers the view and the commands and
 * loads nothing else: what does the work comes with the first panel or command (`import()`, files of their own in dist/).
 */
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type {
  EnvFiles,
  FileRef,
  Logger,
  MentionSearch,
  NamedValue,
  Patterns,
  Redactor,
  ServerOffers,
  SettingsSource,
} from "./core/ports";
import { LazyServers } from "./mcp/lazyServers";
import type { NodeSandboxOptions } from "./node/sandbox/sandbox";
import type { Agent } from "./vscode/agent";
import { TerminalCommands } from "./vscode/attachments/terminal";
import { commandNames, registerSelectionAction } from "./vscode/commands/registration";
import type { VSCodeFiles } from "./vscode/files/files";
import type { MentionHost } from "./vscode/mentions/host";
import { PlanFiles } from "./vscode/panel/planFiles";
import { ProposalFiles } from "./vscode/panel/proposalFiles";
import { PanelView } from "./vscode/panel/view";
import { once } from "./vscode/platform/async";
import { warn } from "./vscode/platform/messages";
import type { VSCodeSearchDeps } from "./vscode/search/unsavedSearch";

/** What other extensions, and tests, get from `activate`. */
export interface StrataApi {
  readonly version: 1;
  /** Loads what is behind the panel, once. A panel is whatever speaks shared/panelProtocol: `agent().panel.connect`. */
  agent(): Promise<Agent>;
}

export const { activate, deactivate } = createExtension();

interface Start {
  context: vscode.ExtensionContext;
  proposed: ProposalFiles;
  plans: PlanFiles;
  terminals: TerminalCommands;
  mentions: Mentions;
  view: PanelView;
}

interface Mentions extends MentionSearch {
  /** Resources of MCP servers, for completion. */
  offered(resources: Parameters<MentionHost["setResources"]>[0]): void;
}

/** Mentions in documents wait so long, ms: VS Code and what the person looks at come first. */
const MENTIONS_WAIT_MS = 300;
/** So do changes that wait for a review. */
const REVIEW_WAIT_MS = 600;

function createExtension() {
  let started: Promise<Agent> | undefined;
  return {
    activate(context: vscode.ExtensionContext): StrataApi {
      const proposed = new ProposalFiles();
      const plans = new PlanFiles(vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, "sessions"));
      const terminals = new TerminalCommands();
      const host = once(() => startMentions(context));
      const mentions: Mentions = {
        search: async (...query) => (await host()).search(...query),
        offered: resources => void host().then(at => at.setResources(resources), told),
      };
      const soon = setTimeout(() => host().catch(told), MENTIONS_WAIT_MS);
      const agent = once(() => {
        started = startAgent({ context, proposed, plans, terminals, mentions, view });
        return started;
      });
      const view = new PanelView({
        ...{ extensionUri: context.extensionUri, state: context.workspaceState },
        read: name => readFileSync(join(context.extensionPath, "dist/webview", name), "utf8"),
        host: async () => (await agent()).panel,
      });
      context.subscriptions.push(
        new vscode.Disposable(() => clearTimeout(soon)),
        proposed,
        plans,
        terminals,
        view,
        // What waits for a review is marked from the start.
        ...(context.workspaceState.get(REVIEW_WAITS) ? [lateStart(agent)] : []),
        registerSelectionAction(),
        ...commandNames.map(name =>
          vscode.commands.registerCommand(`strata.${name}`, async (argument, more) =>
            (await agent()).run(name, argument, more),
          ),
        ),
      );
      return { version: 1, agent };
    },
    /** VS Code waits for it, some seconds at most. */
    async deactivate(): Promise<void> {
      const agent = await started?.catch(() => undefined);
      await agent?.close();
    },
  };
}

/** As `WAITING` in vscode/review has it. */
const REVIEW_WAITS = "strata.reviewWaits";

function lateStart(agent: () => Promise<unknown>): vscode.Disposable {
  const soon = setTimeout(
    () => agent().catch(error => void warn(`Changes to review are not marked: ${error}`)),
    REVIEW_WAIT_MS,
  );
  return new vscode.Disposable(() => clearTimeout(soon));
}

/** A workspace has hooks that nobody agreed to. */
const hooksWait = (path: string) => {
  const show = "Show Hooks";
  void warn(`The hooks in ${path} do not run until you agree to them.`, show).then(
    chosen => chosen === show && vscode.commands.executeCommand("strata.showHooks"),
  );
};

const told = (error: unknown) => void warn(`Mentions of files do not work: ${error}`);

/** Mentions in editors; their server is started by the first document that needs it. */
async function startMentions(context: vscode.ExtensionContext): Promise<MentionHost> {
  const [{ MentionHost, excludedGlobs: excludes }, { WorkspaceFiles, vscodeRipgrep }] = await Promise.all([
    import("./vscode/mentions/host"),
    import("./node/workspaceFiles"),
  ]);
  const folders = () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const disk = new WorkspaceFiles({
    ...{ excludes, ripgrepPath: () => vscodeRipgrep(vscode.env.appRoot) },
    folders: () => folders().flatMap(uri => (uri.scheme === "file" ? [uri.fsPath] : [])),
  });
  const channel = vscode.window.createOutputChannel("Strata Mentions", { log: true });
  const host = new MentionHost({ disk, channel, program: context.asAbsolutePath("dist/mentionServer.js") });
  context.subscriptions.push(host);
  return host;
}

async function startAgent({ context, proposed, plans, terminals, mentions, view }: Start): Promise<Agent> {
  const [editor, node, { createModels, isKeyVariable, ModelDirectory }, { isSecret }] = await Promise.all([
    import("./vscode/agent"),
    import("./node/adapters"),
    import("./models/index"),
    secretVariables(),
  ]);
  const { nodeClock: clock, nodeIds: ids, nodeHash: hash } = node;
  const { channel, logFile, logger } = openLog(context, editor, node);
  const secrets = editor.usableSecrets(context.secrets, warn);
  const key = new editor.ApiKey(secrets, process.env);
  const storage = context.storageUri ?? context.globalStorageUri;
  const settings = new editor.VSCodeSettings(warn, node.managedSettings());
  const version = String(context.extension.packageJSON.version);
  const telemetry = new node.LateTelemetry({ settings, env: process.env, logger, version });
  const files = new editor.VSCodeFiles({
    folders: () => editor.workspaceFolders().map(folder => folder.uri),
    disk: (folders, names) => new node.NodeFiles(folders, names),
    hash,
    saveEdits: () => settings.get()["edits.save"],
  });
  const roots = () => files.diskRoots;
  const { inUse, ...around } = lookAround(context, editor, node, { files, terminals });
  const trusted = () => around.surroundings.trusted();
  const configDir = node.configDir();
  const own = await ownFolders(context, [configDir, node.spendingDir()], node);
  const protectedBecause = (ref: FileRef) => editor.protectedBecause(ref, own);
  const newScratch = await scratchFolders(storage, node, logger);
  const { shell, sandbox, endCommands } = createShell(editor, node, {
    ...{ roots, ownFolders: own, keep: join(storage.fsPath, "sandbox"), isKeyVariable, settings, isSecret },
  });
  const envFiles = new node.NodeEnvFiles({ roots, logger });
  const { redactor, memory } = await hiding(context, secrets, { envFiles, now: clock.now, warn });
  const [patterns, editorModels] = [node.createPatterns(), new editor.VSCodeModels()];
  const how: McpParts = {
    ...{ context, configDir, settings, trusted, roots, channel },
    offered: offers => mentions.offered(editor.listedResources(offers)),
    sample: (request, signal) => agent.sample(request, signal),
  };
  const mcp = createMcp(how, editor, secrets, redactor);
  const toolRefusals = new node.NodeToolRefusals(configDir);
  const apiKey = (place: Parameters<typeof key.get>[0]) => key.get(place);
  const ports = {
    ...{ ...around, files, settings, logger, clock, ids, hash, shell, sandbox },
    ...kept(storage.fsPath, node, { roots, logger, settings }),
    search: createSearch(editor, node, { files, patterns, ownFolders: own, newScratch }),
    spending: new node.NodeSpending(node.spendingDir()),
    models: createModels({ settings, apiKey, hash, editorModels, toolRefusals }),
    skills: new node.NodeSkills({ roots, configDir, trusted, logger, protectedBecause }),
    hooks: new node.NodeHooks({ roots, configDir, trusted, logger, waiting: hooksWait }),
    rules: new editor.RoutedRules({
      disk: new node.NodeRules({ roots, configDir, trusted, logger, protectedBecause }),
      ...{ roots: () => files.roots, trusted },
    }),
    ...{ patterns, foreignTools: mcp, offers: mcp, redactor, telemetry, ownFolders: own, attended: true, titles: true },
  };
  const { writeExported: write, readExported: read, nodeRunningHash: newHash } = node;
  const agent = editor.createAgent({
    ...{ ports, key, editorModels, channel, inUse, state: context.workspaceState },
    ...{ exported: { write, read, newHash, app: version }, proposed, plans, mentions, view, mcp: () => mcp.get() },
    directory: new ModelDirectory({ settings, apiKey, editorModels }),
    git: { readChanges: node.readGitChanges, readSubjects: node.readRecentSubjects },
  });
  const end = () => Promise.all([memory.flush(), endCommands(), telemetry.flush(), logFile.flush(), mcp.close()]);
  return { ...agent, close: () => agent.close().finally(end) };
}

/** Sessions, and what puts files back for them. */
function kept(
  folder: string,
  node: Pick<typeof import("./node/adapters"), "NodeStorage" | "rewinding">,
  { settings, ...how }: { roots(): readonly { path: string }[]; logger: Logger; settings: SettingsSource },
) {
  const storage = new node.NodeStorage(folder);
  const maxBytes = () => settings.get()["storage.maxBytes"];
  return { storage, ...node.rewinding({ ...how, storage, maxBytes, keep: join(folder, "baselines") }) };
}

interface McpParts {
  context: vscode.ExtensionContext;
  configDir: string;
  settings: SettingsSource;
  trusted(): boolean;
  roots(): readonly { path: string }[];
  channel: vscode.LogOutputChannel;
  /** asks the person, then their model, for a server */
  sample: Agent["sample"];
  offered(offers: readonly ServerOffers[]): void;
}

/** MCP servers: VS Code's own file for the user and Strata's, and the workspace's; in one that is not trusted, none. */
function createMcp(
  { context, configDir, settings, trusted, roots, channel, offered, sample }: McpParts,
  editor: Pick<typeof import("./vscode/agent"), "askedInputs" | "openAddress">,
  secrets: Pick<vscode.SecretStorage, "get" | "store" | "delete">,
  redactor: Pick<Redactor, "learn">,
): LazyServers {
  const ofProfile = join(context.globalStorageUri.fsPath, "..", "..", "mcp.json");
  const userFiles = [ofProfile, join(configDir, "mcp.json")].map(path => ({ path, shown: path }));
  const places = () =>
    trusted() ? { userFiles, folders: roots().map(({ path }) => path) } : { userFiles: [], folders: [] };
  const learn = (value: string) => redactor.learn(`MCP_INPUT_SECRET=${JSON.stringify(value)}`);
  const input = editor.askedInputs(secrets, learn);
  const servers = new LazyServers(
    places,
    async () => {
      const { McpServers } = await import("./mcp/servers");
      return new McpServers({
        ...{ places, folder: join(configDir, "mcp"), agreesToAll: false, now: Date.now },
        version: String(context.extension.packageJSON.version),
        ...{ sources: { environment: process.env, input }, learn },
        secrets: {
          get: async key => secrets.get(key),
          set: async (key, text) => secrets.store(key, text),
          delete: async key => secrets.delete(key),
        },
        elicits: true,
        openAddress: editor.openAddress,
        timeoutMs: () => settings.get()["mcp.timeoutSeconds"] * 1000,
        maxToolTokens: () => settings.get()["mcp.maxToolTokens"],
        off: () => settings.get()["mcp.off"],
        tellsRoots: () => settings.get()["mcp.roots"],
        sampling: { names: () => settings.get()["mcp.sampling"], answer: sample },
        warn: text => channel.warn(text),
      });
    },
    offered,
  );
  process.once("exit", () => servers.killNow());
  return servers;
}

/** What the editor shows, and what its checkers say. */
function lookAround(
  { subscriptions }: vscode.ExtensionContext,
  editor: typeof import("./vscode/agent"),
  { nodeClock: clock, readGitChanges: changes }: typeof import("./node/adapters"),
  { files, terminals }: { files: VSCodeFiles; terminals: TerminalCommands },
) {
  const refOf = (uri: vscode.Uri) => files.refIfAny(uri);
  const diagnostics = new editor.VSCodeDiagnostics({ documents: files.documents, refOf, clock });
  const inUse = new editor.LastActiveEditor();
  subscriptions.push(diagnostics, inUse);
  const selection = new editor.EditorSelection(files, inUse);
  const attachments = editor.editorAttachments({ diagnostics, terminals, files, changes, selection });
  const surroundings = new editor.VSCodeSurroundings(process.platform, uri => files.pathOf(uri), inUse);
  const code = new editor.VSCodeCode({ documents: files.documents, refOf });
  const unsaved = new editor.UnsavedDocuments(files);
  return { inUse, diagnostics, code, attachments, surroundings, unsaved, editorTasks: new editor.VSCodeTasks() };
}

/** The channel for people; each day's lines, whole, in a file. */
function openLog(
  { subscriptions, logUri }: vscode.ExtensionContext,
  { ChannelLogger }: typeof import("./vscode/agent"),
  { NodeLogger, nodeClock: clock }: typeof import("./node/adapters"),
) {
  const channel = vscode.window.createOutputChannel("Strata", { log: true });
  subscriptions.push(channel);
  channel.info(`Each day's log, whole, as JSON: ${logUri.fsPath}`);
  const logFile = new NodeLogger({ folder: logUri.fsPath, clock, level: "debug" });
  return { channel, logFile, logger: new ChannelLogger(channel, logFile) };
}

interface ShellParts extends Pick<NodeSandboxOptions, "roots" | "ownFolders" | "keep" | "isSecret"> {
  isKeyVariable(name: string): boolean;
  settings: SettingsSource;
}

/** Commands, and the sandbox for them. */
function createShell(
  { forbiddenPlaces, rulesInForce }: typeof import("./vscode/agent"),
  { NodeSandbox, ownShell }: typeof import("./node/adapters"),
  { isKeyVariable, settings, ...place }: ShellParts,
) {
  const sandbox = new NodeSandbox({ ...place, forbidden: () => forbiddenPlaces(rulesInForce(settings)) });
  const shell = ownShell(isKeyVariable, { variables: () => settings.get()["bash.env"], sandbox });
  // However this process ends, unless it is killed outright: no command lives on without it.
  process.once("exit", () => {
    shell.killAll();
    sandbox.closeNow();
  });
  const endCommands = () => {
    shell.killAll();
    return sandbox.close();
  };
  return { shell, sandbox, endCommands };
}

/** Commands in the sandbox do not get these. */
async function secretVariables() {
  const { looksSecret, MIN_ENV_LENGTH } = await import("./core/secrets/looksSecret");
  return { isSecret: (variable: NamedValue) => looksSecret(variable, MIN_ENV_LENGTH) };
}

/** Gives folders for unsaved text that is searched. What a window left behind that was killed while it searched goes first. */
async function scratchFolders(
  storage: vscode.Uri,
  { nodeIds, newScratchFolder, removeFolder }: typeof import("./node/adapters"),
  logger: Logger,
): Promise<VSCodeSearchDeps["newScratch"]> {
  const scratch = vscode.Uri.joinPath(storage, "unsaved");
  await removeFolder(scratch.fsPath).catch(error =>
    logger.log("warning", "unsaved text of a search before was not removed", { error: String(error) }),
  );
  return () => newScratchFolder(vscode.Uri.joinPath(scratch, nodeIds.next("s")).fsPath);
}

/** Each place is searched by what reaches it; one ripgrep for the workspace, one for folders of which all is to be searched. */
function createSearch(
  { VSCodeSearch, routedSearch, VirtualSearch, excludedGlobs: excludes }: typeof import("./vscode/agent"),
  { RipgrepSearch, vscodeRipgrep }: typeof import("./node/adapters"),
  deps: { files: VSCodeFiles; patterns: Patterns } & Pick<VSCodeSearchDeps, "ownFolders" | "newScratch">,
) {
  const { files, patterns } = deps;
  const ripgrepPath = () => vscodeRipgrep(vscode.env.appRoot);
  const disk = new RipgrepSearch({ ripgrepPath, excludes, roots: () => files.diskRoots });
  const engine = new RipgrepSearch({ ripgrepPath, roots: () => [], everything: true });
  const search = new VSCodeSearch({ ...deps, disk, engine });
  return routedSearch(search, new VirtualSearch({ files, excludes, patterns }));
}

/** As they are called and as they are, links followed: what tools touch is named by the latter. */
async function ownFolders(
  { globalStorageUri, storageUri, logUri }: vscode.ExtensionContext,
  others: readonly string[],
  { realPath, withSlashes }: typeof import("./node/adapters"),
): Promise<string[]> {
  const uris = [globalStorageUri, logUri, ...(storageUri ? [storageUri] : [])];
  const folders = [...uris.map(uri => uri.fsPath), ...others];
  // one that cannot be followed (no permission, a circle of links) counts as it is called
  const real = await Promise.all(folders.map(folder => realPath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real].map(withSlashes))];
}

/** What hides secrets: its key and what placeholders stand for stay in the secret storage. */
async function hiding(
  { subscriptions }: vscode.ExtensionContext,
  secrets: Pick<vscode.SecretStorage, "get" | "store" | "delete" | "onDidChange">,
  { envFiles, now, warn }: { envFiles: EnvFiles; now(): number; warn(text: string): void },
) {
  const [{ createRedactor }, { SecretMemory }, { SecretStorageVault, redactionKey }] = await Promise.all([
    import("./core/secrets/redact"),
    import("./core/secrets/secretMemory"),
    import("./vscode/agent"),
  ]);
  const vault = new SecretStorageVault(secrets);
  const memory = new SecretMemory({ vault, now, warn });
  // Another window read a secret that this one may have to put back.
  subscriptions.push(vault.onDidChange(() => void memory.load()));
  const [key] = await Promise.all([redactionKey(secrets, () => randomBytes(32).toString("hex")), memory.load()]);
  const keyedHash = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  return { memory, redactor: createRedactor(keyedHash, { environment: process.env, envFiles, memory }) };
}
