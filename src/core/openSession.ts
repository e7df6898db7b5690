/**
 * Builds a session out of ports: the same for editor and terminal. The one place where the core's parts are put together.
 */
import type { AgentEvent } from "../shared/events";
import type { LoggedMessage } from "../shared/messages";
import { Injections } from "./agent/injections";
import { runTurn } from "./agent/loop";
import { bringNestedRules } from "./agent/nestedRules";
import { observationRecords } from "./agent/observe";
import { type RequestDeps, requestStep } from "./agent/request";
import { type BuilderPorts, RequestBuilder } from "./agent/requestBuilder";
import { runTool } from "./agent/runTool";
import { createStepSender, requestDeps, type SenderPorts } from "./agent/stepSender";
import { Approvals } from "./approvals";
import { Compactor } from "./compaction/compactor";
import { RequestLog } from "./context/requestLog";
import { Events } from "./events";
import { History, type Repair } from "./history/history";
import { enterRuns } from "./history/runs";
import { mentionedFiles } from "./mentions/find";
import { mentionReminder } from "./mentions/remind";
import type { FileRef, Files, Logger, Models, Search, SessionFiles, SessionStorage, Shell } from "./ports";
import { mapStrings, redactingWriter } from "./redact";
import { teachingFiles, teachingSearch } from "./secrets/teaching";
import { Session } from "./session";
import { createTools } from "./tools/index";
import type { Inject, Tool } from "./tools/tool";

export interface AgentPorts extends SenderPorts, BuilderPorts {
  files: Files;
  search: Search;
  shell: Shell;
  storage: SessionStorage;
  models: Models;
  /** absolute folders of Strata's own settings and storage, '/' separators: protected */
  ownFolders: readonly string[];
  /** false: nobody is there to answer questions */
  attended: boolean;
}

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
  const { clock, ids, settings, logger } = ports;
  const approvals = new Approvals(history, ids, ports.attended, () => session.announce());
  const cwd = workingDirectory(history, ports.files.roots[0]?.path ?? "");
  const tools = new Map(buildTools(ports, history, cwd).map(tool => [tool.name, tool]));
  const builder = new RequestBuilder(ports, history, tools);
  const deps = requestDeps(ports, history, log, events.emit);
  const compactor = createCompactor(ports, builder, deps);
  const send = createStepSender(settings, builder, compactor, deps);
  const session: Session = new Session({
    history,
    approvals,
    clock,
    ids,
    logger,
    events,
    compactor,
    defaultMode: () => settings.get()["permissions.mode"],
    compose: text => compose(text, ports),
    async run(turn, takeSteering, signal) {
      const connection = await ports.models.connect();
      const injections = new Injections(turn, { history, ids, redactor: ports.redactor });
      const forTools = toolDeps(ports, session, approvals, tools, injections, events.emit);
      return runTurn(
        turn,
        {
          history,
          clock,
          ids,
          tools,
          takeSteering,
          injections,
          maxSteps: () => settings.get()["agent.maxSteps"],
          request: async (place, stop) => {
            await ports.redactor.refresh("known");
            return send(place, connection, stop);
          },
          record: (place, call, observation) =>
            observationRecords(place, call, observation, { files, hash: ports.hash, cwd: cwd.takeChanged() }),
          runTool: (call, stop) => runTool(call, forTools, stop),
        },
        signal,
      );
    },
    onTurnEnd: () => {
      saveMeta(ports, history);
      return saveRun(history, logger);
    },
  });
  return session;
}

function createCompactor(ports: AgentPorts, builder: RequestBuilder, deps: RequestDeps): Compactor {
  const { clock, ids, hash, settings, redactor } = ports;
  const { history } = deps;
  // What the model writes is no answer: nobody is shown it while it streams.
  const quiet = { ...deps, emit: () => undefined };
  return new Compactor({
    ...{ history, builder, clock, ids, hash, emit: deps.emit, redact: redactor.redact },
    settings: () => settings.get(),
    connect() {
      const name = settings.get()["summary.model"].trim();
      return ports.models.connect(name ? { name } : undefined);
    },
    send(request, connection, signal) {
      const { turn, runId, step } = history.conversation;
      return requestStep({ turn, runId, step, purpose: "summary" }, connection, request, quiet, signal);
    },
    facts: () => ({
      facts: { roots: ports.files.roots, platform: ports.surroundings.platform, shell: ports.shell.name },
      model: settings.get()["model.name"],
    }),
  });
}

/** The folder in which commands run: kept between calls, and, through the log, between processes. */
function workingDirectory({ conversation }: History, root: string) {
  const logged = () => conversation.cwd ?? root;
  // Only until the call's record has it: from then on the log says it, also where another window goes on in between.
  let fresh: string | undefined;
  return {
    get: () => fresh ?? logged(),
    set: (path: string) => {
      fresh = path;
    },
    /** what the log does not know yet, for the record that is about to be written */
    takeChanged: () => {
      const path = fresh;
      fresh = undefined;
      return path === logged() ? undefined : path;
    },
  };
}

function buildTools(ports: AgentPorts, history: History, cwd: { get(): string; set(path: string): void }): Tool[] {
  return createTools({
    files: teachingFiles(ports.files, ports.redactor),
    search: teachingSearch(ports.search, ports.redactor),
    shell: ports.shell,
    blobs: () => redactingWriter(history.files.blobWriter(), ports.redactor),
    cwd,
    bashTimeoutMs: () => ports.settings.get()["bash.timeoutSeconds"] * 1000,
    log: history,
  });
}

function toolDeps(
  ports: AgentPorts,
  session: Session,
  approvals: Approvals,
  tools: ReadonlyMap<string, Tool>,
  inject: Inject,
  emit: (event: AgentEvent) => void,
) {
  const { rules, hash, redactor } = ports;
  const { history } = session;
  return {
    tools,
    conversation: history.conversation,
    approvals,
    hash,
    redactor,
    inject,
    bringRules: (file: FileRef) => bringNestedRules(file, { rules, history, inject, hash, redactor }),
    ownFolders: ports.ownFolders,
    clock: ports.clock,
    mode: () => session.mode,
    trusted: () => ports.surroundings.trusted(),
    onStart: (callId: string, toolName: string, title: string) => emit({ type: "toolStart", callId, toolName, title }),
    onOutput: (callId: string, stream: "stdout" | "stderr", text: string) =>
      emit({ type: "output", callId, stream, text }),
  };
}

async function compose(text: string, ports: AgentPorts): Promise<LoggedMessage["parts"]> {
  await ports.redactor.refresh("workspace");
  const words = ports.redactor.redact(text);
  const reminder = mentionReminder(await mentionedFiles(words, ports.files));
  const parts: LoggedMessage["parts"] = [{ type: "text", text: words }];
  if (reminder) parts.push({ type: "data-reminder", data: { name: "mentions", text: reminder } });
  return parts;
}

/** runs.jsonl can be made anew from the records: that it could not be written is logged and no more. */
async function saveRun(history: History, logger: Logger): Promise<void> {
  try {
    await enterRuns(history);
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
