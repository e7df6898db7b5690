/** No secret gets into the log: every text of a record that somebody wrote or printed is redacted before it is encoded. */
import type { LogRecord } from "../../shared/records";

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
