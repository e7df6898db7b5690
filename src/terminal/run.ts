/** `strata run`: one task, from the prompt to an exit code. */

import { liftDenials } from "../core/agent/denials";
import { waitingFor } from "../core/agent/questions";
import { type AgentPorts, createSession, openSession } from "../core/agent/session/openSession";
import type { Session } from "../core/agent/session/session";
import { type Attachments, SessionError, StorageError } from "../core/ground/ports";
import { timeLimit } from "../core/ground/ports/basics";
import { callableNames, callablePrompts } from "../core/guidance/skills/called";
import { KnownSkills } from "../core/guidance/skills/knownSkills";
import { missingArchivesText } from "../core/log/archives";
import { askedAbout } from "../core/log/conversation";
import { readWholeLog } from "../core/log/readLog";
import { workedMs } from "../core/log/runs";
import { readGitChanges } from "../node/shell/gitChanges";
import type { ApprovalAnswer } from "../shared/approval";
import { defined } from "../shared/defined";
import type { AgentEvent, CompactionPhase } from "../shared/events";
import { fenced } from "../shared/fences";
import { inARow, listed } from "../shared/format";
import { plural, t } from "../shared/l10n";
import { deniedName, takenBack } from "../shared/outcomeSaid";
import type { TurnFile } from "../shared/panelProtocol";
import type { QuestionReply } from "../shared/question";
import type { RecordOf } from "../shared/records";
import { withoutName } from "../shared/sessionModel";
import { visibleLine } from "../shared/shown";
import {
  type CallableName,
  compactionWay,
  parseSlashCommand,
  type SlashCommand,
  type SlashCommandName,
  unknownCommand,
} from "../shared/slashCommand";
import type { RunCommand } from "./args";
import { UsageError } from "./argValues";
import { createPrinter, recordText, type Streams, taskName } from "./eventPrinter";
import type { Interrupts } from "./interrupts";
import { EXIT, jsonLine } from "./output";
import { carryOut, readPlan } from "./plans";
import { TerminalQuestions } from "./questions";
import type { RunFolder } from "./runFolder";
import { type OpenQuestion, RunOutcome } from "./runOutcome";

interface RunEnvironment {
  streams: Streams;
  /** where a person answers questions */
  input: NodeJS.ReadableStream;
  /** where questions are written */
  output: NodeJS.WritableStream;
  interrupts: Interrupts;
  /** of `--out`. @param task undefined: a question of its run is answered */
  openFolder?(out: string, task: string | undefined): Promise<RunFolder>;
}

type GivenCommand = RunCommand & { piped?: string };

/** Rejects with UsageError, SessionError, StorageError and the errors of opening a session. */
export async function run(command: GivenCommand, world: AgentPorts, environment: RunEnvironment): Promise<number> {
  const { streams } = environment;
  let ports = world;
  const planned = command.plan && (await readPlan(command.plan));
  const slash = parseSlashCommand(command.prompt);
  if (slash && !isHere(slash.name)) throw new UsageError(notAPrompt(slash.name));
  if (slash && command.out) throw new UsageError(t("--out takes a task, not /{0}.", slash.name));
  const called = new KnownSkills(ports.skills, ports.hash);
  const problem = slash ? undefined : unknownCommand(command.prompt, await callable(called, ports));
  if (problem !== undefined) throw new UsageError(problem);
  if (!ports.surroundings.trusted() && !slash)
    streams.err(
      t("This workspace is not trusted, so it is only read. --trust lets the agent edit and run commands.\n"),
    );
  // The SDK loads while the session's files are made; what goes wrong is said by the turn.
  void ports.models.connect().catch(() => undefined);
  const task = command.reply ? undefined : JSON.stringify([command.prompt, command.piped ?? "", planned?.text ?? ""]);
  const folder = command.out === undefined ? undefined : await environment.openFolder?.(command.out, task);
  if (folder?.isOver && !command.reply) {
    streams.err(t("This run is over: {0} has its results. Nothing was done.\n", command.out ?? ""));
    return folder.result.exit ?? EXIT.done;
  }
  // What waits in it waits on, also where nobody is there.
  if (folder?.result.waits && ports.answers === "never") ports = { ...ports, answers: "later" };
  const session = await pickSession(command, ports, { slash, folder });
  const outcome = new RunOutcome();
  if (session.readOnly && !session.obstacle && !(await isOursSoon(session, ports, streams))) {
    await session.close();
    return EXIT.later;
  }
  await folder?.goOn();
  // What ended in another process is known from the log.
  if (folder) for (const record of session.history.records) outcome.take({ type: "record", record });
  const work = async () => {
    if (command.reply) answer(session, command.reply);
    else if (folder && session.history.conversation.turn > 0) await goOn(session);
    else if (planned) await carryOut(session, planned);
    else await (slash ? outcome.follow(obey(slash, session)) : say(session, command));
  };
  await carryOn({ command, slash, session, outcome, folder, work }, ports, environment);
  if (outcome.waiting) streams.err(howToAnswer(outcome.waiting, command, session));
  // As JSON, the first event says which session it is.
  if (!command.json) {
    if (slash && outcome.hasDone) streams.err(t("(To take it back: {0})\n", wayBack(slash, session.id)));
    if (!folder) streams.err(t("Session {0} (strata run --session {0} --prompt … continues it)\n", session.id));
  }
  return outcome.exitCode(slash !== undefined);
}

interface BegunRun {
  command: GivenCommand;
  slash: SlashCommand | undefined;
  session: Session;
  outcome: RunOutcome;
  folder: RunFolder | undefined;
  work(): Promise<void>;
}

/** Works to the end, says what happens, and closes the session. */
async function carryOn(begun: BegunRun, ports: AgentPorts, environment: RunEnvironment): Promise<void> {
  const { command, slash, session, outcome, folder, work } = begun;
  const { streams, interrupts } = environment;
  const print = command.json
    ? (event: AgentEvent) => streams.out(jsonLine(event))
    : createPrinter(streams, ports.clock);
  const questions = ports.answers === "now" ? askAbout(session, environment) : undefined;
  session.subscribe(event => {
    print(event);
    outcome.take(event);
    questions?.take(event);
  });
  if (command.json) print(session.hello());
  else for (const note of newestNotes(session)) streams.err(`${recordText(note)}\n`);
  // Where nobody is there to stop it, what waits for an answer waits on.
  const end = () => void (ports.answers === "later" ? session.leave() : session.stop());
  interrupts.signal.addEventListener("abort", end);
  interrupts.onCancel(() => cancelCompaction(session, outcome));
  if (!command.json && !slash) offerToLift(command.prompt, session, streams);
  const callOff = await limitTime(command, session, ports, () => {
    outcome.isInTime = false;
    end();
  });
  try {
    if (command.mode) await session.setMode(command.mode);
    if (namesModel(command)) await session.setModel(withoutName(session.model));
    outcome.isCutShort = interrupts.signal.aborted;
    if (outcome.isCutShort || !outcome.isInTime) return;
    await work();
    await (ports.answers === "later" ? settled(session) : session.idle());
    if (!command.json && !slash) await printChangedFiles(session, streams);
    if (!command.json && outcome.wentOnWithout) streams.err(`! ${outcome.wentOnWithout}\n`);
  } finally {
    callOff();
    questions?.close();
    outcome.cutOff = session.background.running.map(taskName);
    if (!command.json) sayWhatEnds(outcome, streams);
    await session.close(async () => {
      // A question is in the log by now.
      outcome.waiting = waitingFor(session.history.conversation);
      outcome.isLost = folder !== undefined && session.readOnly;
      if (!outcome.isLost) await folder?.finish(session, outcome.exitCode(slash !== undefined), outcome);
    });
  }
}

/** Resolves when nothing runs, or what runs waits for an answer. */
const settled = (session: Session): Promise<void> =>
  new Promise(resolve => {
    const look = () => (session.state === "idle" || session.state === "asking") && resolve();
    session.subscribe(look);
    look();
  });

function howToAnswer({ id, title }: OpenQuestion, { out }: RunCommand, session: Session): string {
  const where = out === undefined ? `--session ${session.id}` : `--out ${out}`;
  const way = id.startsWith("apr") ? `--allow-call ${id} | --deny-call ${id} [TEXT]` : `--answer ${id} TEXT`;
  return t("Waits for an answer: {0}\n(strata run {1} {2})\n", visibleLine(title), where, way);
}

/** Who works on it may be gone already: a crash is noticed after a while, where it was on another machine. */
async function isOursSoon(session: Session, { clock }: AgentPorts, { err }: Streams): Promise<boolean> {
  err(t("Another process has session {0} open. Waiting a minute for it to end.\n", session.id));
  const over = timeLimit(OTHERS_MS, clock);
  await new Promise<void>(resolve => {
    over.signal.addEventListener("abort", () => resolve());
    session.subscribe(() => !session.readOnly && resolve());
  });
  over.end();
  if (session.readOnly) err(t("It is at work still, so nothing was done here.\n"));
  return !session.readOnly;
}

/** ms: longer than it takes until the lock of a machine that is gone counts as left */
const OTHERS_MS = 75_000;

/** ms that a timer takes at most */
const LONGEST = 2 ** 31 - 1;

/** @param over called when the minutes are over, those of former processes counted. @returns what calls that off */
async function limitTime({ maxMinutes }: RunCommand, session: Session, { clock }: AgentPorts, over: () => void) {
  if (maxMinutes === undefined) return () => undefined;
  const left = maxMinutes * 60_000 - workedMs((await readWholeLog(session.history.files)).records);
  if (left <= 0) over();
  return clock.after(Math.min(Math.max(0, left), LONGEST), over);
}

/** Continues what an earlier process began; what waits for an answer waits on, and what is done stays. */
async function goOn(session: Session): Promise<void> {
  const { end, turn } = session.history.conversation;
  const isDone = end?.turn === turn && end.reason === "done";
  if (session.state === "idle" && !isDone) await session.resume();
}

/** The answer to what waits. Throws SessionError where it does not wait any more. */
function answer(session: Session, { kind, id, words, forSession }: NonNullable<RunCommand["reply"]>): void {
  if (kind === "answer") {
    session.reply(id, { action: "accept", words: words ?? "" });
    return;
  }
  const approvalId = askedAbout(session.history.conversation, id)?.approvalId ?? id;
  const decision = kind === "allow-call" ? "allow" : "deny";
  session.answer(approvalId, { decision, scope: forSession ? "session" : "once", ...defined({ words }) });
}

/** Words that take a no back lift nothing by themselves. */
function offerToLift(words: string, { id, history }: Session, { err }: Streams): void {
  const held = takenBack(words, history.conversation.denials);
  const way = `strata run --session ${id} --prompt "/lift ${held?.denialId}"`;
  if (held) err(t("(To lift the no to {0}: {1})\n", visibleLine(deniedName(held)), way));
}

/** What a message can call; prompts of MCP servers among it, as far as they are known: nothing is started for that. */
async function callable(called: KnownSkills, { offers }: AgentPorts): Promise<CallableName[]> {
  const [set] = await Promise.all([called.read(), offers?.refresh()]);
  return [...callableNames(set), ...callablePrompts(offers?.offers() ?? [])];
}

/** What was found wrong with the session as it was opened. */
function newestNotes({ history: { records } }: Session): RecordOf<"note">[] {
  const opened = records.slice(records.findLastIndex(({ kind }) => kind !== "note") + 1);
  return opened.filter(record => record.kind === "note");
}

/** What the command line says counts more than what the session chose. */
const namesModel = ({ model, provider, baseUrl }: RunCommand) => (model ?? provider ?? baseUrl) !== undefined;

/** Answers the agent's open question, or is a new message. */
async function say(session: Session, { prompt, piped }: { prompt: string; piped?: string }): Promise<void> {
  const { question } = session;
  const words = piped === undefined ? prompt : `${prompt}\n\n${fenced(piped)}`;
  if (question) session.reply(question.questionId, { action: "accept", words });
  else await session.submit(prompt, "steer", [], { piped });
}

/** Background tasks end with the run. */
function sayWhatEnds({ cutOff }: RunOutcome, { err }: Streams): void {
  if (cutOff.length > 0) err(t("Ended with this run: {0} (background tasks do not outlive it)\n", inARow(cutOff)));
}

/** What works on a session, here too. */
type SessionWork = "compact" | "undo" | "redo" | "lift";

const isHere = (name: SlashCommandName): name is SessionWork => ["compact", "undo", "redo", "lift"].includes(name);

async function obey({ name, words }: SlashCommand, session: Session): Promise<void> {
  const { compaction, rewind } = session;
  const way = compactionWay(words);
  if (name === "lift") await liftDenials(session, words);
  else if (name === "undo") await rewind.rewind(rewind.newestTurn, "files");
  else if (name === "redo") await rewind.undo();
  else await (way ? compaction[way]() : compaction.compact(words));
}

function wayBack({ name, words }: SlashCommand, session: string): string {
  if (name === "compact") return `strata compact ${session} ${words === "undo" ? "redo" : "undo"}`;
  return name === "undo" ? `strata redo ${session}` : `strata undo ${session}`;
}

const notAPrompt = (name: SlashCommandName) =>
  t("/{0} is not a prompt in the terminal. strata --help lists what there is here.", name);

const CANCELLABLE: readonly (CompactionPhase | undefined)[] = ["planning", "summarising", "checking"];

/** The first Ctrl+C while history is compacted ends that alone. */
function cancelCompaction(session: Session, outcome: RunOutcome): string | undefined {
  if (outcome.cancelled || !CANCELLABLE.includes(outcome.phase)) return undefined;
  outcome.cancelled = true;
  session.compaction.cancel();
  return t("Cancelling the compaction. Press Ctrl+C again to stop.");
}

function askAbout(session: Session, { streams, input, output, interrupts }: RunEnvironment): TerminalQuestions {
  const orSaid = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      streams.err(`${error.message}\n`);
    }
  };
  const answer = (id: string, given: Omit<ApprovalAnswer, "by">) => orSaid(() => session.answer(id, given));
  const reply = (id: string, given: QuestionReply) => orSaid(() => session.reply(id, given));
  const onInterrupt = () => interrupts.press();
  return new TerminalQuestions({ input, output, answer, reply, onInterrupt, onEnd: () => interrupts.stop() });
}

async function pickSession(
  command: RunCommand,
  ports: AgentPorts,
  { slash, folder }: { slash: SlashCommand | undefined; folder: RunFolder | undefined },
): Promise<Session> {
  const { session: id = folder?.result.session } = command;
  if (id !== undefined) {
    return openSession(ports, id).catch(error => {
      if (!folder || !(error instanceof StorageError) || error.code !== "NOT_FOUND") throw error;
      // The folder names its session before there is one; from then on, none is none to be done anew.
      if (folder.result.ended !== undefined)
        throw new UsageError(
          t("The log of this run is gone: name where it is with --storage, or begin in another folder."),
        );
      return createSession(ports, id);
    });
  }
  if (!command.continue) {
    if (!slash) return createSession(ports);
    throw new UsageError(
      t("/{0} is about a session that is there: name it with --session ID, or use --continue.", slash.name),
    );
  }
  const [newest] = await ports.storage.list();
  if (!newest) throw new UsageError(t("There is no session to continue in this workspace yet."));
  return openSession(ports, newest.id);
}

// The last word of a run about files: which it changed, and by how much.

const MAX_FILES = 20;

/** Of the newest turn; nothing where it changed no file and its records can be read. */
export async function printChangedFiles({ edits, history }: Session, { err }: Streams): Promise<void> {
  const { files, missing } = await edits.changesOf(history.conversation.turn);
  if (files.length > 0) err(`${changedLine(files)}\n`);
  if (missing.length > 0)
    err(`! ${missingArchivesText(history.records, missing, t("what this turn changed there is not listed"))}\n`);
}

function changedLine(files: readonly TurnFile[]): string {
  const sum = (side: "added" | "removed") => files.reduce((all, file) => all + file[side], 0);
  const words = files.map(({ path, created, deleted, ...counts }) => {
    const words = `${visibleLine(path)} ${lineCounts(counts)}`;
    return deleted ? t("{0} (deleted)", words) : created ? t("{0} (new)", words) : words;
  });
  const [all, named] = [lineCounts({ added: sum("added"), removed: sum("removed") }), listed(words, MAX_FILES)];
  return plural(files.length, "1 file changed: {2}", "{0} files changed, {1}: {2}", all, named);
}

const lineCounts = ({ added, removed }: { added: number; removed: number }) => `+${added} −${removed}`;

// What messages can attach without an editor: what Git says of the workspace.

/** @param folder absolute */
export function terminalAttachments(folder: string, trusted: () => boolean, changes = readGitChanges): Attachments {
  const editorOnly = (what: string) => async () => ({
    nothing: t("{0} can be attached in the editor only: this is Strata in a terminal.", what),
  });
  return {
    problems: editorOnly("Problems"),
    selection: editorOnly("A selection"),
    terminal: editorOnly("A terminal's output"),
    async changes(signal) {
      if (!trusted())
        return { nothing: t("This workspace is not trusted, so Git is not run in it (--trust lets it run).") };
      const found = await changes(folder, signal);
      return "nothing" in found ? found : [found];
    },
  };
}
