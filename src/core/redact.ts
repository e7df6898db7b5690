/**
 * Keys and tokens of known shapes become stable placeholders before anything is hashed, logged or sent (CONTEXT.md,
 * section 11). The placeholder is a keyed hash: the same secret reads the same everywhere, and says nothing of itself.
 */
import type { BlobWriter, Redactor } from "./ports";

/** Shapes that are a secret wherever they stand. Group `secret` narrows the match; without it all of it is the secret. */
const shapes: readonly { name: string; pattern: RegExp }[] = [
  {
    name: "private-key",
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----[\s\S]+?-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----/g,
  },
  { name: "anthropic-key", pattern: /(?<![\w-])sk-ant-[A-Za-z0-9_-]{20,}/g },
  // A digit, so that a name like `sk-learn-model-selection` is none.
  { name: "openai-key", pattern: /(?<![\w-])sk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}/g },
  { name: "github-token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { name: "gitlab-token", pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { name: "slack-token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { name: "aws-key-id", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { name: "aws-secret", pattern: /(?<=aws_secret_access_key["']?\s*[=:]\s*["']?)[A-Za-z0-9/+=]{40}\b/gi },
  { name: "google-key", pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { name: "stripe-key", pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
  { name: "npm-token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: "jwt", pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
  { name: "url-password", pattern: /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:)[^\s:/@]{8,}(?=@)/gi },
];

const placeholder = /\[secret:[a-z-]+:[0-9a-f]{12}\]/g;

/**
 * @param keyedHash hex digest of a text under a key that does not leave the machine
 */
export function createRedactor(keyedHash: (text: string) => string): Redactor {
  const secrets = new Map<string, string>();
  return {
    redact(text) {
      let redacted = text;
      for (const { name, pattern } of shapes) {
        redacted = redacted.replace(pattern, secret => {
          const mark = `[secret:${name}:${keyedHash(secret).slice(0, 12)}]`;
          secrets.set(mark, secret);
          return mark;
        });
      }
      return redacted;
    },
    restore: text => text.replace(placeholder, mark => secrets.get(mark) ?? mark),
  };
}

/** Every string in a JSON value, mapped. Keys stay. */
export function mapStrings<T>(value: T, map: (text: string) => string): T {
  if (typeof value === "string") return map(value) as T;
  if (Array.isArray(value)) return value.map(item => mapStrings(item, map)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)])) as T;
}

/** A line without an end is passed on in pieces of this size (characters), the last `OVERLAP` held back. */
const PIECE = 64 * 1024;
const OVERLAP = 4 * 1024;

/**
 * A blob writer that redacts what passes through, line by line and whole private keys, in bounded memory. (A secret that
 * stands across two pieces of a line longer than 64 KB is found as long as it is shorter than 4 KB.)
 */
export function redactingWriter(writer: BlobWriter, redactor: Pick<Redactor, "redact">): BlobWriter {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = "";
  const pass = async (text: string) => {
    if (text) await writer.write(encoder.encode(redactor.redact(text)));
  };
  const take = async (text: string) => {
    held += text;
    const cut = cutPoint(held);
    const ready = held.slice(0, cut);
    held = held.slice(cut);
    await pass(ready);
  };
  return {
    write: chunk => take(decoder.decode(chunk, { stream: true })),
    async finish() {
      await pass(held + decoder.decode());
      held = "";
      return writer.finish();
    },
    discard: () => writer.discard(),
  };
}

/** How much of the text can be redacted by itself: whole lines, not the beginning of a private key. */
function cutPoint(text: string): number {
  const begin = text.lastIndexOf("-----BEGIN ");
  const open = begin >= 0 && text.indexOf("-----END ", begin) < 0 && text.length - begin < PIECE ? begin : text.length;
  const lines = text.lastIndexOf("\n", open - 1) + 1;
  if (lines > 0) return lines;
  return open === text.length && text.length > PIECE ? text.length - OVERLAP : 0;
}
