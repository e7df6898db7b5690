/** The rules that people wrote for agents, as saved on disk (docs/context.md). */

import { realpathSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { FileRef, Logger, ReadText, Root, RuleFile, Rules } from "../core/ground/ports";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { madeByCommand } from "../shared/obeyedFiles";
import { innermostRoot, relativeTo } from "../shared/paths";
import {
  importsOf,
  isLawFile,
  isNestedRules,
  MAX_RULES_BYTES,
  nestedRules,
  notThere,
  RULES_FILES,
  type RuleAt,
  type RuleImport,
  type UnreadImport,
  withImports,
} from "../shared/rulesFiles";
import { PathCache } from "./disk";
import { decode } from "./encoding";
import { type ImportOptions, importPlace } from "./importPlaces";
import { fileRef, isFolder, tilde, withSlashes } from "./paths";
import { readHead } from "./readRegular";

interface NodeRulesOptions extends ImportOptions {
  /** Why a rule of the settings keeps it from being read unasked, a sentence. Of a file of the usual name only one that denies does. */
  ruledOut?(file: FileRef, isImport: boolean): string | undefined;
  /** A command in the sandbox may have made it, and no person has approved it. */
  madeByCommand?(path: string, read: ReadText): boolean;
  logger: Logger;
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
type KeyedRule = RuleSource & { key: string };

/** Asked before every model step: what has not changed is not read again. */
export class NodeRules implements Rules {
  private readonly texts = new PathCache<RuleContent | undefined>(undefined, (...failure) =>
    this.unreadable(...failure),
  );
  readonly imported = new Set<string>();
  private readonly laws = new PathCache<string[]>([], (...failure) => this.unreadable(...failure));

  constructor(private readonly options: NodeRulesOptions) {}

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
    return this.readTexts(places, new Set());
  }

  async nested({ absolute }: { absolute: string }): Promise<RuleFile[]> {
    const { roots } = this;
    const root = innermostRoot(roots, absolute);
    if (!root) return [];
    const places = nestedRules(relativeTo(root.path, absolute)).map(name => placeIn(root, name, roots.length > 1));
    return this.readTexts(places, new Set((await this.read()).map(rule => rule.text)));
  }

  /** A repository's rules go to the model unasked: none that are a link out of the workspace, or to a protected file. */
  private async text({ file, path, trust }: RuleSource): Promise<RuleContent | undefined> {
    const real = realpathSync.native(file);
    const ref = fileRef(this.roots, real);
    const isOurs = trust === "user" || (ref.inside && this.options.protectedBecause(ref) === undefined);
    if (!isOurs) return withheld(t("It is a link out of the workspace, or to a protected file."));
    const read = await readRule(real);
    return read && { ...read, imports: importsOf(path, read.text), ref };
  }

  /** Whose it is, and what the settings say of it, may change while its bytes do not. */
  private textNow({ file, trust, isImport }: RuleSource, text: RuleContent): RuleContent {
    const ruled = text.ref && this.options.ruledOut?.(text.ref, isImport === true);
    if (ruled !== undefined) return withheld(ruled);
    const isMade = trust !== "user" && this.options.madeByCommand?.(file, text);
    return isMade ? withheld(`${madeByCommand()}.`) : text;
  }

  private async at(place: RuleSource): Promise<RuleAt<KeyedRule, RuleFile> | undefined> {
    const there = await this.texts.get(place.file, async stats => (stats.isFile() ? this.text(place) : undefined));
    if (!there) return undefined;
    const { imports, ref, ...text } = this.textNow(place, there);
    const { path, trust } = place;
    return { place: { ...place, key: ref?.absolute ?? place.file }, rule: { path, ...text, trust }, imports };
  }

  /** @param seen texts that are there already: the same one is given once */
  private async readTexts(places: readonly RuleSource[], seen: Set<string>): Promise<RuleFile[]> {
    const found = await Promise.all(places.map(place => this.at(place)));
    const there = found.flatMap(each => each ?? []);
    return withImports(there, seen, (named, by) => this.open(named, by));
  }

  private async open(
    named: RuleImport,
    by: RuleSource,
  ): Promise<RuleAt<KeyedRule, RuleFile> | UnreadImport | undefined> {
    const place = await importPlace(named.path, by, this.options);
    if ("problem" in place) return named.missing === "other" ? undefined : place;
    if (place.trust === "rules") this.imported.add(place.real);
    const found = await this.at(place);
    if (found) return found;
    const problem = await whyNothing(named, { place: place.file, by: by.file });
    return problem === undefined ? undefined : { path: place.path, problem };
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

/** undefined: it may name something else */
async function whyNothing(
  { path, missing }: RuleImport,
  { place, by }: Record<"place" | "by", string>,
): Promise<string | undefined> {
  const there = await stat(place).catch(() => undefined);
  if (there) return there.isDirectory() ? undefined : t("There is no text in it that can be read.");
  const isMistake =
    missing === "mistake" || (missing === "package" && isFolder(resolve(dirname(by), path.split("/")[0] ?? "")));
  return isMistake ? notThere() : undefined;
}

function placeIn(root: Root, name: string, named: boolean): RuleSource {
  return { file: join(root.path, name), path: (named ? `${root.name}:` : "") + withSlashes(name), trust: "rules" };
}

/** What `path` of a nested rule names; nothing where it names none. */
function nestedPlace(path: string, roots: readonly Root[]): RuleSource[] {
  const root = roots.find(({ name }) => path.startsWith(`${name}:`)) ?? roots[0];
  const relative = root && path.startsWith(`${root.name}:`) ? path.slice(root.name.length + 1) : path;
  return root && isNestedRules(relative) ? [placeIn(root, relative, roots.length > 1)] : [];
}

/** @param real its links followed. @returns undefined: no text, or nothing but blanks */
async function readRule(real: string): Promise<ReadText | undefined> {
  const found = await readHead(real, MAX_RULES_BYTES, real);
  if (!found) return undefined;
  const { bytes, size } = found;
  const head = size > bytes.length ? wholeCharacters(bytes) : bytes;
  const decoded = await decode(head);
  if (!decoded || decoded.text.trim() === "") return undefined;
  return { text: decoded.text, cutBytes: size - head.length };
}

/** Without the UTF-8 character that the cut went through, if it did. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}
