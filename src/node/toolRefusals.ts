/** Which models take no tools, in a file of the user's settings folder: a server says so with an error, once is enough. */
import { join } from "node:path";
import * as z from "zod";
import type { ToolRefusals } from "../core/ground/ports";
import { makeFolder, readOr, replaceFile } from "./disk";
import { nodeFileSystem } from "./fileSystem";

const fileSchema = z.record(z.string(), z.number());
/** The oldest go first. */
const MAX_MODELS = 200;

export class NodeToolRefusals implements ToolRefusals {
  private readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, "models-without-tools.json");
  }

  async read(): Promise<Record<string, number>> {
    try {
      const bytes = await readOr(nodeFileSystem, this.path);
      return fileSchema.parse(JSON.parse(bytes?.toString("utf8") ?? "{}"));
    } catch {
      // It is a memory of what servers say, and they say it again.
      return {};
    }
  }

  async add(model: string, at: number): Promise<void> {
    const known = Object.entries({ ...(await this.read()), [model]: at }).sort(([, a], [, b]) => b - a);
    await makeFolder(nodeFileSystem, this.folder);
    await replaceFile(nodeFileSystem, this.path, `${JSON.stringify(Object.fromEntries(known.slice(0, MAX_MODELS)))}\n`);
  }
}
