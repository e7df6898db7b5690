/**
 * Builds a session out of ports: the same for editor and terminal. The one place where the core's parts are put together.
 */
import { z } from "zod";
import type { AgentEvent } from "../shared/events";
import type { Json, LoggedMessage } from "../shared/messages";
import { runTurn } from "./agent/loop";
import { observationRecords } from "./agent/observe";
import { requestStep, type StepPlace } from "./agent/request";
import { runTool } from "./agent/runTool";
import { Approvals } from "./approvals";
import { type AssembleMemo, assemble, type ToolDefinition } from "./context/assemble";
import { Images } from "./context/images";
import { buildLayers } from "./context/layers";
import { RequestLog } from "./context/requestLog";
import { Events } from "./events";
import { History, type Repair } from "./history/history";
import { mentionedFiles } from "./mentions/find";
import { mentionReminder } from "./mentions/remind";
import type {
  Clock,
  Files,
  Hash,
  Ids,
  Logger,
  ModelConnection,
  Models,
  Redactor,
  Rules,
  Search,
  SessionFiles,
  SessionStorage,
  SettingsSource,
  Shell,
  Surroundings,
} from "./ports";
import { redactingWriter } from "./redact";
import { Session } from "./session";
import { createTools } from "./tools/index";
import type { Tool } from "./tools/tool";

export interface AgentPorts {
  files: Files;
  search: Search;
  shell: Shell;
  storage: SessionStorage;
  models: Models;
  rules: Rules;
  surroundings: Surroundings;
  settings: SettingsSource;
  redactor: Redactor;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  logger: Logger;
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
  return { clock: ports.clock, ids: ports.ids, emit: events.emit };
}

async function build(
  ports: AgentPorts,
  files: SessionFiles,
  open: (events: Events) => Promise<{ history: History; repairs: Repair[] }>,
): Promise<Session> {
  const logger = withSession(ports.logger, files.id);
  const events = new Events(logger);
  const { history, repairs } = await open(events);
  const session = wire({ ...ports, logger }, files, history, events, repairs.length > 0);
  const settle = async (mended: Repair[]) => {
    for (const { code, text } of mended) await history.append({ kind: "note", level: "warning", code, text });
    await session.closeInterrupted();
  };
  if (files.writable) await settle(repairs);
  files.onLockChange(writable => {
    const follow = async () => {
      if (writable) await settle(await history.reload());
      else await session.stop();
      events.emit(session.hello());
    };
    follow().catch(error =>
      ports.logger.log("error", "the session could not follow its lock", { error: String(error) }),
    );
  });
  return session;
}

function withSession(logger: Logger, sessionId: string): Logger {
  return { log: (level, message, fields) => logger.log(level, message, { sessionId, ...fields }) };
}

function wire(ports: AgentPorts, files: SessionFiles, history: History, events: Events, repaired: boolean): Session {
  const { clock, ids, settings, logger } = ports;
  const approvals = new Approvals(history, ids, ports.attended, () => session.announce());
  const tools = new Map(buildTools(ports, files).map(tool => [tool.name, tool]));
  const send = requester(ports, history, tools, new RequestLog(files, ports.hash, { repaired }), events.emit);
  const session: Session = new Session({
    history,
    approvals,
    clock,
    ids,
    logger,
    events,
    defaultMode: () => settings.get()["permissions.mode"],
    compose: text => compose(text, ports),
    async run(turn, takeSteering, signal) {
      const connection = await ports.models.connect();
      return runTurn(
        turn,
        {
          history,
          clock,
          tools,
          takeSteering,
          maxSteps: () => settings.get()["agent.maxSteps"],
          request: (place, stop) => send(place, connection, stop),
          record: (place, call, observation) =>
            observationRecords(place, call, observation, { files, hash: ports.hash }),
          runTool: (call, stop) => runTool(call, toolDeps(ports, session, approvals, tools, events.emit), stop),
        },
        signal,
      );
    },
    onTurnEnd: () => saveMeta(ports, history),
  });
  return session;
}

function buildTools(ports: AgentPorts, files: SessionFiles): Tool[] {
  let cwd = ports.files.roots[0]?.path ?? "";
  return createTools({
    files: ports.files,
    search: ports.search,
    shell: ports.shell,
    blobs: () => redactingWriter(files.blobWriter(), ports.redactor),
    cwd: {
      get: () => cwd,
      set: path => {
        cwd = path;
      },
    },
    bashTimeoutMs: () => ports.settings.get()["bash.timeoutSeconds"] * 1000,
  });
}

function toolDeps(
  ports: AgentPorts,
  session: Session,
  approvals: Approvals,
  tools: ReadonlyMap<string, Tool>,
  emit: (event: AgentEvent) => void,
) {
  return {
    tools,
    conversation: session.history.conversation,
    approvals,
    hash: ports.hash,
    redactor: ports.redactor,
    ownFolders: ports.ownFolders,
    now: () => ports.clock.now(),
    mode: () => session.mode,
    trusted: () => ports.surroundings.trusted(),
    onStart: (callId: string, toolName: string, title: string) => emit({ type: "toolStart", callId, toolName, title }),
    onOutput: (callId: string, stream: "stdout" | "stderr", text: string) =>
      emit({ type: "output", callId, stream, text }),
  };
}

/** Assembles each step's request from what stands now, and sends it. */
function requester(
  ports: AgentPorts,
  history: History,
  tools: ReadonlyMap<string, Tool>,
  log: RequestLog,
  emit: (event: AgentEvent) => void,
) {
  const { surroundings, settings, redactor } = ports;
  const definitions = [...tools.values()].map(definitionOf);
  const images = new Images(history.files);
  const memo: AssembleMemo = new WeakMap();
  const deps = {
    history,
    log,
    logger: ports.logger,
    clock: ports.clock,
    ids: ports.ids,
    emit,
    logMessages: () => settings.get()["log.messages"],
    logPayload: () => settings.get()["log.payload"],
  };
  return async (place: StepPlace, connection: ModelConnection, signal: AbortSignal) => {
    const { messages, todos } = history.conversation;
    const rules = surroundings.trusted() ? await ports.rules.read() : [];
    await images.load(messages);
    const layers = buildLayers({
      facts: { roots: ports.files.roots, platform: surroundings.platform, shell: ports.shell.name },
      rules: rules.map(rule => ({ ...rule, text: redactor.redact(rule.text) })),
      todos,
      editor: surroundings.editor(),
    });
    const callOptions: Record<string, Json> = {
      providerOptions: connection.providerOptions,
      ...(connection.maxOutputTokens ? { maxOutputTokens: connection.maxOutputTokens } : {}),
    };
    const request = assemble({
      layers,
      tools: definitions,
      messages,
      turn: place.turn,
      callOptions,
      image: images.get,
      hash: ports.hash,
      memo,
    });
    return requestStep(place, connection, request, deps, signal);
  };
}

export function definitionOf(tool: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, { io: "input" });
  return { name: tool.name, description: tool.description, inputSchema: inputSchema as Json };
}

async function compose(text: string, ports: AgentPorts): Promise<LoggedMessage["parts"]> {
  const words = ports.redactor.redact(text);
  const reminder = mentionReminder(await mentionedFiles(words, ports.files));
  const parts: LoggedMessage["parts"] = [{ type: "text", text: words }];
  if (reminder) parts.push({ type: "data-reminder", data: { name: "mentions", text: reminder } });
  return parts;
}

/** meta.json is a cache: that it could not be written is logged and no more. */
function saveMeta(ports: AgentPorts, history: History): void {
  const { conversation, files, records } = history;
  const now = ports.clock.now();
  ports.storage
    .writeMeta({
      id: files.id,
      title: conversation.title,
      created: records[0]?.ts ?? now,
      updated: now,
      turns: conversation.turn,
    })
    .catch(error => ports.logger.log("warning", "the session list could not be updated", { error: String(error) }));
}
