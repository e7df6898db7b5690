/** What a call of Bash ran, and where: for people who want to run it themselves. */
import type { LogRecord } from "../../shared/records";

export interface RunCommand {
  command: string;
  /** absolute folder */
  cwd: string;
}

/**
 * @param records from the session's beginning, or from anywhere as long as the call's message is among them
 * @param root folder in which commands run at first
 * @returns undefined: no such call is there
 */
export function findCommand(records: readonly LogRecord[], callId: string, root: string): RunCommand | undefined {
  let cwd = root;
  let command: string | undefined;
  for (const record of records) {
    if (record.kind === "message") command = commandIn(record.message.parts, callId) ?? command;
    else if (record.kind === "compaction") cwd = record.snapshot.cwd ?? cwd;
    else if (record.kind === "approval" && record.action.callId === callId) {
      const { detail } = record.action;
      if (detail.type === "command") return { command: detail.command, cwd: detail.cwd };
    } else if (record.kind === "result") {
      if (record.callId === callId && command !== undefined) break;
      cwd = record.cwd ?? cwd;
    }
  }
  return command === undefined ? undefined : { command, cwd };
}

type Parts = Extract<LogRecord, { kind: "message" }>["message"]["parts"];

function commandIn(parts: Parts, callId: string): string | undefined {
  const call = parts.find(part => part.type === "dynamic-tool" && part.toolCallId === callId);
  const input = call?.type === "dynamic-tool" ? call.input : null;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return typeof input.command === "string" ? input.command : undefined;
}
