/**
 * Secrets become stable placeholders before anything is hashed, logged or sent (docs/context.md): values of `.env`
 * files and of the environment, keys and tokens of known shapes. The placeholder is a keyed hash: the same secret reads the
 * same everywhere, and says nothing of itself.
 * Clean texts are remembered for a while, not marked: one text goes to the card, the digest, the result and the log.
 */
import type { Json } from "../../shared/messages";
import { mapStrings, type Redact, type Redacted } from "../../shared/redacted";
import type { BlobWriter, EnvFiles, Logger, NamedValue, Redactor, TextWriter } from "../ground/ports";
import { findPrivateKeys, privateKeyParts, withoutNumbers } from "../ground/text/privateKeys";
import { createPlaceholder, KnownSecrets, namesSecret, placeholder, replaceSpans } from "./knownSecrets";
import { KnownTexts } from "./knownTexts";
import { LineRedactor } from "./lineRedactor";
import { looksRandom, MIN_ENV_LENGTH } from "./looksSecret";
import { findCutTokens, shapes, shapesIn, signlessIn } from "./shapes";

/** `export NAME=`, `declare -x NAME=`, `NAME: `, also where the line is commented out: an old secret may still be good. */
const ASSIGNED =
  /^\uFEFF?[ \t]*(?:(?:#+|\/\/)[ \t]*)?(?:(?:export|set|readonly|declare|typeset|local)[ \t]+(?:-\w+[ \t]+){0,3}|\$env:)?([A-Za-z_][\w.-]*)[ \t]*(?:\+?=|:(?=[ \t]))[ \t]*(.*)/s;
const OVER_LINES =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|`([^`]*)`)/gm;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

export function parseEnv(text: string): NamedValue[] {
  const lines = text.split(/\r\n?|\n/);
  const entries = lines.flatMap(line => {
    const [, name, rest] = ASSIGNED.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : readings(rest.trim()).map(value => ({ name, value }));
  });
  for (const [, name = "", double, single, back] of lines.join("\n").matchAll(OVER_LINES)) {
    const quoted = double ?? single ?? back ?? "";
    if (quoted.includes("\n")) entries.push({ name, value: double === undefined ? quoted : unescaped(quoted) });
  }
  return entries;
}

/** Possible values behind the `=` of one line. */
function readings(rest: string): string[] {
  const quote = /^["'`]/.exec(rest)?.[0];
  const quoted = quote === undefined ? undefined : insideQuotes(rest, quote);
  // As written too: that is what a tool shows.
  if (quoted !== undefined) return [...new Set(quote === '"' ? [quoted, unescaped(quoted)] : [quoted])];
  const open = rest.replace(/^["'`]/, "");
  const until = (end: RegExp) => open.split(end, 1)[0]?.trim() ?? "";
  return [...new Set([open, until(/\s#/), until(/#/), until(/[\s;]/)])].filter(Boolean);
}

/** Up to the first quote without a backslash, else up to the last one. */
function insideQuotes(rest: string, quote: string): string | undefined {
  let last: number | undefined;
  for (let at = 1; at < rest.length; at += 1) {
    if (rest[at] === quote) return rest.slice(1, at);
    if (rest[at] !== "\\") continue;
    at += 1;
    if (rest[at] === quote) last = at;
  }
  return last === undefined ? undefined : rest.slice(1, last);
}

const unescaped = (text: string) =>
  text.replace(/\\([\s\S])/g, (_, character: string) => ESCAPED[character] ?? character);

export { namesSecret } from "./knownSecrets";

/** The shape with blanks before its secret, as far as it has come: the text before it tells. */
const OPEN_SHAPE = /aws_secret_access_key["']?[ \t]*(?:[=:][ \t]*["']?[A-Za-z0-9/+=]*)?$/i;

/** UTF-16 units of clean texts that are remembered, and of one from which on that is worth it */
const REMEMBERED = 1_000_000;
const REMEMBERED_LENGTH = 256;

export interface RedactorOptions {
  environment?: Readonly<Record<string, string | undefined>>;
  envFiles?: EnvFiles;
  /** placeholder → its secret in a place, also of former processes (secrets/secretMemory.ts); default: this process alone */
  memory?: {
    get(mark: string, place: string): string | undefined;
    set(mark: string, secret: string, place: string): unknown;
  };
}

/** @param keyedHash hex digest of a text under a key that does not leave the machine */
export function createRedactor(keyedHash: (text: string) => string, options: RedactorOptions = {}): Redactor {
  const { environment = {}, envFiles, memory = ownMemory() } = options;
  const markOf = (name: string, secret: string) => createPlaceholder(name, keyedHash(secret));
  const known = new KnownSecrets(markOf);
  known.add(Object.entries(environment).map(([name, value = ""]) => ({ name, value })));
  const keyParts = new KnownSecrets(markOf);
  const learned = new Set<string>();
  const shared: RedactorParts = { markOf, known, keyParts, keyLines: new Set(), memory };
  const learnKeys = (text: string) => keyParts.addParts("private-key", privateKeyParts(text).flatMap(keyPieces));
  const learn = (text: string) => {
    if (learned.has(text)) return;
    learned.add(text);
    known.add(parseEnv(text), MIN_ENV_LENGTH);
    learnKeys(text);
  };
  const refresh: Redactor["refresh"] = async scope => {
    for (const text of (await envFiles?.read(scope)) ?? []) learn(text);
  };
  // Under the key too: the memory does not say which folders and sessions there are.
  const within = (place: () => string): Redactor => ({
    ...redactorOf(shared, () => keyedHash(`place ${place()}`).slice(0, 16)),
    refresh,
    learn,
    learnKeys,
    within,
  });
  return within(() => "");
}

/** Of base64 some lines look like a path or like words. In a key they are neither; what is shorter may be. */
const isKeyPart = (part: string): boolean => looksRandom(part) || (part.length >= 16 && new Set(part).size >= 8);

/** `cut -c2-` and the like take the beginning of each line away: nearly all of the key is there. */
const CUT_FROM_START = 8;

const keyPieces = (part: string): string[] =>
  Array.from({ length: CUT_FROM_START + 1 }, (_, from) => part.slice(from)).filter(isKeyPart);

/** What the redactors of all places have in common. */
interface RedactorParts {
  markOf(name: string, secret: string): string;
  known: KnownSecrets;
  /** lines of private keys: looked for outside whole keys */
  keyParts: KnownSecrets;
  /** placeholders of keys over several lines: as they were seen they may have had line numbers in them, or no end */
  keyLines: Set<string>;
  memory: NonNullable<RedactorOptions["memory"]>;
}

function redactorOf({ markOf, known, keyParts, keyLines, memory }: RedactorParts, place: () => string) {
  const keep = (mark: string, secret: string) => void memory.set(mark, secret, place());
  const secretOf = (mark: string) => memory.get(mark, place());
  const restore = (text: string) =>
    text.replace(placeholder.all, mark => {
      const secret = secretOf(mark);
      if (secret !== undefined) known.hold(mark, secret);
      return secret ?? mark;
    });
  const redactKeys = (text: string): string =>
    replaceSpans(text, findPrivateKeys(text), (found, { whole }) => {
      // A part may be known by itself.
      const key = restore(found);
      const mark = markOf("private-key", withoutNumbers(key));
      if (whole && !key.includes("\n")) keep(mark, key);
      else keyLines.add(mark);
      return mark;
    });
  const hide = (name: string, secret: string): string => {
    const mark = markOf(name, secret);
    keep(mark, secret);
    return mark;
  };
  const hideInLine = (line: string, shapesOf: number): string => {
    let redacted = line;
    let may = shapesOf;
    for (let at = 0; may >>> at !== 0; at += 1) {
      const shape = (may >>> at) & 1 ? shapes[at] : undefined;
      if (!shape) continue;
      const { name, pattern, isSecret } = shape;
      const text = redacted;
      redacted = text.replace(pattern, (found: string, ...rest: unknown[]) => {
        const before = typeof rest[0] === "string" && rest.length > 2 ? rest[0] : "";
        const secret = found.slice(before.length);
        const start = Number(rest.at(-2)) + before.length;
        if (namesSecret(secret)) return found;
        if (isSecret?.(secret, text.slice(Math.max(0, start - 64), start)) === false) return found;
        return before + hide(name, secret);
      });
      if (redacted !== text) may |= shapesIn(redacted);
    }
    return replaceSpans(redacted, findCutTokens(redacted), token => hide("cut-token", token));
  };
  /** No shape spans lines, and most lines have no sign of any. */
  const hideShapes = (text: string): string => {
    const signless = signlessIn(text);
    let [redacted, done] = ["", 0];
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      const may = shapesIn(text, signless, start, end);
      const line = text.slice(start, end);
      const clean = may === 0 ? line : hideInLine(line, may);
      if (clean === line) continue;
      redacted += text.slice(done, start) + clean;
      done = end;
    }
    return redacted + text.slice(done);
  };
  const redact = (text: string): string => hideShapes(keyParts.redact(redactKeys(known.redact(text, keep)), keep));
  return {
    redact: searchedOnce(
      text => redactColoured(text, redact),
      () => known.size + keyParts.size,
    ),
    safeEnd: (text: string) => Math.min(known.openAt(text) ?? text.length, OPEN_SHAPE.exec(text)?.index ?? text.length),
    restore,
    standing: (text: string) =>
      (text.match(placeholder.all) ?? [])
        .filter(mark => secretOf(mark) === undefined)
        .map(mark => ({ mark, why: keyLines.has(mark) ? ("lines" as const) : ("unknown" as const) })),
  };
}

/** Searches once what goes several ways (card, digest, log). The one place that makes a text `Redacted`. @param known how many secrets are */
function searchedOnce(redact: (text: string) => string, known: () => number): Redact {
  let clean = new KnownTexts(REMEMBERED);
  let knownThen = known();
  return text => {
    if (text.length < REMEMBERED_LENGTH) return redact(text) as Redacted;
    if (knownThen !== known()) clean = new KnownTexts(REMEMBERED);
    knownThen = known();
    // A text that has a secret is searched anew: that also keeps its placeholder's secret.
    const redacted = clean.get(text) ?? redact(text);
    clean.put(redacted, redacted);
    return redacted as Redacted;
  };
}

function ownMemory(): RedactorParts["memory"] {
  const secrets = new Map<string, string>();
  return {
    get: (mark, place) => secrets.get(`${place} ${mark}`),
    set: (mark, secret, place) => secrets.set(`${place} ${mark}`, secret),
  };
}

class RedactingLogger implements Logger {
  constructor(
    readonly logger: Logger,
    private readonly redact: Redact,
    readonly more: Record<string, Json>,
  ) {}

  readonly log: Logger["log"] = (level, message, fields = {}) =>
    this.logger.log(level, this.redact(message), { ...this.more, ...mapStrings(fields, this.redact) });
}

/** The door of the day log: nothing that has a secret is written. @param more for every line */
export function redactingLogger(logger: Logger, redact: Redact, more: Record<string, Json> = {}): Logger {
  // A line is searched once, for the innermost that logs it.
  if (!(logger instanceof RedactingLogger)) return new RedactingLogger(logger, redact, more);
  return new RedactingLogger(logger.logger, redact, { ...logger.more, ...more });
}

/** Redacts line by line and whole private keys, in bounded memory. (In a line longer than 64 KB, a secret is found as long as it is shorter than 4 KB.) */
export function redactingWriter(writer: BlobWriter, redactor: Pick<Redactor, "redact" | "refresh">): TextWriter {
  const lines = new LineRedactor(redactor.redact);
  let begun: Promise<void> | undefined;
  let ready = "";
  /** @param least characters that are written at once */
  const pass = async (text: string, least = 64 * 1024) => {
    ready += text;
    if (ready.length < least) return;
    const all = ready;
    ready = "";
    await writer.write(all);
  };
  return {
    async write(text) {
      // What was written into an .env file by the very command whose output this is.
      begun ??= redactor.refresh("known");
      await begun;
      await pass(lines.push(text));
    },
    async finish() {
      await pass(lines.end(), 1);
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
  const plain = redacted.replace(SEQUENCES, "");
  if (redact(plain) === plain) return redacted;
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
