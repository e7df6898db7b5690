/** A session with something of everything, whose first turn a compaction moved to the archive. */

import type { AgentPorts } from "../../src/core/agent/session/openSession";
import { takeSnapshot } from "../../src/core/log/applyCompaction";
import { History } from "../../src/core/log/history";
import { fullSession } from "./proof";
import { asItIs } from "./redact";

export async function compactedSession(options: Parameters<typeof fullSession>[0] = {}) {
  const agent = await fullSession(options);
  await compactFirstTurn(agent.ports, agent.id);
  return agent;
}

/** Commits a compaction made by hand: the records of turn 1 go. */
export async function compactFirstTurn(ports: AgentPorts, id: string): Promise<void> {
  const files = await ports.storage.open(id);
  const { clock, ids, hash } = ports;
  const { history } = await History.open(files, {
    ...{ clock, ids, hash, emit: () => undefined, redact: asItIs },
  });
  const messages = history.records.flatMap(record =>
    record.kind === "message" && record.message.metadata.turn === 1 ? [record.message.id] : [],
  );
  const text = "## 📌 Archived Session Summary\nThe first turn.";
  const summary = {
    ...{ id: "sum_1", text, sha256: hash.sha256(text), turns: { from: 1, to: 1 }, startTs: 0, cutoffTs: 1 },
    sourceRange: { fromId: messages[0] ?? "", toId: messages.at(-1) ?? "", count: messages.length },
  };
  const compaction = {
    ...{ kind: "compaction" as const, reason: "manual" as const, removed: messages, folded: [], summaries: [summary] },
    ...{ tokens: { before: 9000, after: 1200 }, rounds: { summarised: 1, kept: 1, pinned: 0 }, durationMs: 5 },
  };
  await history.commitCompaction(compaction, () => takeSnapshot(history.conversation, []));
  await files.close();
}
