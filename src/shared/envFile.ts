/** Which files hold variables of the environment, keys and credentials, by their names. */
import { t } from "./l10n";

/** `.env`, `.env.local`, `.env-prod`, `.envrc`, `prod.env`; not `.environment` */
export const isEnvFile = (name: string): boolean => /^\.env(?:rc$|(?![a-z]))|\.env$/i.test(name);

/** They show which variables there are, and hold no secrets. */
export const isEnvExample = (name: string): boolean =>
  /\.(?:example|sample|template|tmpl|dist|defaults?|schema|test)$/i.test(name);

/** `id_ed25519`, `server.key`; also what is no private key */
export const isKeyFile = (name: string): boolean =>
  /^id_(rsa|dsa|ecdsa|ed25519)|^ssh_host_\w+_key$|\.(pem|key|p12|pfx|jks|keystore|ppk)$/i.test(name);

const credentialFiles = new Set(
  ".npmrc .netrc _netrc .pypirc .git-credentials .pgpass .vault-token kubeconfig .docker/config.json .dockercfg .cargo/credentials .cargo/credentials.toml .gem/credentials .boto .s3cfg .htpasswd etc/shadow etc/shadow- etc/gshadow etc/gshadow-".split(
    " ",
  ),
);
/** Whatever lies in them. */
export const keyFolders: ReadonlySet<string> = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube"]);

const secretNames: readonly (readonly [(name: string, parts: readonly string[]) => boolean, () => string])[] = [
  // `.env`, `.env.local`, `.env-prod`, `prod.env`; not `.environment`
  [isEnvFile, () => t("may hold secrets (.env)")],
  [(_, parts) => parts.some(part => keyFolders.has(part)), () => t("may hold keys")],
  [isKeyFile, () => t("may be a key")],
  [
    (name, parts) =>
      credentialFiles.has(name) ||
      credentialFiles.has([...parts.slice(-2, -1), name].join("/")) ||
      /^(?:[\w-]{1,99}\.)?kubeconfig(?:\.(?:ya?ml|json))?$/.test(name),
    () => t("may hold credentials"),
  ],
];

/** Why nobody looks into a file unasked; undefined: its name says nothing of that. @param parts of its path, in small letters */
export function secretBecause(parts: readonly string[]): string | undefined {
  const name = parts.at(-1) ?? "";
  const original = withoutBackup(name);
  return secretNames.find(([isOne]) => isOne(name, parts) || isOne(original, parts))?.[1]();
}

/** A copy that somebody keeps of a key is one: `id_rsa.bak`, `server.key.old`, `prod.env~`. */
export const withoutBackup = (name: string) =>
  name.replace(/(?:~|\.(?:bak|backup|old|orig|original|save|saved|copy|tmp|swp|gz|zip|enc|\d{1,8})){1,4}$/, "");
