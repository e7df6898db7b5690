/** No secret gets into the log: every text of a record that somebody wrote or printed is redacted before it is encoded. */
import type { LogRecord } from "../../shared/records";
import type { Hash } from "../ports";
import { handleOf } from "../tools/format";

/** Fields of our own making, which others refer to, and what a provider wants back to the byte. */
const UNTOUCHED = new Set(
  (
    "id kind parentId messageId callId toolCallId approvalId pendingId requestId runId sha256 archiveSha256 binds role type state status " +
    "mediaType uri url stamps usage metadata mode providerMetadata callProviderMetadata"
  ).split(" "),
);

/**
 * @param redact secrets → placeholders; idempotent
 */
export function redactRecord(record: LogRecord, redact: (text: string) => string): LogRecord {
  return ours(record, redact) as LogRecord;
}

const utf8 = new TextEncoder();

/**
 * An output that stands in its record is named by its hash. A secret may become known after it was named and before it is
 * written: what is written then gets a name of its own, in its handles too.
 */
export function namedAsWritten(record: LogRecord, hash: Hash): LogRecord {
  if (record.kind !== "result" || !record.raw?.inline) return record;
  const { forms, raw } = record;
  const sha256 = hash.sha256(forms.shown);
  if (sha256 === raw.sha256) return record;
  const renamed = (form: string) => form.replaceAll(handleOf(raw.sha256), handleOf(sha256));
  return {
    ...record,
    forms: {
      ...forms,
      ...(forms.kept === undefined ? {} : { kept: renamed(forms.kept) }),
      ...(forms.folded === undefined ? {} : { folded: renamed(forms.folded) }),
    },
    raw: { ...raw, sha256, bytes: utf8.encode(forms.shown).length },
  };
}

function ours(value: unknown, redact: (text: string) => string): unknown {
  return mapped(value, redact, ([key, item]) => {
    if (UNTOUCHED.has(key)) return [key, item];
    return [key, key === "input" ? foreign(item, redact) : ours(item, redact)];
  });
}

/** A tool's input as the model made it: its keys are the model's words too. */
function foreign(value: unknown, redact: (text: string) => string): unknown {
  return mapped(value, redact, ([key, item]) => [redact(key), foreign(item, redact)]);
}

function mapped(
  value: unknown,
  redact: (text: string) => string,
  entry: (entry: [string, unknown]) => [string, unknown],
): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map(item => (typeof item === "string" ? redact(item) : mapped(item, redact, entry)));
  return Object.fromEntries(Object.entries(value).map(entry));
}
