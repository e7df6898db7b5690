/** The parts of the agent: those that look at the editor, its mentions, the shell, storage, and MCP servers. */

import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import type {
  Clock,
  EnvFiles,
  FileRef,
  Files,
  Logger,
  MentionSearch,
  NamedValue,
  Redactor,
  ServerOffers,
  SettingsSource,
} from "../core/ground/ports";
import { LazyServers } from "../mcp/lazyServers";
import type { NodeSandbox, NodeSandboxOptions } from "../node/sandbox/sandbox";
import type { WorktreeDeps } from "../node/worktrees/worktrees";
import { t } from "../shared/l10n";
import type { TerminalCommands } from "../vscode/attachments/terminal";
import type { VSCodeFiles } from "../vscode/files/files";
import type { MentionHost } from "../vscode/mentions/host";
import { warn } from "../vscode/platform/messages";
import type { VSCodeSearchDeps } from "../vscode/search/unsavedSearch";

/** What the editor shows, and what its checkers say. */
export function createEditorParts(
  { subscriptions }: vscode.ExtensionContext,
  editor: typeof import("../vscode/agent"),
  { nodeClock: clock, readGitChanges: changes }: typeof import("../node/adapters"),
  { files, terminals }: { files: VSCodeFiles; terminals: TerminalCommands },
) {
  const refOf = (uri: vscode.Uri) => files.refIfAny(uri);
  const diagnostics = new editor.VSCodeDiagnostics({ documents: files.documents, refOf, clock });
  const inUse = new editor.LastActiveEditor();
  subscriptions.push(diagnostics, inUse);
  const attachments = editor.editorAttachments({ diagnostics, terminals, files, changes, inUse });
  const surroundings = new editor.VSCodeSurroundings(process.platform, uri => files.pathOf(uri), inUse);
  const code = new editor.VSCodeCode({ documents: files.documents, refOf, clock });
  const unsaved = new editor.UnsavedDocuments(files);
  const more = { unsaved, tellsStart: true as const };
  return { inUse, diagnostics, code, attachments, surroundings, ...more };
}

/** The channel for people; each day's lines, whole, in a file. */
export function openLog(
  { subscriptions, logUri }: vscode.ExtensionContext,
  { channelLogger }: typeof import("../vscode/agent"),
  { NodeLogger, nodeClock: clock }: typeof import("../node/adapters"),
) {
  const channel = vscode.window.createOutputChannel("Strata", { log: true });
  subscriptions.push(channel);
  channel.info(t("Each day's log, whole, as JSON: {0}", logUri.fsPath));
  for (const { name, uri } of vscode.workspace.workspaceFolders ?? [])
    if (uri.scheme !== "file") channel.warn(t("{0} is left out: it is on no disk of this machine.", name));
  const logFile = new NodeLogger({ folder: logUri.fsPath, clock, level: "debug" });
  return { channel, logFile, logger: channelLogger(channel, logFile) };
}

/** Gives folders for unsaved text that is searched. What a window left behind that was killed while it searched goes first. */
export async function scratchFolders(
  storage: vscode.Uri,
  { nodeIds, newScratchFolder, removeFolder }: typeof import("../node/adapters"),
  logger: Logger,
): Promise<VSCodeSearchDeps["newScratch"]> {
  const scratch = vscode.Uri.joinPath(storage, "unsaved");
  await removeFolder(scratch.fsPath).catch(error =>
    logger.log("warning", "unsaved text of a search before was not removed", { error: String(error) }),
  );
  return () => newScratchFolder(vscode.Uri.joinPath(scratch, nodeIds.next("s")).fsPath);
}

/** @param saved told of each text that is written without the editor, by its path */
export function createFiles(
  { VSCodeFiles, workspaceFolders }: typeof import("../vscode/agent"),
  { NodeFiles, nodeHash: hash }: typeof import("../node/adapters"),
  { saved, saveEdits }: { saved(path: string, text: string): void; saveEdits(): boolean },
) {
  const known = new Map<string, string>();
  const files = new VSCodeFiles({
    folders: () => workspaceFolders().map(folder => folder.uri),
    disk: folders => new NodeFiles(folders, saved, undefined, known),
    hash,
    saveEdits,
  });
  return files;
}

/** One ripgrep for the workspace, one for folders of which all is to be searched. */
export function createSearch(
  editor: typeof import("../vscode/agent"),
  { RipgrepSearch, vscodeRipgrep }: typeof import("../node/adapters"),
  deps: { files: VSCodeFiles } & Pick<VSCodeSearchDeps, "ownFolders" | "newScratch">,
) {
  const ripgrepPath = () => vscodeRipgrep(vscode.env.appRoot);
  const encoding = (ref: FileRef) => editor.editorsEncoding(deps.files.documents.uriOf(ref));
  const onDisk = (within: { readonly roots: Files["roots"] }) =>
    new RipgrepSearch({ ripgrepPath, excludes, roots: () => within.roots, encoding });
  const engine = new RipgrepSearch({ ripgrepPath, roots: () => [], everything: true });
  return { search: new editor.VSCodeSearch({ ...deps, disk: onDisk(deps.files), engine }), onDisk };
}

/** What the editor hides from lists and searches: globs, relative to each root. Those that depend on a sibling (`when`) are the explorer's affair. */
function excludes(): string[] {
  const settings = ["files.exclude", "search.exclude"].map(
    name => vscode.workspace.getConfiguration().get<Record<string, unknown>>(name) ?? {},
  );
  return [...new Set(settings.flatMap(globs => Object.keys(globs).filter(glob => globs[glob] === true)))];
}

export interface MentionSupport extends MentionSearch {
  /** Resources of MCP servers, for completion. */
  offered(resources: Parameters<MentionHost["setResources"]>[0]): void;
}

export const tellMentionsFail = (error: unknown) => void warn(t("File mentions do not work: {0}", String(error)));

/** Mentions in editors and in the composer. */
export async function startMentions(context: vscode.ExtensionContext, clock: Clock): Promise<MentionHost> {
  const [{ MentionHost, workspaceFolders }, { WorkspaceFiles, vscodeRipgrep }] = await Promise.all([
    import("../vscode/mentions/host"),
    import("../node/workspaceFiles"),
  ]);
  const disk = new WorkspaceFiles({
    excludes,
    ripgrepPath: () => vscodeRipgrep(vscode.env.appRoot),
    folders: () => workspaceFolders().map(({ uri }) => uri.fsPath),
  });
  const channel = vscode.window.createOutputChannel("Strata Mentions", { log: true });
  const host = new MentionHost({ disk, channel, clock });
  context.subscriptions.push(host, channel);
  return host;
}

interface ShellParts extends Pick<NodeSandboxOptions, "roots" | "ownFolders" | "imported" | "warn"> {
  looksSecret(variable: NamedValue): boolean;
  isKeyVariable(name: string): boolean;
  settings: SettingsSource;
  /** the agent's own folder */
  storage: string;
}

/** Commands, and the sandbox for them. */
export function createShell(
  { forbiddenPlaces, onTextSaved, rulesInForce }: typeof import("../vscode/agent"),
  { configDir, NodeSandbox, ownShell }: typeof import("../node/adapters"),
  { isKeyVariable, looksSecret, settings, storage, ...place }: ShellParts,
) {
  const sandbox = new NodeSandbox({
    ...place,
    keep: join(storage, "sandbox"),
    undecided: join(configDir(), "undecided"),
    forbidden: () => forbiddenPlaces(rulesInForce(settings)),
    readable: () => settings.get()["bash.read"],
    hosts: () => settings.get()["bash.network"],
    isOff: () => settings.get()["bash.sandbox"] === "off",
  });
  const saves = onTextSaved((path, text) => sandbox.saved(path, text));
  const roots = () => place.roots().map(({ path }) => path);
  const shell = ownShell(isKeyVariable, {
    variables: () => settings.get()["bash.env"],
    ...{ looksSecret, sandbox, roots },
  });
  // However this process ends, no command lives on without it (where it is killed outright: LiveCommands in shell/commandProcesses.ts).
  process.once("exit", () => {
    shell.killAll();
    sandbox.closeNow();
  });
  const endCommands = () => {
    saves.dispose();
    shell.killAll();
    return sandbox.close();
  };
  return { shell, sandbox, endCommands };
}

/** Commands in the sandbox get these only where a person named them. */
export const secretVariables = async () => (await import("../core/secrets/shapes")).holdsSecret;

/** Sessions, what puts files back for them, and working trees for their agents. */
export function createStorage(
  folder: string,
  node: Pick<typeof import("../node/adapters"), "NodeStorage" | "rewinding" | "unreviewedDir" | "worktreesFor">,
  how: Omit<WorktreeDeps, "keep">,
) {
  const storage = new node.NodeStorage(folder, { marks: node.unreviewedDir() });
  const keep = join(folder, "baselines");
  return { storage, worktrees: node.worktreesFor({ ...how, keep }), ...node.rewinding(how.roots, keep, how.logger) };
}

/** As they are called and as they are, links followed: what tools touch is named by the latter. */
export async function ownFolders(
  { globalStorageUri, storageUri, logUri }: vscode.ExtensionContext,
  others: readonly string[],
  { realPath, withSlashes }: typeof import("../node/adapters"),
): Promise<string[]> {
  const uris = [globalStorageUri, logUri, ...(storageUri ? [storageUri] : [])];
  const folders = [...uris.map(uri => uri.fsPath), ...others];
  // one that cannot be followed (no permission, a circle of links) counts as it is called
  const real = await Promise.all(folders.map(folder => realPath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real].map(withSlashes))];
}

/**
 * What hides secrets: its key and what placeholders stand for stay in the secret storage. With the logger of all that is made
 * after it: whoever has the bare one could write a secret into the day's log.
 */
export async function createHiding(
  { subscriptions }: vscode.ExtensionContext,
  secrets: vscode.SecretStorage,
  { envFiles, bare, now, warn }: { envFiles: EnvFiles; bare: Logger; now(): number; warn(text: string): void },
) {
  const [{ createRedactor, redactingLogger }, { SecretMemory }, { SecretStorageVault, redactionKey }] =
    await Promise.all([
      import("../core/secrets/redact"),
      import("../core/secrets/secretMemory"),
      import("../vscode/agent"),
    ]);
  const vault = new SecretStorageVault(secrets);
  const memory = new SecretMemory({ vault, now, warn });
  // Another window read a secret that this one may have to put back.
  subscriptions.push(vault.onDidChange(() => void memory.load()));
  const [key] = await Promise.all([redactionKey(secrets, () => randomBytes(32).toString("hex")), memory.load()]);
  const keyedHash = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  const redactor = createRedactor(keyedHash, { environment: process.env, envFiles, memory });
  return { memory, redactor, logger: redactingLogger(bare, redactor.redact) };
}

export interface ServerWiring {
  context: vscode.ExtensionContext;
  configDir: string;
  clock: Clock;
  sandbox: NodeSandbox;
  settings: SettingsSource;
  trusted(): boolean;
  roots(): readonly { path: string }[];
  channel: vscode.LogOutputChannel;
  offered(offers: readonly ServerOffers[]): void;
}

/** MCP servers: VS Code's own file for the user and Strata's, and the workspace's; in one that is not trusted, none. */
export function createMcp(
  { context, configDir, clock, sandbox, settings, trusted, roots, channel, offered }: ServerWiring,
  editor: Pick<typeof import("../vscode/agent"), "askInput" | "openAddress">,
  secrets: vscode.SecretStorage,
  redactor: Redactor,
): LazyServers {
  const ofProfile = join(context.globalStorageUri.fsPath, "..", "..", "mcp.json");
  const userFiles = [ofProfile, join(configDir, "mcp.json")].map(path => ({ path, shown: path }));
  const places = () =>
    trusted() ? { userFiles, folders: roots().map(({ path }) => path) } : { userFiles: [], folders: [] };
  const learn = (value: string) => redactor.learn(`MCP_INPUT_SECRET=${JSON.stringify(value)}`);
  const servers = new LazyServers(
    places,
    async () => {
      const { McpServers, askedInput } = await import("../mcp/servers");
      const input = askedInput({
        ...{ environment: process.env, secrets, ask: editor.askInput },
        learn: (value, { secret }) => void (secret && learn(value)),
      });
      return new McpServers({
        places,
        folder: join(configDir, "mcp"),
        ...{ clock, sandbox, secrets },
        version: String(context.extension.packageJSON.version),
        sources: { environment: process.env, input },
        learn,
        elicits: true,
        openAddress: editor.openAddress,
        timeoutMs: () => settings.get()["mcp.timeoutSeconds"] * 1000,
        maxToolTokens: () => settings.get()["mcp.maxToolTokens"],
        off: () => settings.get()["mcp.off"],
        warn: text => channel.warn(redactor.redact(text)),
      });
    },
    offered,
  );
  process.once("exit", () => servers.killNow());
  return servers;
}
