/**
 * Which variables hold a secret, by name and value (docs/context.md). A secret that is missed goes to the model; a
 * plain word that is taken for one is hidden everywhere, in code and in paths. So words are secrets only where the
 * name says that the value is a password, and addresses and paths are none.
 */

/** characters */
export const MIN_SECRET_LENGTH = 12;
/** In an `.env` file shorter values are secrets too: such names have no other values there. */
export const MIN_ENV_LENGTH = 8;

const words = (text: string) => new Set(text.split(" "));
/** whole parts of a name */
const SECRET = words(
  "KEY KEYS APIKEY SECRETKEY ACCESSKEY PRIVATEKEY TOKEN TOKENS AUTH CREDENTIAL CREDENTIALS CREDS PRIVATE SECRET SECRETS " +
    "PASSWORD PASSWORDS PASSWD PASSPHRASE PASS PWD PAT SALT",
);
/** ends of a part that are no end of another word: `PGPASSWORD`, `GHTOKEN` */
const GLUED = /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|APIKEY)$/;
const PASSWORD = /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET)S?$|^(?:PASS|PWD)$/;
/** What says which one it is, at the end of a name. */
const WHICH =
  /^(?:\d+|DEV|DEVELOPMENT|PROD|PRODUCTION|STAGING|TEST|LOCAL|OLD|NEW|CURRENT|NEXT|PREVIOUS|PRIMARY|BACKUP)$/;
/** A password of these words alone is not worth hiding. */
const COMMON = words(
  "password passwd pass passphrase secret change changeme me please default example sample placeholder your my our here test " +
    "testing dev development local localhost production staging postgres mysql redis root admin user username token key " +
    "api app client the a an to be set replace with this value string dummy fake none null undefined insert enter todo " +
    "some not true false",
);

/** Under a name that looks secret, and neither common nor an address. @param least characters; a password below 12 that is a word in small letters stands in code for other reasons */
export function looksSecret({ name, value }: { name: string; value: string }, least = MIN_SECRET_LENGTH): boolean {
  const kind = secretKind(name);
  if (!kind || value.length < least || new Set(value).size < 5) return false;
  if (value.length < MIN_SECRET_LENGTH && /^\p{Ll}+$/u.test(value)) return false;
  if (refersElsewhere(value) || isPath(value) || isPlace(name, value)) return false;
  if (isAddress(value)) return hasKey(value);
  if (kind === "password") return !isCommon(value);
  return !isPlain(value);
}

/** Only words of tutorials: no real password. */
export const isCommon = (value: string): boolean => wordsIn(value).every(word => COMMON.has(word.toLowerCase()));

/** A part of a longer secret that is one by itself: a line of a certificate, a field of JSON. */
export const looksRandom = (word: string): boolean =>
  word.length >= MIN_SECRET_LENGTH && new Set(word).size >= 5 && !isPath(word) && !isAddress(word) && !isPlain(word);

function secretKind(name: string): "password" | "key" | undefined {
  const parts = name
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1_")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean);
  if (!parts.some(part => SECRET.has(part) || GLUED.test(part))) return undefined;
  const last = parts.findLast(part => !WHICH.test(part)) ?? "";
  const isSecretKey = parts.some(part => /SECRET$/.test(part)) && ["KEY", "TOKEN", "BASE", "VALUE"].includes(last);
  return PASSWORD.test(last) || isSecretKey ? "password" : "key";
}

/** `${OTHER}`, `$(pass show x)`, `<your token>`, `{{ vault }}`, `%OTHER%` */
const refersElsewhere = (value: string) =>
  /^(?:\$\{?[\w.]+\}?|\$\(.*\)|<[^<>]*>|\{\{.*\}\}|%\w+%)$/.test(value) || /\[secret:[^\][]*\]/.test(value);

/** A `/` alone does not make one: keys in base64 have it too. */
const isPath = (value: string) =>
  /^\\\\|^(?:~|\.{1,2})[/\\]|^[A-Za-z]:[/\\]/.test(value) ||
  /^\/(?:usr|etc|home|var|tmp|opt|run|root|Users|private|mnt|media|bin|sbin|lib|dev|proc|srv|nix|gnu|snap|data|app|workspaces?|Volumes|Library|Applications|System)\//.test(
    value,
  );

/** The folder that a shell is in is no password, wherever it lies; nor is a file of keys a key. */
const PLACE = /^(?:OLD)?PWD$|(?:FILE|PATH|DIR|DIRECTORY|FOLDER|HOME|ROOT|SOCK|SOCKET)$/i;
const isPlace = (name: string, value: string) => PLACE.test(name) && /^(?:[/\\~]|[A-Za-z]:[/\\])/.test(value);

const isAddress = (value: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(value);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An address that lets in who knows it: with a password, or with a long part that is no word. */
const hasKey = (address: string) =>
  /:\/\/[^/@\s:]*:[^/@\s]+@/.test(address) ||
  address.split(/[^\w-]+/).some(part => part.length >= 16 && !UUID.test(part) && !isPlain(part));

const HOST = /^(?:[^@\s]+@)?(?:[a-z0-9-]{1,24}\.)+[a-z]{2,10}(?::\d+)?$/;
const NUMBERS = /^[-\d\s.,:/+_TZ]+$/;
const WORD = /^(?:\p{Lu}?\p{Ll}{0,23}|\p{Lu}{1,24})\d{0,3}$|^\d{1,4}$/u;

/** Words, names, numbers, times, hosts, mail addresses: common in code for other reasons. */
function isPlain(value: string): boolean {
  if (HOST.test(value) || NUMBERS.test(value)) return true;
  const parts = wordsIn(value);
  const letters = parts.join("").length;
  return value.replace(/\D/g, "").length <= 3 && letters >= parts.length * 3 && parts.every(part => WORD.test(part));
}

const wordsIn = (value: string) =>
  value
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, "$1 ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
