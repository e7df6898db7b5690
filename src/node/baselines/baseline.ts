/** The workspace before and after a command. What it changed is told with what stood there before, which then goes into the session's snapshots: from Git's objects where it was clean, else from a copy. */
import { pathToFileURL } from "node:url";
import {
  type Baseline,
  type Baselines,
  type Clock,
  type CommandChange,
  type CommandChanges,
  type Logger,
  type StateStore,
  StorageError,
} from "../../core/ground/ports";
import { mapBounded, SerialQueue } from "../../shared/async";
import { errorMessage } from "../../shared/errorMessage";
import { type FileState, sameState } from "../../shared/fileStates";
import { t } from "../../shared/l10n";
import { folderOf } from "../../shared/paths";
import { isDiskFull } from "../errno";
import { realPath, withSlashes } from "../paths";
import { findGit } from "../programs";
import { nodeClock } from "../system";
import { CopyFolder } from "./copies";
import { diskStates, lookAt, MAX_KEPT, sha256Of, statsIfAllowed, throughLink, tooLarge } from "./diskStates";
import { dotGitAround, GitRepository, type IndexedFile } from "./git";
import { differences, type PlaceScan, repositoryGaps, type ScanPlace, scanPlace, statesOf } from "./scan";

/** ms that a command waits for the baseline */
const MAX_WAIT = 1_000;
/** ms by which a file system's clock may be behind this process's */
const CLOCK_STEP = 20;
/** changed files that are read */
const AT_ONCE = 8;

const unkept = (why: string): FileState => ({ type: "unkept", why });
const uncopied = () => unkept(t("there was no room to copy it before a command changed it"));

/** Why a look at the workspace failed: the end of a sentence. */
const whyNot = (error: unknown): string => (isDiskFull(error) ? t("the disk was full") : errorMessage(error));

interface BaselineDeps {
  /** the workspace's folders on disk: absolute, native paths */
  folders(): readonly string[];
  /** where copies go; made when it is needed */
  scratch: string;
  logger: Logger;
  maxWaitMs?: number;
  /** files that Git does not have */
  mostWalked?: number;
  clock?: Clock;
}

export class NodeBaselines implements Baselines {
  constructor(private readonly deps: BaselineDeps) {}

  open = (store: StateStore): Baseline => new NodeBaseline(store, this.deps);
}

type Scan = { places: PlaceScan[]; gaps: string[] };

/** What a file takes along to another name. */
function movedAs(state: FileState): string | undefined {
  if (state?.type === "link") return `link to ${state.target}`;
  return state?.type === "file" ? state.sha256 : undefined;
}

class NodeBaseline implements Baseline {
  private readonly queue = new SerialQueue();
  private readonly clock: Clock;
  private readonly means: { copies: CopyFolder; mostWalked: number | undefined; now(): number };
  private readonly program: string | undefined;
  /** the newest: what has not changed since is taken from it */
  private last: Scan | undefined;
  /** a command has waited long enough: nothing more is copied */
  private isLate = false;
  private readonly repositories = new Map<string, { dotGit: string; opened: Promise<GitRepository | undefined> }>();
  /** commands whose scan before still counts */
  private open = 0;

  constructor(
    private readonly store: StateStore,
    private readonly deps: BaselineDeps,
  ) {
    this.clock = deps.clock ?? nodeClock;
    this.means = { copies: new CopyFolder(deps.scratch), mostWalked: deps.mostWalked, now: () => this.clock.now() };
    this.program = findGit(deps.folders());
  }

  prepare(): void {
    void this.look();
  }

  async before(): Promise<(soon?: Promise<void>) => Promise<CommandChanges>> {
    const scan = await this.inTime(this.look());
    const started = this.clock.now();
    if (!scan || typeof scan === "string") {
      const gap = scan
        ? t("The workspace could not be looked at before a command: {0}.", scan)
        : t("The workspace could not be looked at in time.");
      return async () => ({ changes: [], gaps: [gap] });
    }
    this.open += 1;
    return async soon => {
      const ended = this.clock.now();
      await soon;
      try {
        return await this.queue.run(() => this.changes(scan, { started, ended }));
      } catch (error) {
        this.deps.logger.log("warning", "what a command changed was not found out", { error: errorMessage(error) });
        return { changes: [], gaps: [t("What a command changed could not be found out: {0}.", whyNot(error))] };
      } finally {
        this.open -= 1;
      }
    };
  }

  async close(): Promise<void> {
    this.isLate = true;
    await this.queue.run(async () => undefined);
    await this.means.copies.remove();
  }

  /** Behind looks that are under way: files may have changed since those began. A text: the end of a sentence that says why it failed */
  private look(): Promise<Scan | string> {
    return this.queue.run(async () => {
      try {
        this.last = await this.scan();
        if (this.open === 0) await this.means.copies.keepOnly(statesOf(this.last.places));
        return this.last;
      } catch (error) {
        this.deps.logger.log("warning", "the workspace was not looked at", { error: errorMessage(error) });
        return whyNot(error);
      }
    });
  }

  private async inTime(scan: Promise<Scan | string>): Promise<Scan | string | undefined> {
    const { maxWaitMs = MAX_WAIT } = this.deps;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.isLate = false;
    const hurry = this.clock.after(maxWaitMs * 0.8, () => {
      this.isLate = true;
    });
    const end = this.clock.after(maxWaitMs, () => resolve(undefined));
    try {
      return await Promise.race([scan, promise]);
    } finally {
      hurry();
      end();
    }
  }

  private async scan(): Promise<Scan> {
    await this.means.copies.prepare();
    const scan: Scan = { places: [], gaps: [] };
    const waiting = await this.placesOf(this.deps.folders());
    const seen = new Set<string>();
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      if (seen.has(place.folder)) continue;
      const { folder } = place;
      seen.add(folder);
      const before = this.last?.places.find(each => each.place.folder === folder);
      try {
        const index = await place.repository?.index(before?.index);
        const found = await scanPlace(place, index, before, { ...this.means, inTime: () => !this.isLate });
        scan.places.push(found);
        scan.gaps.push(...found.unseen, ...found.gaps);
        for (const nested of await this.placesOf(found.nested)) waiting.push(nested);
      } catch (error) {
        // Where nothing else was looked at, there is nothing to go on with.
        if (scan.places.length === 0) throw error;
        scan.gaps.push(t("{0} could not be looked at before a command: {1}.", folder, whyNot(error)));
      }
    }
    return scan;
  }

  /** Where folders lie in one another the inner one's repository is its own. */
  private async placesOf(folders: readonly string[]): Promise<ScanPlace[]> {
    const places: ScanPlace[] = [];
    for (const native of folders) {
      const folder = withSlashes(await realPath(native));
      places.push({ folder, repository: await this.repositoryOf(folder) });
    }
    return places;
  }

  /** Git is asked once about a repository, also where it has no answer. `git init` may make another one later. */
  private async repositoryOf(folder: string): Promise<GitRepository | undefined> {
    const { program } = this;
    const dotGit = dotGitAround(folder);
    if (dotGit === undefined || program === undefined) return undefined;
    const known = this.repositories.get(folder);
    if (known?.dotGit === dotGit) return known.opened;
    const opened = GitRepository.open(folder, program);
    this.repositories.set(folder, { dotGit, opened });
    opened.catch(() => this.repositories.delete(folder));
    return opened;
  }

  private async changes(before: Scan, { started, ended }: { started: number; ended: number }): Promise<CommandChanges> {
    const changes: CommandChange[] = [];
    const scans = await this.scanAfter(before);
    this.last = { places: scans.after, gaps: [] };
    // Git is asked for another index now, and not when the next command waits.
    if (scans.after.some(({ place, index }) => index && !place.repository?.isCurrent(index))) this.prepare();
    const gone = new Set(scans.changed.flatMap(({ before: was, after }) => (after ? [] : (movedAs(was) ?? []))));
    for (const { path, before: was, held, holds, after, born, touched, placed } of scans.changed) {
      // A file not touched since the command began was changed before it.
      const isMoved = was === null && gone.has(movedAs(after) ?? "");
      if (after && Math.max(touched, placed) < started - CLOCK_STEP && !isMoved) continue;
      // Another program made what came into being after its end.
      if (was === null && born > ended + CLOCK_STEP) continue;
      const isNew = born >= started - CLOCK_STEP || isMoved;
      // Another program touched it after the end.
      const left =
        after && touched > ended + CLOCK_STEP
          ? unkept(t("it was changed at the moment when the command ended"))
          : after;
      const made = was === null && isNew;
      // What a person types into it later can be told from this. Of a new file it is enough to know whether it is the same.
      if (was !== null) await this.keep(left, holds);
      changes.push({ uri: pathToFileURL(path).href, path, before: await this.keep(was, held), after: left, made });
    }
    const unseen = scans.after.flatMap(after => [...after.unseen]);
    const gaps = [...before.gaps, ...unseen, ...scans.missing, ...repositoryGaps(scans.before, scans.after)];
    return { changes, gaps: [...new Set(gaps)] };
  }

  /** What cannot be found out of one place takes nothing from the others. */
  private async scanAfter({ places }: Scan) {
    const before: PlaceScan[] = [];
    const after: PlaceScan[] = [];
    const missing: string[] = [];
    const changed: Awaited<ReturnType<typeof this.compare>> = [];
    for (const place of places) {
      try {
        const again = await scanPlace(place.place, place.index, place, { ...this.means, inTime: () => true });
        for (const change of await this.compare(place, again)) changed.push(change);
        before.push(place);
        after.push(again);
      } catch (error) {
        this.deps.logger.log("warning", "what a command changed was not found out", { error: errorMessage(error) });
        missing.push(
          t("What a command changed in {0} could not be found out: {1}.", place.place.folder, whyNot(error)),
        );
      }
    }
    return { before, after, missing, changed };
  }

  /** What was clean is read from Git's objects. `held`: what it held, by them; `holds`: what it holds, where it was read now */
  private async compare(before: PlaceScan, now: PlaceScan) {
    const changed = differences(before, now);
    const clean = changed.flatMap(({ path, before: was }) => (was?.clean ? [{ path, ...was.clean }] : []));
    const contents = clean.length > 0 ? await before.place.repository?.contents(clean) : undefined;
    const isThrough = throughLink();
    const found = await mapBounded(changed, AT_ONCE, async ({ path, before: was, now: is }) => {
      const stats = isThrough(path) ? undefined : statsIfAllowed(path);
      // Who may not look at it any more does not know whether it changed.
      if (stats === "hidden") return [];
      const { state: after, bytes: holds } = is?.state === undefined ? await lookAt(path, stats) : { state: is.state };
      const held = contents?.get(path);
      const then = was?.clean ? fromGit(was.clean, held, was.mode) : (was?.state ?? null);
      // ms since the epoch; 0: it is not there
      const { birthtimeMs = 0n, ctimeMs = 0n } = stats ?? {};
      // A file in a folder that got another name has the times that it had.
      const placed = now.folders.get(folderOf(path))?.placed ?? 0;
      const times = { born: Number(birthtimeMs), touched: Number(ctimeMs), placed };
      const one = { path, before: was?.uncopied ? uncopied() : then, held, after, holds, ...times };
      return sameState(then, after) ? [] : [one];
    });
    return found.flat();
  }

  /** @param held what it has, where Git had it: else the copy */
  private async keep(state: FileState, held?: Buffer): Promise<FileState> {
    if (state?.type !== "file") return state;
    const bytes = held ?? (await this.means.copies.read(state.sha256));
    if (!bytes) return unkept(t("its copy is gone"));
    try {
      await this.store.put(bytes);
      return state;
    } catch (error) {
      const isFull = error instanceof StorageError && error.code === "DISK_FULL";
      return unkept(isFull ? t("the disk was full") : t("it could not be kept ({0})", errorMessage(error)));
    }
  }
}

function fromGit({ isLink, size }: IndexedFile, bytes: Buffer | undefined, mode: number | undefined): FileState {
  if (size > MAX_KEPT) return tooLarge();
  if (!bytes) return unkept(t("Git did not give it byte for byte"));
  if (isLink) return { type: "link", target: bytes.toString("utf8") };
  return { type: "file", sha256: sha256Of(bytes), ...(mode !== undefined && { mode }) };
}

/** @param keep where copies go while the process runs */
export function rewinding(roots: () => readonly { path: string }[], keep: string, logger: Logger) {
  const folders = () => roots().map(({ path }) => path);
  return { baselines: new NodeBaselines({ folders, scratch: keep, logger }), disk: diskStates };
}
