/** A small file of JSON in the person's own folder, which several processes read and change. */
import { dirname } from "node:path";
import type * as z from "zod";
import { SerialQueue } from "../shared/async";
import { parseJson } from "../shared/isObject";
import { makePrivateFolder, readOr, replaceFile } from "./disk";
import { nodeFileSystem } from "./fileSystem";

export class JsonFile<T> {
  private readonly queue = new SerialQueue();

  /**
   * @param path absolute; its folder is made with the first change
   * @param none its content where there is no file, or one that makes no sense
   * @param broken told of a file that makes no sense
   */
  constructor(
    private readonly path: string,
    private readonly schema: z.ZodType<T>,
    private readonly none: T,
    private readonly broken: (path: string) => void = () => undefined,
  ) {}

  /** After the changes that were begun before. Rejects where the file is there and cannot be read now. */
  read(): Promise<T> {
    return this.queue.run(() => this.readNow());
  }

  private async readNow(): Promise<T> {
    const bytes = await readOr(nodeFileSystem, this.path);
    if (!bytes) return this.none;
    const read = this.schema.safeParse(parseJson(bytes.toString("utf8")));
    if (!read.success) this.broken(this.path);
    return read.data ?? this.none;
  }

  /** Changes what is on disk now: another process may have written it. Rejects where it cannot be read or written. */
  change(made: (now: T) => T): Promise<T> {
    return this.queue.run(async () => {
      const next = made(await this.readNow());
      await makePrivateFolder(dirname(this.path));
      await replaceFile(nodeFileSystem, this.path, JSON.stringify(next));
      return next;
    });
  }
}
