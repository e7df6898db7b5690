/** Texts of records that handles lead to, and their new names where redaction changed them. */
import { defined } from "../../shared/defined";
import type { Trust } from "../../shared/manifest";
import type { RecordOf } from "../../shared/records";
import type { Redacted } from "../../shared/redacted";
import { toolTraits } from "../../shared/toolTraits";
import type { Hash, SessionFiles } from "../ground/ports";
import { toHandle } from "../ground/text/format";
import { stringsIn } from "../ground/text/json";

/** A text that a handle leads to. */
export interface RecordedText {
  sha256: string;
  /** absent: it is in the blob of that name */
  text?: string;
  bytes?: number;
  /** what it is, for people and models */
  digest: string;
  turn: number;
  /** whose text it is, where that is not what the record's kind says */
  trust?: Trust | undefined;
}

export const recordedText = (
  { sha256, bytes, inline }: { sha256: string; bytes: number; inline: boolean },
  digest: string,
  turn: number,
  shown?: string,
): RecordedText => ({ sha256, ...(inline && shown !== undefined ? { text: shown } : { bytes }), digest, turn });

/** What a child said at its end, in the background. */
export const reports = ({ report, agent, title, turn }: RecordOf<"child">): RecordedText[] =>
  report ? [recordedText({ ...report, inline: false }, `Report of ${agent}: ${title}`, turn)] : [];

export function rehashResult(record: RecordOf<"result">, clean: RecordOf<"result">, hash: Hash): RecordOf<"result"> {
  const { raw, forms } = clean;
  if (!raw?.inline || forms.shown === record.forms.shown) return clean;
  const sha256 = hash.sha256(forms.shown);
  const renamed = (form: string | undefined) => form?.replaceAll(toHandle(raw.sha256), toHandle(sha256));
  return {
    ...clean,
    raw: { ...raw, sha256, bytes: new TextEncoder().encode(forms.shown).length },
    forms: { ...forms, ...defined({ kept: renamed(forms.kept), folded: renamed(forms.folded) }) },
  };
}

export const compactionTexts = ({ summaries, ledger = [] }: RecordOf<"compaction">): RecordedText[] => [
  ...summaries.map(({ sha256, text, turns: { from, to } }) => ({
    sha256,
    text,
    turn: to,
    digest: `Summary of turns ${from}–${to}`,
  })),
  ...ledger.flatMap(({ whole }) =>
    whole.map(({ turns: { from, to }, raw }) => recordedText(raw, `What the user said, turns ${from}–${to}`, to)),
  ),
];

export function rehashSummaries(record: RecordOf<"compaction">, clean: RecordOf<"compaction">, hash: Hash) {
  const summaries = clean.summaries.map((summary, at) =>
    summary.text === record.summaries[at]?.text ? summary : { ...summary, sha256: hash.sha256(summary.text) },
  );
  return { ...clean, summaries };
}

/** The door of texts that are kept beside the log: what has a secret is neither hashed nor stored. Rejects with StorageError. */
export async function keepText(text: Redacted, store: { files: Pick<SessionFiles, "putBlob">; hash: Hash }) {
  const bytes = new TextEncoder().encode(text);
  const sha256 = store.hash.sha256(bytes);
  await store.files.putBlob(sha256, bytes);
  return { sha256, bytes: bytes.length };
}

/** What was said, and what the model wrote with its tools; what it searched for is no find. */
export function searchedTexts(part: RecordOf<"message">["message"]["parts"][number]): string[] {
  if (part.type === "text") return [part.text];
  return part.type === "dynamic-tool" && !toolTraits(part.toolName).isUnsearched ? stringsIn(part.input) : [];
}
