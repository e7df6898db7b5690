/** `strata compact`, which is a run with the prompt `/compact`; `strata undo` and `strata redo`. */
import { planReport } from "../core/compaction/compactionReport";
import { type AgentPorts, openSession } from "../core/session/openSession";
import { compactionLine, withSent } from "../shared/compactionLine";
import type { AgentEvent } from "../shared/events";
import type { CompactCommand, UndoCommand } from "./args";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";
import { printReport } from "./report";
import { type RunEnvironment, run } from "./run";

/** Rejects with SessionError, StorageError and the errors of opening a session. */
export async function compact(
  command: CompactCommand,
  ports: AgentPorts,
  environment: RunEnvironment,
): Promise<number> {
  const { guidance, preview, session, ...options } = command;
  if (preview) return printPreview(session, ports, environment.streams);
  return run({ ...options, kind: "run", session, continue: false, prompt: `/compact ${guidance}` }, ports, environment);
}

async function printPreview(id: string, ports: AgentPorts, { out }: Streams): Promise<number> {
  const session = await openSession(ports, id);
  try {
    const use = await session.compaction.use();
    printReport(planReport(await session.compaction.preview(), use), { out });
    return EXIT.done;
  } finally {
    await session.close();
  }
}

/** Of the newest compaction. Rejects with SessionError, StorageError and the errors of opening a session. */
export async function undoOrRedo(
  { kind, session: id, json }: UndoCommand,
  ports: AgentPorts,
  streams: Streams,
): Promise<number> {
  const session = await openSession(ports, id);
  try {
    const { [kind]: record } = session.compaction.undoable;
    if (json) {
      const print = (event: AgentEvent) => streams.out(jsonLine(event));
      session.subscribe(print);
      print(session.hello());
    }
    await (kind === "undo" ? session.compaction.undo() : session.compaction.redo());
    if (!record || json) return EXIT.done;
    const line = compactionLine(withSent(record, session.history.records));
    streams.err(
      kind === "undo"
        ? `· Undone: the originals are back in the conversation, and every turn made since stays. It was: ${line}\n(To compact it again: strata redo ${id})\n`
        : `· ${line}\n(To take it back: strata undo ${id})\n`,
    );
    return EXIT.done;
  } finally {
    await session.close();
  }
}
