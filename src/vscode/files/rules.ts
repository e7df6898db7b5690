/** Rules of folders that are on no disk, after those that are: the same names, the same bound (docs/context.md). */
import * as vscode from "vscode";
import { type FileRef, isOnDisk, type Root, type RuleFile, type Rules } from "../../core/ports";
import { isLawFile, isNestedRules, MAX_RULES_BYTES, nestedRules, RULES_FILES } from "../../shared/rulesFiles";
import { listEntries } from "./storedFiles";

const MAX_READ_BYTES = 4 * 1024 * 1024;

/** `path` as RuleFile has it */
type Place = Pick<RuleFile, "path"> & { uri: vscode.Uri };
type Text = Pick<RuleFile, "text" | "cutBytes">;

/** Asked before every model step: what has not changed is not read again. */
export class RoutedRules implements Rules {
  private readonly texts = new Map<string, { version: string; text: Text | undefined }>();

  /** `disk`: the user's own, and those of folders on disk */
  constructor(private readonly deps: { disk: Rules; roots(): readonly Root[]; trusted(): boolean }) {}

  async read(nested: readonly string[] = []): Promise<RuleFile[]> {
    const rules = await this.deps.disk.read(nested);
    const { roots } = this;
    if (roots.length === 0) return rules;
    const places = (await Promise.all(roots.map(root => this.rulePlaces(root)))).flat();
    const below = nested.flatMap(path => roots.flatMap(root => this.nestedPlace(root, path)));
    return [...rules, ...(await this.readRules([...places, ...below], rules))];
  }

  async nested(file: Pick<FileRef, "absolute">): Promise<RuleFile[]> {
    const root = this.roots.find(({ path }) => file.absolute.startsWith(`${path}/`));
    if (!root) return this.deps.disk.nested(file);
    const places = nestedRules(file.absolute.slice(root.path.length + 1)).map(name => this.placeIn(root, name));
    return this.readRules(places, await this.read());
  }

  private get roots(): readonly Root[] {
    return this.deps.trusted() ? this.deps.roots().filter(root => !isOnDisk(root)) : [];
  }

  private async rulePlaces(root: Root): Promise<Place[]> {
    const names = (await listEntries(vscode.Uri.parse(root.uri))).map(([name]) => name);
    const laws = names.filter(isLawFile).sort();
    const others = RULES_FILES.filter(name => names.includes(name.split("/")[0] ?? ""));
    return [...laws, ...others].map(name => this.placeIn(root, name));
  }

  private placeIn(root: Root, name: string): Place {
    const named = this.deps.roots().length > 1;
    return { uri: vscode.Uri.joinPath(vscode.Uri.parse(root.uri), name), path: (named ? `${root.name}:` : "") + name };
  }

  private nestedPlace(root: Root, path: string): Place[] {
    const named = this.deps.roots().length > 1;
    if (named && !path.startsWith(`${root.name}:`)) return [];
    const relative = named ? path.slice(root.name.length + 1) : path;
    return isNestedRules(relative) ? [this.placeIn(root, relative)] : [];
  }

  /** @param before rules that are there already: the same text is given once */
  private async readRules(places: readonly Place[], before: readonly RuleFile[]): Promise<RuleFile[]> {
    const seen = new Set(before.map(({ text }) => text));
    const texts = await Promise.all(places.map(({ uri }) => this.text(uri)));
    return places.flatMap(({ path }, index) => {
      const found = texts[index];
      if (!found || seen.has(found.text)) return [];
      seen.add(found.text);
      return [{ path, ...found, trust: "rules" as const }];
    });
  }

  /** undefined: there is none, or nothing in it */
  private async text(uri: vscode.Uri): Promise<Text | undefined> {
    const name = uri.toString();
    try {
      const { type, mtime, size } = await vscode.workspace.fs.stat(uri);
      // These file systems give a file whole: one that nobody wrote as rules is not asked for.
      if (!(type & vscode.FileType.File) || size > MAX_READ_BYTES) return undefined;
      const version = `${mtime} ${size}`;
      const known = this.texts.get(name);
      if (known?.version === version) return known.text;
      const text = decodeRule(await vscode.workspace.fs.readFile(uri));
      this.texts.set(name, { version, text });
      return text;
    } catch {
      this.texts.delete(name);
      return undefined;
    }
  }
}

function decodeRule(bytes: Uint8Array): Text | undefined {
  const head = bytes.subarray(0, MAX_RULES_BYTES);
  // A character that the cut went through stays with what was cut.
  const text = new TextDecoder().decode(head, { stream: true });
  return text.trim() === "" || text.includes("\0") ? undefined : { text, cutBytes: bytes.length - head.length };
}
