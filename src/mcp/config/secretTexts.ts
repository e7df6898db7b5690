/** What signing in gave and what was typed for inputs, kept; for the terminal in a file that only the user can read. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { makePrivateFolder, replaceFile } from "../../node/disk";
import { isMissing } from "../../node/errno";
import { nodeFileSystem } from "../../node/fileSystem";
import { SerialQueue } from "../../shared/async";

/** Where only the person can look. */
export interface SecretTexts {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
}

const schema = z.record(z.string(), z.string());

export class SecretTextFile implements SecretTexts {
  private readonly queue = new SerialQueue();

  /** @param path absolute; its folder is made where it is not there */
  constructor(private readonly path: string) {}

  async get(key: string): Promise<string | undefined> {
    const kept = await this.read().catch((): Record<string, string> => ({}));
    return Object.hasOwn(kept, key) ? kept[key] : undefined;
  }

  set = (key: string, text: string): Promise<void> => this.change(kept => ({ ...kept, [key]: text }));

  delete = (key: string): Promise<void> => this.change(({ [key]: _, ...others }) => others);

  private async read(): Promise<Record<string, string>> {
    const text = await readFile(this.path, "utf8").catch((error: unknown) => {
      // One that cannot be read at this moment is not written anew either.
      if (!isMissing(error)) throw error;
      return "{}";
    });
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      // Signing in again makes it anew.
      return {};
    }
  }

  private change(made: (kept: Record<string, string>) => Record<string, string>): Promise<void> {
    return this.queue.run(async () => {
      await makePrivateFolder(dirname(this.path));
      await replaceFile(nodeFileSystem, this.path, JSON.stringify(made(await this.read())));
    });
  }
}
