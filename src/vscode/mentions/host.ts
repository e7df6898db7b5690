/**
 * Mentions in this window: decides when the mention server is needed (a document that may have mentions, a question of the
 * composer), and starts it once. The protocol's client is loaded with it.
 */

import * as vscode from "vscode";
import type { MentionSearch, Stopwatch, Timer } from "../../core/ground/ports";
import { commentLanguages } from "../../core/mentions/comments";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import type { WindowParams } from "../../shared/mentions/serverProtocol";
import { workspaceFolders } from "../editor/documents";
import type { MentionClient } from "./client";
import { FileLists } from "./fileLists";
import { NearbyFiles } from "./near";
import { type DiskPlaces, MentionAnswers, MentionPlaces } from "./places";
import { WorkspaceWatch } from "./watch";

/** For the composition root, which loads this file early and not adapters.ts. */
export { excludedGlobs } from "../search/virtualSearch";

interface MentionHostDeps {
  clock: Timer & Stopwatch;
  /** absolute path of the server's program */
  program: string;
  disk: DiskPlaces;
  /** closed by the host, last */
  channel: vscode.LogOutputChannel;
}

const SCHEMES = ["file", "untitled", "vscode-vfs", "vscode-scm"];
const PROSE = ["markdown", "plaintext", "git-commit", "scminput", "strata-prompt"];

export class MentionHost implements MentionSearch, vscode.Disposable {
  private readonly places: MentionPlaces;
  private started: Promise<MentionClient> | undefined;
  private lists: FileLists | undefined;
  private resources: NonNullable<WindowParams["resources"]> = [];
  private isDisposed = false;
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(private readonly deps: MentionHostDeps) {
    this.places = new MentionPlaces(deps.disk);
    const open = (document: vscode.TextDocument) => {
      if (this.needs(document)) void this.client().catch(() => undefined); // said in the log, tried again by the next one
    };
    this.subscriptions.push(
      vscode.workspace.onDidOpenTextDocument(open),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration("strata.mentions")) vscode.workspace.textDocuments.forEach(open);
      }),
    );
    for (const document of vscode.workspace.textDocuments) open(document);
  }

  async search(query: string, limit: number, signal: AbortSignal) {
    if (workspaceFolders().length === 0) return { items: [], indexing: false };
    const client = await this.client();
    const isBehind = this.lists?.hurry() ?? false;
    const { items, indexing } = await client.search({ query, limit }, signal);
    // What is looked for may have come just now.
    return { items, indexing: indexing || (isBehind && items.length === 0) };
  }

  /** What MCP servers offer now. Starts nothing. */
  setResources(resources: NonNullable<WindowParams["resources"]>): void {
    if (JSON.stringify(resources) === JSON.stringify(this.resources)) return;
    this.resources = resources;
    // A server that does not run learns of them when it starts.
    void this.started?.then(client => client.window({ resources })).catch(() => undefined);
  }

  /** Documents whose mentions count: by language, and by where they are. */
  needs({ languageId, uri }: vscode.TextDocument): boolean {
    if (!schemes().includes(uri.scheme)) return false;
    return PROSE.includes(languageId) || (inComments() && commentLanguages.includes(languageId));
  }

  dispose(): void {
    this.isDisposed = true;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
    void this.closeLog();
  }

  /** Last: into it is written how the server ended. */
  private async closeLog(): Promise<void> {
    const client = await this.started?.catch(() => undefined); // it did not start, or it ended at once
    await client?.ended;
    this.deps.channel.dispose();
  }

  private client(): Promise<MentionClient> {
    this.started ??= this.start().catch(error => {
      this.started = undefined;
      if (this.isDisposed) throw error;
      this.deps.channel.error(t("The mention server could not be started: {0}", errorMessage(error)));
      throw error;
    });
    return this.started;
  }

  private async start(): Promise<MentionClient> {
    const { MentionClient } = await import("./client");
    this.throwIfDisposed();
    const { places } = this;
    const { channel, clock } = this.deps;
    const workspace = () => ({ folders: places.folders(), ignoreCase: ignoresCase(), comments: inComments() });
    const window = () => ({ workspace: workspace(), near: near.now(), resources: [...this.resources] });
    const answers = new MentionAnswers(places);
    const client = new MentionClient({
      ...{ program: this.deps.program, channel, schemes: schemes(), window },
      languages: [...new Set([...PROSE, ...commentLanguages])],
      look: params => answers.look(params),
      onRunning: () => {
        // What changed since it was asked how it starts was told to nobody.
        client.window(window());
        lists.keep([]);
        listAll();
      },
    });
    const lists = new FileLists({
      clock,
      files: (root, onFile, signal) => places.files(root, onFile, signal),
      tell: part => client.files(part),
      log: message => channel.warn(message),
    });
    this.lists = lists;
    const listAll = () => lists.keep(places.folders().map(({ uri }) => uri));
    const near = new NearbyFiles(params => client.window({ near: params }), clock);
    const watch = new WorkspaceWatch({
      clock,
      changed: root => lists.changed(root),
      workspaceChanged: () => {
        client.window({ workspace: workspace() });
        listAll();
      },
    });
    const parts = vscode.Disposable.from(watch, near, lists, client);
    try {
      await client.start();
      // A client that starts cannot be stopped: only now it can.
      this.throwIfDisposed();
    } catch (error) {
      parts.dispose();
      if (this.isDisposed) await client.ended;
      throw error;
    }
    this.subscriptions.push(parts);
    return client;
  }

  private throwIfDisposed(): void {
    if (this.isDisposed) throw new Error("The window was closed while the mention server started.");
  }
}

const inComments = () => vscode.workspace.getConfiguration("strata").get<boolean>("mentions.inComments") ?? true;

/** Whether names that differ in case only are the same. */
const ignoresCase = () => ["darwin", "win32"].includes(process.platform);

function schemes(): string[] {
  return [...new Set([...SCHEMES, ...workspaceFolders().map(({ uri }) => uri.scheme)])];
}
