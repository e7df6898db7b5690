/** What a rewind did, in words for people. */
import { count } from "./format";
import type { RecordOf } from "./records";

/** A sentence: how far it came, where it was cut off. */
export function rewindWords({ undoes, cutOff, turn, files, head, stayed = [] }: RecordOf<"rewind">): string {
  const put = files === undefined || (files === 0 && stayed.length === 0) ? [] : [count(files, "file")];
  const back = [...put, ...(head === undefined ? [] : ["the conversation"])];
  if (cutOff) {
    const what = undoes === undefined ? `A rewind to before turn ${turn}` : "The undo of a rewind";
    return `${what} was cut off: ${back.join(" and ") || "no file was"} put back.`;
  }
  const what = [back.join(" and "), files === 0 && put.length === 0 ? "no file had to change" : ""].filter(Boolean);
  const done = undoes === undefined ? `Went back to before turn ${turn}` : "The rewind was undone";
  return `${done}: ${what.join("; ")}.`;
}
