/** No secret gets into the log: every text of a record that somebody wrote or printed is redacted before it is encoded. */
import type { LogRecord } from "../../shared/records";

/** Fields of our own making, which others refer to, and what a provider wants back to the byte. */
const UNTOUCHED = new Set(
  (
    "id kind parentId messageId callId toolCallId approvalId pendingId requestId runId sha256 archiveSha256 binds role type state status " +
    "mediaType uri url stamps usage metadata mode providerMetadata callProviderMetadata"
  ).split(" "),
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
export function redactRecord(
  record: LogRecord,
  redact: (text: string) => string,
  { uris = false }: { uris?: boolean } = {},
): LogRecord {
  return ours(record, redact, uris) as LogRecord;
}

function ours(value: unknown, redact: (text: string) => string, uris: boolean): unknown {
  return mapped(value, redact, ([key, item]) => {
    if (uris && URIS.has(key)) return [key, foreign(item, redact)];
    if (UNTOUCHED.has(key) || (SNAPSHOTS.has(key) && isHash(item))) return [key, item];
    return [key, key === "input" ? foreign(item, redact) : ours(item, redact, uris)];
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
