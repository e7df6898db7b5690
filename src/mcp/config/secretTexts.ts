/** What signing in gave and what was typed for inputs, kept; for the terminal in a file that only the user can read. */
import * as z from "zod";
import { JsonFile } from "../../node/jsonFile";

/** Where only the person can look. */
export interface SecretTexts {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
}

export class SecretTextFile implements SecretTexts {
  private readonly file: JsonFile<Record<string, string>>;

  /** @param path absolute; its folder is made where it is not there */
  constructor(path: string) {
    this.file = new JsonFile(path, z.record(z.string(), z.string()), {});
  }

  async get(key: string): Promise<string | undefined> {
    const kept = await this.file.read().catch((): Record<string, string> => ({}));
    return Object.hasOwn(kept, key) ? kept[key] : undefined;
  }

  set = async (key: string, text: string) => void (await this.file.change(kept => ({ ...kept, [key]: text })));

  delete = async (key: string): Promise<void> => void (await this.file.change(({ [key]: _, ...others }) => others));
}
