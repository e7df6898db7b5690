/** `strata run`: one task, from the prompt to an exit code. */
import { type AgentPorts, createSession, openSession } from "../core/openSession";
import { type Session, SessionError } from "../core/session";
import type { AgentEvent } from "../shared/events";
import type { ApprovalAnswer, RecordOf } from "../shared/records";
import { type RunCommand, UsageError } from "./args";
import { EXIT } from "./exit";
import type { Interrupts } from "./interrupts";
import { createPrinter, type Streams } from "./print";
import { Questions } from "./questions";
import { storageWarning } from "./storage";

export interface RunEnvironment {
  streams: Streams;
  /** where a person answers questions */
  input: NodeJS.ReadableStream;
  /** where questions are written */
  output: NodeJS.WritableStream;
  interrupts: Interrupts;
}

/** Rejects with StorageError and the errors of opening a session. */
export async function run(command: RunCommand, ports: AgentPorts, environment: RunEnvironment): Promise<number> {
  const { streams, interrupts } = environment;
  if (!ports.surroundings.trusted())
    streams.err("This workspace is not trusted, so it is only read. --trust lets the agent edit and run commands.\n");
  // The SDK loads while the session's files are made; what goes wrong is said by the turn.
  void ports.models.connect().catch(() => undefined);
  const session = await pickSession(command, ports);
  const print = command.json
    ? (event: AgentEvent) => streams.out(`${JSON.stringify(event)}\n`)
    : createPrinter(streams);
  const questions = ports.attended ? askAbout(session, environment) : undefined;
  let end: RecordOf<"turnEnd"> | undefined;
  let failed = false;
  session.subscribe(event => {
    print(event);
    if (event.type === "failure") failed = true;
    if (event.type === "record" && event.record.kind === "turnEnd") end = event.record;
    questions?.take(event);
  });
  if (command.json) print(session.hello());
  interrupts.onStop(() => void session.stop());
  try {
    if (command.mode) await session.setMode(command.mode);
    if (interrupts.wasStopped) return EXIT.stopped;
    await session.submit(command.prompt);
    await session.idle();
  } finally {
    questions?.close();
    await session.close();
  }
  // As JSON, the first event says which session it is.
  if (!command.json) {
    streams.err(`Session ${session.id} (strata run --session ${session.id} --prompt … continues it)\n`);
    if (!interrupts.wasStopped) await warnOfStorage(ports, streams);
  }
  return failed ? EXIT.error : exitCode(end);
}

async function warnOfStorage({ storage, settings, logger }: AgentPorts, { err }: Streams): Promise<void> {
  try {
    const warning = await storageWarning(storage, settings.get()["storage.maxBytes"]);
    if (warning) err(`! ${warning}\n`);
  } catch (error) {
    // The task is done all the same.
    logger.log("warning", "the size of the sessions could not be found out", { error: String(error) });
  }
}

function askAbout(session: Session, { streams, input, output, interrupts }: RunEnvironment): Questions {
  const answer = (approvalId: string, given: Omit<ApprovalAnswer, "by">) => {
    try {
      session.answer(approvalId, given);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      streams.err(`${error.message}\n`);
    }
  };
  const onInterrupt = () => interrupts.press();
  return new Questions({ input, output, answer, onInterrupt, onEnd: () => interrupts.stop() });
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
