/** Files that are asked about whatever the mode says: to look into, or to change. */
import { isEnvFile, isKeyFile } from "../../shared/envFile";
import { obeyedBecause } from "../../shared/obeyedFiles";
import type { FileRef } from "../ports";

export const OUTSIDE = "outside the workspace";

/**
 * Why a file is always asked about, by its resolved path; undefined: it is not protected.
 * @param access to write: also what steers an agent or starts by itself, which anybody may read
 */
export function protectedBecause(
  ref: Pick<FileRef, "absolute" | "relative" | "inside">,
  ownFolders: readonly string[],
  access: "read" | "write" = "read",
): string | undefined {
  const absolute = ref.absolute.toLowerCase();
  if (ownFolders.some(folder => isWithin(folder.toLowerCase().replace(/\/$/, ""), absolute))) {
    return "belongs to Strata's own settings or storage";
  }
  // Where the workspace itself lies says nothing of its files.
  const parts = (ref.inside ? ref.relative : ref.absolute).split("/").map(sameName);
  const name = parts.at(-1) ?? "";
  const original = withoutBackup(name);
  const obeyed = obeyedBecause(parts, "read") ?? obeyedBecause([...parts.slice(0, -1), original], "read");
  if (obeyed !== undefined) return obeyed;
  for (const [test, reason] of protectedNames) if (test(name, parts) || test(original, parts)) return reason;
  if (!ref.inside) return OUTSIDE;
  return access === "read" ? undefined : obeyedBecause(parts);
}

const isWithin = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);

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

const credentialFiles = new Set(
  ".npmrc .netrc _netrc .pypirc .git-credentials .pgpass .vault-token kubeconfig .docker/config.json .dockercfg .cargo/credentials .cargo/credentials.toml .gem/credentials .boto .s3cfg .htpasswd".split(
    " ",
  ),
);
const keyFolders = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube"]);

const protectedNames: readonly (readonly [(name: string, parts: readonly string[]) => boolean, string])[] = [
  // `.env`, `.env.local`, `.env-prod`, `prod.env`; not `.environment`
  [isEnvFile, "may hold secrets (.env)"],
  [(_, parts) => parts.some(part => keyFolders.has(part)), "may hold keys"],
  [isKeyFile, "may be a key"],
  [
    (name, parts) =>
      credentialFiles.has(name) ||
      credentialFiles.has(parts.slice(-2).join("/")) ||
      /^(?:[\w-]{1,99}\.)?kubeconfig(?:\.(?:ya?ml|json))?$/.test(name),
    "may hold credentials",
  ],
];

/** A copy that somebody keeps of a key is one: `id_rsa.bak`, `server.key.old`, `prod.env~`. */
const withoutBackup = (name: string) =>
  name.replace(/(?:~|\.(?:bak|backup|old|orig|original|save|saved|copy|tmp|swp|gz|zip|enc|\d{1,8})){1,4}$/, "");
