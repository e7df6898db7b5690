/**
 * What a turn did and why, for people: read off the log, without a model. Each step with the model's words, its calls, what decided
 * about them, what came out, what it cost.
 */

import type { PermissionEntry } from "../../shared/approval";
import { costAndCache } from "../../shared/cost";
import { endRemarks, entryOf } from "../../shared/entry";
import { formatDuration, formatTokens } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { MessagePart } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import { ranCommand } from "../../shared/toolTraits";
import type { SessionTextReader } from "../ground/ports";
import { oneLine } from "../ground/text/format";
import type { Report, ReportLine, ReportSection } from "../ground/text/report";
import { turnOf } from "./branches";
import { sessionUsage } from "./costs";
import { becauseWords, decisionWord, readPermissionLog } from "./permissionLog";
import { changesIn } from "./putBacks";
import { readWholeLog } from "./readLog";

const COMMAND_CHARACTERS = 400;
const LINE_CHARACTERS = 500;

interface TurnLog {
  /** oldest first; of other turns too */
  records: readonly LogRecord[];
  /** of `permissions.jsonl`; empty: it is not here, as after an import */
  decisions: readonly PermissionEntry[];
}

/** @param turn undefined: the newest. Rejects as `readWholeLog` */
export async function readTurnReport(files: SessionTextReader, turn: number | undefined) {
  const [{ records, missing }, { entries }] = await Promise.all([readWholeLog(files), readPermissionLog(files)]);
  const wanted = turn ?? newestTurn(records);
  return { turn: wanted, report: turnReport({ records, decisions: entries }, wanted), missing };
}

/** Pure. undefined: the log has no such turn */
export function turnReport({ records, decisions }: TurnLog, turn: number): Report | undefined {
  const own = records.filter(record => turnOf(record) === turn);
  const withChildren = [...own, ...records.filter(record => record.kind === "child" && record.turn === turn)];
  const opening = own.find(isUsers);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return undefined;
  const next = records.find(record => record.seq > last.seq && (turnOf(record) ?? turn) !== turn);
  // What became of the model's view after a turn is told with it: no other turn has it.
  const end = next?.seq ?? Number.POSITIVE_INFINITY;
  const within = ({ kind, seq }: LogRecord) => first.seq <= seq && (VIEW.includes(kind) ? seq < end : seq <= last.seq);
  // What was taken back later is told with the turn, and what a child did behind it.
  const told = records.filter(record =>
    record.kind === "revert" || record.kind === "child" ? record.turn === turn : within(record),
  );
  // Some providers give the ids of calls twice: what was decided counts from the turn's time alone.
  const decided = decisions.filter(({ ts }) => first.ts <= ts && ts <= last.ts);
  const sections: TurnSection[] = [
    { title: totalLine(withChildren), text: opening ? wordsOf(opening.message.parts) : "", lines: [] },
  ];
  for (const record of told) {
    if (record === opening) continue;
    const part = VIEW.includes(record.kind) ? entryLine(record) : partOf(record, withChildren, decided);
    if (part === undefined) continue;
    if ("title" in part) sections.push(part);
    else sections.at(-1)?.lines.push(part);
  }
  return { title: t("What turn {0} did, and why", turn), sections };
}

/** What comes between steps is told below the step before. */
type TurnSection = ReportSection & { lines: ReportLine[] };

/** The newest turn that the log has; 0: none. */
export const newestTurn = (records: readonly LogRecord[]): number =>
  records.reduce((most, record) => Math.max(most, turnOf(record) ?? 0), 0);

type MessageRecord = RecordOf<"message">;
const isUsers = (record: LogRecord): record is MessageRecord =>
  record.kind === "message" && record.message.role === "user";

/** Files, lines, commands, time and cost of the turn, in a line. */
function totalLine(own: readonly LogRecord[]): string {
  const results = own.filter(record => record.kind === "result");
  const changes = own.flatMap(changesIn);
  const files = new Set(changes.map(({ uri }) => uri)).size;
  const sum = (side: "added" | "removed") => changes.reduce((lines, change) => lines + change[side], 0);
  const commands = results.filter(ranCommand).length;
  const answers = own.filter(record => record.kind === "message" && record.message.role === "assistant");
  const end = own.findLast(record => record.kind === "turnEnd");
  const parts = [
    files > 0 && `${plural(files, "1 file", "{0} files")} +${sum("added")} −${sum("removed")}`,
    commands > 0 && plural(commands, "1 command", "{0} commands"),
    plural(answers.length, "1 step", "{0} steps"),
    end && formatDuration(end.durationMs),
    end?.waitedMs !== undefined && t("waited for you {0}", formatDuration(end.waitedMs)),
    end ? costAndCache(end.usage) : costAndCache(sessionUsage(own)),
  ];
  return parts.filter(part => part).join(" · ");
}

function partOf(
  record: LogRecord,
  own: readonly LogRecord[],
  decided: readonly PermissionEntry[],
): TurnSection | ReportLine | undefined {
  switch (record.kind) {
    case "message": {
      if (record.message.role === "assistant") return stepSection(record, own, decided);
      const text = wordsOf(record.message.parts);
      return record.message.metadata.kind === "steer" ? { title: t("You said meanwhile"), text, lines: [] } : undefined;
    }
    case "turnEnd":
      return { title: entryOf(record)?.title ?? "", text: endRemarks(record).join("\n"), lines: [] };
    case "attempt":
    case "note":
    case "revert":
    case "child":
      return entryLine(record);
    default:
      return undefined;
  }
}

/** What changes what the model sees of the conversation, and nothing else. */
const VIEW: readonly LogRecord["kind"][] = ["compaction", "fold", "undo", "redo"];

function entryLine(record: LogRecord): ReportLine | undefined {
  const entry = entryOf(record);
  return entry && { label: entry.title, detail: entry.lines.join(" "), text: entry.body };
}

/** A step: its words, then its calls with what decided about them and what came out. */
function stepSection(
  { message }: MessageRecord,
  own: readonly LogRecord[],
  decided: readonly PermissionEntry[],
): TurnSection {
  const { step, usage, thoughtMs = 0 } = message.metadata;
  const facts = [
    t("Step {0}", step),
    thoughtMs >= 1000 && t("thought for {0}", formatDuration(thoughtMs)),
    usage && t("{0} in, {1} out", formatTokens(usage.input), formatTokens(usage.output)),
    usage && costAndCache(usage),
  ].filter(Boolean);
  const calls = message.parts.filter(part => part.type === "dynamic-tool");
  return {
    title: facts.join(" · "),
    text: wordsOf(message.parts) || whyWords(message.parts),
    lines: calls.map(call => reportCall(call, message.id, own, decided)),
  };
}

/** Of a step that said nothing: the end of its thought, which says what is to be done. */
function whyWords(parts: readonly MessagePart[]): string {
  const thought = parts.findLast(part => part.type === "reasoning" && part.text.trim() !== "");
  if (thought?.type !== "reasoning") return "";
  const [last = ""] = thought.text
    .trim()
    .split(/\n\s*\n/)
    .slice(-1);
  return t("Why, as it thought: {0}", oneLine(last, LINE_CHARACTERS));
}

function reportCall(
  call: Extract<MessagePart, { type: "dynamic-tool" }>,
  messageId: string,
  own: readonly LogRecord[],
  decided: readonly PermissionEntry[],
): ReportLine {
  const { toolName, toolCallId: callId } = call;
  const results = own
    .filter(record => record.kind === "result" || record.kind === "child")
    .filter(record => record.callId === callId && record.messageId === messageId);
  const found = results.find(record => record.kind === "result");
  const said = found ? withoutName(found.digest, toolName) : undefined;
  const error = found?.error;
  const text = [
    ...commandLine(call.input, said ?? "", found === undefined || ranCommand(found)),
    ...decided.filter(entry => entry.callId === callId).map(entry => `${decisionWord(entry)}: ${becauseWords(entry)}`),
    ...(error && error.message !== said ? [error.message] : []),
    ...results
      .flatMap(changesIn)
      .map(({ path, added, removed, created }) =>
        created ? t("{0} created, +{1} −{2}", path, added, removed) : `${path} +${added} −${removed}`,
      ),
  ];
  return {
    label: `${toolName}: ${said ?? t("no result: it ran when the turn was cut off, or not at all")}`,
    text: text.map(line => oneLine(line, LINE_CHARACTERS)).join("\n"),
  };
}

/** A digest begins with the tool's name, which stands before it already. */
const withoutName = (digest: string, toolName: string): string =>
  digest.startsWith(`${toolName} `) ? digest.slice(toolName.length).replace(/^[ ·]+/, "") : digest;

/** What ran, whole as far as a line goes, where what is said of the call has only its beginning, or nothing of it. */
function commandLine(input: unknown, said: string, ran: boolean): string[] {
  const command = typeof input === "object" && input !== null && "command" in input ? input.command : undefined;
  if (typeof command !== "string") return [];
  const line = oneLine(command, COMMAND_CHARACTERS);
  return said.startsWith(line) ? [] : [ran ? t("ran: {0}", line) : t("not run: {0}", line)];
}

const wordsOf = (parts: readonly MessagePart[]): string =>
  parts
    .flatMap(part => (part.type === "text" ? [part.text.trim()] : []))
    .join("\n\n")
    .trim();
