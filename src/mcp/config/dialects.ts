/**
 * An entry of a server in the words of whichever client it was written for: what of it is understood, under one name each, and
 * what of it does nothing here.
 */

import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { fieldLetters, isTrueField, slippedField } from "../../shared/nearestNames";

type ServerField =
  | "type"
  | "command"
  | "args"
  | "env"
  | "envFile"
  | "cwd"
  | "url"
  | "headers"
  | "oauth"
  | "off"
  | "only"
  | "without"
  | "sandbox";
type ServerFields = Partial<Record<ServerField, unknown>>;

interface PlainEntry {
  fields: ServerFields;
  /** what of it does nothing here, and what may be meant: sentences */
  notes: string[];
}

/** By their letters alone: `env_file`, `envFile` and `ENVFILE` are one field. */
const fieldOf: Readonly<Record<string, ServerField>> = {
  ...{ type: "type", transport: "type", transporttype: "type" },
  ...{ command: "command", args: "args", env: "env", environment: "env", envfile: "envFile" },
  ...{ cwd: "cwd", workingdirectory: "cwd", workdir: "cwd" },
  ...{ url: "url", serverurl: "url", httpurl: "url", headers: "headers", httpheaders: "headers", oauth: "oauth" },
  ...{ disabled: "off", enabled: "off", isactive: "off", active: "off" },
  ...{ tools: "only", includetools: "only", enabledtools: "only", allowedtools: "only" },
  ...{ excludetools: "without", disabledtools: "without", sandbox: "sandbox", sandboxenabled: "sandbox" },
};
/** As people would write them, for what they may have meant. */
const KNOWN =
  "type command args env environment envFile cwd url serverUrl httpUrl headers oauth disabled enabled tools includeTools excludeTools disabledTools sandbox".split(
    " ",
  );
/** For people, or for a list of servers: nothing runs otherwise by them. */
const SAYS_NOTHING = new Set(
  "name title description comment comments note notes icon icons iconpath logo homepage repository tags version id schema source streamable".split(
    " ",
  ),
);
/** Asked about, whatever an entry says: what runs without a question is the person's own to say. */
const ALLOWS = new Set("alwaysallow autoapprove autoallow autoapproved trust trusted".split(" "));

const MAX_NOTES = 20;
const MAX_NAME = 60;

export function plainEntry(entry: Readonly<Record<string, unknown>>): PlainEntry {
  const found: PlainEntry = { fields: {}, notes: [] };
  for (const [name, value] of Object.entries(entry)) {
    // VS Code writes null for what is not to be set.
    if (value === null || value === undefined) continue;
    const key = fieldLetters(name);
    const field = Object.hasOwn(fieldOf, key) ? fieldOf[key] : undefined;
    if (field) take(found, field, { name, key, value });
    else if (!/^(?:[$_]|\/\/)/.test(name) && !SAYS_NOTHING.has(key) && found.notes.length < MAX_NOTES)
      found.notes.push(...noteOn(name.slice(0, MAX_NAME), key, value));
  }
  return found;
}

function take({ fields, notes }: PlainEntry, field: ServerField, { name, key, value }: RawField): void {
  const before = fields[field];
  if (field === "off") fields.off = before === true || isTrueField(value) === (key === "disabled");
  else if (field === "env" && isObject(before) && isObject(value)) fields.env = { ...before, ...value };
  else if (field === "sandbox" && isObject(value))
    notes.push(t("`{0}` is true or false here: its rules have no effect.", name));
  else if (field === "only" || field === "without") takeTools(fields, field, value, notes, name);
  // Where both stand there, Gemini's `httpUrl` is the newer way, and its `url` the older one.
  else if (before === undefined || key === "httpurl" || key === "type") fields[field] = value;
  if (field === "oauth") takeOAuth(fields, value, notes);
  if (key === "httpurl") fields.type ??= "http";
}

type RawField = { name: string; key: string; value: unknown };

function takeTools(
  fields: ServerFields,
  field: "only" | "without",
  value: unknown,
  notes: string[],
  name: string,
): void {
  const given = typeof value === "string" ? [value] : value;
  if (!Array.isArray(given) || given.some(each => typeof each !== "string")) {
    notes.push(t("`{0}` is no list of names of tools, so it does nothing.", name));
    return;
  }
  const before = fields[field];
  fields[field] = [...(Array.isArray(before) ? before : []), ...given];
}

/** Which parts of it are understood is said in serverConfig.ts. */
const OAUTH: Readonly<Record<string, string>> = {
  ...{ clientid: "clientId", clientsecret: "clientSecret", callbackport: "callbackPort" },
  ...{ scopes: "scopes", scope: "scopes" },
};

function takeOAuth(fields: ServerFields, value: unknown, notes: string[]): void {
  if (!isObject(value)) {
    // Whoever wants to sign in does so by hand: "it may" and "it may not" are both kept.
    delete fields.oauth;
    return;
  }
  const known = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const field = OAUTH[fieldLetters(name)];
    if (field === undefined && part !== null && fieldLetters(name) !== "enabled")
      notes.push(t("`oauth.{0}` does nothing here: the server's own authorization server is asked.", name));
    if (field === undefined || part === null) return [];
    return [[field, Array.isArray(part) ? part.join(" ") : part]];
  });
  if (value.enabled === false) delete fields.oauth;
  else fields.oauth = Object.fromEntries(known);
}

function noteOn(name: string, key: string, value: unknown): string[] {
  const size = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1;
  const isEmpty = value === false || value === "" || size === 0;
  if (ALLOWS.has(key))
    return isEmpty
      ? []
      : [t("`{0}` allows nothing here: the rules in your settings do (`server:tool`, `server:*`).", name)];
  if (/timeout/.test(key))
    return [t("`{0}` does nothing here: the time limit of calls is in your settings, and a start has 60 s.", name)];
  const meant = slippedField(name, KNOWN);
  if (meant !== undefined) return [t("`{0}` is not known and has no effect: is `{1}` meant?", name, meant)];
  return isEmpty ? [] : [t("`{0}` is not known and has no effect.", name)];
}
