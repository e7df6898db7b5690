/**
 * The composition root in VS Code: builds, wires, disposes; no logic. Activation registers the view and the commands and
 * loads nothing else: what does the work comes with the first panel or command (`import()`, files of their own in dist/).
 */
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { FileRef } from "./core/ground/ports";
import { isDemoWindow, newDemo, startDemo } from "./extension/demo";
import * as parts from "./extension/editor";
import { nodeClock } from "./node/system";
import { loadTranslation, t } from "./shared/l10n";
import type { Agent } from "./vscode/agent";
import { TerminalCommands } from "./vscode/attachments/terminal";
import { leadsTo, registerCodeActions, registerCommands } from "./vscode/commands/registration";
import { PlanFileSystem } from "./vscode/panel/conversation/planFiles";
import { ProposalFiles } from "./vscode/panel/conversation/proposalFiles";
import { PanelTabs } from "./vscode/panel/pages/tabs";
import { PanelView, revealView } from "./vscode/panel/pages/view";
import { lastSession, type WebviewPageDeps } from "./vscode/panel/pages/webviewPage";
import { Drafts } from "./vscode/panel/sessions/drafts";
import { once } from "./vscode/platform/async";
import { warn } from "./vscode/platform/messages";

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
  plans: PlanFileSystem;
  terminals: TerminalCommands;
  mentions: parts.MentionSupport;
  view: PanelView;
  tabs: PanelTabs;
  drafts: Drafts;
}

/** Mentions in documents wait so long, ms: VS Code and what the person looks at come first. */
const MENTIONS_WAIT_MS = 300;
/** So do changes that wait for a review. */
const REVIEW_WAIT_MS = 600;

function createExtension() {
  let started: Promise<Agent> | undefined;
  let loaded: Agent | undefined;
  return {
    activate(context: vscode.ExtensionContext): StrataApi {
      loadTranslation(vscode.l10n.bundle);
      const proposed = new ProposalFiles(nodeClock);
      const plans = new PlanFileSystem(vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, "sessions"));
      const terminals = new TerminalCommands();
      const host = once(() => parts.startMentions(context, nodeClock));
      const mentions: parts.MentionSupport = {
        search: async (...query) => (await host()).search(...query),
        offered: resources => void host().then(at => at.setResources(resources), parts.tellMentionsFail),
      };
      const callOff = nodeClock.after(MENTIONS_WAIT_MS, () => void host().catch(parts.tellMentionsFail));
      const agent = once(() => {
        started = startAgent({ context, proposed, plans, terminals, mentions, view, tabs, drafts });
        return started.then(agent => (loaded = agent));
      });
      const last = lastSession(context.workspaceState);
      const drafts = new Drafts(context.workspaceState);
      const pages: WebviewPageDeps = {
        ...{ extensionUri: context.extensionUri, drafts },
        read: name => readFileSync(join(context.extensionPath, "dist/webview", name), "utf8"),
        host: async () => (await agent()).panel,
      };
      const [view, tabs] = [new PanelView(pages, last), new PanelTabs(pages)];
      context.subscriptions.push(
        new vscode.Disposable(callOff),
        proposed,
        plans,
        terminals,
        view,
        tabs,
        // What waits for a review is marked from the start.
        ...(context.workspaceState.get(REVIEW_WAITS) ? [lateStart(agent)] : []),
        registerCodeActions(),
        registerCommands(context.extension, async (name, argument, more) => {
          const way = leadsTo(name);
          const here = way === "here" ? loaded?.sessions.active : undefined;
          // First: until the focus has moved, keys change the editor. A key that moved it says so: a second move would lose keys.
          const moved = argument?.focused !== true && way && (here?.reveal ?? revealView)();
          const [{ run }] = await Promise.all([agent(), moved]);
          await run(name, argument, more);
        }),
      );
      if (context.extensionMode === vscode.ExtensionMode.Development) context.subscriptions.push(reloadOnBuild());
      // Who opened the demo wants to see Strata.
      if (isDemoWindow()) void revealView();
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
  const tell = (error: unknown) => void warn(t("Changes to review are not marked: {0}", String(error)));
  return new vscode.Disposable(nodeClock.after(REVIEW_WAIT_MS, () => void agent().catch(tell)));
}

const pictureWorker = (context: vscode.ExtensionContext) => context.asAbsolutePath("dist/pictureWorker.js");

async function startAgent({ context, terminals, ...shown }: Start): Promise<Agent> {
  const [editor, node, { createModels, isKeyVariable, ModelDirectory }, looksSecret] = await Promise.all([
    import("./vscode/agent"),
    import("./node/adapters"),
    import("./models/index"),
    parts.secretVariables(),
  ]);
  const { nodeClock: clock, nodeIds: ids, nodeHash: hash } = node;
  const { channel, logFile, logger: bare } = parts.openLog(context, editor, node);
  const secrets = editor.usableSecrets(context.secrets, warn);
  const envFiles = new node.NodeEnvFiles({ roots: () => files.roots, logger: bare });
  const of = { envFiles, bare, now: clock.now, warn };
  const { redactor, memory, logger } = await parts.createHiding(context, secrets, of);
  const [key, storage] = [new editor.ApiKey(secrets, process.env), context.storageUri ?? context.globalStorageUri];
  const settings = new editor.VSCodeSettings(warn, node.managedSettings(), await startDemo(context));
  const version = String(context.extension.packageJSON.version);
  const telemetry = new node.OtlpTelemetry({ settings, env: process.env, logger, version });
  const saved = (path: string, text: string) => sandbox.saved(path, () => text);
  const files = parts.createFiles(editor, node, { saved, saveEdits: () => settings.get()["edits.save"] });
  const roots = () => files.roots;
  const { inUse, ...around } = parts.createEditorParts(context, editor, node, { files, terminals });
  const trusted = () => around.surroundings.trusted();
  const configDir = node.configDir();
  const own = await parts.ownFolders(context, [configDir, node.spendingDir(), node.unreviewedDir()], node);
  const protectedBecause = (ref: FileRef) => editor.protectedBecause(ref, own);
  const newScratch = await parts.scratchFolders(storage, node, logger);
  const { shell, sandbox, endCommands } = parts.createShell(editor, node, {
    ...{ roots, ownFolders: own, storage: storage.fsPath, isKeyVariable, settings, looksSecret, warn },
    imported: () => ports.rules.imported,
  });
  const by = { madeByCommand: (...made: Parameters<typeof sandbox.mayHaveMade>) => sandbox.mayHaveMade(...made) };
  const written = { roots, configDir, trusted, logger, protectedBecause, ruledOut: editor.ruledOut(settings), ...by };
  const [{ patientFetch }, editorModels] = [node, editor.editorModels];
  const mcpParts: parts.ServerWiring = {
    ...{ context, configDir, clock, sandbox, settings, trusted, roots, channel },
    offered: offers => shown.mentions.offered(editor.listedResources(offers)),
  };
  const mcp = parts.createMcp(mcpParts, editor, secrets, redactor);
  const apiKey = (place: Parameters<typeof key.get>[0]) => key.get(place);
  const { search, onDisk } = parts.createSearch(editor, node, { files, ownFolders: own, newScratch });
  const [rules, skills] = [new node.NodeRules(written), new node.NodeSkills(written)];
  const { surroundings } = around;
  const trees = { roots, logger, shell, sandbox, rules, skills, surroundings, search: onDisk };
  const ports = {
    ...{ ...around, files, settings, logger, clock, ids, hash, shell, sandbox, search, rules, skills },
    ...parts.createStorage(storage.fsPath, node, trees),
    ...{ spending: new node.NodeSpending(node.spendingDir()), pictures: new node.NodePictures(pictureWorker(context)) },
    models: createModels({ settings, apiKey, hash, clock, editorModels, fetch: patientFetch }),
    hooks: new node.NodeHooks({ roots, configDir, trusted, logger, sandbox }),
    ...{ foreignTools: mcp, offers: mcp, redactor, telemetry, ownFolders: own, answers: "now" as const, titles: true },
  };
  const { writeExported: write, readExported: read, nodeRunningHash: newHash } = node;
  const agent = editor.createAgent({
    ...{ ports, key, editorModels, channel, inUse, state: context.workspaceState, newDemo: () => newDemo(context) },
    ...{ ...shown, terminals, exported: { write, read, newHash, app: version }, mcp: () => mcp.get() },
    directory: new ModelDirectory({ settings, apiKey, clock, editorModels }),
    git: { readChanges: node.readGitChanges, readSubjects: node.readRecentSubjects },
  });
  const end = () => Promise.all([memory.flush(), endCommands(), telemetry.flush(), logFile.flush(), mcp.close()]);
  return { ...agent, close: () => agent.close().finally(end) };
}

/** In development, `npm run watch` writes this file after each build. */
function reloadOnBuild(): vscode.Disposable {
  const built = join(__dirname, "../out/built");
  const reload = () => void vscode.commands.executeCommand("workbench.action.reloadWindow");
  watchFile(built, { persistent: false, interval: 300 }, reload);
  return new vscode.Disposable(() => unwatchFile(built, reload));
}
