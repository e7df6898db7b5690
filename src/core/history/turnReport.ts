/**
 * What a turn did and why, in Markdown, for people: read off the log, without a model. Each step with the model's words, its
 * calls, what decided about them, what came out, what it cost.
 */
import { compactionLine, compactionReasons, withSent } from "../../shared/compactionLine";
import { addUsage, costAndCache } from "../../shared/cost";
import { formatTokens } from "../../shared/format";
import type { MessagePart, Usage } from "../../shared/messages";
import type { PermissionEntry } from "../../shared/permissionLog";
import type { LogRecord, RecordOf } from "../../shared/records";
import { visibleLine, visibleText } from "../../shared/shown";
import type { SessionFiles } from "../ports";
import { codeSpan, counted, duration, oneLine } from "../text/format";
import { readPermissionLog } from "./permissionLog";
import { becauseWords, decisionWord } from "./permissionWords";
import { readWholeLog } from "./readLog";
import { ranCommand } from "./runs";

const COMMAND_CHARACTERS = 400;

interface TurnLog {
  /** oldest first; of other turns too */
  records: readonly LogRecord[];
  /** of `permissions.jsonl`; empty: it is not here, as after an import */
  decisions: readonly PermissionEntry[];
}

/** @param turn undefined: the newest. Rejects as `readWholeLog` */
export async function readTurnReport(files: Pick<SessionFiles, "read">, turn: number | undefined) {
  const [{ records, missing }, { entries }] = await Promise.all([readWholeLog(files), readPermissionLog(files)]);
  const wanted = turn ?? newestTurn(records);
  return { turn: wanted, report: turnReport({ records, decisions: entries }, wanted), missing };
}

/** Pure. undefined: the log has no such turn */
export function turnReport({ records, decisions }: TurnLog, turn: number): string | undefined {
  const own = records.filter(record => turnOf(record) === turn);
  const opening = own.find(isUsers);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return undefined;
  const isOfTurn = (record: LogRecord) => record.kind === "revert" && record.turn === turn;
  const next = records.find(record => record.seq > last.seq && (turnOf(record) ?? turn) !== turn);
  // What became of the model's view after a turn is told with it: no other turn has it.
  const end = next?.seq ?? Number.POSITIVE_INFINITY;
  const within = ({ kind, seq }: LogRecord) => first.seq <= seq && (VIEW.includes(kind) ? seq < end : seq <= last.seq);
  // What was taken back later is a part of it.
  const told = records.filter(record => (record.kind === "revert" ? isOfTurn(record) : within(record)));
  // Some providers give the ids of calls twice: what was decided counts from the turn's time alone.
  const decided = decisions.filter(({ ts }) => first.ts <= ts && ts <= last.ts);
  const lines = [
    `# What was done in turn ${turn}, and why`,
    ...(opening ? ["", quoted(wordsOf(opening.message.parts))] : []),
    ...["", totalLine(own), ""],
  ];
  for (const record of told)
    lines.push(...(VIEW.includes(record.kind) ? viewLines(record, records) : lineOf(record, own, decided, opening)));
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

/** The newest turn that the log has; 0: none. */
export const newestTurn = (records: readonly LogRecord[]): number =>
  records.reduce((most, record) => Math.max(most, turnOf(record) ?? 0), 0);

function turnOf(record: LogRecord): number | undefined {
  if (record.kind === "message") return record.message.metadata.turn;
  return record.kind === "result" || record.kind === "turnEnd" || record.kind === "attempt" ? record.turn : undefined;
}

type Message = RecordOf<"message">;
const isUsers = (record: LogRecord): record is Message => record.kind === "message" && record.message.role === "user";

/** Files, lines, commands, time and cost of the turn, in a line. */
function totalLine(own: readonly LogRecord[]): string {
  const results = own.filter(record => record.kind === "result");
  const changes = results.flatMap(({ changes = [] }) => changes);
  const files = new Set(changes.map(({ uri }) => uri)).size;
  const sum = (side: "added" | "removed") => changes.reduce((lines, change) => lines + change[side], 0);
  const commands = results.filter(ranCommand).length;
  const answers = own.filter(record => record.kind === "message" && record.message.role === "assistant");
  const end = own.findLast(record => record.kind === "turnEnd");
  const parts = [
    files > 0 && `${counted(files, "file")} +${sum("added")} −${sum("removed")}`,
    commands > 0 && counted(commands, "command"),
    counted(answers.length, "step"),
    end && duration(end.durationMs),
    end ? costAndCache(end.usage) : costAndCache(usageOf(answers)),
  ];
  return `**${parts.filter(part => part).join(" · ")}**`;
}

const usageOf = (answers: readonly LogRecord[]): Usage =>
  answers.reduce<Usage>(
    (sum, record) => addUsage(sum, record.kind === "message" ? record.message.metadata.usage : undefined),
    { input: 0, output: 0 },
  );

function lineOf(
  record: LogRecord,
  own: readonly LogRecord[],
  decided: readonly PermissionEntry[],
  opening: Message | undefined,
): string[] {
  if (record.kind === "message") {
    if (record === opening) return [];
    if (record.message.role === "assistant") return stepLines(record, own, decided);
    const words = wordsOf(record.message.parts);
    return record.message.metadata.kind === "steer" ? ["", "You said meanwhile:", "", quoted(words), ""] : [];
  }
  if (record.kind === "attempt") return [`- An answer was cut off and asked for again: ${plain(record.reason)}`];
  if (record.kind === "note") return [`- ${plain(record.text)}`];
  if (record.kind === "revert") return [revertLine(record)];
  return record.kind === "turnEnd" ? ["", endLine(record)] : [];
}

/** What changes what the model sees of the conversation, and nothing else. */
const VIEW: readonly LogRecord["kind"][] = ["compaction", "fold", "undo", "redo"];

function viewLines(record: LogRecord, records: readonly LogRecord[]): string[] {
  if (record.kind === "compaction")
    return [`- ${plain(compactionLine(withSent(record, records)))}, ${compactionReasons[record.reason]}.`];
  if (record.kind === "fold") return [`- ${foldLine(record, records)}`];
  if (record.kind === "undo" || record.kind === "redo") {
    const what = record.kind === "undo" ? "was undone: the originals are back" : "stands again";
    return [`- A compaction ${what} in what the model sees.`];
  }
  return [];
}

/** "12 outputs became one line each in what the model sees, with a handle to the whole: 7 Bash, 5 Read." */
function foldLine({ results, settled }: RecordOf<"fold">, records: readonly LogRecord[]): string {
  if (results.length === 0 && settled !== undefined)
    return `Outputs of turns up to ${settled} became short in what the model sees, with a handle to the whole.`;
  const folded = new Set(results.map(({ messageId, callId }) => `${messageId} ${callId}`));
  const tools = records.flatMap(record =>
    record.kind === "result" && folded.delete(`${record.messageId} ${record.callId}`) ? [record.toolName] : [],
  );
  const counts = [...Map.groupBy(tools, name => name)].map(([name, { length }]) => `${length} ${plain(name)}`);
  const what = counts.length > 0 ? `: ${counts.join(", ")}` : "";
  const became = results.length === 1 ? "became one line" : "became one line each";
  return `${counted(results.length, "output")} ${became} in what the model sees, with a handle to the whole${what}.`;
}

/** A step: its words, then its calls with what decided about them and what came out. */
function stepLines({ message }: Message, own: readonly LogRecord[], decided: readonly PermissionEntry[]): string[] {
  const { step, usage, thoughtMs = 0 } = message.metadata;
  const words = wordsOf(message.parts);
  const facts = [
    ...(thoughtMs >= 1000 ? [`thought for ${duration(thoughtMs)}`] : []),
    ...(usage ? [`${formatTokens(usage.input)} in, ${formatTokens(usage.output)} out`] : []),
    ...(usage ? [costAndCache(usage)] : []),
  ].filter(fact => fact !== "");
  const calls = message.parts.filter(part => part.type === "dynamic-tool");
  return [
    ...["", `## Step ${step}${facts.length > 0 ? ` · ${facts.join(" · ")}` : ""}`, ""],
    ...(words === "" ? [] : [quoted(words), ""]),
    ...calls.flatMap(call => callLines(call, message.id, own, decided)),
  ];
}

function callLines(
  call: Extract<MessagePart, { type: "dynamic-tool" }>,
  messageId: string,
  own: readonly LogRecord[],
  decided: readonly PermissionEntry[],
): string[] {
  const { toolName, toolCallId: callId } = call;
  const result = own.find(
    record => record.kind === "result" && record.callId === callId && record.messageId === messageId,
  );
  const found = result?.kind === "result" ? result : undefined;
  const said = found ? withoutName(found.digest, toolName) : undefined;
  return [
    `- **${plain(toolName)}**: ${plain(said ?? "no result: it ran when the turn was cut off, or not at all")}`,
    ...commandLine(call.input, said ?? "", found === undefined || ranCommand(found)),
    ...decided.filter(entry => entry.callId === callId).map(decisionLine),
    ...(found?.error && found.error.message !== said ? [`  - ${plain(found.error.message)}`] : []),
    ...(found?.changes ?? []).map(
      ({ path, added, removed, created }) =>
        `  - ${codeSpan(visibleLine(path))} ${created ? "created, " : ""}+${added} −${removed}`,
    ),
  ];
}

/** A digest begins with the tool's name, which stands before it already. */
const withoutName = (digest: string, toolName: string): string =>
  digest.startsWith(`${toolName} `) ? digest.slice(toolName.length).replace(/^[ ·]+/, "") : digest;

/** What ran, whole as far as a line goes, where what is said of the call has only its beginning, or nothing of it. */
function commandLine(input: unknown, said: string, ran: boolean): string[] {
  const command = typeof input === "object" && input !== null && "command" in input ? input.command : undefined;
  if (typeof command !== "string") return [];
  const line = oneLine(command, COMMAND_CHARACTERS);
  return said.startsWith(line) ? [] : [`  - ${ran ? "ran" : "not run:"} ${codeSpan(visibleLine(line))}`];
}

const decisionLine = (entry: PermissionEntry): string => `  - ${decisionWord(entry)}: ${plain(becauseWords(entry))}`;

function revertLine({ direction, edits, path }: RecordOf<"revert">): string {
  const what = `${counted(edits.length, "edit")} of ${codeSpan(visibleLine(path))}`;
  return direction === "undo" ? `- You undid ${what}` : `- You made ${what} again`;
}

function endLine({ reason, error }: RecordOf<"turnEnd">): string {
  const words = { done: "It was done.", stopped: "You stopped it.", limit: "It paused at a limit." };
  const ended = { ...words, error: "It ended with an error.", interrupted: "It was cut off." }[reason];
  return error ? `${ended} ${plain(error.message)}` : ended;
}

const wordsOf = (parts: readonly MessagePart[]): string =>
  parts
    .flatMap(part => (part.type === "text" ? [part.text.trim()] : []))
    .join("\n\n")
    .trim();

/** Words of others stay words: they begin no heading and no list of this page. */
const quoted = (text: string): string =>
  visibleText(text)
    .split("\n")
    .map(line => `> ${line}`)
    .join("\n");

/** In a line, and no Markdown. */
const plain = (text: string): string => visibleLine(text).replace(/[\\`*_[\]<>#|]/g, "\\$&");
