/** Mentions in this window, in its documents and for the composer. Files are listed when they are asked for. */
import * as vscode from "vscode";
import type { MentionSearch, Stopwatch } from "../../core/ground/ports";
import type { ListedResource } from "../../core/mentions/resources";
import { workspaceFolders } from "../editor/documents";
import { commentLanguages } from "./comments";
import { Mentions } from "./documents";
import { FileLists } from "./fileLists";
import { NearbyFiles } from "./near";
import { type DiskPlaces, MentionPlaces } from "./places";
import { registerProviders } from "./providers";
import { Workspace } from "./workspace";

/** For the composition root, which loads this file early and not adapters.ts. */
export { excludedGlobs } from "../search/virtualSearch";

const SCHEMES = ["file", "untitled", "vscode-vfs", "vscode-scm"];
const PROSE = ["markdown", "plaintext", "git-commit", "scminput", "strata-prompt"];

export class MentionHost implements MentionSearch, vscode.Disposable {
  private readonly places: MentionPlaces;
  private readonly near = new NearbyFiles();
  private readonly lists: FileLists;
  private readonly workspace: Workspace;
  private readonly subscriptions: vscode.Disposable;

  constructor({ disk, channel, clock }: { clock: Stopwatch; disk: DiskPlaces; channel: vscode.LogOutputChannel }) {
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
    const mentions = new Mentions(this.workspace, asked => places.kindsOf(asked));
    const languages = [...new Set([...PROSE, ...commentLanguages])];
    const needs = (document: vscode.TextDocument) => this.needs(document);
    const providers = registerProviders(languages, { mentions, needs, refresh: () => this.refresh() });
    this.subscriptions = vscode.Disposable.from(providers, this.near, this.lists);
  }

  async search(query: string, limit: number, signal: AbortSignal) {
    signal.throwIfAborted();
    const { isFirst, isListing } = this.refresh();
    const items = this.workspace.items(query, limit);
    // The file may have come just now.
    return { items, indexing: isFirst || (isListing && items.length === 0) };
  }

  setResources(resources: readonly ListedResource[]): void {
    this.workspace.resources = resources;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Files are asked for. */
  private refresh(): FileLists {
    this.workspace.folders = this.places.folders();
    this.lists.refresh(this.workspace.folders.map(({ uri }) => uri));
    return this.lists;
  }

  /** Documents whose mentions count: by language, and by where they are. */
  private needs({ languageId, uri }: vscode.TextDocument): boolean {
    const isOurs = SCHEMES.includes(uri.scheme) || workspaceFolders().some(folder => folder.uri.scheme === uri.scheme);
    if (!isOurs || !(PROSE.includes(languageId) || (inComments() && commentLanguages.includes(languageId))))
      return false;
    this.workspace.folders = this.places.folders();
    return true;
  }
}

const inComments = () => vscode.workspace.getConfiguration("strata").get<boolean>("mentions.inComments") ?? true;
