/** Mentions in this window, in its documents and for the composer. Files are listed once something needs them. */

import * as vscode from "vscode";
import type { MentionSearch, Stopwatch, Timer } from "../../core/ground/ports";
import { commentLanguages } from "../../core/mentions/comments";
import type { ListedResource } from "../../core/mentions/resources";
import { workspaceFolders } from "../editor/documents";
import { Mentions } from "./documents";
import { FileLists } from "./fileLists";
import { NearbyFiles } from "./near";
import { type DiskPlaces, MentionAnswers, MentionPlaces } from "./places";
import { registerProviders } from "./providers";
import { WorkspaceWatch } from "./watch";
import { Workspace } from "./workspace";

/** For the composition root, which loads this file early and not adapters.ts. */
export { excludedGlobs } from "../search/virtualSearch";

interface MentionHostDeps {
  clock: Timer & Stopwatch;
  disk: DiskPlaces;
  channel: vscode.LogOutputChannel;
}

const SCHEMES = ["file", "untitled", "vscode-vfs", "vscode-scm"];
const PROSE = ["markdown", "plaintext", "git-commit", "scminput", "strata-prompt"];

export class MentionHost implements MentionSearch, vscode.Disposable {
  private readonly places: MentionPlaces;
  private readonly near = new NearbyFiles();
  private readonly lists: FileLists;
  private readonly workspace: Workspace;
  private watch: WorkspaceWatch | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: MentionHostDeps) {
    const { disk, channel, clock } = deps;
    const places = new MentionPlaces(disk);
    this.places = places;
    this.lists = new FileLists({
      clock,
      // Whether names that differ in case only are the same.
      ignoreCase: ["darwin", "win32"].includes(process.platform),
      files: (root, onFile, signal) => places.files(root, onFile, signal),
      log: message => channel.warn(message),
    });
    this.workspace = new Workspace({
      comments: inComments,
      near: () => this.near.now(),
      indexOf: root => this.lists.indexOf(root),
    });
    const answers = new MentionAnswers(places);
    const mentions = new Mentions(this.workspace, (...asked) => answers.look(...asked));
    const needs = (document: vscode.TextDocument) => this.needs(document) && this.begin();
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument(needs),
      registerProviders([...new Set([...PROSE, ...commentLanguages])], { mentions, lists: this.lists, needs }),
      this.near,
      this.lists,
    );
    vscode.workspace.textDocuments.forEach(needs);
  }

  async search(query: string, limit: number, signal: AbortSignal) {
    signal.throwIfAborted();
    if (workspaceFolders().length === 0) return { items: [], indexing: false };
    this.begin();
    const isBehind = this.lists.hurry();
    const items = this.workspace.items(query, limit);
    // What is looked for may have come just now.
    return { items, indexing: this.lists.indexing || (isBehind && items.length === 0) };
  }

  /** What MCP servers offer now. */
  setResources(resources: readonly ListedResource[]): void {
    this.workspace.resources = resources;
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.watch?.dispose();
  }

  /** Documents whose mentions count: by language, and by where they are. */
  private needs({ languageId, uri }: vscode.TextDocument): boolean {
    if (!SCHEMES.includes(uri.scheme) && !workspaceFolders().some(folder => folder.uri.scheme === uri.scheme))
      return false;
    return PROSE.includes(languageId) || (inComments() && commentLanguages.includes(languageId));
  }

  /** Lists the files, from the first time on. */
  private begin(): true {
    this.watch ??= this.follow();
    return true;
  }

  private follow(): WorkspaceWatch {
    const listAll = () => {
      const folders = this.places.folders();
      this.workspace.folders = folders;
      this.lists.keep(folders.map(({ uri }) => uri));
    };
    listAll();
    const changed = (root: string) => this.lists.changed(root);
    return new WorkspaceWatch({ clock: this.deps.clock, changed, foldersChanged: listAll });
  }
}

const inComments = () => vscode.workspace.getConfiguration("strata").get<boolean>("mentions.inComments") ?? true;
