/** Turns that changed files, for the panel's and the store's tests. */

import type { Json } from "../../src/shared/messages";
import type { TurnFile } from "../../src/shared/panelProtocol";
import type { NewRecord } from "../../src/shared/records";
import type { FileChange } from "../../src/shared/toolResult";
import { invoiceDiff, Script } from "./script";

export const fileUri = (path: string) => `file:///code/invoices/${path}`;

export function changeOf(path: string, added: number, removed: number, more: Partial<FileChange> = {}): FileChange {
  return { ...invoiceDiff, uri: fileUri(path), path, added, removed, ...more };
}

/** What the host says of it. */
export function turnFile(path: string, added: number, removed: number, more: Partial<TurnFile> = {}): TurnFile {
  const file = { uri: fileUri(path), path, added, removed, created: false, deleted: false, edits: 1, undone: 0 };
  return { ...file, ...more };
}

/** A call that edits, with its result. */
export function edits(script: Script, callId: string, ...changes: FileChange[]): Script {
  const [first] = changes;
  const tool = first?.created ? "Write" : changes.length > 1 ? "Bash" : "Edit";
  const input: Json = tool === "Bash" ? { command: "npm run rename" } : { file_path: first?.path ?? "" };
  script.request(`req_${callId}`).answer(`req_${callId}`, "", [[callId, tool, input]]);
  return script.result(callId, tool, { digest: `${tool} ${first?.path}`, changes });
}

export function reverted(direction: "undo" | "redo", path: string, ...callIds: string[]): NewRecord {
  const refs = callIds.map(callId => ({ messageId: "msg", callId }));
  return { kind: "revert", direction, turn: 1, uri: fileUri(path), path, edits: refs, added: 1, removed: 3 };
}

/** Four edits of three files: one of them twice, one new, one by an old version of Strata. */
export function changing(): Script {
  const script = new Script().user("round half up, everywhere");
  edits(script, "e1", changeOf("src/invoice.ts", 3, 1));
  edits(script, "e2", changeOf("src/rounding/halfUpAsTheTaxOfficeWantsIt.ts", 24, 0, { created: true, before: null }));
  edits(script, "e3", changeOf("src/invoice.ts", 2, 2));
  const { before: _, after: __, ...old } = changeOf("test/invoice.test.ts", 6, 1);
  return edits(script, "e4", old);
}

/** What the host says of these. */
export const changingFiles: TurnFile[] = [
  turnFile("src/rounding/halfUpAsTheTaxOfficeWantsIt.ts", 24, 0, { created: true }),
  turnFile("src/invoice.ts", 4, 2, { edits: 2 }),
  turnFile("test/invoice.test.ts", 6, 1, { why: "The edit of test/invoice.test.ts can't be undone: it is too old." }),
];

/** A session of these in which two files wait for a review. */
export const reviewed = {
  records: changing().answer("req_end", "Every total rounds half up now.").end("done").records,
  review: ["src/invoice.ts", "src/other.ts"].map(path => ({
    ...{ uri: fileUri(path), path, changes: 2, turns: [1], seq: 9, kind: "edited" as const },
  })),
};
