/** Which models take no tools, in a file of the user's settings folder: a server says so with an error, once is enough. */
import { join } from "node:path";
import * as z from "zod";
import type { ToolRefusals } from "../core/ground/ports";
import { JsonFile } from "./jsonFile";

/** The oldest go first. */
const MAX_MODELS = 200;

export class NodeToolRefusals implements ToolRefusals {
  private readonly file: JsonFile<Record<string, number>>;

  constructor(folder: string) {
    this.file = new JsonFile(join(folder, "models-without-tools.json"), z.record(z.string(), z.number()), {});
  }

  /** It is a memory of what servers say, and they say it again. */
  read = (): Promise<Record<string, number>> => this.file.read().catch(() => ({}));

  async add(model: string, at: number): Promise<void> {
    await this.file.change(known => {
      const all = Object.entries({ ...known, [model]: at }).sort(([, a], [, b]) => b - a);
      return Object.fromEntries(all.slice(0, MAX_MODELS));
    });
  }
}
