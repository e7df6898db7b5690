/** The rules that people wrote for agents, as saved on disk (CONTEXT.md, section 1). */
import type { BigIntStats } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Logger, Root, RuleFile, Rules } from "../core/ports";
import { decode } from "./encoding";
import { isMissing, wordsOf } from "./errno";
import { isWithin, withSlashes } from "./paths";

const MAX_BYTES = 32 * 1024;
const NAMES = ["AGENTS.md", "CLAUDE.md", join(".github", "copilot-instructions.md"), "Agent.md"];
const LAW = /^code_law\.md$/i;

export interface NodeRulesOptions {
  roots(): readonly Root[];
  /** the person's own settings folder: its AGENTS.md comes first */
  configDir: string;
  /** false: only the user's own rules, none of the workspace */
  trusted(): boolean;
  logger: Logger;
}

interface Remembered<T> {
  version: string;
  value: T;
}

/** Asked before every model step: what has not changed is not read again. */
export class NodeRules implements Rules {
  private readonly texts = new Map<string, Remembered<Omit<RuleFile, "path" | "trust"> | undefined>>();
  private readonly laws = new Map<string, Remembered<string[]>>();

  constructor(private readonly options: NodeRulesOptions) {}

  async read(): Promise<RuleFile[]> {
    const roots = this.options.trusted() ? this.options.roots() : [];
    const own = join(this.options.configDir, "AGENTS.md");
    const places = [
      { file: own, path: tilde(own), trust: "user" as const },
      ...(await Promise.all(roots.map(root => this.placesOf(root, roots.length > 1)))).flat(),
    ];
    const found = await Promise.all(places.map(({ file }) => this.text(file)));
    const seen = new Set<string>();
    return places.flatMap(({ path, trust }, index) => {
      const rule = found[index];
      if (!rule || seen.has(rule.text)) return [];
      seen.add(rule.text);
      return [{ path, ...rule, trust }];
    });
  }

  private async placesOf(root: Root, named: boolean) {
    const names = [...(await this.lawsOf(root.path)), ...NAMES];
    return names.map(name => ({
      file: join(root.path, name),
      path: (named ? `${root.name}:` : "") + withSlashes(name),
      trust: "rules" as const,
    }));
  }

  /** CODE_LAW.md, whatever the case of its name: a folder's time changes with its entries. */
  private async lawsOf(folder: string): Promise<string[]> {
    return this.remember(this.laws, folder, [], async () =>
      (await readdir(folder)).filter(name => LAW.test(name)).sort(),
    );
  }

  private async text(file: string): Promise<Omit<RuleFile, "path" | "trust"> | undefined> {
    return this.remember(this.texts, file, undefined, async stats => (stats.isFile() ? readRule(file) : undefined));
  }

  private async remember<T>(
    memory: Map<string, Remembered<T>>,
    path: string,
    missing: T,
    read: (stats: BigIntStats) => Promise<T>,
  ): Promise<T> {
    try {
      const stats = await stat(path, { bigint: true });
      const version = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
      const known = memory.get(path);
      if (known?.version === version) return known.value;
      const value = await read(stats).catch(error => {
        if (isMissing(error)) return missing;
        this.options.logger.log("warning", "rules could not be read", { path, reason: wordsOf(error) });
        return missing;
      });
      memory.set(path, { version, value });
      return value;
    } catch (error) {
      memory.delete(path);
      if (!isMissing(error)) {
        this.options.logger.log("warning", "rules could not be read", { path, reason: wordsOf(error) });
      }
      return missing;
    }
  }
}

/** undefined: no text, or nothing but blanks */
async function readRule(file: string): Promise<Omit<RuleFile, "path" | "trust"> | undefined> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
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
