/** `strata run`: one task, from the prompt to an exit code. */
import { createInterface } from "node:readline/promises";
import { type AgentPorts, createSession, openSession } from "../core/openSession";
import { type Session, SessionError } from "../core/session";
import type { AgentEvent } from "../shared/events";
import type { ApprovalAction, RecordOf } from "../shared/records";
import { type RunCommand, UsageError } from "./args";
import { createPrinter, type Streams } from "./print";

export const EXIT = { done: 0, error: 1, usage: 2, approval: 3, stopped: 130 } as const;

export interface RunEnvironment {
  streams: Streams;
  /** Calls back at each Ctrl+C. */
  onInterrupt(listener: () => void): void;
}

/** Rejects with StorageError and the errors of opening a session. */
export async function run(
  command: RunCommand,
  ports: AgentPorts,
  { streams, onInterrupt }: RunEnvironment,
): Promise<number> {
  const session = await pickSession(command, ports);
  const print = command.json
    ? (event: AgentEvent) => streams.out(`${JSON.stringify(event)}\n`)
    : createPrinter(streams);
  let end: RecordOf<"turnEnd"> | undefined;
  let failed = false;
  session.subscribe(event => {
    print(event);
    if (event.type === "failure") failed = true;
    if (event.type !== "record") return;
    if (event.record.kind === "turnEnd") end = event.record;
    if (event.record.kind === "approval" && !event.record.answer && ports.attended) {
      ask(event.record.approvalId, event.record.action, session, streams);
    }
  });
  if (command.json) print(session.hello());
  onInterrupt(() => void session.stop());
  try {
    if (command.mode) await session.setMode(command.mode);
    await session.submit(command.prompt);
    await session.idle();
  } finally {
    await session.close();
  }
  return failed ? EXIT.error : exitCode(end);
}

async function pickSession(command: RunCommand, ports: AgentPorts): Promise<Session> {
  if (command.session) return openSession(ports, command.session);
  if (!command.continue) return createSession(ports);
  const [newest] = await ports.storage.list();
  if (!newest) throw new UsageError("There is no session to continue in this workspace yet.");
  return openSession(ports, newest.id);
}

function exitCode(end: RecordOf<"turnEnd"> | undefined): number {
  if (end?.reason === "done") return EXIT.done;
  if (end?.reason === "stopped") return EXIT.stopped;
  return end?.error?.code === "approval-needed" ? EXIT.approval : EXIT.error;
}

/** Asks on the terminal; whatever is not a yes is a no, with its words for the model. */
async function ask(approvalId: string, action: ApprovalAction, session: Session, streams: Streams): Promise<void> {
  const why = action.reason ? ` (${action.reason})` : "";
  streams.err(`\n${action.title}${why}\n${detailText(action)}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reply = (
    await terminal.question("Allow? y = yes, s = yes for this session, anything else = no, told to the model: ")
  ).trim();
  terminal.close();
  const yes = /^(y|yes)$/i.test(reply);
  const forSession = /^(s|session)$/i.test(reply);
  const words = /^(n|no)?$/i.test(reply) ? undefined : reply;
  try {
    session.answer(approvalId, {
      decision: yes || forSession ? "allow" : "deny",
      scope: forSession ? "session" : "once",
      ...(words && !yes && !forSession ? { words } : {}),
    });
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    streams.err(`${error.message}\n`);
  }
}

function detailText({ detail }: ApprovalAction): string {
  if (detail.type === "command") return `  $ ${detail.command}\n  in ${detail.cwd}`;
  if (detail.type === "edit") return detail.changes.map(change => change.diff).join("\n");
  return detail.paths.map(path => `  ${path}`).join("\n");
}
