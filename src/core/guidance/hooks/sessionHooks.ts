/**
 * The hooks of one session: which ones are for a moment, their runs side by side, and what all of them say together. A no wins over
 * everything, a question over a yes. Of a workspace's hooks only those run that the person agreed to, and none of them says yes for
 * the person: what it starts may change with the repository.
 */
import { untilAborted } from "../../../shared/async";
import { defined, remembered } from "../../../shared/defined";
import { errorMessage } from "../../../shared/errorMessage";
import { inSentences } from "../../../shared/format";
import { HOOKS_WAIT, type HookEvent, type HookRun, hookLine } from "../../../shared/hooks";
import { t } from "../../../shared/l10n";
import type { Redact } from "../../../shared/redacted";
import type { PermissionMode } from "../../../shared/settingValues";
import type { Clock, Hash, Hooks, Logger, SandboxPolicy, Shell } from "../../ground/ports";
import { NO_SANDBOX } from "../../ground/ports/shell";
import { concatBytes, LastBytes } from "../../ground/text/bytes";
import { oneLine } from "../../ground/text/format";
import { OutputDecoder } from "../../ground/text/outputDecoder";
import { type HookAnswer, type HookProcess, readAnswer } from "./answer";
import { type Hook, type HookSet, readHooks } from "./entry";

interface SessionHooksDeps {
  hooks: Hooks;
  shell: Shell;
  clock: Clock;
  hash: Hash;
  logger: Logger;
  sessionId: string;
  /** the kind of a child; absent: a person's session */
  agent?: string | undefined;
  /** absolute path of the session's log; "": it is on no disk */
  transcript: string;
  /** absolute folder in which they start; undefined: no hook runs */
  folder(): string | undefined;
  mode(): PermissionMode;
  redact: Redact;
  /** What the log has is on disk for good: what hooks do has its record. Rejects with StorageError. */
  synced(): Promise<void>;
  /** For people, in the conversation. */
  note(level: "info" | "warning", text: string, code?: string): Promise<void>;
}

/** What the hooks of a moment say together. */
export interface HookOutcome {
  /** every run, in the order of the files */
  runs: HookRun[];
  decision?: "deny" | "ask" | "allow";
  /** why, of those that decided */
  reason?: string;
  updatedInput?: Record<string, unknown>;
  /** for the model */
  contexts: string[];
  /** why the turn ends here */
  halt?: string;
}

/** What a moment is about. */
interface HookInput {
  /** what matchers are held against; absent: the moment has nothing to choose by, and all match */
  names?: readonly string[];
  /** what the hook gets beside what all get */
  fields: Record<string, unknown>;
}

const SANDBOX_HINT = () =>
  t('It ran in the sandbox, as commands do. If it needs more, set "sandbox": false in its entry and approve it again.');

type HookFields = Readonly<Record<string, unknown>>;

/** Of a child: its moments have names of their own, and a person says nothing to it. */
const OF_CHILD: Partial<Record<HookEvent, HookEvent | "none">> = {
  SessionStart: "SubagentStart",
  Stop: "SubagentStop",
  UserPromptSubmit: "none",
  SessionEnd: "none",
};

const NOTHING: HookOutcome = { runs: [], contexts: [] };
/** Characters of a command, and of what a hook said, that are kept for people. */
const SHOWN_COMMAND = 300;
const SHOWN_TEXT = 2_000;

/** As hooks that were written for other agents know modes. */
const modes: Record<PermissionMode, string> = { plan: "plan", ask: "default", edits: "acceptEdits", auto: "auto" };

export class SessionHooks {
  private readonly setOf = remembered(readHooks, new WeakMap<HookSet["file"], HookSet>());
  private readonly told = new Set<string>();
  private later: string[] = [];
  private begun = false;
  /** what `once` is about: those that ran */
  private readonly ranOnce = new Set<string>();
  /** background runs, until the session is left */
  private readonly background = new Set<Promise<void>>();
  private leaving = new AbortController();

  constructor(private readonly deps: SessionHooksDeps) {}

  /** absolute folder in which they start; undefined: none runs */
  get folder(): string | undefined {
    return this.deps.folder();
  }

  /** Runs the hooks of this moment, all at once. Never rejects but with StorageError. */
  async fire(asked: HookEvent, { names: about, fields }: HookInput, signal: AbortSignal): Promise<HookOutcome> {
    const folder = this.deps.folder();
    const { agent } = this.deps;
    const event = (agent !== undefined && OF_CHILD[asked]) || asked;
    if (folder === undefined || event === "none") return NOTHING;
    const names = agent !== undefined && event !== asked ? [agent] : about;
    const moment = { event, names, input: fields.tool_input };
    const chosen = (await this.inForce()).filter(hook => isFor(hook, moment, hook.folder ?? folder));
    if (chosen.length === 0) return NOTHING;
    await this.deps.synced();
    const hookInput = { ...this.common(event, folder), ...fields };
    const key = (hook: Hook) => [hook.folder ?? folder, hook.background, hook.failsClosed, hook.command].join(" ");
    const once = chosen.filter((hook, at) => chosen.findIndex(other => key(other) === key(hook)) === at);
    const first = once.filter(hook => !hook.once || !this.ranOnce.has(`${hook.source} ${event} ${key(hook)}`));
    for (const hook of first.filter(each => each.once)) this.ranOnce.add(`${hook.source} ${event} ${key(hook)}`);
    for (const hook of first.filter(each => each.background)) this.runInBackground(hook, hookInput, folder, signal);
    const waited = first.filter(each => !each.background);
    return together(await Promise.all(waited.map(hook => this.run(hook, hookInput, folder, signal))));
  }

  /** It ends with the session at the latest, and with Stop. What it tells the model comes with a later request. */
  private runInBackground(hook: Hook, hookInput: HookFields, folder: string, signal: AbortSignal): void {
    const ended = this.run(hook, hookInput, folder, AbortSignal.any([signal, this.leaving.signal]))
      .then(({ answer }) => void (answer.context && this.later.push(contextText(hook, answer.context))))
      .catch(error => this.deps.logger.log("warning", "a hook in the background failed", { error: String(error) }))
      .finally(() => this.background.delete(ended));
    this.background.add(ended);
  }

  /** As `fire`, with problems as notes: for moments whose answers are ignored. */
  async tell(event: HookEvent, moment: HookInput, signal: AbortSignal): Promise<HookOutcome> {
    const fired = await this.fire(event, moment, signal);
    await this.noteRuns(fired.runs);
    return fired;
  }

  /** The session is used for the first time in this process. */
  async begin(source: "startup" | "resume", signal: AbortSignal): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    const { contexts } = await this.tell("SessionStart", { names: [source], fields: { source } }, signal);
    this.later.push(...contexts);
  }

  /** It is left. Never rejects. */
  async end(signal: AbortSignal): Promise<void> {
    if (!this.begun) return;
    this.begun = false;
    await this.fire("SessionEnd", { fields: { reason: "other" } }, signal).catch(error =>
      this.deps.logger.log("warning", "the hooks of a session's end did not run", { error: String(error) }),
    );
    // One that a turn's last step began is not cut off at once.
    await untilAborted(Promise.all(this.background), signal).catch(() => undefined);
    this.leaving.abort();
    this.leaving = new AbortController();
    await Promise.all(this.background);
  }

  /** Texts for the model that it gets with its next request. */
  tellLater(texts: readonly string[]): void {
    this.later.push(...texts);
  }

  readonly takeLater = (): string[] => this.later.splice(0);

  readonly note = (text: string): Promise<void> => this.deps.note("warning", text);

  /** What people should know of runs that no card shows. */
  async noteRuns(runs: readonly HookRun[]): Promise<void> {
    const isNews = ({ outcome, text }: HookRun) => outcome !== "ok" || text !== undefined;
    for (const run of runs.filter(isNews))
      await this.deps.note(run.outcome === "ok" || run.outcome === "allowed" ? "info" : "warning", hookLine(run));
  }

  /** All that may run now. What waits for the person is said once. */
  private async inForce(): Promise<Hook[]> {
    const { hooks } = this.deps;
    const { files, broken } = await hooks.read();
    for (const { path, problem } of broken)
      await this.tellOnce(t("The hooks in {0} cannot be read: {1}", path, problem));
    const sets = files.map(file => this.setOf(file));
    if (sets.some(({ file, switchesOff }) => switchesOff && file.folder === undefined)) {
      hooks.guard?.([]);
      return [];
    }
    const running: HookSet[] = [];
    const guarded: string[] = [];
    for (const set of sets) {
      const scripts = await this.scriptsOf(set);
      if (scripts === undefined) continue;
      for (const problem of set.problems)
        await this.tellOnce(t("A hook in {0} does not run. {1}", set.file.path, problem));
      if (set.switchesOff) continue;
      running.push(set);
      guarded.push(...scripts);
    }
    hooks.guard?.(guarded);
    return running.flatMap(set => set.hooks);
  }

  private async tellOnce(text: string): Promise<void> {
    if (this.told.has(text)) return;
    this.told.add(text);
    await this.deps.note("warning", text);
  }

  /** What nothing in the sandbox is to change as long as these run; undefined: they may not. */
  private async scriptsOf(set: HookSet): Promise<readonly string[] | undefined> {
    const { hooks, hash } = this.deps;
    if (set.file.folder === undefined || set.hooks.length === 0) return [];
    const agreement = await agreementTo(set, hooks, hash);
    if (typeof agreement === "string") {
      await this.tellOnce(t("The hooks in {0} do not run. {1}", set.file.path, agreement));
      return undefined;
    }
    const { key, scripts } = agreement;
    if (await hooks.hasAgreed(key)) return scripts;
    // Once for each text of them in this process.
    if (this.told.has(key)) return undefined;
    this.told.add(key);
    const words = t("This folder has hooks that need your approval: {0}", set.file.path);
    if (hooks.isNews?.(key) !== false) await this.deps.note("warning", words, HOOKS_WAIT);
    return undefined;
  }

  private async run(hook: Hook, hookInput: HookFields, folder: string, signal: AbortSignal) {
    const { shell, clock, logger, redact } = this.deps;
    const started = clock.now();
    const at = hook.folder ?? folder;
    // With a line's end: a script's `read` fails without one.
    const input = `${JSON.stringify({ ...hookInput, timestamp: new Date(started).toISOString() })}\n`;
    const sandbox = await placeOf(hook, this.deps.hooks);
    const answer = readAnswer(hook, await runHook(hook, { input, folder: at, sandbox }, shell, signal));
    const durationMs = Math.max(0, Math.round(clock.now() - started));
    logger.log("info", "a hook ran", { event: hook.event, source: hook.source, outcome: answer.outcome, durationMs });
    const isCut = answer.outcome === "failed" && sandbox.kind === "sandbox";
    const text = inSentences([redact(answer.text).slice(0, SHOWN_TEXT), isCut && SANDBOX_HINT()]);
    const run: HookRun = {
      event: hook.event,
      command: oneLine(redact(hook.command), SHOWN_COMMAND),
      source: hook.source,
      durationMs,
      outcome: answer.outcome,
      ...defined({ text: text !== "" ? text : undefined }),
    };
    return { run, answer: hook.folder !== undefined && answer.decision === "allow" ? unsaid(answer) : answer, hook };
  }

  private common(event: HookEvent, cwd: string) {
    const { sessionId, transcript, mode, agent } = this.deps;
    return {
      session_id: sessionId,
      // Its format is its own: a hook that reads another agent's finds no line that it knows.
      transcript_path: transcript,
      cwd,
      permission_mode: modes[mode()],
      hook_event_name: event,
      // as VS Code's hooks know both
      sessionId,
      hookEventName: event,
      ...defined({ agent_type: agent, agent_id: agent === undefined ? undefined : sessionId }),
    };
  }
}

/** @param names what its matcher is held against; absent: the moment has nothing to choose by @param folder the hook's own */
function isFor(
  hook: Hook,
  { event, names, input }: { event: HookEvent; names?: readonly string[] | undefined; input?: unknown },
  folder: string,
): boolean {
  if (hook.event !== event) return false;
  if (!names) return true;
  if (!hook.matches(names)) return false;
  return hook.condition === undefined || input === undefined || hook.condition.covers({ names, input, folder });
}

/** What a person agrees to: the exact text, whether it runs in the sandbox, and the files that its commands name. @returns why that is too much */
export async function agreementTo(set: HookSet, hooks: Hooks, hash: Hash) {
  const { folder = "" } = set.file;
  const found = await hooks.fingerprint(folder, set.texts);
  if (typeof found === "string") return found;
  const { fingerprint, ...scripts } = found;
  const where = (await hooks.around?.())?.kind === "sandbox" ? ["confined"] : [];
  return { key: hash.sha256(JSON.stringify([folder, set.file.path, set.exact, fingerprint, ...where])), ...scripts };
}

/** A yes that does not count: its other words do. */
const unsaid = ({ decision: _, ...answer }: HookAnswer): HookAnswer => answer;

function together(ended: readonly { run: HookRun; answer: HookAnswer; hook: Hook }[]): HookOutcome {
  const changing = ended.findLast(({ answer }) => answer.updatedInput);
  // A yes is to the input that its hook saw or made: not to another hook's.
  const holds = (answer: HookAnswer) => !changing || changing.answer === answer;
  const answers = ended.map(({ answer }) => (answer.decision === "allow" && !holds(answer) ? unsaid(answer) : answer));
  const decision = (["deny", "ask", "allow"] as const).find(each => answers.some(answer => answer.decision === each));
  const reasons = ended
    .filter(({ answer }) => answer.decision === decision && answer.reason !== undefined)
    .map(({ answer, hook }) => `${answer.reason} (hook in ${hook.source})`);
  const updatedInput = changing?.answer.updatedInput;
  const halt = answers.find(answer => answer.halt !== undefined)?.halt;
  return {
    runs: ended.map(({ run }) => run),
    ...defined({ decision, reason: decision && [...new Set(reasons)].join("\n"), updatedInput }),
    contexts: ended.flatMap(({ answer, hook }) => (answer.context ? [contextText(hook, answer.context)] : [])),
    ...defined({ halt }),
  };
}

const contextText = ({ event, source }: Hook, text: string) => `A hook (${event}, in ${source}) says:\n${text}`;

// One hook's process, from its input to its end.

/** Bytes of each stream that are kept, enough for a file's text in a changed input. */
const MAX_BYTES = 1024 * 1024;
/** Of more the end is kept too: what a hook decides it mostly says last. */
const END_BYTES = 64 * 1024;

/** A person's own starts outside the sandbox, a workspace's in it where there is one and its entry says nothing else. */
const placeOf = async ({ folder, outside }: Pick<Hook, "folder" | "outside">, hooks: Hooks) =>
  folder === undefined || outside ? NO_SANDBOX : ((await hooks.around?.()) ?? NO_SANDBOX);

/**
 * Runs it with what commands get of the environment. Never rejects.
 * @param folder absolute, the project's: the hook starts there and has it in its environment
 */
export async function runHook(
  { command, timeoutMs }: Pick<Hook, "command" | "timeoutMs">,
  { input, folder, sandbox = NO_SANDBOX }: { input: string; folder: string; sandbox?: SandboxPolicy },
  shell: Shell,
  signal: AbortSignal,
): Promise<HookProcess> {
  const kept = { stdout: new OutputBuffer(), stderr: new OutputBuffer() };
  const textOf = (stream: OutputBuffer) => {
    const decoder = new OutputDecoder(shell.encoding);
    return decoder.push(stream.bytes()) + decoder.end();
  };
  try {
    const outcome = await shell.run({
      command,
      timeoutMs,
      signal,
      input,
      cwd: folder,
      env: { CLAUDE_PROJECT_DIR: folder, STRATA_PROJECT_DIR: folder },
      sandbox,
      distrustsPath: true,
      onOutput: (stream, chunk) => kept[stream].add(chunk),
    });
    const ended = ({ exited: "exited", timeout: "timeout", aborted: "stopped", refused: "failed" } as const)[
      outcome.ended
    ];
    return { exitCode: outcome.exitCode, ended, stdout: textOf(kept.stdout), stderr: textOf(kept.stderr) };
  } catch (error) {
    return { exitCode: null, ended: "failed", stdout: "", stderr: errorMessage(error) };
  }
}

class OutputBuffer {
  private readonly head: Uint8Array[] = [];
  private size = 0;
  private readonly end = new LastBytes(END_BYTES);

  add(chunk: Uint8Array): void {
    const first = chunk.subarray(0, MAX_BYTES - this.size);
    // The caller may use the chunk again.
    if (first.length > 0) this.head.push(new Uint8Array(first));
    this.size += first.length;
    this.end.push(chunk.subarray(first.length));
  }

  bytes(): Uint8Array {
    const isCut = this.end.total > END_BYTES;
    return concatBytes([...this.head, new TextEncoder().encode(isCut ? "\n" : ""), this.end.bytes()]);
  }
}
