/** A short life of a history with everything that rewrites its log. */

import { type SessionFiles, StorageError } from "../../src/core/ground/ports";
import { Conversation } from "../../src/core/log/conversation";
import type { History } from "../../src/core/log/history";
import type { AgentEvent } from "../../src/shared/events";
import type { LogRecord } from "../../src/shared/records";
import { Chronicle, type Deed, historyDeps } from "../core/log/chronicle";

/** As it is now. */
export const copyOf = (conversation: Conversation): Conversation =>
  Object.assign(new Conversation(), structuredClone(conversation));

const output = { tool: "Read" as const, text: "漢字\r\n", kept: true, folded: true, failed: false, changes: true };
const turn = (text: string): Deed[] => [
  { does: "ask", text },
  { does: "step", text, outputs: [output, output] },
  { does: "end", reason: "done" },
];

export const DEEDS: readonly Deed[] = [
  ...turn("one"),
  ...turn("two"),
  { does: "compact", keep: 2 },
  { does: "ask", text: "three" },
  { does: "undo" },
  { does: "fold", pick: 1 },
  { does: "redo" },
  { does: "end", reason: "stopped" },
  { does: "compact", keep: 1 },
  { does: "undo" },
  { does: "undo" },
];

/** A session as it was when something was acknowledged. */
export interface State {
  /** all of its records, also those in archives */
  records: LogRecord[];
  conversation: History["conversation"];
}

export interface Life {
  history: History;
  /** as it is now, with every record that was told */
  now(): State;
}

/**
 * @param reached told of the state after each deed
 * @param refused told after each deed that the disk refused; without this one, it throws
 */
export async function live(
  files: SessionFiles,
  reached: (state: State) => void,
  refused?: (history: History) => void,
): Promise<Life> {
  const records: LogRecord[] = [];
  const emit = (event: AgentEvent) => event.type === "record" && records.push(event.record);
  const chronicle = Chronicle.start(files, { ...historyDeps(), emit });
  const { history } = chronicle;
  const now = () => ({ records: [...records], conversation: copyOf(history.conversation) });
  for (const deed of DEEDS) {
    try {
      if (await chronicle.do(deed)) reached(now());
    } catch (error) {
      if (!refused || !(error instanceof StorageError)) throw error;
      refused(history);
    }
  }
  return { history, now };
}
