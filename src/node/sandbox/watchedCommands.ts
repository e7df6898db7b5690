/** Commands that may write, watched: what they made that must not be is taken away and told. */
import { realOrSame } from "../paths";
import { nodeClock } from "../system";
import { type Repositories, repositoriesMade } from "./gitFolders";
import { changesOf, type ObeyedRuns, obeyedSince, placesOf } from "./obeyedRuns";
import type { PrivateFolders } from "./privateFolders";
import { identity, putAside } from "./putAside";
import type { View } from "./view";
import { linkedPlace, type WorkspaceScan } from "./workspaceScan";

export interface ConfinedRun {
  /** files for bubblewrap, as its descriptors from 4 on */
  readonly files: readonly string[];
  /** @param call ends the command at once */
  whenBreached(call: () => void): void;
  /** Has to be called, once all is gone or nothing was started. @returns what was made and must not be, and where it lies */
  end(): Promise<MovedFile[]>;
}

type MovedFile = { path: string; now: string };

/** What there was when a command began, and what was taken from it. */
interface Task {
  /** in the background */
  long: boolean;
  /** obeyed files that it made or changed */
  left(): string[];
  repositories: Repositories;
  /** places of obeyed files; absent in the background, where they may be a person's doing */
  obeyed: ReadonlyMap<string, string> | undefined;
  /** by paths at which nothing else may be: their `identity` */
  names: ReadonlyMap<string, string>;
  /** by the same paths: where they lead */
  places: ReadonlyMap<string, string>;
  /** those of them at which something else was, also where another command's end has put it aside */
  seen: Set<string>;
  /** `View.missing` */
  missing: readonly string[];
  moment: number;
  taken: MovedFile[];
  breach(): void;
}

interface WatchedCommandsDeps {
  scan: WorkspaceScan;
  folders: PrivateFolders;
  runs: ObeyedRuns;
  roots(): readonly string[];
  /** told of obeyed files that tasks in the background made or changed */
  tell(paths: readonly string[]): void;
}

/** ms between looks at names that must not come into being */
const LOOK_EACH_MS = 250;
/** ms between looks at all that tasks in the background make, and how many times as long as the last look took */
const SCAN_EACH_MS = 1000;
const SCAN_REST = 50;

export class WatchedCommands {
  private readonly tasks = new Set<Task>();
  private isFollowing = false;
  /** `steady` of the next look at tasks in the background */
  private nextScan = 0;

  constructor(private readonly deps: WatchedCommandsDeps) {}

  /** It is watched from now on. @param moment when the view was looked at, as `PrivateFolders.moment` says */
  begin(
    { forbidden, missing, obeyed, held, repositories }: Omit<View, "mounts" | "env">,
    { files, long, moment }: { files: readonly string[]; long: boolean; moment: number },
  ): ConfinedRun {
    const { over, left } = this.deps.runs.begin(held, long);
    let onBreach: () => void = () => undefined;
    const loose = changesOf([...obeyed.slice(held.length), ...held.filter(linkedPlace)]);
    const task: Task = {
      ...{ long, left, repositories, missing, moment, taken: [], seen: new Set() },
      obeyed: long ? undefined : placesOf(obeyed),
      names: new Map(forbidden.map(path => [path, identity(path)])),
      places: new Map(forbidden.map(path => [path, identity(realOrSame(path))])),
      breach: () => onBreach(),
    };
    this.tasks.add(task);
    if (!this.isFollowing) this.lookLater();
    return {
      files,
      whenBreached: call => {
        onBreach = call;
      },
      end: async () => {
        over();
        if (!this.tasks.delete(task)) return [];
        const taken = await this.moveCreatedFilesAway(task);
        const changed = long ? this.tellLeft(task) : loose();
        return [...task.taken, ...taken, ...changed.map(path => ({ path, now: path }))];
      },
    };
  }

  /** Takes away what tasks in the background made and would run something, and ends them. A person may have made it at the same time, so all are told. */
  async lookAtTasks(): Promise<void> {
    const tasks = [...this.tasks].filter(({ long }) => long);
    for (const task of tasks) {
      const taken = await this.moveCreatedFilesAway(task);
      if (taken.length > 0) for (const each of tasks) each.taken.push(...taken);
    }
    for (const task of tasks) if (task.taken.length > 0) task.breach();
  }

  /** An editor looks into a repository, and reads its settings, as soon as it sees them: until the command is over is too long. */
  private lookLater(): void {
    this.isFollowing = this.tasks.size > 0;
    if (this.isFollowing) nodeClock.after(LOOK_EACH_MS, () => void this.lookNow(), "aside");
  }

  private async lookNow(): Promise<void> {
    const changed = [...this.tasks].filter(task => changedNames(task).size > 0);
    for (const task of changed) if (!task.long) task.breach();
    const from = nodeClock.steady();
    if (from >= this.nextScan || changed.some(({ long }) => long)) {
      // What cannot be taken away now is told when the task is over.
      await this.lookAtTasks().catch(() => undefined);
      const now = nodeClock.steady();
      this.nextScan = now + Math.max(SCAN_EACH_MS, SCAN_REST * (now - from));
    }
    this.lookLater();
  }

  /** Before this returns: for a process that is about to end itself, and whose commands are gone. */
  closeNow(): void {
    for (const task of this.tasks) this.tellLeft(task);
  }

  private tellLeft(task: Task): string[] {
    const left = task.left();
    if (left.length > 0) this.deps.tell(left);
    return left;
  }

  /** What would be obeyed, or run something, and was not there before. */
  private async moveCreatedFilesAway(before: Task): Promise<MovedFile[]> {
    const { scan, roots, folders } = this.deps;
    const taken: MovedFile[] = [];
    const take = async (paths: ReadonlySet<string>, names?: Task["names"]) => {
      // One by one: of thousands at once the system would open some, and the rest would count as gone.
      for (const path of paths) {
        const now = await putAside(path, folders.of("taken"), names?.get(path));
        const wasSeen = before.seen.delete(path);
        // Another one that is gone was another project's, seen through a link.
        if (now !== "" || wasSeen) taken.push({ path, now });
      }
    };
    await take(changedNames(before), before.names);
    const { repositories, guarded } = scan.look(roots(), true, before.moment);
    const armed = repositoriesMade(before.repositories, repositories, before.moment);
    const obeyed = before.obeyed ? obeyedSince(before.obeyed, guarded, { moment: before.moment, roots: roots() }) : [];
    const named = before.missing.filter(path => identity(path) !== "");
    // A link that is there again with the same text may lead to another folder by now.
    const elsewhere = obeyed.filter(path => identity(realOrSame(path)) !== before.places.get(path));
    await take(new Set([...armed, ...named, ...elsewhere]));
    return taken;
  }
}

function changedNames({ names, seen }: Task): ReadonlySet<string> {
  for (const [path, was] of names) if (identity(path) !== was) seen.add(path);
  return new Set(seen);
}

/** What cannot write leaves nothing to look at. */
export const unwatched = (files: readonly string[]): ConfinedRun => ({
  ...{ files, whenBreached: () => undefined, end: async () => [] },
});
