/**
 * Secrets become stable placeholders before anything is hashed, logged or sent (docs/context.md): values of `.env`
 * files and of the environment, keys and tokens of known shapes. The placeholder is a keyed hash: the same secret reads the
 * same everywhere, and says nothing of itself.
 */
import type { BlobWriter, EnvFiles, Redactor } from "../ports";
import { findPrivateKeys, withoutNumbers } from "../text/privateKeys";
import { parseEnv } from "./dotenv";
import { createPlaceholder, KnownSecrets, placeholder } from "./knownSecrets";
import { LineRedactor } from "./lineRedactor";

export { namesSecret } from "./knownSecrets";

/**
 * Shapes that are a secret wherever they stand (private keys: privateKeys.ts). Group 1, where there is one, is what stands
 * before the secret: a look back from every character would cost a hundred times as much. None may span lines: redactingWriter
 * cuts there.
 */
const shapes: readonly { name: string; pattern: RegExp }[] = [
  { name: "anthropic-key", pattern: /(?<![\w-])sk-ant-[A-Za-z0-9_-]{20,}/g },
  // A digit, so that a name like `sk-learn-model-selection` is none.
  { name: "openai-key", pattern: /(?<![\w-])sk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}/g },
  { name: "github-token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { name: "gitlab-token", pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { name: "slack-token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { name: "aws-key-id", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  {
    name: "aws-secret",
    pattern: /(aws_secret_access_key["']?[ \t]*[=:][ \t]*["']?)[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])/gi,
  },
  { name: "google-key", pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: "stripe-key", pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
  { name: "npm-token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  {
    name: "service-token",
    pattern:
      /\b(?:hf_[A-Za-z0-9]{30,}|SG\.[\w-]{16,}\.[\w-]{30,}|pypi-[\w-]{50,}|dckr_pat_[\w-]{20,}|do[opr]_v1_[0-9a-f]{60,}|shp(?:at|ss|ca|pa)_[0-9a-f]{32}|xapp-\d-[A-Za-z0-9-]{20,}|ya29\.[\w-]{30,}|whsec_[A-Za-z0-9+/=]{24,})/g,
  },
  // Not behind a hyphen: each such start would look through the whole rest of a long word.
  { name: "jwt", pattern: /(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
  { name: "url-password", pattern: /((?<=[a-z0-9+.-]):\/\/[^\s:/@]+:)[^\s:/@]{8,}(?=@)/gi },
];

/** The shape with blanks before its secret, as far as it has come: what stands before tells that it is one. */
const OPEN_SHAPE = /aws_secret_access_key["']?[ \t]*(?:[=:][ \t]*["']?[A-Za-z0-9/+=]*)?$/i;

export interface RedactorOptions {
  /** variables of this process */
  environment?: Readonly<Record<string, string | undefined>>;
  envFiles?: EnvFiles;
  /** placeholder → what it stands for, also of former processes (secrets/secretMemory.ts); default: this process alone */
  memory?: { get(mark: string): string | undefined; set(mark: string, secret: string): unknown };
}

/**
 * @param keyedHash hex digest of a text under a key that does not leave the machine
 */
export function createRedactor(keyedHash: (text: string) => string, options: RedactorOptions = {}): Redactor {
  const { environment = {}, envFiles, memory = new Map<string, string>() } = options;
  const markOf = (name: string, secret: string) => createPlaceholder(name, keyedHash(secret));
  const known = new KnownSecrets(markOf);
  known.add(Object.entries(environment).map(([name, value = ""]) => ({ name, value })));
  const learned = new Set<string>();
  /** of keys over several lines: as they were seen they may have had line numbers in them, or no end */
  const lines = new Set<string>();
  const keep = (mark: string, secret: string) => void memory.set(mark, secret);
  const secretOf = (mark: string) => memory.get(mark) ?? known.findValue(mark);
  const restore = (text: string) =>
    text.replace(placeholder.all, mark => {
      const secret = secretOf(mark);
      if (secret !== undefined) known.hold(mark, secret);
      return secret ?? mark;
    });
  const redactKeys = (text: string): string => {
    let redacted = "";
    let at = 0;
    for (const { start, end, whole } of findPrivateKeys(text)) {
      // A part of it may be known by itself.
      const key = restore(text.slice(start, end));
      const mark = markOf("private-key", withoutNumbers(key));
      if (whole && !key.includes("\n")) keep(mark, key);
      else lines.add(mark);
      redacted += text.slice(at, start) + mark;
      at = end;
    }
    return redacted + text.slice(at);
  };
  const learn = (text: string) => {
    if (learned.has(text)) return;
    learned.add(text);
    known.add(parseEnv(text));
  };
  const redact = (text: string): string => {
    let redacted = redactKeys(known.redact(text, keep));
    for (const { name, pattern } of shapes) {
      redacted = redacted.replace(pattern, (found: string, group: string | number) => {
        const before = typeof group === "string" ? group : "";
        const secret = found.slice(before.length);
        const mark = markOf(name, secret);
        keep(mark, secret);
        return before + mark;
      });
    }
    return redacted;
  };
  return {
    redact: text => redactColoured(text, redact),
    safeEnd: text => Math.min(known.openAt(text) ?? text.length, OPEN_SHAPE.exec(text)?.index ?? text.length),
    restore,
    standing: text =>
      (text.match(placeholder.all) ?? [])
        .filter(mark => secretOf(mark) === undefined)
        .map(mark => ({ mark, why: lines.has(mark) ? "lines" : "unknown" })),
    async refresh(scope) {
      for (const text of (await envFiles?.read(scope)) ?? []) learn(text);
    },
    learn,
  };
}

/** Every string in a JSON value, mapped. Keys stay. */
export function mapStrings<T>(value: T, map: (text: string) => string): T {
  if (typeof value === "string") return map(value) as T;
  if (Array.isArray(value)) return value.map(item => mapStrings(item, map)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)])) as T;
}

/**
 * A blob writer that redacts what passes through, line by line and whole private keys, in bounded memory. (In a line longer
 * than 64 KB, a secret is found as long as it is shorter than 4 KB.)
 */
export function redactingWriter(writer: BlobWriter, redactor: Pick<Redactor, "redact" | "refresh">): BlobWriter {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const lines = new LineRedactor(redactor.redact);
  let begun = false;
  const pass = async (text: string) => {
    if (text) await writer.write(encoder.encode(text));
  };
  return {
    async write(chunk) {
      // What was written into an .env file by the very command whose output this is.
      if (!begun) await redactor.refresh("known");
      begun = true;
      await pass(lines.push(decoder.decode(chunk, { stream: true })));
    },
    async finish() {
      await pass(lines.push(decoder.decode()) + lines.end());
      return writer.finish();
    },
    discard: () => writer.discard(),
  };
}

// Secrets in what programs colour: `grep --color` marks a part of a word, and a key right behind `ESC[32m` follows a
// letter, so that it looks like the end of a longer word. What a terminal does not show must hide nothing.

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
/** CSI, OSC and other strings, two characters; as in text/terminalText.ts */
const SEQUENCES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|[\\]P^_X][^${BEL}${ESC}\\n]*(?:${BEL}|${ESC}\\\\)|[ -/]+[0-~]|[0-OQ-WYZ\\\\\`-~])`,
  "g",
);

/** A line with a secret that only shows without its colours loses them; all others keep their bytes. */
function redactColoured(text: string, redact: (text: string) => string): string {
  const redacted = redact(text);
  if (!redacted.includes(ESC)) return redacted;
  return redacted
    .split("\n")
    .map(line => {
      const bare = line.replace(SEQUENCES, "");
      if (bare === line) return line;
      const clean = redact(bare);
      return clean === bare ? line : clean;
    })
    .join("\n");
}
