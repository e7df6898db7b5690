/**
 * The composition root in VS Code: builds, wires, disposes; no logic. Activation registers the view and the commands and
 * loads nothing else: what does the work comes with the first panel or command (`import()`).
 */
import { createHmac, randomBytes } from "node:crypto";
import * as vscode from "vscode";
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
  const channel = vscode.window.createOutputChannel("Strata", { log: true });
  context.subscriptions.push(channel);
  const [{ createAgent }, { ApiKey }] = await Promise.all([import("./vscode/agent"), import("./vscode/secrets")]);
  const key = new ApiKey(context.secrets, process.env.OPENAI_API_KEY);
  return createAgent({ ports: await createPorts(context, channel, key), key, channel, state: context.workspaceState });
}

async function createPorts(
  context: vscode.ExtensionContext,
  channel: vscode.LogOutputChannel,
  key: InstanceType<typeof import("./vscode/secrets").ApiKey>,
) {
  const [core, models, node, editor] = await Promise.all([
    import("./core/redact"),
    import("./models/index"),
    nodeAdapters(),
    editorAdapters(),
  ]);
  const { nodeClock: clock, nodeIds: ids, nodeHash: hash } = node;
  const storage = context.storageUri ?? context.globalStorageUri;
  const file = new node.NodeLogger({ folder: context.logUri.fsPath, clock, level: "debug" });
  const logger = new editor.ChannelLogger(channel, file);
  const settings = new editor.VSCodeSettings(message => void vscode.window.showWarningMessage(message));
  const files = new editor.VSCodeFiles({
    disk: folders => new node.NodeFiles(folders),
    hash,
    saveEdits: () => settings.get()["edits.save"],
  });
  const roots = () => files.roots;
  const surroundings = new editor.VSCodeSurroundings(process.platform, uri => files.pathOf(uri));
  const trusted = () => surroundings.trusted();
  const ripgrep = new node.RipgrepSearch({
    ripgrepPath: () => node.vscodeRipgrep(vscode.env.appRoot),
    roots,
    excludes: editor.excludedGlobs,
  });
  const scratch = vscode.Uri.joinPath(storage, "unsaved");
  return {
    ...{ files, settings, surroundings, logger, clock, ids, hash },
    search: new editor.VSCodeSearch({ disk: ripgrep, documents: files.documents, scratch, newId: () => ids.next("s") }),
    shell: new node.NodeShell(),
    storage: new node.NodeStorage(storage.fsPath),
    models: models.createModels({ settings, apiKey: () => key.get(), hash }),
    rules: new node.NodeRules({ roots, configDir: node.configDir(), trusted, logger }),
    redactor: core.createRedactor(await keyedHash(context.secrets)),
    ownFolders: [context.globalStorageUri, context.storageUri, context.logUri]
      .flatMap(uri => (uri ? [uri.fsPath] : []))
      .concat(node.configDir())
      .map(path => path.replaceAll("\\", "/")),
    attended: true,
  };
}

async function nodeAdapters() {
  const modules = await Promise.all([
    import("./node/files"),
    import("./node/logger"),
    import("./node/ripgrep"),
    import("./node/rules"),
    import("./node/shell"),
    import("./node/storage/sessionStorage"),
    import("./node/system"),
  ]);
  const [files, logger, ripgrep, rules, shell, storage, system] = modules;
  return { ...files, ...logger, ...ripgrep, ...rules, ...shell, ...storage, ...system };
}

async function editorAdapters() {
  const modules = await Promise.all([
    import("./vscode/excludes"),
    import("./vscode/files"),
    import("./vscode/logger"),
    import("./vscode/search"),
    import("./vscode/settings"),
    import("./vscode/surroundings"),
  ]);
  const [excludes, files, logger, search, settings, surroundings] = modules;
  return { ...excludes, ...files, ...logger, ...search, ...settings, ...surroundings };
}

/** The key stays in the secret storage: placeholders of secrets are the same in every session. */
async function keyedHash(secrets: vscode.SecretStorage): Promise<(text: string) => string> {
  const name = "strata.redactionKey";
  const stored = await secrets.get(name);
  const key = stored ?? randomBytes(32).toString("hex");
  if (!stored) await secrets.store(name, key);
  return text => createHmac("sha256", key).update(text).digest("hex");
}
