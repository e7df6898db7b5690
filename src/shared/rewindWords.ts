/** What a rewind did, in words for people. */
import { count } from "./format";
import type { RecordOf } from "./records";

/** A sentence: how far it came, where it was cut off. */
export function rewindWords({ undoes, cutOff, turn, files, head }: RecordOf<"rewind">): string {
  const what = [
    ...(files === undefined ? [] : [count(files, "file")]),
    ...(head === undefined ? [] : ["the conversation"]),
  ].join(" and ");
  if (cutOff && undoes === undefined) return `A rewind to before turn ${turn} was cut off: ${what} put back.`;
  if (cutOff) return `The undo of a rewind was cut off: ${what} put back.`;
  return undoes === undefined ? `Rewound to before turn ${turn}: ${what}.` : `The rewind was undone: ${what}.`;
}
