/** Around each command: what it does to files is found out behind the turn, and noted in the log. */

import { errorMessage } from "../../shared/errorMessage";
import { pathInRoots } from "../../shared/filePlace";
import type { StateChange } from "../../shared/fileStates";
import type { LogRecord } from "../../shared/records";
import type { History } from "../history/history";
import {
  type Baseline,
  type Clock,
  type CommandChanges,
  type Files,
  type Logger,
  type SavesFollowed,
  StorageError,
  type Unsaved,
} from "../ports";
import { counted } from "../text/format";

interface CommandChangesDeps {
  history: History;
  baseline: Baseline;
  files: Pick<Files, "roots">;
  unsaved?: Pick<Unsaved, "followSaves"> | undefined;
  logger: Logger;
  clock: Pick<Clock, "after">;
}

/** ms after a command's end in which its result goes to the model; what it did to files is looked at then */
const WHILE_SENDING = 50;

/** More ignored files that went are not named. */
const MAX_GONE = 500;

export class RewindableCommands {
  /** what is being found out of commands that ended */
  private readonly pending = new Set<Promise<void>>();
  /** looks that wait until the results are on their way */
  private readonly waiting = new Set<() => void>();
  /** number of the newest record whose changes the baseline has seen */
  private seen = 0;

  constructor(private readonly deps: CommandChangesDeps) {}

  /** While the model thinks: the first command need not wait for it. */
  prepare(): void {
    this.takeNews();
    this.deps.baseline.prepare();
  }

  /** An edit right before a command would else be taken for the command's. */
  private takeNews(): void {
    const { baseline, history } = this.deps;
    const { records } = history;
    const last = records.at(-1)?.seq ?? 0;
    for (let at = records.length - 1; at >= 0; at--) {
      const record = records[at];
      if (!record || record.seq <= this.seen) break;
      if (!changesFiles(record)) continue;
      baseline.forget();
      break;
    }
    this.seen = last;
  }

  /** Settles as the command does, without waiting for what is found out of it. */
  async around<T>({ callId, turn }: { callId: string; turn: number }, command: () => Promise<T>): Promise<T> {
    this.takeNews();
    const lookAgain = await this.deps.baseline.before();
    const saves = this.deps.unsaved?.followSaves();
    const since = this.deps.history.records.at(-1)?.seq ?? 0;
    try {
      return await command();
    } finally {
      const look = () => lookAgain(this.sent());
      const done = this.note({ callId, turn, since }, look, saves).finally(() => this.pending.delete(done));
      this.pending.add(done);
    }
  }

  /** The result is on its way to the model by then, or somebody waits for what is found out. */
  private async sent(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.deps.clock.after(WHILE_SENDING, resolve);
    this.waiting.add(resolve);
    await promise;
    cancel();
    this.waiting.delete(resolve);
  }

  /** What commands did that ended is in the log. */
  async settled(): Promise<void> {
    for (const look of this.waiting) look();
    await Promise.all(this.pending);
  }

  async close(): Promise<void> {
    await this.settled();
    await this.deps.baseline.close();
  }

  /** Never rejects. */
  private async note(
    run: { callId: string; turn: number; since: number },
    lookAgain: () => Promise<CommandChanges>,
    saves: SavesFollowed | undefined,
  ): Promise<void> {
    const { history, logger } = this.deps;
    try {
      const { changes, gaps, ...besides } = await lookAgain();
      const saved = (await saves?.end()) ?? new Set<string>();
      const found = changes.map(({ uri, path, before, after, made, doubt }): StateChange => {
        const isShared = saved.has(uri);
        return {
          uri,
          path: pathInRoots(path, this.deps.files.roots) ?? path,
          before,
          after,
          ...(made && { made }),
          ...(doubt !== undefined && { doubt }),
          ...(isShared && { shared: true }),
        };
      });
      const { lost, ...kept } = await this.keep(found);
      const more = this.besides(besides);
      const counts = { files: found.length, ...kept, gaps: [...gaps, ...lost] };
      await history.append({ kind: "commandFiles", ...run, ...counts, ...more });
    } catch (error) {
      logger.log("warning", "what a command changed could not be noted", { error: errorMessage(error) });
    }
  }

  /** As records have it: what there is none of has no field. */
  private besides({ folders = [], gone = [], repositories = [] }: Omit<CommandChanges, "changes" | "gaps">) {
    const { roots } = this.deps.files;
    const named = (path: string) => pathInRoots(path, roots) ?? path;
    const isRoot = (path: string) => roots.length === 1 && roots[0]?.path === path;
    return {
      ...(folders.length > 0 && { folders }),
      ...(gone.length > 0 && { gone: gone.slice(0, MAX_GONE).map(each => ({ ...each, path: named(each.path) })) }),
      ...(repositories.length > 0 && {
        repositories: repositories.map(each => ({ ...each, path: isRoot(each.path) ? "." : named(each.path) })),
      }),
    };
  }

  /** `lost`: what a rewind cannot put back, a sentence each */
  private async keep(found: readonly StateChange[]): Promise<{ list?: string; lost: string[] }> {
    if (found.length === 0) return { lost: [] };
    try {
      return { list: await keepList(this.deps.history, found), lost: [] };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const why = error.code === "DISK_FULL" ? "the disk was full" : error.message;
      return { lost: [`What a command changed (${counted(found.length, "file")}) could not be kept: ${why}.`] };
    }
  }
}

/** Otherwise than by a command. */
const changesFiles = (record: LogRecord): boolean =>
  record.kind === "revert" ||
  record.kind === "review" ||
  record.kind === "rewind" ||
  (record.kind === "result" && record.changes !== undefined && !record.watched);

/** @returns its sha256: the list is a snapshot. Rejects with StorageError. */
export async function keepList({ files, hash }: Pick<History, "files" | "hash">, list: readonly StateChange[]) {
  const text = JSON.stringify(list);
  const sha256 = hash.sha256(text);
  await files.putSnapshot(sha256, text);
  return sha256;
}
