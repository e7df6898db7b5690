/**
 * `strata run --out DIR`: one folder of results (docs/runs.md). `result.json` is there before anything is done, and says which session
 * does it; what came of it is read from that session's log, so that whoever goes on after a kill writes what the first one would have.
 */

import { access, constants, mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { lastWords } from "../core/agent/endChecks";
import { waitingFor } from "../core/agent/questions";
import type { AgentPorts } from "../core/agent/session/openSession";
import type { Session } from "../core/agent/session/session";
import { StorageError } from "../core/ground/ports";
import { sessionUsage } from "../core/log/costs";
import { readWholeLog } from "../core/log/readLog";
import { workedMs } from "../core/log/runs";
import { exportSession } from "../core/proof/exportSession";
import { commandsAfterLastEdit } from "../core/proof/runFacts";
import { trajectory } from "../core/proof/trajectory";
import { storageError, unlessMissing } from "../node/errno";
import { writeExported } from "../node/exportedFile";
import { realPath } from "../node/paths";
import { gitPatch, isTracked } from "../node/shell/gitState";
import { nodeHash } from "../node/system";
import { createWholeFile } from "../node/writeFile";
import { defined, some } from "../shared/defined";
import { errorMessage } from "../shared/errorMessage";
import { parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import type { LogRecord } from "../shared/records";
import { mapStrings } from "../shared/redacted";
import { type RunResult, runResultSchema } from "../shared/runResult";
import { UsageError } from "./argValues";
import { EXIT } from "./output";
import type { RunOutcome } from "./runOutcome";
import { withFiles } from "./sessions";
import { exporting } from "./transfer";

interface RunFolderDeps {
  ports: AgentPorts;
  /** absolute */
  workspace: string;
  /** version of Strata */
  app: string;
}

const FILE = "result.json";
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
  static async open(out: string, task: string | undefined, deps: RunFolderDeps): Promise<RunFolder> {
    const folder = resolve(out);
    const known = await readResult(folder);
    const asked = task === undefined ? undefined : nodeHash.sha256(task);
    if (!known && asked === undefined) throw new UsageError(t("{0} holds no run that waits for an answer.", folder));
    if (known && (await isTracked(deps.workspace, join(folder, FILE))))
      throw new UsageError(t("{0} came with the repository. Name a folder outside of it.", join(folder, FILE)));
    const result = known ?? (await begin(folder, asked ?? "", deps));
    if (asked !== undefined && result.task !== asked)
      throw new UsageError(t("{0} holds the run of another task. Name a folder of its own for each.", folder));
    return new RunFolder(folder, result, deps);
  }

  /** Says that it is at work again. Rejects with StorageError. */
  goOn(): Promise<void> {
    return writeResult(this.folder, { ...this.result, reason: "running" });
  }

  /** It has its end: nothing more is done in it. */
  get isOver(): boolean {
    return this.result.reason === "done" || this.result.reason === "denied";
  }

  /** Writes what came of it, the result last. Rejects with StorageError. */
  async finish(session: Session, exit: number, { limit, cutOff }: RunOutcome): Promise<void> {
    const { folder, deps, result } = this;
    const { redactor, storage } = deps.ports;
    const how = { redact: redactor.redact, app: deps.app };
    const { conversation } = session.history;
    const isNone = result.base === undefined && result.noPatch !== undefined;
    const patch = isNone ? { why: result.noPatch ?? "" } : await patchOf(folder, deps, result.base ?? null);
    if ("bytes" in patch) await save(join(folder, "change.patch"), [patch.bytes]);
    const { records } = await withFiles(storage, session.id, async files => {
      const log = await readWholeLog(files);
      if (log.records.length === 0) return log;
      await save(join(folder, "session.strata"), exportSession(files, { ...how, ...exporting }));
      await save(join(folder, "trajectory.json"), [`${JSON.stringify(await trajectory(files, how))}\n`]);
      return log;
    });
    const waits = waitingFor(conversation);
    const reason = REASONS[exit] ?? (waits ? "waits" : exit === EXIT.approval ? "denied" : "error");
    const { version, task, base, before, started } = result;
    const made =
      "bytes" in patch
        ? { patch: nodeHash.sha256(patch.bytes), files: patch.files, noPatch: patch.missing }
        : { noPatch: patch.why };
    const ended = new Date(deps.ports.clock.now()).toISOString();
    const answer = lastWords(conversation.messages) || undefined;
    // What became a secret since it was recorded stands in none of it.
    const { commands, error, ...log } = factsOf(records);
    const said = mapStrings({ waits, commands, error, answer }, how.redact);
    const facts = { version, task, session: session.id, reason, exit, limit, ...log, ...made, ...said };
    await writeResult(folder, runResultSchema.parse({ ...facts, base, before, cutOff: some(cutOff), started, ended }));
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
  const read = async () => {
    await mkdir(folder, { recursive: true });
    // On a read-only disk, Node makes no folder and says nothing.
    await access(folder, constants.W_OK);
    return unlessMissing(readFile(join(folder, FILE), "utf8"), undefined);
  };
  const text = await read().catch((error: unknown) => {
    throw new StorageError("IO", t("The folder of results {0} cannot be used: {1}", folder, errorMessage(error)));
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
  const { ids, clock } = deps.ports;
  const found = await patchOf(folder, deps);
  const base = "commit" in found ? found.commit : undefined;
  const before = "files" in found && found.files.length > 0 ? found.files.map(({ path }) => path) : undefined;
  const [session, started] = [ids.next("ses"), new Date(clock.now()).toISOString()];
  const noPatch = "why" in found ? found.why : undefined;
  const known = defined({ base, before, noPatch });
  const result: RunResult = { version: 1, task, session, reason: "running", ...known, started };
  const path = join(await realPath(folder), FILE);
  const isFirst = await createWholeFile(path, Buffer.from(jsonText(result)), 0o600).catch((error: unknown) => {
    throw storageError(error, t("{0} was not written.", path));
  });
  return isFirst ? result : ((await readResult(folder)) ?? result);
}

/** @param commit as of `gitPatch` */
async function patchOf(folder: string, { ports, workspace }: RunFolderDeps, commit?: string | null) {
  if (ports.surroundings.trusted()) return gitPatch(workspace, folder, commit);
  return { why: t("This workspace is not trusted, so Git is not run in it (--trust lets it run).") };
}

/** Other steps of a job read it, which may be other users. */
const save = (path: string, content: Parameters<typeof writeExported>[1]) =>
  writeExported(path, content, undefined, 0o666);

const writeResult = (folder: string, result: RunResult) => save(join(folder, FILE), [jsonText(result)]);

const jsonText = (result: RunResult) => `${JSON.stringify(result, undefined, 2)}\n`;
