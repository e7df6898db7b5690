/**
 * What became of each file over a session, link by link: by the agent's edits, by its commands, by a person who put something
 * back. It is read from the log and nothing else. Undo takes links back, a review is a cursor on them, a rewind takes a stretch.
 * Why: C-54.
 */
import { uriToPath } from "../../../shared/filePlace";
import { type FileState, type StateChange, sameState, stateChangesSchema } from "../../../shared/fileStates";
import { parseJson } from "../../../shared/isObject";
import { t } from "../../../shared/l10n";
import type { LogRecord, RecordOf } from "../../../shared/records";
import type { FileChange } from "../../../shared/toolResult";
import { toolTraits } from "../../../shared/toolTraits";
import { FileError, type FileRef, type Files, type SessionFiles } from "../../ground/ports";
import { unlessFileError } from "../../ground/ports/files";
import { oneLine } from "../../ground/text/format";
import { type ChangeRecord, ChangeRecords } from "../../log/findRecords";
import type { SessionLog } from "../../log/handles";
import { changesIn, editKey, undoneEdits } from "../../log/putBacks";
import { MAX_EDIT_BYTES } from "../edits/fileEdit";

/** One change of one file, as a call made it. */
export interface RecordedEdit {
  messageId: string;
  callId: string;
  toolName: string;
  turn: number;
  seq: number;
  /** when its call began: ms since the epoch */
  began: number;
  /** of one that is archived without its diff */
  change: FileChange;
  undone: boolean;
  /** a person allowed it after seeing all lines */
  seen: boolean;
}

/** One change of a file at its place in the session. `at`: number of a record, or between two of them */
export type Link = { at: number; change: StateChange } & (
  | { who: "agent"; edit: RecordedEdit }
  | { who: "person"; record: RecordOf<"revert"> | RecordOf<"review"> | RecordOf<"rewind"> }
  /** `during`: in one line; absent: its call is archived */
  | { who: "command"; during?: string | undefined }
);

export const editsOf = (links: readonly Link[]) => links.flatMap(link => (link.who === "agent" ? [link.edit] : []));

/** characters of a command in a preview */
const MAX_COMMAND = 100;

export class Timeline {
  private readonly changes: ChangeRecords;

  constructor(private readonly history: SessionLog & { files: SessionFiles }) {
    this.changes = new ChangeRecords(history);
  }

  /**
   * The agent's edits and what a person did about them, oldest first; `missing`: archives that cannot be read. Rejects with
   * nothing but faults.
   */
  async read(): Promise<{ links: Link[]; missing: string[] }> {
    const { records, missing } = await this.changes.read();
    const undone = undoneEdits(records);
    return { links: records.flatMap(record => linksOf(record, undone)), missing };
  }

  /**
   * Everything from a turn on, commands and rewinds too. Rejects with StorageError.
   * @param from number of the record before which the turn began
   */
  async since(turn: number, from: number): Promise<{ links: Link[]; gaps: string[] }> {
    const { records } = this.history;
    const gaps = new Set<string>();
    const links: Link[] = [];
    const seen = new Set<string>();
    const { links: all, missing } = await this.read();
    const resultOf = resultsOfCommands(records, editsOf(all));
    const noted = new Set(records.flatMap(record => (record.kind === "commandFiles" ? [resultOf(record)] : [])));
    const commandOf = commandsByCall(records);
    for (const record of records) {
      if (record.kind === "commandFiles" && record.turn >= turn) {
        for (const gap of record.gaps) gaps.add(gap);
        const during = commandOf(record);
        for (const change of await this.list(record, gaps)) {
          links.push({ at: record.since + 0.5, who: "command", change, during });
          seen.add(`${resultOf(record)} ${change.uri}`);
        }
      }
      if (record.kind === "rewind" && record.phase === "done" && record.seq > from)
        for (const change of await this.list(record, gaps))
          links.push({ at: record.seq, who: "person", record, change });
      const gap = record.kind === "result" && record.turn >= turn ? unwatched(record, noted) : undefined;
      if (gap) gaps.add(gap);
    }
    // What a command made of a file is in its list already, by its bytes.
    const isNew = ({ edit }: { edit: RecordedEdit }) =>
      edit.turn >= turn && !seen.has(`${edit.seq} ${edit.change.uri}`);
    links.push(...all.filter(link => (link.who === "agent" ? isNew(link) : link.at > from && isPutBack(link))));
    for (const name of missing) gaps.add(t("{0} of this session can't be read: changes that stand there stay.", name));
    return { links, gaps: [...gaps] };
  }

  /** What one rewind did; undefined: it is not in this session. */
  async of(record: RecordOf<"rewind">): Promise<Link[] | undefined> {
    const gaps = new Set<string>();
    const changes = await this.list(record, gaps);
    return gaps.size > 0 ? undefined : changes.map(change => ({ at: record.seq, who: "person", record, change }));
  }

  /** Files with their states, as a command or a rewind noted them. */
  async list({ list }: { list?: string | undefined }, gaps = new Set<string>()): Promise<StateChange[]> {
    if (list === undefined) return [];
    const text = await this.history.files.getSnapshot(list);
    const parsed = stateChangesSchema.safeParse(text === undefined ? undefined : parseJson(text));
    if (parsed.success) return parsed.data;
    gaps.add(t("The session does not have what some commands changed (an export leaves it out)."));
    return [];
  }
}

function linksOf(record: ChangeRecord, undone: ReadonlySet<string>): Link[] {
  if (record.kind === "revert" || record.kind === "review")
    return [{ at: record.seq, who: "person", record, change: stateChange(record) }];
  const { id, callId, turn, seq, ts, durationMs = 0 } = record;
  const { toolName, seen = false } = record.kind === "result" ? record : { toolName: "Task" };
  // A person asked a child without a call.
  const call = { messageId: record.messageId || id, callId, toolName, turn, seq, began: ts - durationMs, seen };
  return changesIn(record).map(change => {
    const edit = { ...call, change, undone: undone.has(editKey(call, change.uri)) };
    return { at: seq, who: "agent", change: stateChange(change), edit };
  });
}

type TextStates = Pick<FileChange, "uri" | "path" | "before" | "after" | "unkept">;

function stateChange({ uri, path, before, after, unkept }: TextStates): StateChange {
  const states = { before: textState(before, unkept), after: textState(after, unkept) };
  return { uri, path, ...states, ...(before === null && { made: true as const }) };
}

/** The file was changed by it, and the log says how: not where changes were kept, nor by a version that kept no states. */
const isPutBack = (link: Link) =>
  link.who !== "person" ||
  link.record.kind !== "review" ||
  (link.record.before !== undefined && link.record.after !== undefined);

const reasons = (): Record<string, string> => ({
  "too-large": t("it was too large to be kept"),
  elsewhere: t("it was changed outside of this workspace"),
});

/** A text that was kept has the hash of its bytes, where it is UTF-8; where it is not, no bytes have it. */
function textState(sha256: string | null | undefined, unkept: string | undefined): FileState {
  if (sha256 === null) return null;
  if (sha256 !== undefined) return { type: "file", sha256 };
  return { type: "unkept", why: reasons()[unkept ?? ""] ?? t("its state was not kept") };
}

/**
 * Number of the result that a command has: the first with its call behind where it ran; of a child's commands, of the record of its end.
 * Some providers give the same id to calls of many steps. undefined: it has none. @param edits of archived calls too
 */
export function resultsOfCommands(records: readonly LogRecord[], edits: readonly RecordedEdit[] = []) {
  const ends = records
    .filter(record => record.kind === "child" || record.kind === "result")
    .filter(record => (record.kind === "child" ? record.phase === "ended" : record.toolName !== "Task"));
  const ordered = [...ends, ...edits].sort((a, b) => a.seq - b.seq);
  const byCall = Map.groupBy(ordered, ({ callId }) => callId);
  return ({ callId, since }: RecordOf<"commandFiles">) => byCall.get(callId)?.find(({ seq }) => seq > since)?.seq;
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

/** Commands whose changes are not known. */
function unwatched(result: RecordOf<"result">, noted: ReadonlySet<number | undefined>): string | undefined {
  const { toolName, seq, taskId, error, digest, watched } = result;
  if (!toolTraits(toolName).runsCommands) return undefined;
  if (taskId !== undefined) return t("What {0} did in the background is not covered, but for its beginning.", taskId);
  if (watched && !noted.has(seq))
    return t("Strata ended before it was found out what a command changed; that is not covered: {0}", digest);
  return error?.code === "INTERRUPTED"
    ? t("A command was cut off; what it changed is not covered: {0}", digest)
    : undefined;
}

/** Consecutive changes of a file without others' changes between them, as one. */
interface ChainSegment {
  before: FileState;
  after: FileState;
}

export interface FileChain {
  uri: string;
  path: string;
  /** oldest first; between two of them others changed the file */
  segments: [ChainSegment, ...ChainSegment[]];
  /** it was not there before, and that is sure */
  made: boolean;
  /** a person, or another session, changed it while a command ran */
  shared: boolean;
  /** the command that was the first to change it */
  during?: string | undefined;
}

/** In the order in which the files were first changed. */
export function fileChains(links: readonly Link[]): FileChain[] {
  const chains = new Map<string, FileChain>();
  for (const link of links.toSorted((a, b) => a.at - b.at)) {
    const during = link.who === "command" ? link.during : undefined;
    const { uri, path, before, after, made = false, shared = false } = link.change;
    const chain = chains.get(uri);
    if (!chain) {
      const isMade = before === null && made;
      chains.set(uri, { uri, path, segments: [{ before, after }], made: isMade, shared, during });
      continue;
    }
    chain.shared ||= shared;
    const last = chain.segments.at(-1);
    if (last && sameState(last.after, before)) last.after = withMode(after, before);
    else chain.segments.push({ before, after });
  }
  return [...chains.values()];
}

/** An edit says nothing of permissions: they are what they were. */
function withMode(state: FileState, before: FileState): FileState {
  if (state?.type !== "file" || before?.type !== "file" || state.mode !== undefined) return state;
  return before.mode === undefined ? state : { ...state, mode: before.mode };
}

/**
 * By its path, else by its URI. Names of roots change, and a path may have a placeholder for a secret in it. Rejects with
 * FileError where neither leads to the file that was meant.
 */
export async function resolveRecordedFile(files: Files, { uri, path }: { uri: string; path: string }) {
  for (const input of [path, uri.startsWith("file:") ? uriToPath(uri) : uri]) {
    const found = input ? await unlessFileError(files.resolve(input), undefined) : undefined;
    if (found?.uri === uri) return found;
  }
  throw new FileError(
    "NOT_FOUND",
    t("{0} is not where it was when the agent changed it: its folder was moved, renamed or closed.", path),
  );
}

export interface TextNow {
  text: string;
  sha256: string;
}

/** null: there is no file; undefined: it is no text. Rejects with FileError where that cannot be told. */
export async function textNow(files: Files, ref: FileRef): Promise<TextNow | null | undefined> {
  try {
    const file = await files.read(ref, MAX_EDIT_BYTES);
    return file.kind === "text" ? { text: file.text, sha256: file.stamp.sha256 } : undefined;
  } catch (error) {
    if (error instanceof FileError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
