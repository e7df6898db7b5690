/**
 * Builds a session out of ports: the same for editor and terminal. The one place where the core's parts are put together.
 */
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import type { LogRecord } from "../../../shared/records";
import type { PermissionMode } from "../../../shared/settingValues";
import { OtherSessions } from "../../changes/review/otherSessions";
import { RequestLog } from "../../context/requestLog";
import { spentToday } from "../../context/requests/request";
import { ToolSet } from "../../context/requests/requestBuilder";
import { Spans } from "../../context/requests/spans";
import type { Models, SessionFiles } from "../../ground/ports";
import type { Report } from "../../ground/text/report";
import { SessionHooks } from "../../guidance/hooks/sessionHooks";
import { KnownSkills } from "../../guidance/skills/knownSkills";
import type { Skill } from "../../guidance/skills/parse";
import { costReport } from "../../log/costs";
import { History, type HistoryDeps, type Repair } from "../../log/history";
import { readWholeLog } from "../../log/readLog";
import { Snapshots } from "../../log/snapshots";
import { modeInForce, whyNotMode } from "../../permissions/levels";
import { redactingLogger } from "../../secrets/redact";
import type { Tool } from "../../tool/tool";
import { standsAsSkill } from "../injections";
import { Questions } from "../questions";
import { SessionTitle } from "../smallCalls/title";
import { skillTool } from "../tools/ofSession";
import { TurnRunner } from "../turnRunner";
import { Children } from "./children";
import { Events } from "./events";
import { Session } from "./session";
import { type AgentPorts, buildTools } from "./sessionTools";
import { UserMessages } from "./userMessages";

export type { AgentPorts } from "./sessionTools";

/** Rejects with StorageError. */
export async function createSession(ports: AgentPorts, id = ports.ids.next("ses")): Promise<Session> {
  const files = await ports.storage.create(id);
  return build(ports, files, async deps => ({ history: new History(files, deps), repairs: [] }));
}

/**
 * Opens a session: mends its log, closes a turn that a crash cut off, and takes over when another window gives it up.
 * Rejects with StorageError, NewerLogError, NotALogError.
 */
export async function openSession(ports: AgentPorts, id: string): Promise<Session> {
  const files = await ports.storage.open(id);
  try {
    return await build(ports, files, deps => History.open(files, deps));
  } catch (error) {
    await files.close();
    throw error;
  }
}

async function build(
  world: AgentPorts,
  files: SessionFiles,
  open: (deps: HistoryDeps) => Promise<{ history: History; repairs: Repair[] }>,
): Promise<Session> {
  const logger = redactingLogger(world.logger, world.redactor.redact, { sessionId: files.id });
  const events = new Events(logger);
  const { caller } = world;
  let family = files.id;
  // A folder that is added to a workspace comes behind the first one.
  const redactor = world.redactor.within(() => `${world.files.roots[0]?.uri ?? ""} ${family}`);
  const ports = { ...world, redactor };
  const { clock, ids, hash } = ports;
  const { history, repairs } = await open({ clock, ids, hash, emit: events.emit, redact: redactor.redact });
  family = caller?.root.history.family ?? history.family;
  for (const [uri, stamp] of history.conversation.stamps) world.files.recall?.(uri, stamp);
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
    await session.settleOpenTurn();
  };
  if (files.writable) await settle(repairs);
  files.onLockChange(writable => {
    const follow = async () => {
      log.forget();
      if (writable) await session.takeOver(async () => settle(await history.reload()));
      else await session.leave();
      events.emit(session.hello());
    };
    follow().catch(error => logger.log("error", "the session could not follow its lock", { error: String(error) }));
  });
  return session;
}

function wire(world: AgentPorts, files: SessionFiles, history: History, events: Events, log: RequestLog): Session {
  /** The session's own model, unless another is asked for. */
  const connect: Models["connect"] = choice =>
    world.models.connect(choice?.name === undefined ? { ...history.conversation.model, ...choice } : choice);
  const { caller } = world;
  const ports: AgentPorts = { ...world, models: { connect }, unlogged: () => children.unlogged() };
  const { ids, logger, settings, telemetry, disk, unsaved } = ports;
  const { redact } = ports.redactor;
  const { emit } = events;
  events.subscribe(event => {
    if (event.type === "record" && changesMeta.has(event.record.kind)) saveMeta(ports, history);
  });
  const mode = caller ? () => caller.root.mode() : () => modeInForce(history.conversation.mode, settings);
  const questions = new Questions({ ...ports, history, emit, redact, onChange: () => session.announce() });
  const snapshots = new Snapshots(files, ports);
  const skills = new KnownSkills(ports.skills, ports.hash);
  const { own, observer, background, cwd, files: learning } = buildTools(ports, history, events, snapshots);
  const hooks = sessionHooks(ports, history, mode);
  if (hooks) followQuestions(hooks, events, logger);
  const spans = telemetry && new Spans({ ...ports, telemetry, sessionId: files.id });
  const others = caller?.root.others ?? new OtherSessions({ ...ports, history, files: learning });
  if (!caller) events.subscribe(event => event.type === "record" && others.follow(event.record));
  const root = caller?.root ?? {
    history,
    others,
    questions,
    begun: { count: history.conversation.children.size },
    mode,
    changes: () => session,
  };
  const made = { make: createSession, open: openSession, tools: (): ToolSet["all"] => tools.all };
  const children = new Children({ ports, history, skills, root, emit, ...made });
  const tools = toolSet(ports, own, { skills, history, children });
  const runner = new TurnRunner({
    ...{ ports, history, log, tools, skills, hooks, others, emit, mode, spans },
    questions: caller?.questions ?? questions,
    taskReminder: () => [background.reminder(), children.reminder()].filter(Boolean).join("\n") || undefined,
    takeChangedCwd: () => cwd.takeChanged(),
    commandsSettled: () => observer.flush(),
  });
  const title = new SessionTitle({ ...ports, history, log, spans });
  const session = new Session({
    ...{ history, runner, questions, background, children, skills, events, logger, mode },
    costs: () => costs(ports, history),
    whyNotMode: chosen => whyNotMode(chosen, settings),
    messages: new UserMessages(history, ports, skills, hooks),
    edits: { snapshots, files: learning, disk },
    // The root's rewinds put back what a child did.
    rewind: {
      history,
      ids,
      commands: observer,
      others,
      files: (!caller && disk && { files: learning, disk, unsaved }) || undefined,
    },
    ...(caller && {
      caller: { ...caller.known, ...(!caller.inTree && { changes: caller.root.changes }) },
    }),
    onTurnEnd: () => {
      saveMeta(ports, history);
      if (ports.titles) title.turnEnded();
    },
    onClose: async () => {
      await Promise.all([title.close(), hooks?.end(AbortSignal.timeout(ENDING_MS))]);
      await observer.close();
      caller?.closed();
    },
  });
  return session;
}

/** Where there is nothing to load, or no agent to give work to, no request has the tool for it. */
function toolSet(
  { foreignTools, caller, redactor }: AgentPorts,
  own: readonly Tool[],
  { skills, history, children }: { skills: KnownSkills; history: History; children: Children<Session> },
): ToolSet {
  const stands = (skill: Skill) => standsAsSkill(skill, skills, history.conversation);
  const bySkills = skillTool({ skills, stands }) as Tool;
  const has = ({ name }: Tool) => caller?.budget.tools.includes(name) ?? true;
  const list = (found: ReadonlySet<string>): Tool[] => {
    const given = children.tool;
    return [
      ...(skills.current.skills.some(({ forModel }) => forModel) && has(bySkills) ? [bySkills] : []),
      ...(given ? [given] : []),
      ...(foreignTools?.list(found) ?? []),
    ];
  };
  return new ToolSet(own.filter(has), { refresh: async () => foreignTools?.refresh(), list }, redactor.redact);
}

async function costs(ports: AgentPorts, { files }: History): Promise<Report> {
  const { "agent.maxCostPerTurn": perTurn, "agent.maxCostPerDay": perDay } = ports.settings.get();
  const today = await spentToday(ports);
  return costReport((await readWholeLog(files)).records, { today, perTurn, perDay });
}

const changesMeta = new Set<LogRecord["kind"]>(["compaction", "undo", "redo", "title"]);

/** meta.json is a cache: that it could not be written is logged and no more. */
function saveMeta(ports: AgentPorts, history: History): void {
  const { conversation, files } = history;
  const lines = [...conversation.changed.values()];
  const sum = (of: "added" | "removed") => lines.reduce((total, file) => total + file[of], 0);
  const changes = lines.length > 0 ? { files: lines.length, added: sum("added"), removed: sum("removed") } : undefined;
  ports.storage
    .writeMeta({
      id: files.id,
      title: conversation.title,
      created: history.created,
      updated: history.records.findLast(({ kind }) => kind !== "title")?.ts ?? history.created,
      turns: conversation.turn,
      ...defined({ cost: conversation.spent.cost, changes, pinned: conversation.pinned || undefined }),
    })
    .catch(error => ports.logger.log("warning", "the session list could not be updated", { error: String(error) }));
}

/** ms that hooks get when their session is left: a window that closes does not wait longer. */
const ENDING_MS = 3_000;

const sessionHooks = (ports: AgentPorts, history: History, mode: () => PermissionMode): SessionHooks | undefined =>
  ports.hooks &&
  new SessionHooks({
    ...ports,
    hooks: ports.hooks,
    mode,
    redact: ports.redactor.redact,
    sessionId: history.files.id,
    agent: ports.caller?.known.agent,
    transcript: history.files.pathOf?.("history.jsonl") ?? "",
    folder: () => ports.files.roots[0]?.path,
    synced: () => history.synced(),
    async note(level, text, code = "hook") {
      await history.append({ kind: "note", level, code, text });
    },
  });

/** Tells hooks that the person is asked, without waiting for them. */
function followQuestions(hooks: SessionHooks, events: Events, logger: AgentPorts["logger"]): void {
  const never = new AbortController().signal;
  events.subscribe(event => {
    const record = event.type === "record" ? event.record : undefined;
    if ((record?.kind !== "approval" && record?.kind !== "question") || record.answer) return;
    const message = record.kind === "approval" ? record.action.title : t("The agent has a question.");
    const fields = { message, notification_type: "permission_prompt" };
    hooks.tell("Notification", { names: ["permission_prompt"], fields }, never).catch(error => {
      logger.log("warning", "the hooks of a notification did not run", { error: String(error) });
    });
  });
}
