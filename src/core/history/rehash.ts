/** Texts that redaction changed have other names: their records say so. */
import type { RecordOf } from "../../shared/records";
import type { Hash } from "../ports";
import { toHandle } from "../text/format";

export function rehashResult(record: RecordOf<"result">, clean: RecordOf<"result">, hash: Hash): RecordOf<"result"> {
  const { raw, forms } = clean;
  if (!raw?.inline || forms.shown === record.forms.shown) return clean;
  const sha256 = hash.sha256(forms.shown);
  const renamed = (form: string) => form.replaceAll(toHandle(raw.sha256), toHandle(sha256));
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

export function rehashSummaries(record: RecordOf<"compaction">, clean: RecordOf<"compaction">, hash: Hash) {
  const summaries = clean.summaries.map((summary, at) =>
    summary.text === record.summaries[at]?.text ? summary : { ...summary, sha256: hash.sha256(summary.text) },
  );
  return { ...clean, summaries };
}
