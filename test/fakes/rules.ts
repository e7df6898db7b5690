/** Rules of a workspace in memory: one text for the root, `AGENTS.md` files of the folders below it. */
import { posix } from "node:path";
import type { RuleFile, Rules } from "../../src/core/ground/ports";
import type { MemoryFiles } from "./files";

export class MemoryRules implements Rules {
  readonly imported = new Set<string>();

  constructor(
    private readonly files: MemoryFiles,
    private readonly root: string | undefined,
    private readonly trusted: () => boolean,
  ) {}

  async read(nested: readonly string[] = []): Promise<RuleFile[]> {
    if (!this.trusted()) return [];
    return [...(this.root ? [rule("AGENTS.md", this.root)] : []), ...(await Promise.all(nested.map(this.at))).flat()];
  }

  async nested({ absolute }: { absolute: string }): Promise<RuleFile[]> {
    const names = (await this.files.resolve(absolute)).relative.split("/").slice(0, -1);
    if (!this.trusted()) return [];
    const found = await Promise.all(names.map((_, at) => this.at(posix.join(...names.slice(0, at + 1), "AGENTS.md"))));
    return found.flat().filter(({ text }) => text !== this.root);
  }

  private at = async (path: string): Promise<RuleFile[]> => {
    const text = this.files.onDisk(path);
    return text === undefined ? [] : [rule(path, text)];
  };
}

const rule = (path: string, text: string): RuleFile => ({ path, text, cutBytes: 0, trust: "rules" });
