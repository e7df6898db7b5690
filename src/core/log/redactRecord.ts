/** No secret gets into the log: every text of a record that somebody wrote or printed is redacted before it is encoded. */
import { isObject } from "../../shared/isObject";
import type { LogRecord } from "../../shared/records";
import type { Redact } from "../../shared/redacted";
import type { Hash } from "../ground/ports";
import { kindOf, recordKinds } from "./recordKinds";

const COMMON = ["id", "kind"];
/** Of lines that are no records: headers, manifests, runs. */
const ANY_NAMES: ReadonlySet<string> = new Set([
  ...COMMON,
  ...Object.values(recordKinds).flatMap(({ verbatim }) => verbatim),
]);
const namesByKind = new Map(
  Object.entries(recordKinds).map(([kind, { verbatim }]) => [kind, new Set([...COMMON, ...verbatim])]),
);

/** Snapshots are named by what they hold: a name is no text. */
const SNAPSHOTS = new Set(["before", "after"]);
const isHash = (value: unknown) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** Names of files as the editor has them: needed as they are where the files are, and nowhere else. */
const URIS = new Set(["uri", "stamps", "untold"]);

/**
 * @param redact secrets → placeholders; idempotent
 * @param uris also in the URIs of files: for a copy that leaves this machine
 */
export function redactRecord(record: LogRecord, redact: Redact, { uris = false }: { uris?: boolean } = {}): LogRecord {
  const verbatim = namesByKind.get(record.kind) ?? ANY_NAMES;
  const fields = (value: unknown): unknown =>
    mapped(value, redact, ([key, item]) => {
      if (uris && URIS.has(key)) return [key, foreign(item, redact)];
      if (verbatim.has(key) || (SNAPSHOTS.has(key) && isHash(item))) return [key, item];
      return [key, FOREIGN.has(key) ? foreign(item, redact) : fields(item)];
    });
  return fields(record) as LogRecord;
}

/**
 * A secret that became known after a text was hashed: the record has the text without it, and its name goes along. Else the
 * text would count as damaged, and its handle would lead nowhere.
 */
export const redactAndRehash = (record: LogRecord, redact: Redact, hash: Hash): LogRecord =>
  kindOf(record).texts.rehash(record, redactRecord(record, redact), hash);

/** Objects of a shape that is not ours: a key of theirs is no field of ours. */
const FOREIGN = new Set(["input", "sandbox"]);

/** A tool's input as the model made it: its keys are the model's words too. */
const foreign = (value: unknown, redact: Redact): unknown =>
  mapped(value, redact, ([key, item]) => [redact(key), foreign(item, redact)]);

function mapped(value: unknown, redact: Redact, entry: (entry: [string, unknown]) => [string, unknown]): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(item => mapped(item, redact, entry));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(entry)) : value;
}
