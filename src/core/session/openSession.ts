/**
 * Builds a session out of ports: the same for editor and terminal. The one place where the core's parts are put together.
 */
import { Approvals } from "../agent/approvals";
import { TurnRunner } from "../agent/turnRunner";
import { RequestLog } from "../context/requestLog";
import { History, type Repair } from "../history/history";
import { storeRuns } from "../history/runs";
import { isOnDisk, type Logger, type SessionFiles } from "../ports";
import { ToolSet } from "../requests/requestBuilder";
import { mapStrings } from "../secrets/redact";
import { secretLearningFiles } from "../secrets/secretLearning";
import { Snapshots } from "../versions/snapshots";
import { Events } from "./events";
import { Session } from "./session";
import { type AgentPorts, buildTools, createBackgroundTasks, workingDirectory } from "./sessionTools";
import { UserMessages } from "./userMessages";

export type { AgentPorts } from "./sessionTools";

/** Rejects with StorageError. */
export async function createSession(ports: AgentPorts): Promise<Session> {
  const files = await ports.storage.create(ports.ids.next("ses"));
  return build(ports, files, async events => ({
    history: History.create(files, historyDeps(ports, events)),
    repairs: [],
  }));
}

/**
 * Opens a session: mends its log, closes a turn that a crash cut off, and takes over when another window gives it up.
 * Rejects with StorageError, NewerLogError, NotALogError.
 */
export async function openSession(ports: AgentPorts, id: string): Promise<Session> {
  const files = await ports.storage.open(id);
  try {
    return await build(ports, files, events => History.open(files, historyDeps(ports, events)));
  } catch (error) {
    await files.close();
    throw error;
  }
}

function historyDeps(ports: AgentPorts, events: Events) {
  return {
    ...{ clock: ports.clock, ids: ports.ids, hash: ports.hash },
    ...{ emit: events.emit, redact: ports.redactor.redact },
  };
}

async function build(
  ports: AgentPorts,
  files: SessionFiles,
  open: (events: Events) => Promise<{ history: History; repairs: Repair[] }>,
): Promise<Session> {
  const logger = withSession(ports, files.id);
  const events = new Events(logger);
  const { history, repairs } = await open(events);
  const note = async (code: string, text: string) => {
    await history.append({ kind: "note", level: "warning", code, text });
  };
  const onRepair = (text: string) => note("requests-repaired", text);
  const log = new RequestLog(files, ports.hash, {
    repaired: repairs.some(({ code }) => code.startsWith("log-")),
    onRepair,
  });
  const session = wire({ ...ports, logger }, files, history, events, log);
  const settle = async (mended: Repair[]) => {
    for (const { code, text } of mended) await note(code, text);
    await session.closeInterrupted();
  };
  if (files.writable) await settle(repairs);
  files.onLockChange(writable => {
    const follow = async () => {
      log.forget();
      if (writable) await session.takeOver(async () => settle(await history.reload()));
      else await session.stop();
      events.emit(session.hello());
    };
    follow().catch(error => logger.log("error", "the session could not follow its lock", { error: String(error) }));
  });
  return session;
}

function withSession({ logger, redactor }: AgentPorts, sessionId: string): Logger {
  return {
    log: (level, message, fields) =>
      logger.log(level, redactor.redact(message), { sessionId, ...mapStrings(fields ?? {}, redactor.redact) }),
  };
}

function wire(ports: AgentPorts, files: SessionFiles, history: History, events: Events, log: RequestLog): Session {
  const { ids, logger, redactor, settings } = ports;
  const { emit } = events;
  const onChange = () => session.announce();
  const mode = () => history.conversation.mode ?? settings.get()["permissions.mode"];
  const approvals = new Approvals({ history, ids, onChange, attended: ports.attended, redact: redactor.redact });
  const cwd = workingDirectory(history, ports.files.roots.find(isOnDisk)?.path ?? "");
  const snapshots = new Snapshots(files, ports);
  const background = createBackgroundTasks(ports, history, events);
  const tools = new ToolSet(buildTools(ports, history, { cwd, background, snapshots }), ports.foreignTools);
  const runner = new TurnRunner({
    ...{ ports, history, log, tools, approvals, emit, mode },
    taskReminder: () => background.reminder(),
    takeChangedCwd: () => cwd.takeChanged(),
  });
  const session = new Session({
    ...{ history, runner, approvals, background, events, logger, mode },
    messages: new UserMessages(history, ports),
    edits: { history, snapshots, files: secretLearningFiles(ports.files, redactor) },
    onTurnEnd: () => {
      saveMeta(ports, history);
      return saveRun(history, logger);
    },
  });
  return session;
}

/** runs.jsonl can be made anew from the records: that it could not be written is logged and no more. */
async function saveRun(history: History, logger: Logger): Promise<void> {
  try {
    await storeRuns(history);
  } catch (error) {
    logger.log("warning", "the list of turns could not be updated", { error: String(error) });
  }
}

/** meta.json is a cache: that it could not be written is logged and no more. */
function saveMeta(ports: AgentPorts, history: History): void {
  const { conversation, files } = history;
  const now = ports.clock.now();
  ports.storage
    .writeMeta({
      id: files.id,
      title: conversation.title,
      created: history.created,
      updated: now,
      turns: conversation.turn,
    })
    .catch(error => ports.logger.log("warning", "the session list could not be updated", { error: String(error) }));
}
