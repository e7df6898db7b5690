/** What going back to before a message means: where that is, and what it would do. */
import { defined } from "../../../shared/defined";
import type { LogRecord } from "../../../shared/records";
import { titleFrom } from "../../../shared/title";
import type { FilesPlan } from "../../changes/rewind/rewindFiles";

export interface RewindPreview {
  turn: number;
  /**
   * as FileRef.path; `merged`: somebody changed it since, and that stays; `during`: of one that is deleted, the command while
   * which it was made, by whomever
   */
  files: {
    path: string;
    uri: string;
    becomes: "changed" | "created" | "deleted";
    merged: boolean;
    during?: string | undefined;
  }[];
  /** what stays as it is, and what is not covered, a sentence each */
  stays: string[];
  gaps: string[];
  /** turns that leave the conversation */
  turns: number;
}

export interface RewindPoint {
  turn: number;
  /** ms since the epoch: of the turn's first record */
  since: number;
  /** number of the record before the turn's first one */
  head: number;
  /** the beginning of the message */
  message: string;
}

/** The files of a plan as people look at them, by path. */
export function previewFiles({ actions, stays }: FilesPlan): Pick<RewindPreview, "files" | "stays"> {
  const files = actions.map(action => {
    const { chain, merged, from } = action;
    const target = action.kind === "exact" ? action.to : action.text;
    const isNew = action.kind === "exact" ? from === null : action.now === null;
    const becomes = target === null ? ("deleted" as const) : isNew ? ("created" as const) : ("changed" as const);
    const during = becomes === "deleted" ? chain.during : undefined;
    return { path: chain.path, uri: chain.uri, becomes, merged, ...defined({ during }) };
  });
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), stays };
}

/** undefined: there is no such turn, or no person opened it */
export function rewindPoint(records: readonly LogRecord[], turn: number): RewindPoint | undefined {
  const opening = records.find(
    record =>
      record.kind === "message" && record.message.metadata.turn === turn && record.message.metadata.kind === "normal",
  );
  const first = records.find(
    record =>
      (record.kind === "message" && record.message.metadata.turn === turn) ||
      ((record.kind === "inject" || record.kind === "attachment") && record.turn === turn),
  );
  if (opening?.kind !== "message" || !first) return undefined;
  const text = opening.message.parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join(" ");
  return { turn, since: first.ts, head: first.seq - 1, message: titleFrom(text) };
}
