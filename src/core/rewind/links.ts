/** What a session's records say of files: edits, commands, what a person took back, rewinds. Why: C-54. */

import { type FileState, type StateChange, stateChangesSchema } from "../../shared/fileStates";
import type { LogRecord, RecordOf } from "../../shared/records";
import { toolTraits } from "../../shared/toolTraits";
import { ChangeRecords, type RecordedEdit } from "../history/changeRecords";
import type { History } from "../history/history";
import { oneLine } from "../text/format";
import { parseJson } from "../text/json";
import { type Besides, besidesOf } from "./besides";
import type { Link } from "./chain";

/** characters of a command in a preview */
const MAX_COMMAND = 100;

interface Stretch {
  links: Link[];
  besides: Besides;
  /** what is not among them, a sentence each */
  gaps: string[];
}

/** Everything from a turn on. @param from number of the record before which the turn began */
export class FileLinks {
  private readonly changes: ChangeRecords;

  constructor(private readonly history: History) {
    this.changes = new ChangeRecords(history);
  }

  /** Rejects with StorageError. */
  async since(turn: number, from: number): Promise<Stretch> {
    const { records } = this.history;
    const gaps = new Set<string>();
    const links: Link[] = [];
    const seen = new Set<string>();
    const { edits, missing } = await this.changes.read();
    const resultOf = resultsOfCommands(records, edits);
    const noted = new Set(records.flatMap(record => (record.kind === "commandFiles" ? [resultOf(record)] : [])));
    const commandOf = commandsByCall(records);
    for (const record of records) {
      if (record.kind === "commandFiles" && record.turn >= turn) {
        for (const gap of record.gaps) gaps.add(gap);
        const during = commandOf(record);
        for (const change of await this.list(record, gaps)) {
          links.push({ at: record.since + 0.5, change, during });
          seen.add(`${resultOf(record)} ${change.uri}`);
        }
      }
      if (record.kind === "rewind" && record.phase === "done" && record.seq > from)
        for (const change of await this.list(record, gaps)) links.push({ at: record.seq, change });
      if (record.kind === "revert" && record.seq > from) links.push({ at: record.seq, change: revertChange(record) });
      const gap = record.kind === "result" && record.turn >= turn ? unwatched(record, noted) : undefined;
      if (gap) gaps.add(gap);
    }
    for (const { turn: made, seq, change } of edits) {
      if (made < turn || seen.has(`${seq} ${change.uri}`)) continue;
      const { uri, path, before, after, unkept } = change;
      const isMade = before === null;
      const states = { before: editState(before, unkept), after: editState(after, unkept) };
      links.push({ at: seq, change: { uri, path, ...states, ...(isMade && { made: true }) } });
    }
    for (const name of missing) gaps.add(`${name} of this session can't be read: changes that stand there stay.`);
    const commands = records.filter(record => record.kind === "commandFiles").filter(record => record.turn >= turn);
    return { links, besides: besidesOf(commands), gaps: [...gaps] };
  }

  /** The files of one rewind. */
  async of(record: RecordOf<"rewind">): Promise<Stretch> {
    const gaps = new Set<string>();
    const links = (await this.list(record, gaps)).map(change => ({ at: record.seq, change }));
    return { links, besides: besidesOf([]), gaps: [...gaps] };
  }

  async list({ list }: { list?: string | undefined }, gaps = new Set<string>()): Promise<StateChange[]> {
    if (list === undefined) return [];
    const text = await this.history.files.getSnapshot(list);
    const parsed = stateChangesSchema.safeParse(text === undefined ? undefined : parseJson(text));
    if (parsed.success) return parsed.data;
    gaps.add("What some commands changed is not in this session (an export leaves it out).");
    return [];
  }
}

const reasons: Record<string, string> = {
  "too-large": "it was too large to be kept",
  elsewhere: "it was changed outside of this workspace",
};

/** A text that was kept has the hash of its bytes, where it is UTF-8; where it is not, no bytes have it. */
function editState(sha256: string | null | undefined, unkept: string | undefined): FileState {
  if (sha256 === null) return null;
  if (sha256 !== undefined) return { type: "file", sha256 };
  return { type: "unkept", why: reasons[unkept ?? ""] ?? "its state was not kept" };
}

function revertChange({ uri, path, before, after }: RecordOf<"revert">): StateChange {
  const states = { before: editState(before, undefined), after: editState(after, undefined) };
  return { uri, path, ...states, ...(before === null && { made: true as const }) };
}

/** Which result a command has: the first of its call behind where it ran. Some providers give the same id to calls of many steps. */
function resultsOfCommands(
  records: readonly LogRecord[],
  edits: readonly RecordedEdit[],
): (command: RecordOf<"commandFiles">) => number | undefined {
  const results = [...records.filter(record => record.kind === "result"), ...edits].sort((a, b) => a.seq - b.seq);
  const byCall = Map.groupBy(results, ({ callId }) => callId);
  return ({ callId, since }) => byCall.get(callId)?.find(({ seq }) => seq > since)?.seq;
}

/** What a command is, in one line; undefined: its call is archived. Some providers give the same id to calls of many steps. */
function commandsByCall(records: readonly LogRecord[]): (command: RecordOf<"commandFiles">) => string | undefined {
  const calls = records.flatMap(record =>
    record.kind === "message"
      ? record.message.parts.flatMap(part =>
          part.type === "dynamic-tool" ? [{ seq: record.seq, callId: part.toolCallId, input: part.input }] : [],
        )
      : [],
  );
  const byCall = Map.groupBy(calls, ({ callId }) => callId);
  return ({ callId, since }) => {
    const input = byCall.get(callId)?.findLast(({ seq }) => seq <= since)?.input;
    const { command } = (input ?? {}) as { command?: unknown };
    return typeof command === "string" ? oneLine(command, MAX_COMMAND) : undefined;
  };
}

/** Commands of which nobody found out what they changed. */
function unwatched(result: RecordOf<"result">, noted: ReadonlySet<number | undefined>): string | undefined {
  const { toolName, seq, taskId, error, digest, watched } = result;
  if (!toolTraits(toolName).runsCommands) return undefined;
  if (taskId !== undefined) return `What ${taskId} did in the background is not covered, but for its beginning.`;
  if (watched && !noted.has(seq))
    return `Strata ended before it was found out what a command changed; that is not covered: ${digest}`;
  return error?.code === "INTERRUPTED" ? `A command was cut off; what it changed is not covered: ${digest}` : undefined;
}
