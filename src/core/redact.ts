/**
 * Keys and tokens of known shapes become stable placeholders before anything is hashed, logged or sent (CONTEXT.md,
 * section 11). The placeholder is a keyed hash: the same secret reads the same everywhere, and says nothing of itself.
 */
import type { BlobWriter, Redactor } from "./ports";
import { findPrivateKeys, openKeyAt, withoutNumbers } from "./privateKeys";

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
  // Not behind a hyphen: each such start would look through the whole rest of a long word.
  { name: "jwt", pattern: /(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
  { name: "url-password", pattern: /((?<=[a-z0-9+.-]):\/\/[^\s:/@]+:)[^\s:/@]{8,}(?=@)/gi },
];

const placeholder = /\[secret:[a-z-]+:[0-9a-f]{12}\]/g;

/** A placeholder stands in the text, known to this process or not. */
export const namesSecret = (text: string): boolean => text.search(placeholder) >= 0;

/**
 * @param keyedHash hex digest of a text under a key that does not leave the machine
 */
export function createRedactor(keyedHash: (text: string) => string): Redactor {
  const secrets = new Map<string, string>();
  /** of keys over several lines: as they were seen they may have had line numbers in them, or no end */
  const lines = new Set<string>();
  const markOf = (name: string, secret: string) => `[secret:${name}:${keyedHash(secret).slice(0, 12)}]`;
  const redactKeys = (text: string): string => {
    let redacted = "";
    let at = 0;
    for (const { start, end, whole } of findPrivateKeys(text)) {
      const key = text.slice(start, end);
      const mark = markOf("private-key", withoutNumbers(key));
      if (whole && !key.includes("\n")) secrets.set(mark, key);
      else lines.add(mark);
      redacted += text.slice(at, start) + mark;
      at = end;
    }
    return redacted + text.slice(at);
  };
  return {
    redact(text) {
      let redacted = redactKeys(text);
      for (const { name, pattern } of shapes) {
        redacted = redacted.replace(pattern, (found: string, group: string | number) => {
          const before = typeof group === "string" ? group : "";
          const secret = found.slice(before.length);
          const mark = markOf(name, secret);
          secrets.set(mark, secret);
          return before + mark;
        });
      }
      return redacted;
    },
    restore: text => text.replace(placeholder, mark => secrets.get(mark) ?? mark),
    standing: text =>
      (text.match(placeholder) ?? [])
        .filter(mark => !secrets.has(mark))
        .map(mark => ({ mark, why: lines.has(mark) ? "lines" : "unknown" })),
  };
}

/** Every string in a JSON value, mapped. Keys stay. */
export function mapStrings<T>(value: T, map: (text: string) => string): T {
  if (typeof value === "string") return map(value) as T;
  if (Array.isArray(value)) return value.map(item => mapStrings(item, map)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)])) as T;
}

/** A line without an end is passed on in pieces of at least this size (characters), the last `OVERLAP` held back. */
const PIECE = 64 * 1024;
const OVERLAP = 4 * 1024;
const MOST_TRIES = 40;

/**
 * A blob writer that redacts what passes through, line by line and whole private keys, in bounded memory. (In a line longer
 * than 64 KB, a secret is found as long as it is shorter than 4 KB.)
 */
export function redactingWriter(writer: BlobWriter, redactor: Pick<Redactor, "redact">): BlobWriter {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = "";
  const pass = async (text: string) => {
    if (text) await writer.write(encoder.encode(text));
  };
  return {
    async write(chunk) {
      held += decoder.decode(chunk, { stream: true });
      const lines = lineCut(held);
      if (lines === undefined) return;
      const { ready, rest } = lines > 0 ? split(held, lines, redactor) : splitLongLine(held, redactor);
      held = rest;
      await pass(ready);
    },
    async finish() {
      await pass(redactor.redact(held + decoder.decode()));
      held = "";
      return writer.finish();
    },
    discard: () => writer.discard(),
  };
}

const split = (text: string, at: number, redactor: Pick<Redactor, "redact">) => ({
  ready: redactor.redact(text.slice(0, at)),
  rest: text.slice(at),
});

/** Behind how many whole lines, without the beginning of a private key, a cut is; 0: within a line; undefined: wait. */
function lineCut(text: string): number | undefined {
  const begin = openKeyAt(text);
  const open = begin !== undefined && text.length - begin < PIECE ? begin : text.length;
  const lines = text.lastIndexOf("\n", open - 1) + 1;
  if (lines > 0) return lines;
  return open === text.length && text.length > PIECE ? 0 : undefined;
}

/**
 * Cuts where no secret stands: there the parts, redacted each by itself, are the whole redacted. Between words first; where
 * nothing in reach is safe, all of it passes.
 */
function splitLongLine(text: string, redactor: Pick<Redactor, "redact">) {
  const whole = redactor.redact(text);
  let at = text.length - OVERLAP;
  for (let tries = 0; tries < MOST_TRIES && at > 0; tries += 1) {
    const cut = wordStart(text, at);
    const parts = split(text, cut, redactor);
    if (cut > 0 && parts.ready + redactor.redact(parts.rest) === whole) return parts;
    at = cut > 0 ? cut - 1 : at - OVERLAP;
  }
  return { ready: whole, rest: "" };
}

/** Behind the last blank, quote or comma before `at` that is near; else `at`, but not within a character. */
function wordStart(text: string, at: number): number {
  const near = text.slice(Math.max(0, at - OVERLAP), at);
  const blank = near.search(/[\s"',;](?=[^\s"',;]*$)/);
  if (blank >= 0) return at - near.length + blank + 1;
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
