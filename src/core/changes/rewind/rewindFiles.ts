/**
 * The files of a rewind: what it would do to each, and doing it. Before the first file is touched the log says what is to be
 * done and every state is kept, after the last one it says what was done: the next opening looks at a rewind that has only the first.
 */
import { mapBounded } from "../../../shared/async";
import { errorMessage } from "../../../shared/errorMessage";
import { isEnd, pathInRoots, uriToPath } from "../../../shared/filePlace";
import { type FileState, type StateChange, sameState } from "../../../shared/fileStates";
import { t } from "../../../shared/l10n";
import {
  CodedError,
  DiskFullError,
  type DiskStates,
  type FileRef,
  type Files,
  onlyFor,
  StorageError,
  type UnsavedFiles,
} from "../../ground/ports";
import { isOnDisk, unlessFileError } from "../../ground/ports/files";
import type { History } from "../../log/history";
import { fateOf } from "../timeline/intents";
import { neither, putAllBack, type Refusal, staysWords } from "../timeline/putBack";
import { isRefusal, removeFoldersAround, swap } from "../timeline/restorer";
import { type FileChain, resolveRecordedFile, textNow } from "../timeline/timeline";

export interface RewindFilesDeps {
  history: History;
  files: Files;
  disk: DiskStates;
  unsaved?: UnsavedFiles | undefined;
}

/** What became of a rewind's files. */
export interface RewindOutcome {
  done: StateChange[];
  /** why others stay, a sentence each */
  stayed: string[];
  /** how many were left as they were, since the disk was full */
  left: number;
}

/** What a file is to become. */
type FileAction = { chain: FileChain; merged: boolean; from: FileState } & (
  | { kind: "exact"; path: string; to: FileState; bytes: Uint8Array | undefined; now: Uint8Array | undefined }
  | { kind: "merge"; ref: FileRef; text: string | null; now: string | null; texts: SegmentTexts[] }
);

type SegmentTexts = { before: string | null | undefined; after: string | null | undefined };

export interface FilesPlan {
  actions: FileAction[];
  /** why files stay, a sentence each */
  stays: string[];
  /** ms since the epoch: folders around files that go are removed if they were made since then */
  since: number;
}

/** What became of a file; `but`: a sentence for the person. */
interface FileOutcome {
  done?: StateChange;
  but?: string;
}

const AT_ONCE = 16;
/** bytes: a larger file is no state that could be put back */
const MAX_STATE = 10 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

export class RewindFiles {
  constructor(private readonly deps: RewindFilesDeps) {}

  /** Shows and notes the path of the real file. */
  async plan(recorded: readonly FileChain[], since: number): Promise<FilesPlan> {
    const chains = recorded.map(chain => ({ ...chain, path: this.pathOf(chain) }));
    const unsaved = new Set((await this.deps.unsaved?.unsaved())?.map(({ uri }) => uri));
    const plans = await mapBounded(chains, AT_ONCE, chain => {
      const unread = onlyFor(CodedError, ({ message }) => ({ why: t("{0} stays: {1}", chain.path, message) }));
      return this.planOne(chain, unsaved.has(chain.uri)).catch(unread);
    });
    const actions = plans.flatMap(plan => (plan && "kind" in plan ? [plan] : []));
    return { actions, stays: plans.flatMap(plan => (plan && "why" in plan ? [plan.why] : [])), since };
  }

  /** Those that were made since, and have nothing in them any more. Never rejects. */
  removeFolders({ actions, since }: FilesPlan): Promise<void> {
    const { files, disk } = this.deps;
    const uris = actions.map(({ chain }) => chain.uri);
    return removeFoldersAround(disk, files.roots, { uris, since: () => since });
  }

  private pathOf(chain: FileChain): string {
    const real = isOnDisk(chain) ? uriToPath(chain.uri) : undefined;
    if (real === undefined) return chain.path;
    return pathInRoots(real, this.deps.files.roots) ?? (isEnd(chain.path, real) ? chain.path : real);
  }

  private async planOne(chain: FileChain, unsaved: boolean): Promise<FileAction | { why: string } | undefined> {
    const path = isOnDisk(chain) ? uriToPath(chain.uri) : undefined;
    if (path === undefined) return this.planMerge(chain, { type: "unkept", why: t("it is on no disk") });
    const { state, bytes } = await this.deps.disk.look(path, MAX_STATE);
    const plan = planFile(chain, { state, unsaved });
    if (plan.kind === "same") return undefined;
    if (plan.kind === "merge") return this.planMerge(chain, state);
    if (plan.kind !== "exact") return { why: staysWords(chain.path, plan) };
    const { from, to } = plan;
    const target = to?.type === "file" ? await this.deps.history.files.getSnapshotBytes(to.sha256) : undefined;
    if (to?.type === "file" && !target) return { why: staysWords(chain.path, { kind: "not kept" }) };
    return { kind: "exact", chain, merged: false, path, from, to, bytes: target, now: bytes };
  }

  private async planMerge(chain: FileChain, from: FileState): Promise<FileAction | { why: string }> {
    const { path } = chain;
    const ref = await resolveRecordedFile(this.deps.files, chain);
    const found = await textNow(this.deps.files, ref);
    if (found === undefined) return { why: staysWords(path, { kind: "no text" }) };
    const now = found?.text ?? null;
    const texts = await Promise.all(
      chain.segments.map(async ({ before, after }) => ({
        before: await this.textOf(before),
        after: await this.textOf(after),
      })),
    );
    const merged = planMerge(chain, now, texts);
    if (isRefusal(merged)) return { why: staysWords(path, merged, now) };
    return { kind: "merge", chain, merged: true, from, ref, text: merged.text, now, texts };
  }

  private async textOf(state: FileState): Promise<string | null | undefined> {
    if (state === null) return null;
    if (state.type !== "file") return undefined;
    const bytes = await this.deps.history.files.getSnapshotBytes(state.sha256);
    try {
      return bytes && utf8.decode(bytes);
    } catch {
      // of another encoding, or no text
      return undefined;
    }
  }

  /** Everything that a rewind changes is on disk for good, so that nothing is lost whenever it ends. Rejects with StorageError. */
  async keep({ actions }: FilesPlan): Promise<StateChange[]> {
    return mapBounded(actions, AT_ONCE, async (action): Promise<StateChange> => {
      if (action.kind === "merge") return this.keepMerged(action, action.now, action.text);
      if (action.now) await this.put(action.now);
      return change(action.chain, action.from, action.to);
    });
  }

  /** As bytes where the disk has what the editor has, else as text. */
  private async keepMerged({ chain }: FileAction, now: string | null, text: string | null): Promise<StateChange> {
    const path = isOnDisk(chain) ? uriToPath(chain.uri) : undefined;
    const looked = path === undefined ? undefined : await this.deps.disk.look(path, MAX_STATE);
    if (looked?.bytes) await this.put(looked.bytes);
    const before = now === null ? null : await this.put(now);
    const { state } = looked ?? {};
    const isSame = before !== null && state?.type === "file" && state.sha256 === before.sha256;
    return change(chain, isSame ? state : before, text === null ? null : await this.put(text));
  }

  private async put(data: string | Uint8Array) {
    const sha256 = this.deps.history.hash.sha256(data);
    await this.deps.history.files.putSnapshot(sha256, data);
    return { type: "file" as const, sha256 };
  }

  /**
   * Files that go first: a name may have to be free. A full disk ends it, and the other files stay as they were. Never rejects.
   * @param planned as `keep` gave it
   */
  async apply(plan: FilesPlan, planned: readonly StateChange[]): Promise<RewindOutcome> {
    const { actions } = plan;
    const isGoing = (action: FileAction) => (action.kind === "exact" ? action.to === null : action.text === null);
    const all = actions.map((action, at) => ({ action, change: planned[at] }));
    const done: StateChange[] = [];
    const stayed: string[] = [];
    let left = 0;
    for (const going of [true, false]) {
      const some = all.filter(({ action }) => isGoing(action) === going);
      await mapBounded(some, AT_ONCE, async ({ action, change }) => {
        if (!change) return;
        if (left > 0) return void left++;
        try {
          const outcome = await this.applyOne(action, change);
          if (outcome.done) done.push(outcome.done);
          if (outcome.but !== undefined) stayed.push(outcome.but);
        } catch (error) {
          if (error instanceof DiskFullError) left += 1;
          else stayed.push(t("{0} stays: {1}", action.chain.path, errorMessage(error)));
        }
      });
      // A file may stand again where one of them is.
      if (going && left === 0) await this.removeFolders({ ...plan, actions: some.map(({ action }) => action) });
    }
    return { done: done.sort((a, b) => (a.path < b.path ? -1 : 1)), stayed, left };
  }

  /** @param planned as it was kept */
  private async applyOne(action: FileAction, planned: StateChange): Promise<FileOutcome> {
    const { path } = action.chain;
    if (action.kind === "merge") return this.applyMerge(action, planned);
    const outcome = await this.deps.disk.put(action.path, action.from, action.to, action.bytes);
    return outcome === "done" ? { done: planned } : { but: staysWords(path, { kind: "moved" }) };
  }

  /** Text typed since it was planned is merged and kept too. */
  private async applyMerge(action: Extract<FileAction, { kind: "merge" }>, planned: StateChange): Promise<FileOutcome> {
    const { chain, ref, texts } = action;
    let kept = planned;
    const put = await swap(this.deps.files, ref, {
      plan: async now => (now === action.now ? { text: action.text } : planMerge(chain, now, texts)),
      around: async (from, { text }, write) => {
        if (from !== action.now) kept = await this.keepMerged(action, from, text);
        return write();
      },
    });
    if (isRefusal(put)) return { but: staysWords(chain.path, put) };
    const { target, written } = put;
    const after = written.text === target.text ? kept.after : await this.textLeft(written.text);
    return {
      done: { ...kept, after },
      ...(written.but !== undefined && { but: t("{0} was put back, but {1}", chain.path, written.but) }),
    };
  }

  /** The file's state now; its hash is known even where the text cannot be kept. */
  private async textLeft(text: string | null): Promise<FileState> {
    if (text === null) return null;
    const named = () => ({ type: "file" as const, sha256: this.deps.history.hash.sha256(text) });
    return this.put(text).catch(onlyFor(StorageError, named));
  }

  /** What a rewind that was cut off has done, as the files stand now. */
  async look(planned: readonly StateChange[]): Promise<RewindOutcome> {
    const done: StateChange[] = [];
    const stayed: string[] = [];
    for (const change of planned) {
      const path = isOnDisk(change) ? uriToPath(change.uri) : undefined;
      // A file that cannot be read does not stop the session from opening.
      const looked =
        path === undefined ? undefined : await unlessFileError(this.deps.disk.look(path, MAX_STATE), undefined);
      const fate = fateOf(looked?.state, { from: change.before, to: change.after }, sameState);
      if (fate === "done") done.push(change);
      else stayed.push(fate === "left" ? t("{0} stays as it was.", change.path) : t("{0} {1}", change.path, neither()));
    }
    return { done, stayed, left: 0 };
  }
}

function change({ uri, path }: FileChain, before: FileState, after: FileState): StateChange {
  return { uri, path, before, after, ...(before === null && { made: true as const }) };
}

/**
 * "same": it has the wanted state; "exact": it is what the agent left, and becomes exactly what it was; "merge": it changed since, so the
 * agent's part has to be taken out of the text
 */
type FilePlan = { kind: "same" } | { kind: "merge" } | { kind: "exact"; from: FileState; to: FileState } | Refusal;

/** The state on disk decides; what a person wrote since stays. `unsaved`: the editor has other text than the disk. */
export function planFile(chain: FileChain, now: { state: FileState; unsaved: boolean }): FilePlan {
  const { segments, made, shared } = chain;
  const target = segments[0].before;
  const left = segments.at(-1)?.after ?? null;
  if (!now.unsaved && sameState(now.state, target)) return { kind: "same" };
  if (shared) return { kind: "shared" };
  if (target?.type === "unkept") return { kind: "not kept", why: target.why };
  if (!now.unsaved && segments.length === 1 && sameState(now.state, left)) {
    if (target === null && !made) return { kind: "doubtful" };
    // Permissions that commands left are known; others are a person's.
    if (isReadOnly(now.state) && left?.type === "file" && left.mode === undefined) return { kind: "read-only" };
    return { kind: "exact", from: now.state, to: target };
  }
  return { kind: "merge" };
}

const isReadOnly = (state: FileState) => state?.type === "file" && ((state.mode ?? 0o200) & 0o222) === 0;

/** @param texts of the segments' states, oldest first; undefined: not to be had as text */
function planMerge(
  { segments, made }: FileChain,
  now: string | null,
  texts: readonly SegmentTexts[],
): { text: string | null } | Refusal {
  if (segments.length === 1 && segments[0].before === null && texts[0]?.after === undefined && now !== null)
    return { kind: "differs" };
  const steps = texts
    .toReversed()
    .flatMap(({ before, after }) => (before === undefined || after === undefined ? [] : [{ from: after, to: before }]));
  if (steps.length < segments.length) return { kind: "texts not kept" };
  const put = putAllBack(now, steps);
  if (put.kind !== "text") return put;
  return put.text === null && now !== null && !made ? { kind: "doubtful" } : { text: put.text };
}
