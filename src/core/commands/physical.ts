/** Where a path leads on the disk. */

import { folderOf } from "../../shared/paths";
import type { FileRef, Files } from "../ground/ports";

/** `link/../x` is beside what the link leads to: each step is one of the disk. */
export async function physical(path: string, files: Files): Promise<FileRef> {
  const [first = "", ...steps] = path.split(/\/\.\.(?=\/|$)/);
  let ref = await files.resolve(first || "/");
  for (const step of steps.slice(0, 100)) {
    const above = folderOf(ref.absolute) || "/";
    ref = await files.resolve(above + step);
  }
  return steps.length > 100 ? files.resolve("/") : ref;
}
