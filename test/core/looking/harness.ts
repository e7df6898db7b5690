/** Calls tools as a session does: prepare, perform, remember stamps; errors become what the model would read. */
import assert from "node:assert/strict";
import { createTools } from "../../../src/core/agent/tools";
import type { BackgroundTasks } from "../../../src/core/commands/background";
import { CommandObserver } from "../../../src/core/commands/commandObserver";
import { type FileRef, type SandboxPolicy, type SandboxState, ToolError } from "../../../src/core/ground/ports";
import type { StandingRead } from "../../../src/core/log/conversation";
import type { Rule } from "../../../src/core/permissions/rules";
import { reasonForDenial } from "../../../src/core/permissions/verdict";
import { KnownTexts, rememberingFiles } from "../../../src/core/secrets/knownTexts";
import { MOVED, type PreparedCall, type RunContext, type ToolOutcome } from "../../../src/core/tool/tool";
import { locatedInput } from "../../../src/core/tool/writtenPaths";
import type { ApprovalAnswer } from "../../../src/shared/approval";
import type { AgentEvent } from "../../../src/shared/events";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import type { Redact } from "../../../src/shared/redacted";
import type { DirtyFiles, SandboxMode } from "../../../src/shared/settingValues";
import type { FileVersion, Stamp } from "../../../src/shared/toolResult";
import { MemoryBlobs } from "../../fakes/blobs";
import { noSession, parseInput } from "../../fakes/call";
import { FakeClock } from "../../fakes/clock";
import { FakeCode } from "../../fakes/code";
import { type Checker, FakeDiagnostics } from "../../fakes/diagnostics";
import { MemoryFiles } from "../../fakes/files";
import { hash } from "../../fakes/hash";
import { asItIs } from "../../fakes/redact";
import { MemorySearch } from "../../fakes/search";
import { ScriptedShell, type ShellScript } from "../../fakes/shell";
import { MemoryStorage } from "../../fakes/storage";
import { backgroundTasks } from "../../fakes/tasks";
import { MemoryUnsaved } from "../../fakes/unsaved";

export interface Answer {
  /** `ok`, `partial` or the error's code */
  status: string;
  text: string;
  digest: string;
  data: Record<string, Json>;
  performed?: ToolOutcome;
}

export class Harness {
  readonly files: MemoryFiles;
  readonly search: MemorySearch;
  readonly blobs = new MemoryBlobs();
  readonly shell: ScriptedShell;
  readonly clock = new FakeClock();
  readonly tasks: BackgroundTasks;
  /** what the session would have been told */
  readonly events: AgentEvent[] = [];
  readonly unsaved: MemoryUnsaved;
  /** `strata.bash.dirtyFiles` */
  dirtyFiles: DirtyFiles = "ask";
  /** what the person answers when they are asked */
  answer: ApprovalAnswer | undefined;
  readonly stamps = new Map<string, Stamp>();
  /** ms since the epoch; long after anything was written */
  now = Date.UTC(2027, 0, 1);
  /** what earlier steps of the turn read, by URI */
  readonly standing = new Map<string, StandingRead[]>();
  /** files of which the rules around them were asked for */
  readonly opened: string[] = [];
  /** texts that the session has seen */
  readonly known = new KnownTexts();
  /** The session has lost the texts that it has seen. */
  forgets = false;
  readonly stop = new AbortController();
  /** what the card was shown live */
  live: { stream: string; text: string }[] = [];
  cwd = "/ws/app";
  /** Commands are to run in the sandbox. */
  inSandbox = false;
  sandbox: SandboxPolicy = { kind: "sandbox", network: [], access: "write" };
  kept: string[] = [];
  sandboxState: SandboxState = { kind: "ready", name: "fake" };
  /** `strata.bash.sandbox` */
  sandboxMode: SandboxMode = "auto";
  /** the session's log, for Recall */
  readonly records: LogRecord[] = [];
  /** earlier ones, for Recall; whether it may read them */
  readonly sessions = new MemoryStorage();
  recallsSessions = true;
  /** Runs between `prepare` and `applyChange` of the next call. */
  between: (() => void) | undefined;
  /** Runs whenever a tool waits for a moment. */
  whileWaiting: (() => void) | undefined;
  /** plays nothing, and is not there for tools, unless a checker is given */
  readonly diagnostics: FakeDiagnostics;
  /** knows the symbols of `*.ts`, and is not there for tools unless it is asked for */
  readonly code: FakeCode;
  /** of the settings */
  rules: readonly Rule[] = [];
  #called = "";
  /** `strata.diagnostics.waitMs` */
  waitMs = 2_000;
  readonly tools;

  constructor(
    roots: Record<string, Record<string, string | Uint8Array>> = {},
    more: {
      ignore?: string[];
      shell?: Record<string, ShellScript>;
      redact?: Redact;
      checker?: Checker;
      /** with language extensions; then nothing waits but what the test moves on (`clock`) */
      code?: boolean;
    } = {},
  ) {
    this.files = new MemoryFiles(Object.keys(roots).length > 0 ? roots : { app: {} });
    this.search = new MemorySearch(this.files, more.ignore);
    this.unsaved = new MemoryUnsaved(this.files);
    this.shell = new ScriptedShell(more.shell ?? {});
    this.diagnostics = new FakeDiagnostics(this.files, more.checker ?? (() => undefined));
    this.code = new FakeCode(this.files);
    const diagnostics = more.checker && { source: this.diagnostics, waitMs: () => this.waitMs };
    const cwd = {
      get: () => this.cwd,
      set: (path: string) => {
        this.cwd = path;
      },
    };
    const { search, shell, unsaved } = this;
    const files = rememberingFiles(this.files, this.known);
    const textOf = async ({ sha256 }: FileVersion) => (this.forgets ? undefined : this.known.get(sha256));
    const remember = async (text: string) => {
      const sha256 = hash.sha256(text);
      this.known.put(sha256, text);
      return { sha256 };
    };
    const log = { records: this.records, files: { getBlob: async (sha256: string) => this.blobs.blobs.get(sha256) } };
    const blobs = this.blobs.writer;
    const { clock } = this;
    const redact = more.redact ?? asItIs;
    const redactor = { redact, safeEnd: (text: string) => text.length };
    this.tasks = backgroundTasks({ shell, blobs, clock, redactor, emit: event => this.events.push(event) });
    const { tasks } = this;
    const observer = new CommandObserver({
      ...{ files, textOf, unsaved },
      dirtyFiles: () => this.dirtyFiles,
      stamps: () => this.stamps,
      clock: { now: () => this.now },
    });
    const tools = createTools({
      ...{ files, textOf, remember, search, shell, blobs, cwd, log, tasks, diagnostics, observer },
      sandbox: {
        mode: () => this.sandboxMode,
        kept: () => this.kept,
        policy: () => this.sandbox,
        state: async () => this.sandboxState,
      },
      earlier: { storage: this.sessions, own: "ses_now", isOn: () => this.recallsSessions, clock: { steady: () => 0 } },
      bashTimeoutMs: () => 120_000,
      learnFrom: async () => undefined,
      learnFromOutput: async () => undefined,
      clock: more.code ? clock : Object.assign(new FakeClock(), { sleep: async () => this.whileWaiting?.() }),
      ...(more.code && { code: this.code }),
    });
    this.tools = new Map(tools.map(tool => [tool.name, tool]));
  }

  get context(): RunContext {
    return {
      ...noSession(),
      inSandbox: this.inSandbox,
      signal: this.stop.signal,
      stampOf: uri => this.stamps.get(uri),
      protectedBecause: ref => reasonForDenial(ref, { ownFolders: [], rules: this.rules }, this.#called),
      standing: uri => this.standing.get(uri) ?? [],
    };
  }

  /** Prepares only: what a person would be asked. */
  async prepare(name: string, input: Json): Promise<PreparedCall> {
    const tool = this.tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    this.#called = name;
    return tool.prepare(parseInput(tool, await locatedInput(name, input, this.files)), this.context);
  }

  async call(name: string, input: Json): Promise<Answer> {
    try {
      return await this.attempt(name, input);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      for (const { uri, stamp } of error.done.stamps ?? []) this.stamps.set(uri, stamp);
      return { status: error.code, text: error.message, digest: "", data: error.data as Record<string, Json> };
    }
  }

  private async attempt(name: string, input: Json): Promise<Answer> {
    for (let tries = 0; tries < 100; tries++) {
      const prepared = await this.prepare(name, input);
      this.between?.();
      this.between = undefined;
      const output = (stream: "stdout" | "stderr", text: string) => {
        this.live.push({ stream, text });
      };
      const bringRules = async (file: FileRef) => {
        this.opened.push(file.path);
      };
      const performed = await prepared.perform({
        ...{ ...this.context, output, bringRules },
        ...(this.answer && { answer: this.answer }),
      });
      if (performed === MOVED) continue;
      for (const { uri, stamp } of performed.stamps ?? []) this.stamps.set(uri, stamp);
      const { result } = performed;
      return {
        status: result.error?.code ?? (result.status === "success" ? "ok" : result.status),
        text: result.text,
        digest: result.digest,
        data: result.data as Record<string, Json>,
        performed,
      };
    }
    throw new Error(`${name} is asked to prepare without an end`);
  }
}

/** How the results of a tool are kept; undefined: as any text. */
export const formsOf = (tool: string) => new Harness({}, { checker: () => undefined }).tools.get(tool)?.forms;

/** Lines `1` to `count`, each `line <n>`. */
export const numbered = (count: number, make = (line: number) => `line ${line}`): string =>
  Array.from({ length: count }, (_, index) => `${make(index + 1)}\n`).join("");

/** `status` absent: ok; `text`: a pattern where only a part matters */
export interface ExpectedAnswer {
  status?: string;
  text: string | RegExp;
  digest?: string;
}

export function assertAnswer(answer: Answer, { status = "ok", text, digest }: ExpectedAnswer): void {
  assert.equal(answer.status, status, answer.text);
  if (typeof text === "string") assert.equal(answer.text, text);
  else assert.match(answer.text, text);
  if (digest) assert.equal(answer.digest, digest);
}
