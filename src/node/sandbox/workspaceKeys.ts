/** Keys and credentials in the workspace: what of them a command does not see. Why: C-76. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { keyFolders } from "../../shared/envFile";
import { isWithin } from "../../shared/paths";
import { realOrSame } from "../paths";
import type { Mount } from "./mounts";
import { bytesOf } from "./quietRead";
import type { SettingsCopies } from "./settingsCopies";

/** Files of the home beside these folders, that people keep in a repository of theirs and link to. */
const LINKED_FILES = [".netrc", "_netrc", ".pypirc", ".git-credentials", ".pgpass", ".vault-token", ".boto", ".s3cfg"];
const MAX_LINKED = 200;
const MAX_BYTES = 512 * 1024;

/** Of npm, without what is secret in it: it does not start where it cannot read the file. */
export const isSettings = (path: string): boolean => basename(path).toLowerCase() === ".npmrc";

export function copyMount(path: string, settings: SettingsCopies): Mount[] {
  const copy = isSettings(path) ? settings.of(path) : undefined;
  return copy === undefined ? [] : [{ kind: "read", path, from: copy }];
}

/** A certificate has the ending of a key, and whoever checks one has to see it. */
export function holdsKey(path: string): boolean {
  if (!/\.pem$/i.test(path)) return true;
  const text = bytesOf(path, MAX_BYTES)?.toString("latin1");
  return !text?.includes("-----BEGIN ") || text.includes("PRIVATE KEY");
}

/** What the home's folders of keys lead to in the workspace, whatever it is called there. */
export function linkedKeys(home: string, roots: readonly string[]): string[] {
  const linked = [...keyFolders, ...LINKED_FILES].flatMap(name => {
    const path = join(home, name);
    const place = realOrSame(path);
    return place === path ? [] : [place];
  });
  return linked.filter(place => roots.some(root => isWithin(root, place) && root !== place)).flatMap(filesIn);
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .slice(0, MAX_LINKED)
      .map(entry => join(entry.parentPath, entry.name));
  } catch {
    return [path];
  }
}
