/** Compactions made by hand; a session with something of everything, whose first turn one moved to the archive. */

import type { AgentPorts } from "../../src/core/agent/session/openSession";
import { takeSnapshot } from "../../src/core/log/applyCompaction";
import { History } from "../../src/core/log/history";
import type { RecordOf } from "../../src/shared/records";
import { hash } from "./hash";
import { fullSession } from "./proof";
import { asItIs } from "./redact";

type Compaction = Parameters<History["commitCompaction"]>[0];

/** These messages go, with all that belongs to them. @param moved sources that are in L2 from here on */
export function compactMessages(
  history: History,
  removed: readonly string[],
  more: Partial<Compaction> = {},
  moved: readonly string[] = [],
): Promise<RecordOf<"compaction">> {
  const { conversation } = history;
  return history.commitCompaction(
    {
      ...{ kind: "compaction", reason: "manual", removed: [...removed], folded: [], summaries: conversation.summaries },
      ...{ tokens: { before: 9000, after: 1200 }, rounds: { summarised: 1, kept: 1, pinned: 0 }, durationMs: 1 },
      ...more,
    },
    () => takeSnapshot(conversation, moved),
  );
}

/** The messages of these turns go, and a summary comes. */
export function compactTurns(history: History, turns: readonly number[], { id, text }: { id: string; text: string }) {
  const { messages, summaries } = history.conversation;
  const removed = messages.flatMap(each => (turns.includes(each.metadata?.turn ?? 0) ? [each.id] : []));
  const summary = {
    ...{ id, text, sha256: hash.sha256(text), startTs: 1, cutoffTs: 2 },
    turns: { from: turns[0] ?? 1, to: turns.at(-1) ?? 1 },
    sourceRange: { fromId: removed[0] ?? "", toId: removed.at(-1) ?? "", count: removed.length },
  };
  return compactMessages(history, removed, { summaries: [...summaries, summary] });
}

export async function compactedSession(options: Parameters<typeof fullSession>[0] = {}) {
  const agent = await fullSession(options);
  await compactFirstTurn(agent.ports, agent.id);
  return agent;
}

export async function compactFirstTurn({ storage, clock, ids, hash }: AgentPorts, id: string): Promise<void> {
  const files = await storage.open(id);
  const { history } = await History.open(files, { clock, ids, hash, emit: () => undefined, redact: asItIs });
  await compactTurns(history, [1], { id: "sum_1", text: "## 📌 Archived Session Summary\nThe first turn." });
  await files.close();
}
