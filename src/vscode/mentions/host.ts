/** Mentions in this window, in its documents and for the composer. Files are listed when they are asked for. */
import * as vscode from "vscode";
import type { MentionSearch, Stopwatch } from "../../core/ground/ports";
import type { ListedResource } from "../../core/mentions/resources";
import { mapBounded } from "../../shared/async";
import type { MentionItem } from "../../shared/findProtocol";
import { t } from "../../shared/l10n";
import { isDocTag, type Mention } from "../../shared/mentions/parse";
import { workspaceFolders } from "../editor/documents";
import { commentLanguages } from "./comments";
import { Mentions } from "./documents";
import { FileLists } from "./fileLists";
import { NearbyFiles } from "./near";
import type { Place } from "./pathIndex";
import { type EntryKind, type MentionFolder, Workspace } from "./workspace";

/** For the composition root, which loads this file early and not adapters.ts. */
export { workspaceFolders } from "../editor/documents";

const SCHEMES = ["file", "untitled", "vscode-scm"];
const PROSE = ["markdown", "plaintext", "git-commit", "scminput", "strata-prompt"];

/** The workspace's folders, by absolute, native paths; other paths are relative to the folder, '/' separators. */
interface DiskPlaces {
  /** in the order of the folders */
  names(): string[];
  files(folder: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void>;
  /** whether a path lies in one of the folders when links are followed */
  isInside(path: string): Promise<boolean>;
}

export class MentionHost implements MentionSearch, vscode.Disposable {
  private readonly disk: DiskPlaces;
  private readonly near = new NearbyFiles();
  private readonly lists: FileLists;
  private readonly workspace: Workspace;
  private readonly subscriptions: vscode.Disposable;

  constructor({ disk, channel, clock }: { clock: Stopwatch; disk: DiskPlaces; channel: vscode.LogOutputChannel }) {
    this.disk = disk;
    this.lists = new FileLists({
      clock,
      // Whether names that differ in case only are the same.
      ignoreCase: ["darwin", "win32"].includes(process.platform),
      files: (root, onFile, signal) => disk.files(vscode.Uri.parse(root).fsPath, onFile, signal),
      log: message => channel.warn(message),
    });
    this.workspace = new Workspace({
      comments: inComments,
      near: () => this.near.now(),
      indexOf: root => this.lists.indexOf(root),
    });
    const mentions = new Mentions(this.workspace, asked => kindsOf(asked, disk));
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
    this.workspace.folders = this.folders();
    this.lists.refresh(this.workspace.folders.map(({ uri }) => uri));
    return this.lists;
  }

  private folders(): MentionFolder[] {
    const names = this.disk.names();
    return workspaceFolders().map(({ uri }, index) => ({ uri: uri.toString(), name: names[index] ?? "" }));
  }

  /** Documents whose mentions count: by language, and by where they are. */
  private needs({ languageId, uri }: vscode.TextDocument): boolean {
    if (
      !SCHEMES.includes(uri.scheme) ||
      !(PROSE.includes(languageId) || (inComments() && commentLanguages.includes(languageId)))
    )
      return false;
    this.workspace.folders = this.folders();
    return true;
  }
}

/** undefined: there is nothing, or it is outside of the workspace, also where a link leads there */
const kindsOf = (places: readonly Place[], disk: DiskPlaces): Promise<(EntryKind | undefined)[]> =>
  mapBounded(places, MAX_CONCURRENT_STATS, async place => {
    const uri = uriOf(place);
    try {
      const { type } = await vscode.workspace.fs.stat(uri);
      if (!(await disk.isInside(uri.fsPath))) return undefined;
      if (type & vscode.FileType.Directory) return "folder";
      return type & vscode.FileType.File ? "file" : undefined;
    } catch {
      // It cannot be looked at: nothing is known.
      return undefined;
    }
  });

/** Files that are looked at at the same time. */
const MAX_CONCURRENT_STATS = 16;

const uriOf = ({ root, path }: Place): vscode.Uri =>
  path === "" ? vscode.Uri.parse(root) : vscode.Uri.joinPath(vscode.Uri.parse(root), path);

const inComments = () => vscode.workspace.getConfiguration("strata").get<boolean>("mentions.inComments") ?? true;

/** `@` begins a mention, the others are no letters: the editor would not ask again by itself. A blank ends it, or is quoted. */
const TRIGGERS = ["@", "/", '"', ":", ".", "-", " "];

interface ProviderDeps {
  mentions: Mentions;
  /** Files are asked for. */
  refresh(): FileLists;
  /** whether mentions count in a document */
  needs(document: vscode.TextDocument): boolean;
}

function registerProviders(languages: readonly string[], deps: ProviderDeps): vscode.Disposable {
  const { mentions, needs } = deps;
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      languages,
      { provideCompletionItems: (document, position, token) => completion(document, position, token, deps) },
      ...TRIGGERS,
    ),
    vscode.languages.registerDocumentLinkProvider(languages, {
      provideDocumentLinks: document => (needs(document) ? links(document, mentions) : []),
    }),
    vscode.languages.registerDefinitionProvider(languages, {
      provideDefinition: (document, position) => (needs(document) ? definition(document, position, mentions) : []),
    }),
  );
}

/** The editor filters by the text before the cursor, so each item says that it is that text, and `sortText` has the order. Incomplete: it asks again with every letter. */
async function completion(
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
  { mentions, refresh, needs }: ProviderDeps,
): Promise<vscode.CompletionList | undefined> {
  const line = document.lineAt(position.line).text.slice(0, position.character);
  // Asked with every dot of code: nothing is worked out where no mention can be.
  if (!line.includes("@") || !needs(document)) return undefined;
  if (isDocTag(line) && document.languageId !== "markdown") return undefined;
  const offset = document.offsetAt(position);
  const { version } = document;
  let typed = mentions.completion(document, offset);
  if (!typed) return undefined;
  const lists = refresh();
  // The file may have come just now.
  if (typed.items.length === 0 && lists.isListing) {
    await lists.listed();
    if (token.isCancellationRequested || document.version !== version) return undefined;
    typed = mentions.completion(document, offset);
  }
  if (!typed) return undefined;
  const range = rangeOf(document, typed);
  const text = line.slice(range.start.character);
  const items = typed.items.map((item, index) => completionItem(item, index, { range, text }));
  return new vscode.CompletionList(items, true);
}

/** From `@` on. */
type TextBeforeCursor = { range: vscode.Range; text: string };

const { File: file, Folder: folder, Reference } = vscode.CompletionItemKind;
const kinds = { file, folder, attachment: Reference, resource: Reference };

function completionItem(item: MentionItem, index: number, { range, text }: TextBeforeCursor): vscode.CompletionItem {
  const { kind, mention, hint, open } = item;
  const label = kind === "folder" && hint ? `${item.label}:` : item.label;
  const isFile = kind === "file" || kind === "folder";
  const made = new vscode.CompletionItem(labelOf(label, item), kinds[kind]);
  made.detail = isFile ? label : (hint ?? "");
  // Beginning with what was typed, all match alike; the path lets them match what is typed next. Between the two is
  // nothing that can be typed: a blank would otherwise keep the list open.
  made.filterText = `${text}\u0001${label}`;
  made.sortText = String(index).padStart(4, "0");
  made.range = range;
  made.insertText = mention;
  if (!open && kind !== "folder") return made;
  // A folder that was chosen is asked for what is in it; the cursor stays within the quotes.
  if (mention.endsWith('"'))
    made.insertText = new vscode.SnippetString().appendText(mention.slice(0, -1)).appendTabstop(0).appendText('"');
  made.command = { title: t("Show what is in it"), command: "editor.action.triggerSuggest" };
  return made;
}

/** @param path for people */
function labelOf(path: string, { kind, hint }: MentionItem): string | vscode.CompletionItemLabel {
  if (hint) return kind === "folder" ? { label: path, description: hint } : path;
  if (kind !== "file" && kind !== "folder") return path;
  const cut = path.lastIndexOf(path.includes("/") ? "/" : ":") + 1;
  const label = path.slice(cut) + (kind === "folder" ? "/" : "");
  return { label, description: path.slice(0, Math.max(0, cut - 1)) };
}

/** Folders cannot be opened, only shown in the explorer. */
const links = async (document: vscode.TextDocument, mentions: Mentions): Promise<vscode.DocumentLink[]> =>
  (await mentions.linked(document)).map(({ mention, place, kind }) => {
    const uri = uriOf(place);
    const reveal = () => vscode.Uri.parse(`command:revealInExplorer?${encodeURIComponent(JSON.stringify([uri]))}`);
    const target = kind === "folder" ? reveal() : uri.with({ fragment: fragmentOf(mention) });
    const link = new vscode.DocumentLink(rangeOf(document, mention), target);
    link.tooltip = kind === "folder" ? t("Show in the explorer") : t("Open the file");
    return link;
  });

/** The file and the lines that a mention names; none of a folder, which cannot be opened. */
async function definition(document: vscode.TextDocument, position: vscode.Position, mentions: Mentions) {
  const mention = mentions.at(document, document.offsetAt(position));
  const [found] = mention ? await mentions.named([mention]) : [];
  if (!mention || found?.kind !== "file") return [];
  const { first = 1, last = 0 } = mention.range ?? {};
  const targetRange = new vscode.Range(first - 1, 0, last, 0);
  const targetSelectionRange = new vscode.Range(targetRange.start, targetRange.start);
  const originSelectionRange = rangeOf(document, mention);
  return [{ originSelectionRange, targetUri: uriOf(found.place), targetRange, targetSelectionRange }];
}

const rangeOf = (document: vscode.TextDocument, { start, end }: { start: number; end: number }) =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** As the editor reads it: `L10-L40`. */
function fragmentOf({ range }: Mention): string {
  if (!range) return "";
  return range.first === range.last ? `L${range.first}` : `L${range.first}-L${range.last}`;
}
