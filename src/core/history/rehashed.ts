/**
 * A secret that became known after a text was hashed: the record has the text without it, and the hash goes along. Else the
 * text would count as damaged, and its handle would lead nowhere.
 */
import type { LogRecord, RecordOf } from "../../shared/records";
import type { Hash } from "../ports";
import { handleOf } from "../text/format";

/** @param clean the record, redacted */
export function rehashed(record: LogRecord, clean: LogRecord, hash: Hash): LogRecord {
  if (record.kind === "result" && clean.kind === "result") return rehashedResult(record, clean, hash);
  if (record.kind !== "compaction" || clean.kind !== "compaction") return clean;
  const summaries = clean.summaries.map((summary, at) =>
    summary.text === record.summaries[at]?.text ? summary : { ...summary, sha256: hash.sha256(summary.text) },
  );
  return { ...clean, summaries };
}

function rehashedResult(record: RecordOf<"result">, clean: RecordOf<"result">, hash: Hash): LogRecord {
  const { raw, forms } = clean;
  if (!raw?.inline || forms.shown === record.forms.shown) return clean;
  const sha256 = hash.sha256(forms.shown);
  const renamed = (form: string) => form.replaceAll(handleOf(raw.sha256), handleOf(sha256));
  return {
    ...clean,
    raw: { ...raw, sha256, bytes: new TextEncoder().encode(forms.shown).length },
    forms: {
      ...forms,
      ...(forms.kept === undefined ? {} : { kept: renamed(forms.kept) }),
      ...(forms.folded === undefined ? {} : { folded: renamed(forms.folded) }),
    },
  };
}
