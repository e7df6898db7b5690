/** Files whose reading or changing asks in every mode. */

import { secretBecause, withoutBackup } from "../../shared/envFile";
import { t } from "../../shared/l10n";
import { obeyedBecause } from "../../shared/obeyedFiles";
import { isWithin } from "../../shared/paths";
import type { FileRef } from "../ground/ports";

export const outside = () => t("outside the workspace");

/**
 * Why a file is always asked about, by its resolved path; undefined: it is not protected.
 * @param access to write: also files that steer an agent or start by themselves, whose reading does not ask
 */
export function protectedBecause(
  ref: Pick<FileRef, "absolute" | "relative" | "inside">,
  ownFolders: readonly string[],
  access: "read" | "write" = "read",
): string | undefined {
  const absolute = ref.absolute.toLowerCase();
  if (ownFolders.some(folder => isWithin(folder.toLowerCase().replace(/\/$/, ""), absolute))) {
    return t("belongs to Strata's own settings or storage");
  }
  // Where the workspace itself lies says nothing of its files.
  const parts = (ref.inside ? ref.relative : ref.absolute).split("/").map(sameName);
  const name = parts.at(-1) ?? "";
  const original = withoutBackup(name);
  const obeyed = obeyedBecause(parts, "read") ?? obeyedBecause([...parts.slice(0, -1), original], "read");
  if (obeyed !== undefined) return obeyed;
  const secret = secretBecause(parts);
  if (secret !== undefined) return secret;
  if (!ref.inside) return outside();
  return access === "read" ? undefined : obeyedBecause(parts);
}

/**
 * What some file systems take for the same: `.GIT` is `.git` where case does not count; on Windows `.git.` and `.git ` are
 * too, and `.env::$DATA` is the content of `.env`.
 */
function sameName(part: string): string {
  const name = part.toLowerCase();
  const stream = name.indexOf(":", 1);
  const bare = stream < 0 ? name : name.slice(0, stream);
  let end = bare.length;
  while (end > 0 && (bare[end - 1] === "." || bare[end - 1] === " ")) end -= 1;
  return end === 0 ? bare : bare.slice(0, end);
}
