/**
 * The composition root in VS Code: builds, wires, disposes; no logic. Activation registers the view and the commands and
 * loads nothing else: what does the work comes with the first panel or command (`import()`, files of their own in dist/).
 */
import { createHmac, randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { EnvFiles } from "./core/ports";
import type { Agent } from "./vscode/agent";
import { commandNames } from "./vscode/commandNames";
import { registerView } from "./vscode/panel/view";
import { registerSelectionAction } from "./vscode/selection";

/** What other extensions, and tests, get from `activate`. */
export interface StrataApi {
  readonly version: 1;
  /** Loads what is behind the panel, once. A panel is whatever speaks shared/panelProtocol: `agent().panel.connect`. */
  agent(): Promise<Agent>;
}

export const { activate, deactivate } = createExtension();

function createExtension() {
  let started: Promise<Agent> | undefined;
  return {
    activate(context: vscode.ExtensionContext): StrataApi {
      const agent = () => {
        started ??= startAgent(context).catch(error => {
          started = undefined; // the next panel or command tries again
          throw error;
        });
        return started;
      };
      context.subscriptions.push(
        registerView({ extensionUri: context.extensionUri, host: async () => (await agent()).panel }),
        registerSelectionAction(),
        ...commandNames.map(name =>
          vscode.commands.registerCommand(`strata.${name}`, async argument => (await agent()).run(name, argument)),
        ),
      );
      return { version: 1, agent };
    },
    /** VS Code waits for it, some seconds at most. */
    async deactivate(): Promise<void> {
      await started?.then(
        agent => agent.close(),
        () => undefined,
      );
    },
  };
}

async function startAgent(context: vscode.ExtensionContext): Promise<Agent> {
  const [editor, node, { createModels }] = await Promise.all([
    import("./vscode/adapters"),
    import("./node/adapters"),
    import("./models/index"),
  ]);
  const { nodeClock: clock, nodeIds: ids, nodeHash: hash } = node;
  const channel = vscode.window.createOutputChannel("Strata", { log: true });
  context.subscriptions.push(channel);
  const logFile = new node.NodeLogger({ folder: context.logUri.fsPath, clock, level: "debug" });
  const logger = new editor.ChannelLogger(channel, logFile);
  const warn = (message: string) => void vscode.window.showWarningMessage(message);
  const secrets = editor.usableSecrets(context.secrets, warn);
  const key = new editor.ApiKey(secrets, process.env.OPENAI_API_KEY);
  const storage = context.storageUri ?? context.globalStorageUri;
  const settings = new editor.VSCodeSettings(warn);
  const files = new editor.VSCodeFiles({
    folders: () => editor.fileFolders().map(folder => folder.uri),
    disk: folders => new node.NodeFiles(folders),
    hash,
    saveEdits: () => settings.get()["edits.save"],
  });
  const roots = () => files.roots;
  const surroundings = new editor.VSCodeSurroundings(process.platform, uri => files.pathOf(uri));
  const configDir = node.configDir();
  const ripgrep = new node.RipgrepSearch({
    ripgrepPath: () => node.vscodeRipgrep(vscode.env.appRoot),
    roots,
    excludes: editor.excludedGlobs,
  });
  const own = await ownFolders(context, configDir, node);
  const scratch = vscode.Uri.joinPath(storage, "unsaved");
  // what a window left behind that was killed while it searched
  await node
    .removeFolder(scratch.fsPath)
    .catch(error => logger.log("warning", "unsaved text of a search before was not removed", { error: String(error) }));
  const shell = new node.NodeShell();
  // However this process ends, unless it is killed outright: no command lives on without it.
  process.once("exit", () => shell.killAll());
  const { redactor, memory } = await hiding(context, secrets, {
    envFiles: new node.NodeEnvFiles({ roots, logger }),
    now: clock.now,
    warn,
  });
  const ports = {
    ...{ files, settings, surroundings, logger, clock, ids, hash },
    shell,
    search: new editor.VSCodeSearch({
      ...{ disk: ripgrep, documents: files.documents, scratch, ownFolders: own },
      makePrivateFolder: node.makePrivateFolder,
      newId: () => ids.next("s"),
    }),
    storage: new node.NodeStorage(storage.fsPath),
    models: createModels({ settings, apiKey: () => key.get(), hash }),
    rules: new node.NodeRules({ roots, configDir, trusted: () => surroundings.trusted(), logger }),
    redactor,
    ownFolders: own,
    attended: true,
  };
  const exported = exportedFiles(node, context);
  const agent = editor.createAgent({ ports, key, channel, state: context.workspaceState, exported });
  const end = async () => {
    shell.killAll();
    await memory.flush();
  };
  return { ...agent, close: () => agent.close().finally(end) };
}

function exportedFiles(
  { writeExported: write, readExported: read, nodeRunningHash: newHash }: typeof import("./node/adapters"),
  { extension }: vscode.ExtensionContext,
) {
  return { write, read, newHash, app: String(extension.packageJSON.version) };
}

/** As they are called and as they are, links followed: what tools touch is named by the latter. */
async function ownFolders(
  { globalStorageUri, storageUri, logUri }: vscode.ExtensionContext,
  configDir: string,
  { realPath, withSlashes }: typeof import("./node/adapters"),
): Promise<string[]> {
  const uris = [globalStorageUri, logUri, ...(storageUri ? [storageUri] : [])];
  const folders = [...uris.map(uri => uri.fsPath), configDir];
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
    import("./core/redact"),
    import("./core/secrets/memory"),
    import("./vscode/adapters"),
  ]);
  const vault = new SecretStorageVault(secrets);
  const memory = new SecretMemory({ vault, now, warn });
  // Another window read a secret that this one may have to put back.
  subscriptions.push(vault.onDidChange(() => void memory.load()));
  const [key] = await Promise.all([redactionKey(secrets, () => randomBytes(32).toString("hex")), memory.load()]);
  const keyedHash = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  return { memory, redactor: createRedactor(keyedHash, { environment: process.env, envFiles, memory }) };
}
