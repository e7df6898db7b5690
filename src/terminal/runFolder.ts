/**
 * `strata run --out DIR`: one folder of results (docs/runs.md). `result.json` is there before anything is done, and says which session
 * does it; what came of it is read from that session's log, so that whoever goes on after a kill writes what the first one would have.
 */

import { access, constants, link, mkdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { lastWords } from "../core/agent/endChecks";
import { waitingFor } from "../core/agent/questions";
import type { Session } from "../core/agent/session/session";
import { type SessionFiles, type SessionStorage, StorageError } from "../core/ground/ports";
import { sessionUsage } from "../core/log/costs";
import { readWholeLog } from "../core/log/readLog";
import { workedMs } from "../core/log/runs";
import { commandsAfterLastEdit } from "../core/proof/runFacts";
import { defined, some } from "../shared/defined";
import { errorMessage } from "../shared/errorMessage";
import { parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import type { LogRecord } from "../shared/records";
import { mapStrings, type Redact } from "../shared/redacted";
import { type RunResult, runResultSchema } from "../shared/runResult";
import { UsageError } from "./argValues";
import { EXIT } from "./output";
import type { RunOutcome } from "./runOutcome";
import { withFiles } from "./sessions";

interface RunFolderDeps {
  storage: SessionStorage;
  newSession(): string;
  /** ms since the epoch */
  now(): number;
  sha256(content: string | Uint8Array): string;
  /** what differs from the commit, or from the newest; null: from nothing. Never rejects */
  patch(commit?: string | null): Promise<Patch | { why: string }>;
  /** a repository has this file, so that anyone may have written it */
  isTracked(path: string): Promise<boolean>;
  redact: Redact;
  /** one file, all of it or nothing; rejects with StorageError */
  save(path: string, content: AsyncIterable<string> | Iterable<string | Uint8Array>): Promise<void>;
  exported(files: SessionFiles): AsyncIterable<string>;
  trajectory(files: SessionFiles): Promise<object>;
}

interface Patch {
  commit: string | undefined;
  files: NonNullable<RunResult["files"]>;
  bytes: Uint8Array;
  /** what of it is not there */
  missing?: string;
}

const FILE = "result.json";
/** Where there are no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
const REASONS: Partial<Record<number, RunResult["reason"]>> = {
  [EXIT.done]: "done",
  [EXIT.limit]: "limit",
  [EXIT.later]: "later",
  [EXIT.stopped]: "stopped",
};

export class RunFolder {
  private constructor(
    private readonly folder: string,
    readonly result: RunResult,
    private readonly deps: RunFolderDeps,
  ) {}

  /**
   * The folder's run, begun where there is none. Rejects with UsageError where the folder has another task, with StorageError.
   * @param task what is asked; undefined: whatever it has, to answer a question of it
   */
  static async open(folder: string, task: string | undefined, deps: RunFolderDeps): Promise<RunFolder> {
    const known = await readResult(folder);
    const asked = task === undefined ? undefined : deps.sha256(task);
    if (!known && asked === undefined) throw new UsageError(t("{0} holds no run that waits for an answer.", folder));
    if (known && (await deps.isTracked(join(folder, FILE))))
      throw new UsageError(t("{0} came with the repository. Name a folder outside of it.", join(folder, FILE)));
    const result = known ?? (await begin(folder, asked ?? "", deps));
    if (asked !== undefined && result.task !== asked)
      throw new UsageError(t("{0} holds the run of another task. Name a folder of its own for each.", folder));
    return new RunFolder(folder, result, deps);
  }

  /** Says that it is at work again. Rejects with StorageError. */
  goOn(): Promise<void> {
    return writeResult(this.folder, { ...this.result, reason: "running" }, this.deps);
  }

  /** It has its end: nothing more is done in it. */
  get isOver(): boolean {
    return this.result.reason === "done" || this.result.reason === "denied";
  }

  /** Writes what came of it, the result last. Rejects with StorageError. */
  async finish(session: Session, exit: number, { limit, cutOff }: RunOutcome): Promise<void> {
    const { folder, deps, result } = this;
    const { conversation } = session.history;
    const isNone = result.base === undefined && result.noPatch !== undefined;
    const patch = isNone ? { why: result.noPatch ?? "" } : await deps.patch(result.base ?? null);
    if ("bytes" in patch) await deps.save(join(folder, "change.patch"), [patch.bytes]);
    const { records } = await withFiles(deps.storage, session.id, async files => {
      const log = await readWholeLog(files);
      if (log.records.length === 0) return log;
      await deps.save(join(folder, "session.strata"), deps.exported(files));
      await deps.save(join(folder, "trajectory.json"), [`${JSON.stringify(await deps.trajectory(files))}\n`]);
      return log;
    });
    const waits = waitingFor(conversation);
    const reason = REASONS[exit] ?? (waits ? "waits" : exit === EXIT.approval ? "denied" : "error");
    const { version, task, base, before, started } = result;
    const made =
      "bytes" in patch
        ? { patch: deps.sha256(patch.bytes), files: patch.files, noPatch: patch.missing }
        : { noPatch: patch.why };
    const ended = new Date(deps.now()).toISOString();
    const answer = lastWords(conversation.messages) || undefined;
    // What became a secret since it was recorded stands in none of it.
    const { commands, error, ...log } = factsOf(records);
    const said = mapStrings({ waits, commands, error, answer }, deps.redact);
    const facts = { version, task, session: session.id, reason, exit, limit, ...log, ...made, ...said };
    await writeResult(
      folder,
      runResultSchema.parse({ ...facts, base, before, cutOff: some(cutOff), started, ended }),
      deps,
    );
  }
}

/** What the log says of a run. */
function factsOf(records: readonly LogRecord[]) {
  const answers = records.flatMap(record => (record.kind === "message" ? [record.message.metadata] : []));
  const { error } = records.findLast(record => record.kind === "turnEnd") ?? {};
  return {
    error: error && { code: error.code, message: error.message },
    model: answers.findLast(({ model }) => model !== undefined)?.model,
    usage: sessionUsage(records),
    minutes: workedMs(records) / 60_000,
    steps: answers.filter(({ requestId }) => requestId !== undefined).length,
    commands: commandsAfterLastEdit(records),
  };
}

/** undefined: the folder has none, and is there now. Rejects with UsageError, StorageError. */
async function readResult(folder: string): Promise<RunResult | undefined> {
  const unusable = (error: unknown) =>
    new StorageError("IO", t("The folder of results {0} cannot be used: {1}", folder, errorMessage(error)));
  const mustBeUsable = async () => {
    await mkdir(folder, { recursive: true });
    // On a read-only disk, Node makes no folder and says nothing.
    await access(folder, constants.W_OK);
  };
  await mustBeUsable().catch(error => {
    throw unusable(error);
  });
  const text = await readFile(join(folder, FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw unusable(error);
  });
  if (text === undefined) return undefined;
  const { data } = runResultSchema.safeParse(parseJson(text));
  if (data) return data;
  throw new UsageError(
    t("{0} is no result of a run, or of another version. Remove it, or name another folder.", join(folder, FILE)),
  );
}

/** Of two that begin at once, one does; the other gets what that one has. Rejects with StorageError, UsageError. */
async function begin(folder: string, task: string, deps: RunFolderDeps): Promise<RunResult> {
  const found = await deps.patch();
  const base = "commit" in found ? found.commit : undefined;
  const before = "files" in found && found.files.length > 0 ? found.files.map(({ path }) => path) : undefined;
  const [session, started] = [deps.newSession(), new Date(deps.now()).toISOString()];
  const noPatch = "why" in found ? found.why : undefined;
  const known = defined({ base, before, noPatch });
  const result: RunResult = { version: 1, task, session, reason: "running", ...known, started };
  const own = join(folder, `.${session}.json`);
  await deps.save(own, [jsonText(result)]);
  try {
    await link(own, join(folder, FILE));
    await unlink(own);
    return result;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code !== "EEXIST") {
      if (!NO_LINKS.has(code)) throw error;
      await rename(own, join(folder, FILE));
      return result;
    }
    await unlink(own);
    return (await readResult(folder)) ?? result;
  }
}

const writeResult = (folder: string, result: RunResult, { save }: RunFolderDeps) =>
  save(join(folder, FILE), [jsonText(result)]);

const jsonText = (result: RunResult) => `${JSON.stringify(result, undefined, 2)}\n`;
