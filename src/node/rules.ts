/** The rules that people wrote for agents, as saved on disk (docs/context.md). */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileRef, ReadText, Root, RuleFile, Rules } from "../core/ground/ports";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { madeByCommand } from "../shared/obeyedFiles";
import { innermostRoot, relativeTo } from "../shared/paths";
import type { RuleImport, UnreadImport } from "../shared/rulesFiles";
import {
  importsOf,
  isLawFile,
  isNestedRules,
  MAX_IMPORT_DEPTH,
  MAX_IMPORTS,
  MAX_RULES_BYTES,
  MAX_WHOLE_BYTES,
  nestedRules,
  RULES_FILES,
} from "../shared/rulesFiles";
import { PathCache } from "./disk";
import { importPlace, type PlaceOptions, readUnasked } from "./importPlaces";
import { tilde, withSlashes } from "./paths";

interface NodeRulesOptions extends PlaceOptions {
  /** Why a rule of the settings keeps it from being read unasked, a sentence. Of a file of the usual name only one that denies does. */
  ruledOut?(file: FileRef, isImport: boolean): string | undefined;
}

interface RuleContent extends ReadText {
  problem?: RuleFile["problem"];
  imports: readonly RuleImport[];
  /** links followed; absent: it is withheld anyway */
  ref?: FileRef;
}

interface RuleSource {
  file: string;
  path: string;
  trust: RuleFile["trust"];
  isImport?: true;
}
/** `key`: the same for the same file */
interface FoundRule {
  place: RuleSource;
  key: string;
  rule: RuleFile;
  imports: readonly RuleImport[];
}

/** Asked before every model step: what has not changed is not read again. */
export class NodeRules implements Rules {
  private readonly texts = new PathCache<RuleContent | undefined>(undefined, (...failure) =>
    this.unreadable(...failure),
  );
  readonly imported = new Set<string>();
  private readonly laws = new PathCache<string[]>([], (...failure) => this.unreadable(...failure));

  constructor(private readonly options: NodeRulesOptions) {}

  /** The same of other folders. */
  elsewhere = (place: Partial<PlaceOptions>) => new NodeRules({ ...this.options, ...place });

  private get roots(): readonly Root[] {
    return this.options.trusted() ? this.options.roots() : [];
  }

  async read(nested: readonly string[] = []): Promise<RuleFile[]> {
    const { roots } = this;
    const own = join(this.options.configDir, "AGENTS.md");
    const places: RuleSource[] = [
      { file: own, path: tilde(own), trust: "user" },
      ...(await Promise.all(roots.map(root => this.rulePlaces(root, roots.length > 1)))).flat(),
      ...nested.flatMap(path => nestedPlace(path, roots)),
    ];
    return this.readTexts(places, new Map());
  }

  async nested({ absolute }: { absolute: string }): Promise<RuleFile[]> {
    const { roots } = this;
    const root = innermostRoot(roots, absolute);
    if (!root) return [];
    const places = nestedRules(relativeTo(root.path, absolute)).map(name => placeIn(root, name, roots.length > 1));
    const seen = new Map((await this.read()).map(({ text, path }) => [text, path]));
    return (await this.readTexts(places, seen)).filter(({ sameAs }) => sameAs === undefined);
  }

  private async text(place: RuleSource): Promise<RuleContent | undefined> {
    const read = await readUnasked(
      place,
      { ...this.options, roots: () => this.roots },
      MAX_RULES_BYTES,
      MAX_WHOLE_BYTES,
    );
    if (read && "problem" in read) return withheld(read.problem);
    if (!read || read.text.trim() === "") return undefined;
    return { ...read, imports: importsOf(place.path, read.text) };
  }

  /** Its maker and the settings may change while its bytes do not. */
  private textNow({ file, trust, isImport }: RuleSource, text: RuleContent): RuleContent {
    const ruled = text.ref && this.options.ruledOut?.(text.ref, isImport === true);
    if (ruled !== undefined) return withheld(ruled);
    const isMade = trust !== "user" && this.options.madeByCommand?.(file, text);
    return isMade ? withheld(`${madeByCommand()}.`) : text;
  }

  private async at(place: RuleSource): Promise<FoundRule | undefined> {
    const there = await this.texts.get(place.file, async stats => (stats.isFile() ? this.text(place) : undefined));
    if (!there) return undefined;
    const { imports, ref, ...text } = this.textNow(place, there);
    const { path, trust } = place;
    return { place, key: ref?.absolute ?? place.file, rule: { path, ...text, trust }, imports };
  }

  /** Each followed by its imports. A file is read once, and a text is given once. @param seen texts that are there already, with their files */
  private async readTexts(places: readonly RuleSource[], seen: Map<string, string>): Promise<RuleFile[]> {
    const files = (await Promise.all(places.map(place => this.at(place)))).flatMap(each => each ?? []);
    const opened = new Set(files.map(({ key }) => key));
    const found: RuleFile[] = [];
    let room = MAX_IMPORTS;
    const take = async ({ place, rule, imports }: FoundRule, depth: number): Promise<void> => {
      const sameAs = rule.problem === undefined ? seen.get(rule.text) : undefined;
      if (sameAs === undefined) seen.set(rule.text, rule.path);
      const at = found.push(sameAs === undefined ? rule : { ...rule, text: "", cutBytes: 0, sameAs }) - 1;
      const unread: UnreadImport[] = [];
      for (const named of imports) {
        const next = await this.open(named, place);
        if (!next) continue;
        if ("problem" in next) {
          unread.push(next);
          continue;
        }
        if (opened.has(next.key)) continue;
        const { path, problem } = next.rule;
        const reason = problem ?? (depth === MAX_IMPORT_DEPTH ? tooDeep() : room === 0 ? tooMany() : undefined);
        if (reason !== undefined) {
          unread.push({ path, problem: reason });
          continue;
        }
        opened.add(next.key);
        room -= 1;
        await take({ ...next, rule: { ...next.rule, importedBy: rule.path } }, depth + 1);
      }
      if (sameAs === undefined && unread.length > 0) found[at] = { ...rule, unread };
    };
    for (const file of files) await take(file, 0);
    return found;
  }

  /** undefined: nothing to tell */
  private async open(named: RuleImport, by: RuleSource): Promise<FoundRule | UnreadImport | undefined> {
    const place = await importPlace(named.path, by, this.options);
    if ("problem" in place) return named.mustExist ? place : undefined;
    if (place.trust === "rules") this.imported.add(place.real);
    const found = await this.at(place);
    if (found) return found;
    const there = await stat(place.file).catch(() => undefined);
    if (there ? there.isDirectory() : !named.mustExist) return undefined;
    return { path: place.path, problem: there ? t("There is no text in it that can be read.") : t("It is not there.") };
  }

  private async rulePlaces(root: Root, named: boolean): Promise<RuleSource[]> {
    // CODE_LAW.md in any case: a folder's time changes with its entries.
    const laws = await this.laws.get(root.path, async () => (await readdir(root.path)).filter(isLawFile).sort());
    return [...laws, ...RULES_FILES].map(name => placeIn(root, name, named));
  }

  private unreadable(path: string, error: unknown): void {
    this.options.logger.log("warning", "rules could not be read", { path, reason: errorMessage(error) });
  }
}

const withheld = (problem: string): RuleContent => ({ text: "", cutBytes: 0, problem, imports: [] });

const tooDeep = () => t("It is imported by a file that is {0} imports deep itself.", MAX_IMPORT_DEPTH);
const tooMany = () => t("More than {0} files are imported.", MAX_IMPORTS);

function placeIn(root: Root, name: string, named: boolean): RuleSource {
  return { file: join(root.path, name), path: (named ? `${root.name}:` : "") + withSlashes(name), trust: "rules" };
}

/** What `path` of a nested rule names; nothing where it names none. */
function nestedPlace(path: string, roots: readonly Root[]): RuleSource[] {
  const root = roots.find(({ name }) => path.startsWith(`${name}:`)) ?? roots[0];
  const relative = root && path.startsWith(`${root.name}:`) ? path.slice(root.name.length + 1) : path;
  return root && isNestedRules(relative) ? [placeIn(root, relative, roots.length > 1)] : [];
}
