/** Links to visible files of a home: the person's own are followed, those in the workspace may be a command's. */
import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isWithin } from "../../shared/paths";
import { unlessFails } from "../errno";

/** as many as the kernel follows */
const MAX_LINKS = 40;

/** @param roots links followed: a command may have put a link to a hidden place there @returns undefined: it leads nowhere, or by a link of the workspace */
export function followOwnLinks(path: string, roots: readonly string[]): string | undefined {
  const rest = namesOf(path);
  let place = "/";
  for (let links = 0; rest.length > 0; ) {
    const name = rest.shift() ?? "";
    const next = name === ".." ? dirname(place) : join(place, name);
    const target = name === ".." ? undefined : targetOf(next);
    if (target === undefined) {
      place = next;
      continue;
    }
    links += 1;
    if (target === null || links > MAX_LINKS || roots.some(root => isWithin(root, next))) return undefined;
    if (isAbsolute(target)) place = "/";
    rest.unshift(...namesOf(target));
  }
  return place;
}

const namesOf = (path: string) => path.split("/").filter(name => name !== "" && name !== ".");

/** undefined: it is no link; null: it is not there */
const targetOf = (path: string): string | undefined | null =>
  unlessFails(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined), null);
