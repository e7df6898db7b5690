/** Rules of folders that are on no disk, after those that are: the same names, the same bound (docs/context.md). */

import * as vscode from "vscode";
import type { FileRef, Root, RuleFile, Rules } from "../../core/ground/ports";
import { isOnDisk } from "../../core/ground/ports/files";
import { t } from "../../shared/l10n";
import { isBelow, relativeTo } from "../../shared/paths";
import {
  type RuleImport as Import,
  importsOf,
  notThere,
  type RuleAt,
  type UnreadImport,
  withImports,
} from "../../shared/ruleImports";
import { isLawFile, isNestedRules, MAX_RULES_BYTES, nestedRules, RULES_FILES } from "../../shared/rulesFiles";
import { listEntries } from "./storedFiles";

const MAX_READ_BYTES = 4 * 1024 * 1024;

/** `path` as RuleFile has it, `key` its URI */
type RulePath = Pick<RuleFile, "path"> & { uri: vscode.Uri; root: Root; key: string };
type RuleFileText = Pick<RuleFile, "text" | "cutBytes"> & { imports: readonly Import[] };

/** `disk`: the user's own, and those of folders on disk */
interface RoutedRulesDeps {
  disk: Rules;
  roots(): readonly Root[];
  trusted(): boolean;
  /** Why nobody may read the file unasked; undefined: everybody may. */
  protectedBecause(file: FileRef): string | undefined;
  ruledOut(file: FileRef, isImport: boolean): string | undefined;
}

/** Asked before every model step: what has not changed is not read again. */
export class RoutedRules implements Rules {
  private readonly texts = new Map<string, { version: string; text: RuleFileText | undefined }>();

  private readonly elsewhere = new Set<string>();

  constructor(private readonly deps: RoutedRulesDeps) {}

  get imported(): ReadonlySet<string> {
    return new Set([...this.deps.disk.imported, ...this.elsewhere]);
  }

  async read(nested: readonly string[] = []): Promise<RuleFile[]> {
    const rules = await this.deps.disk.read(nested);
    const { roots } = this;
    if (roots.length === 0) return rules;
    const places = (await Promise.all(roots.map(root => this.rulePlaces(root)))).flat();
    const below = nested.flatMap(path => roots.flatMap(root => this.nestedPlace(root, path)));
    return [...rules, ...(await this.readRules([...places, ...below], rules))];
  }

  async nested(file: Pick<FileRef, "absolute">): Promise<RuleFile[]> {
    const root = this.roots.find(({ path }) => isBelow(path, file.absolute));
    if (!root) return this.deps.disk.nested(file);
    const places = nestedRules(relativeTo(root.path, file.absolute)).map(name => this.placeIn(root, name));
    return this.readRules(places, await this.read());
  }

  private get roots(): readonly Root[] {
    return this.deps.trusted() ? this.deps.roots().filter(root => !isOnDisk(root)) : [];
  }

  private async rulePlaces(root: Root): Promise<RulePath[]> {
    const names = (await listEntries(vscode.Uri.parse(root.uri))).map(([name]) => name);
    const laws = names.filter(isLawFile).sort();
    const others = RULES_FILES.filter(name => names.includes(name.split("/")[0] ?? ""));
    return [...laws, ...others].map(name => this.placeIn(root, name));
  }

  private placeIn(root: Root, name: string): RulePath {
    const named = this.deps.roots().length > 1;
    const uri = vscode.Uri.joinPath(vscode.Uri.parse(root.uri), name);
    return { uri, root, key: uri.toString(), path: (named ? `${root.name}:` : "") + name };
  }

  private nestedPlace(root: Root, path: string): RulePath[] {
    const named = this.deps.roots().length > 1;
    if (named && !path.startsWith(`${root.name}:`)) return [];
    const relative = named ? path.slice(root.name.length + 1) : path;
    return isNestedRules(relative) ? [this.placeIn(root, relative)] : [];
  }

  /** @param before rules that are there already: the same text is given once */
  private async readRules(places: readonly RulePath[], before: readonly RuleFile[]): Promise<RuleFile[]> {
    const found = await Promise.all(places.map(place => this.at(place, false)));
    const there = found.flatMap(each => each ?? []);
    return withImports(there, new Set(before.map(({ text }) => text)), (named, by) => this.open(named, by));
  }

  private async at(place: RulePath, isImport: boolean): Promise<RuleAt<RulePath, RuleFile> | undefined> {
    const found = await this.text(place);
    if (!found) return undefined;
    const { imports, ...text } = found;
    const problem = this.withheldBecause(place, isImport);
    const rule = { path: place.path, trust: "rules" as const };
    if (problem !== undefined) return { place, rule: { ...rule, text: "", cutBytes: 0, problem }, imports: [] };
    return { place, rule: { ...rule, ...text }, imports };
  }

  private withheldBecause({ uri, root, path }: RulePath, isImport: boolean): string | undefined {
    const relative = relativeIn(root, uri) ?? "";
    const ref = { uri: uri.toString(), absolute: `${root.path}/${relative}`, path, relative, inside: true };
    if (isImport && this.deps.protectedBecause(ref) !== undefined) return t("It is a protected file.");
    return this.deps.ruledOut(ref, isImport);
  }

  /** Of its own folder alone: what lies elsewhere would go to the model because a repository says so. */
  private async open(named: Import, by: RulePath): Promise<RuleAt<RulePath, RuleFile> | UnreadImport | undefined> {
    const isMistake = named.missing === "mistake";
    const uri = vscode.Uri.joinPath(by.uri, "..", named.path);
    const relative = /^[~/]/.test(named.path) ? undefined : relativeIn(by.root, uri);
    const outside = { path: named.path, problem: t("It lies outside of the folder.") };
    if (relative === undefined) return isMistake ? outside : undefined;
    const place = this.placeIn(by.root, relative);
    this.elsewhere.add(`${by.root.path}/${relative}`);
    const found = await this.at(place, true);
    return found ?? (isMistake ? { path: place.path, problem: notThere() } : undefined);
  }

  /** undefined: there is none, or nothing in it */
  private async text({ uri, path }: RulePath): Promise<RuleFileText | undefined> {
    const name = uri.toString();
    try {
      const { type, mtime, size } = await vscode.workspace.fs.stat(uri);
      // These file systems give a file whole: one that nobody wrote as rules is not asked for.
      if (!(type & vscode.FileType.File) || size > MAX_READ_BYTES) return undefined;
      const version = `${mtime} ${size}`;
      const known = this.texts.get(name);
      if (known?.version === version) return known.text;
      const read = decodeRule(await vscode.workspace.fs.readFile(uri));
      const text = read && { ...read, imports: importsOf(path, read.text) };
      this.texts.set(name, { version, text });
      return text;
    } catch {
      this.texts.delete(name);
      return undefined;
    }
  }
}

/** Its path below a root; undefined: it lies elsewhere. */
function relativeIn(root: Root, { path }: vscode.Uri): string | undefined {
  const folder = vscode.Uri.parse(root.uri).path;
  return isBelow(folder, path) ? relativeTo(folder, path) : undefined;
}

function decodeRule(bytes: Uint8Array): Pick<RuleFile, "text" | "cutBytes"> | undefined {
  const head = bytes.subarray(0, MAX_RULES_BYTES);
  // A character that the cut went through stays with what was cut.
  const text = new TextDecoder().decode(head, { stream: true });
  return text.trim() === "" || text.includes("\0") ? undefined : { text, cutBytes: bytes.length - head.length };
}
