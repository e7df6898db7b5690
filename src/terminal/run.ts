/** `strata run`: one task, from the prompt to an exit code. */

import { liftDenials } from "../core/agent/denials";
import { type AgentPorts, createSession, openSession } from "../core/agent/session/openSession";
import type { Session } from "../core/agent/session/session";
import { needsApproval } from "../core/agent/turnEnds";
import { type Attachments, type NothingToAttach, type RepositoryChanges, SessionError } from "../core/ground/ports";
import { callableNames, callablePrompts } from "../core/guidance/skills/called";
import { KnownSkills } from "../core/guidance/skills/knownSkills";
import { missingArchivesText } from "../core/log/archives";
import type { ApprovalAnswer } from "../shared/approval";
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

interface RunEnvironment {
  streams: Streams;
  /** where a person answers questions */
  input: NodeJS.ReadableStream;
  /** where questions are written */
  output: NodeJS.WritableStream;
  interrupts: Interrupts;
}

/** Rejects with UsageError, SessionError, StorageError and the errors of opening a session. */
export async function run(command: RunCommand & { piped?: string }, ports: AgentPorts, environment: RunEnvironment) {
  const { streams, interrupts } = environment;
  const planned = command.plan && (await readPlan(command.plan));
  const slash = parseSlashCommand(command.prompt);
  if (slash && !isHere(slash.name)) throw new UsageError(notAPrompt(slash.name));
  const called = new KnownSkills(ports.skills, ports.hash);
  const problem = slash ? undefined : unknownCommand(command.prompt, await callable(called, ports));
  if (problem !== undefined) throw new UsageError(problem);
  if (!ports.surroundings.trusted() && !slash)
    streams.err(
      t("This workspace is not trusted, so it is only read. --trust lets the agent edit and run commands.\n"),
    );
  // The SDK loads while the session's files are made; what goes wrong is said by the turn.
  void ports.models.connect().catch(() => undefined);
  const session = await pickSession(command, ports, slash);
  const print = command.json
    ? (event: AgentEvent) => streams.out(jsonLine(event))
    : createPrinter(streams, ports.clock);
  const questions = ports.attended ? askAbout(session, environment) : undefined;
  const outcome = new RunOutcome();
  session.subscribe(event => {
    print(event);
    outcome.take(event);
    questions?.take(event);
  });
  if (command.json) print(session.hello());
  else for (const note of newestNotes(session)) streams.err(`${recordText(note)}\n`);
  interrupts.signal.addEventListener("abort", () => void session.stop());
  interrupts.onCancel(() => cancelCompaction(session, outcome));
  if (!command.json && !slash) offerToLift(command.prompt, session, streams);
  try {
    if (command.mode) await session.setMode(command.mode);
    if (namesModel(command)) await session.setModel(withoutName(session.model));
    if (interrupts.signal.aborted) return EXIT.stopped;
    if (planned) await carryOut(session, planned);
    else await (slash ? outcome.follow(obey(slash, session)) : say(session, command));
    await (command.json ? Promise.race([session.idle(), outcome.asked]) : session.idle());
    if (!command.json && !slash) await printChangedFiles(session, streams);
    if (!command.json && outcome.wentOnWithout) streams.err(`! ${outcome.wentOnWithout}\n`);
  } finally {
    questions?.close();
    if (!command.json) sayWhatEnds(session, streams);
    await session.close();
  }
  // As JSON, the first event says which session it is.
  if (!command.json) {
    if (slash && outcome.hasDone) streams.err(t("(To take it back: {0})\n", wayBack(slash, session.id)));
    streams.err(t("Session {0} (strata run --session {0} --prompt … continues it)\n", session.id));
  }
  return outcome.exitCode(slash !== undefined);
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
function sayWhatEnds({ background }: Session, { err }: Streams): void {
  const names = background.running.map(taskName);
  if (names.length > 0) err(t("Ended with this run: {0} (background tasks do not outlive it)\n", inARow(names)));
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

/** What a slash command leaves in the log. */
const DOINGS: readonly string[] = ["compaction", "undo", "redo", "rewind"];

/** What events say of how it went. */
class RunOutcome {
  /** of the newest compaction */
  phase: CompactionPhase | undefined;
  cancelled = false;
  /** a slash command did something */
  hasDone = false;
  private end: RecordOf<"turnEnd"> | undefined;
  private failed = false;
  private readonly question = Promise.withResolvers<void>();
  /** resolves where the agent asks something */
  readonly asked = this.question.promise;
  private isAsking = false;
  /** titles of calls that could not be allowed */
  private readonly unanswered = new Set<string>();

  take(event: AgentEvent): void {
    if (event.type === "failure") this.failed = true;
    if (event.type === "record" && event.record.kind === "turnEnd") this.end = event.record;
    if (event.type === "record" && DOINGS.includes(event.record.kind)) this.hasDone = true;
    if (event.type === "record" && event.record.kind === "rewind" && event.record.cutOff) this.failed = true;
    if (event.type === "record" && event.record.kind === "question") this.takeQuestion(event.record);
    if (event.type === "record" && event.record.kind === "approval" && event.record.answer?.by === "nobody")
      this.unanswered.add(visibleLine(event.record.action.title.replace(/\?$/, "")));
    if (event.type !== "compaction") return;
    this.phase = event.phase;
    if (event.phase === "planning") this.cancelled = false;
  }

  /** An open question ends the run; one that Stop answered is over. */
  private takeQuestion({ answer }: RecordOf<"question">): void {
    this.isAsking = answer === undefined;
    if (this.isAsking) this.question.resolve();
  }

  /** Of a compaction that failed, events have said why. */
  async follow(compaction: Promise<void>): Promise<void> {
    try {
      await compaction;
    } catch (error) {
      if (this.phase !== "failed") throw error;
      this.failed = true;
    }
  }

  /** @param compacted there need not have been a turn */
  exitCode(compacted: boolean): number {
    if (this.failed) return EXIT.error;
    if (this.isAsking) return EXIT.approval;
    if (compacted && !this.end) return this.phase === "cancelled" ? EXIT.stopped : EXIT.done;
    return this.wentOnWithout ? EXIT.approval : exitCode(this.end);
  }

  /** Calls that could not be allowed in a turn that ended well. */
  get wentOnWithout(): string | undefined {
    const isOver = this.end?.reason === "done" || this.end?.reason === "limit";
    return isOver && this.unanswered.size > 0 ? needsApproval(listed([...this.unanswered], MAX_TOLD)) : undefined;
  }
}

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

async function pickSession(command: RunCommand, ports: AgentPorts, slash?: SlashCommand): Promise<Session> {
  if (command.session) return openSession(ports, command.session);
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

function exitCode(end: RecordOf<"turnEnd"> | undefined): number {
  if (end?.reason === "done") return EXIT.done;
  if (end?.reason === "stopped") return EXIT.stopped;
  return end?.error?.code === "approval-needed" ? EXIT.approval : EXIT.error;
}

/** what a run went without, at most */
const MAX_TOLD = 5;

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

interface TerminalAttachmentsDeps {
  /** Rejects with the signal's reason, and where Git fails. */
  changes(folder: string, signal: AbortSignal): Promise<RepositoryChanges | NothingToAttach>;
  /** absolute */
  folder: string;
  trusted(): boolean;
}

export function terminalAttachments({ changes, folder, trusted }: TerminalAttachmentsDeps): Attachments {
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
