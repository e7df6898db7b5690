/** `strata compact`, which is a run with the prompt `/compact`; `strata undo` and `strata redo`. */
import { planReport } from "../core/compaction/compactionReport";
import { type AgentPorts, openSession } from "../core/session/openSession";
import { duration } from "../core/text/format";
import { compactionLine, formatTokens } from "../shared/compactionLine";
import type { AgentEvent, AgentEventOf } from "../shared/events";
import type { CompactCommand, UndoCommand } from "./args";
import type { Streams } from "./eventPrinter";
import { EXIT, stripControls } from "./output";
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
    const { window, ratio } = await session.contextUse();
    out(stripControls(planReport(await session.previewCompaction(), window, ratio)));
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
    const { [kind]: record } = session.compactions;
    if (json) {
      const print = (event: AgentEvent) => streams.out(`${JSON.stringify(event)}\n`);
      session.subscribe(print);
      print(session.hello());
    }
    await (kind === "undo" ? session.undoCompaction() : session.redoCompaction());
    if (record && !json) streams.err(`· ${undoLine(kind, compactionLine(record))}\n(${backWords[kind]} ${id})\n`);
    return EXIT.done;
  } finally {
    await session.close();
  }
}

const undoLine = (kind: UndoCommand["kind"], line: string) =>
  kind === "undo"
    ? `Undone: the originals are back in the conversation, and every turn made since stays. It was: ${line}`
    : line;

/** Before the session's id. */
const backWords = { undo: "To compact it again: strata redo", redo: "To take it back: strata undo" };

// A compaction under way, as lines: how far it is, how long it takes, what came of it.

type Progress = AgentEventOf<"compaction">;

export interface Timer {
  /** ms since the epoch */
  now(): number;
  /** Calls it again and again. @returns what ends that */
  every(ms: number, call: () => void): () => void;
}

export const realTimer: Timer = {
  now: Date.now,
  every(ms, call) {
    const timer = setInterval(call, ms);
    // It keeps no process alive.
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** A summary takes up to two minutes: often enough to show that something happens. */
const TELL_EVERY = 10_000;

const why: Record<Progress["reason"], string> = {
  manual: "Compacting history",
  threshold: "The model's window is nearly full: compacting history",
  "context-too-long": "The model's server refused the request as too long: compacting history",
};

/** @param print gets lines without their ends */
export function compactionPrinter(print: (line: string) => void, timer: Timer): (event: AgentEvent) => void {
  let endTicks = (): void => undefined;
  /** its record was printed, and says it all */
  let recorded = false;
  const told: { [P in Progress["phase"]]: (event: Progress) => void } = {
    planning({ reason, tokens }) {
      recorded = false;
      print(`· ${why[reason]}: planning (${formatTokens(tokens.before)} tokens)`);
    },
    summarising({ startedAt, rounds }) {
      const what = rounds ? ` ${rounds.summarised} ${rounds.summarised === 1 ? "round" : "rounds"}` : "";
      print(`· Summarising${what}. Ctrl+C cancels it: history stays as it is.`);
      endTicks = timer.every(TELL_EVERY, () => print(`· Summarising, ${duration(timer.now() - startedAt)}`));
    },
    checking: ({ startedAt }) => print(`· Checking the summary, after ${duration(timer.now() - startedAt)}`),
    committing: () => undefined,
    done({ tokens, message = "Done." }) {
      if (recorded) return;
      const after =
        tokens.after === undefined ? "" : ` ${formatTokens(tokens.before)} → ${formatTokens(tokens.after)} tokens.`;
      print(`· ${message}${after}`);
    },
    cancelled: ({ message = "" }) => print(`· The compaction was cancelled. ${message}`.trimEnd()),
    failed: ({ message = "" }) => print(`! The compaction failed, and history stays as it was. ${message}`.trimEnd()),
    unneeded: ({ message = "There is nothing to compact." }) => print(`· Nothing was compacted. ${message}`),
  };
  return event => {
    if (event.type === "record" && event.record.kind === "compaction") recorded = true;
    if (event.type !== "compaction") return;
    endTicks();
    told[event.phase](event);
  };
}
