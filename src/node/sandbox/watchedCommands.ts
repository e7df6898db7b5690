/** Commands that may write, watched: what they made that must not be is taken away and told. */

import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { ReadText } from "../../core/ground/ports";
import { nodeClock } from "../system";
import { hasLeftSome, hasStarted } from "./bubblewrap";
import { type Repositories, repositoriesMade } from "./gitFolders";
import { changesOf, ObeyedRuns, obeyedSince, placesOf, UndecidedFiles } from "./obeyedRuns";
import type { PrivateFolders } from "./privateFolders";
import { identity, putAside } from "./putAside";
import type { View } from "./view";
import { linkedPlace, type WorkspaceScan } from "./workspaceScan";

export interface ConfinedRun {
  /** The sandbox is set up, and the command's shell has started in it. */
  hasStarted(report: string): boolean;
  /** Processes that the command left running were ended with it. */
  leftBehind(report: string): boolean;
  /** files for bubblewrap, as its descriptors from 4 on */
  readonly files: readonly string[];
  /** @param call ends the command at once */
  whenBreached(call: () => void): void;
  /** Has to be called, once all is gone or nothing was started. @returns what was made and must not be, and where it lies */
  end(): Promise<MovedFile[]>;
}

interface MovedFile {
  path: string;
  now: string;
}

/** What there was when a command began, and what was taken from it. */
interface Task {
  /** in the background */
  long: boolean;
  /** obeyed files that it made or changed */
  left(): string[];
  repositories: Repositories;
  /** places of obeyed files; absent in the background, where they may be a person's doing */
  obeyed: ReadonlyMap<string, string> | undefined;
  /** what would be run or obeyed, and was not there */
  missing: readonly string[];
  moment: number;
  taken: MovedFile[];
  breach(): void;
}

interface WatchedCommandsDeps {
  scan: WorkspaceScan;
  folders: PrivateFolders;
  /** folders of the workspace */
  roots(): readonly string[];
  /** `Rules.imported` */
  imported(): ReadonlySet<string>;
  /** `NodeSandboxOptions.undecided` */
  undecided: string | undefined;
  /** told of obeyed files that tasks in the background made or changed */
  tell(paths: readonly string[]): void;
}

/** ms between looks at what tasks make, and how many times as long as the last look took */
const LOOK_EACH_MS = 1000;
const LOOK_REST = 50;

export class WatchedCommands {
  private readonly tasks = new Set<Task>();
  private isFollowing = false;
  private readonly runs: ObeyedRuns;

  constructor(private readonly deps: WatchedCommandsDeps) {
    const { roots, imported, tell, scan } = deps;
    this.runs = new ObeyedRuns({
      ...{ now: nodeClock.now, roots, imported, tell, undecided: new UndecidedFiles(deps.undecided) },
      obeyed: of => scan.look(of, true).guarded,
    });
  }

  /**
   * It is watched from now on.
   * @param moment when the view was looked at, as `PrivateFolders.moment` says
   */
  begin(
    { forbidden, obeyed, held, repositories, missing }: Omit<View, "mounts" | "env">,
    { files, long, moment }: { files: readonly string[]; long: boolean; moment: number },
  ): ConfinedRun {
    const { over, left } = this.runs.begin(held, long);
    let onBreach: () => void = () => undefined;
    const { folders } = this.deps;
    const watch = watchNames({ paths: forbidden, aside: () => folders.taken, onBreach: () => onBreach() });
    const places = long ? undefined : placesOf(obeyed);
    const loose = changesOf([...obeyed.slice(held.length), ...held.filter(linkedPlace)]);
    const task: Task = {
      long,
      left,
      repositories,
      obeyed: places,
      missing,
      moment,
      taken: [],
      breach: () => onBreach(),
    };
    this.tasks.add(task);
    if (long) this.follow();
    let ended = false;
    return {
      ...{ files, hasStarted, leftBehind: hasLeftSome },
      whenBreached: call => {
        onBreach = call;
      },
      end: async () => {
        over();
        const named = await watch.end();
        if (ended) return named;
        ended = true;
        this.tasks.delete(task);
        const taken = await this.moveCreatedFilesAway(task);
        const changed = long ? this.tellLeft(task) : loose();
        return [...named, ...task.taken, ...taken, ...changed.map(path => ({ path, now: path }))];
      },
    };
  }

  /**
   * What tasks in the background made meanwhile and would run something: it is taken away, and they are ended for it. Nobody can tell
   * whether a person made it at the same time, so all of them are told.
   */
  async lookAtTasks(): Promise<void> {
    const tasks = [...this.tasks].filter(({ long }) => long);
    for (const task of tasks) {
      const taken = await this.moveCreatedFilesAway(task);
      if (taken.length > 0) for (const each of tasks) each.taken.push(...taken);
    }
    for (const task of tasks) if (task.taken.length > 0) task.breach();
  }

  /** An editor looks into a repository as soon as it sees it: until the next command is too long. */
  private follow(): void {
    if (!this.isFollowing) this.lookLater(LOOK_EACH_MS);
  }

  private lookLater(ms: number): void {
    this.isFollowing = [...this.tasks].some(({ long }) => long);
    if (!this.isFollowing) return;
    const look = async () => {
      const from = nodeClock.steady();
      // What cannot be taken away now is told when the task is over.
      await this.lookAtTasks().catch(() => undefined);
      this.lookLater(LOOK_REST * (nodeClock.steady() - from));
    };
    nodeClock.after(Math.max(LOOK_EACH_MS, ms), () => void look(), "aside");
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

  saved(path: string, text: () => string): void {
    this.runs.save(path, text);
  }

  /** What a command that ran since this process began may have made or changed. */
  mayHaveMade(path: string, read?: ReadText): boolean {
    return this.runs.mayHaveMade(path, read);
  }

  /** What would be obeyed, or run something, and was not there before. */
  private async moveCreatedFilesAway(before: Task): Promise<MovedFile[]> {
    const { scan, roots, folders } = this.deps;
    const { repositories, guarded } = scan.look(roots(), true, before.moment);
    const armed = repositoriesMade(before.repositories, repositories, before.moment);
    const obeyed = before.obeyed ? obeyedSince(before.obeyed, guarded, { moment: before.moment, roots: roots() }) : [];
    const named = before.missing.filter(path => identity(path) !== "");
    const made = [...new Set([...armed, ...named, ...obeyed])];
    const taken: MovedFile[] = [];
    // One by one: of thousands at once the system would open some, and the rest would count as gone.
    for (const path of made)
      taken.push({ path, now: await putAside(path, { isIt: () => true, folder: folders.taken }) });
    // One that is gone was another project's, seen through a link.
    return taken.filter(({ now }) => now !== "");
  }
}

/** What cannot write leaves nothing to look at. */
export const unwatched = (files: readonly string[]): ConfinedRun => ({
  ...{ files, hasStarted, leftBehind: hasLeftSome, whenBreached: () => undefined, end: async () => [] },
});

interface Watch {
  /** Once all processes are gone. @returns the names that were made, and where they lie now */
  end(): Promise<{ path: string; now: string }[]>;
}

interface WatchPlaces {
  paths: readonly string[];
  /** the folder where what was made is put */
  aside(): string;
  /** called once, as soon as one is there */
  onBreach(): void;
}

function watchNames({ paths, aside, onBreach }: WatchPlaces): Watch {
  const before = new Map(paths.map(path => [path, identity(path)]));
  const folders = Map.groupBy(paths, path => dirname(path));
  const hasChanged = (path: string) => identity(path) !== before.get(path);
  /** also those that another command's watch has put aside */
  const seen = new Set<string>();
  const breach = (made: readonly string[]) => {
    const isFirst = seen.size === 0;
    for (const path of made) seen.add(path);
    if (isFirst) onBreach();
  };
  const watchers = [...folders].flatMap(([folder, own]) => {
    const names = new Set(own.map(path => basename(path)));
    const look = (name: string | null) => {
      const isOne = name === null || names.has(name);
      const made = isOne ? own.filter(hasChanged) : [];
      if (made.length > 0) breach(made);
    };
    return follow(folder, look);
  });
  return {
    async end() {
      for (const watcher of watchers) watcher.close();
      const made = paths.filter(path => seen.has(path) || hasChanged(path));
      seen.clear();
      const moved: { path: string; now: string }[] = [];
      for (const path of made) {
        const then = before.get(path) ?? "";
        const link = then.startsWith("->") ? then.slice(2) : undefined;
        const now = await putAside(path, { isIt: found => found !== then, folder: aside(), link });
        moved.push({ path, now });
      }
      return moved;
    },
  };
}

/** Where the system has no watches left, the look at the end has to do. */
function follow(folder: string, look: (name: string | null) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => look(name));
    watcher.on("error", () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
