/** The rules that people wrote for agents, as saved on disk (docs/context.md). */
import { open, readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FileRef, Logger, Root, RuleFile, Rules } from "../core/ports";
import { errorMessage } from "../shared/errorMessage";
import { isLawFile, isNestedRules, MAX_RULES_BYTES, nestedRules, RULES_FILES } from "../shared/rulesFiles";
import { PathCache } from "./disk";
import { decode } from "./encoding";
import { isMissing } from "./errno";
import { findRoot, isWithin, relativeTo, withSlashes } from "./paths";

interface NodeRulesOptions {
  roots(): readonly Root[];
  /** the person's own settings folder: its AGENTS.md comes first */
  configDir: string;
  /** false: only the user's own rules, none of the workspace */
  trusted(): boolean;
  logger: Logger;
}

type Text = Pick<RuleFile, "text" | "cutBytes">;

interface Place {
  file: string;
  /** RuleFile.path */
  path: string;
  trust: RuleFile["trust"];
}

/** Asked before every model step: what has not changed is not read again. */
export class NodeRules implements Rules {
  private readonly texts = new PathCache<Text | undefined>(undefined, (...failure) => this.unreadable(...failure));
  private readonly laws = new PathCache<string[]>([], (...failure) => this.unreadable(...failure));

  constructor(private readonly options: NodeRulesOptions) {}

  private get roots(): readonly Root[] {
    return this.options.trusted() ? this.options.roots() : [];
  }

  async read(nested: readonly string[] = []): Promise<RuleFile[]> {
    const { roots } = this;
    const own = join(this.options.configDir, "AGENTS.md");
    const places: Place[] = [
      { file: own, path: tilde(own), trust: "user" },
      ...(await Promise.all(roots.map(root => this.rulePlaces(root, roots.length > 1)))).flat(),
      ...(await this.insideOnly(nested.flatMap(path => nestedPlace(path, roots)))),
    ];
    return this.readTexts(places, new Set());
  }

  async nested({ absolute }: Pick<FileRef, "absolute">): Promise<RuleFile[]> {
    const { roots } = this;
    const root = findRoot(roots, absolute);
    if (!root) return [];
    const places = await this.insideOnly(
      nestedRules(relativeTo(root.path, absolute)).map(name => placeIn(root, name, roots.length > 1)),
    );
    if (places.length === 0) return [];
    return this.readTexts(places, new Set((await this.read()).map(rule => rule.text)));
  }

  /** Those that lie in the workspace when links are followed. */
  private async insideOnly(places: readonly Place[]): Promise<Place[]> {
    const inside = await Promise.all(places.map(({ file }) => this.isInside(file)));
    return places.filter((_, index) => inside[index]);
  }

  private async isInside(file: string): Promise<boolean> {
    try {
      return findRoot(this.roots, withSlashes(await realpath(file))) !== undefined;
    } catch (error) {
      if (!isMissing(error)) this.unreadable(file, error);
      return false;
    }
  }

  /** @param seen texts that are there already: the same one is given once */
  private async readTexts(places: readonly Place[], seen: Set<string>): Promise<RuleFile[]> {
    const found = await Promise.all(
      places.map(({ file }) => this.texts.get(file, async stats => (stats.isFile() ? readRule(file) : undefined))),
    );
    return places.flatMap(({ path, trust }, index) => {
      const rule = found[index];
      if (!rule || seen.has(rule.text)) return [];
      seen.add(rule.text);
      return [{ path, ...rule, trust }];
    });
  }

  private async rulePlaces(root: Root, named: boolean): Promise<Place[]> {
    // CODE_LAW.md, whatever the case of its name: a folder's time changes with its entries.
    const laws = await this.laws.get(root.path, async () => (await readdir(root.path)).filter(isLawFile).sort());
    return [...laws, ...RULES_FILES].map(name => placeIn(root, name, named));
  }

  private unreadable(path: string, error: unknown): void {
    this.options.logger.log("warning", "rules could not be read", { path, reason: errorMessage(error) });
  }
}

function placeIn(root: Root, name: string, named: boolean): Place {
  return { file: join(root.path, name), path: (named ? `${root.name}:` : "") + withSlashes(name), trust: "rules" };
}

/** What `path` of a nested rule names; nothing where it names none. */
function nestedPlace(path: string, roots: readonly Root[]): Place[] {
  const root = roots.find(({ name }) => path.startsWith(`${name}:`)) ?? roots[0];
  const relative = root && path.startsWith(`${root.name}:`) ? path.slice(root.name.length + 1) : path;
  return root && isNestedRules(relative) ? [placeIn(root, relative, roots.length > 1)] : [];
}

/** undefined: no text, or nothing but blanks */
async function readRule(file: string): Promise<Text | undefined> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_RULES_BYTES), 0, MAX_RULES_BYTES, 0);
    const head = size > bytesRead ? wholeCharacters(buffer.subarray(0, bytesRead)) : buffer.subarray(0, bytesRead);
    const decoded = decode(head);
    if (!decoded || decoded.text.trim() === "") return undefined;
    return { text: decoded.text, cutBytes: size - head.length };
  } finally {
    await handle.close();
  }
}

/** Without the UTF-8 character that the cut went through, if it did. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

function tilde(path: string): string {
  const home = withSlashes(homedir());
  const slashed = withSlashes(path);
  return isWithin(home, slashed) && home !== "/" ? `~${slashed.slice(home.length)}` : slashed;
}
