/**
 * The workspace around commands: scanned before one and after it. What a command changed is told with what stood there before,
 * which goes into the session's snapshots then: from Git's objects where it was clean, else from the copy that the scan made.
 */
import { pathToFileURL } from "node:url";
import {
  type Baseline,
  type Baselines,
  type Clock,
  type CommandChange,
  type CommandChanges,
  type DiskStates,
  type Logger,
  type StateStore,
  StorageError,
} from "../../core/ground/ports";
import { SerialQueue } from "../../shared/async";
import { errorMessage } from "../../shared/errorMessage";
import { type FileState, sameState } from "../../shared/fileStates";
import { t } from "../../shared/l10n";
import { isWithin } from "../../shared/paths";
import { isDiskFull } from "../errno";
import { realPath, withSlashes } from "../paths";
import { findGit } from "../programs";
import { nodeClock } from "../system";
import { diskStates } from "./diskStates";
import { fromGit, GitRepository } from "./git";
import { lookAt, statsOf, throughLink } from "./look";
import { CopyFolder, type PlaceScan, repositoryGaps, type ScanPlace, scanPlace } from "./scan";

/** ms that a command waits for the baseline */
const MAX_WAIT = 1_000;
/** ms: so young a scan counts as made right before the command */
const FRESH = 2_000;
/** ms by which a file system's clock may be behind this process's */
const CLOCK_STEP = 20;

const unkept = (why: string): FileState => ({ type: "unkept", why });
const mixed = () => unkept(t("it was changed at the moment when the command ended"));
const uncopied = () => unkept(t("there was no room to copy it before a command changed it"));

/** Why a look at the workspace failed: the end of a sentence. */
const whyNot = (error: unknown): string => (isDiskFull(error) ? t("the disk was full") : errorMessage(error));

interface BaselineDeps {
  /** the workspace's folders on disk: absolute, native paths */
  folders(): readonly string[];
  /** where copies go; made when it is needed */
  scratch: string;
  logger: Logger;
  git?: string | undefined;
  maxWaitMs?: number;
  /** default: this machine's */
  clock?: Clock;
}

export class NodeBaselines implements Baselines {
  constructor(private readonly deps: BaselineDeps) {}

  open(store: StateStore): Baseline {
    return new NodeBaseline(store, this.deps);
  }
}

interface Scan {
  places: PlaceScan[];
  gaps: string[];
  /** ms since the epoch */
  at: number;
}

/** A file that a command changed. */
interface CommandFileChange {
  path: string;
  before: FileState;
  /** what it held, from Git */
  held?: Buffer | undefined;
  after: FileState;
  /** ms since the epoch; 0: it is not there */
  born: number;
  touched: number;
}

/** What a file takes along to another name. */
function movedAs(state: FileState): string | undefined {
  if (state?.type === "link") return `link to ${state.target}`;
  return state?.type === "file" ? state.sha256 : undefined;
}

/** A command. */
interface Run {
  /** ms since the epoch */
  started: number;
  ended: number;
}

interface Running {
  scan: Promise<Scan | ScanFailure>;
  /** a command has waited long enough: nothing more is copied */
  isLate: boolean;
  /** files were changed since it began */
  outdated: boolean;
}

/** `why`: the end of a sentence */
interface ScanFailure {
  why: string;
}

class NodeBaseline implements Baseline {
  private readonly queue = new SerialQueue();
  private readonly copies: CopyFolder;
  private readonly clock: Clock;
  private readonly program: string | undefined;
  private last: Scan | undefined;
  private running: Running | undefined;
  private readonly repositories = new Map<string, Promise<GitRepository | undefined>>();
  /** commands whose scan before still counts */
  private open = 0;

  constructor(
    private readonly store: StateStore,
    private readonly deps: BaselineDeps,
  ) {
    this.copies = new CopyFolder(deps.scratch);
    this.clock = deps.clock ?? nodeClock;
    this.program = deps.git ?? findGit(deps.folders());
  }

  prepare(): void {
    if (!this.isFresh()) void this.begin();
  }

  forget(): void {
    if (this.last) this.last.at = 0;
    if (this.running) this.running.outdated = true;
  }

  async before(): Promise<(soon?: Promise<void>) => Promise<CommandChanges>> {
    const { last } = this;
    const scan = await this.inTime(last && this.isFresh() ? Promise.resolve(last) : this.begin());
    const started = this.clock.now();
    if (!scan || "why" in scan) {
      const gap = scan
        ? t("The workspace could not be looked at before a command: {0}.", scan.why)
        : t("The workspace could not be looked at in time.");
      return async () => ({ changes: [], gaps: [gap] });
    }
    this.open += 1;
    // What the command leaves is not what was seen.
    scan.at = 0;
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
    if (this.running) this.running.isLate = true;
    await this.queue.run(async () => undefined);
    await this.copies.remove();
  }

  private isFresh(): boolean {
    return this.last !== undefined && this.clock.now() - this.last.at < FRESH;
  }

  /** Joins the scan that is under way, unless files were changed since it began. */
  private begin(): Promise<Scan | ScanFailure> {
    if (this.running && !this.running.outdated) return this.running.scan;
    const running: Running = { scan: Promise.resolve({ why: "" }), isLate: false, outdated: false };
    running.scan = this.queue.run(async () => {
      try {
        this.last = await this.scan(running);
        if (running.outdated) this.last.at = 0;
        if (this.open === 0) await this.copies.keepOnly(this.last.places);
        return this.last;
      } catch (error) {
        this.deps.logger.log("warning", "the workspace was not looked at", { error: errorMessage(error) });
        return { why: whyNot(error) };
      } finally {
        if (this.running === running) this.running = undefined;
      }
    });
    this.running = running;
    return running.scan;
  }

  private async inTime(scan: Promise<Scan | ScanFailure>): Promise<Scan | ScanFailure | undefined> {
    const { maxWaitMs = MAX_WAIT } = this.deps;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const hurry = this.clock.after(maxWaitMs * 0.8, () => {
      if (this.running) this.running.isLate = true;
    });
    const end = this.clock.after(maxWaitMs, () => resolve(undefined));
    try {
      return await Promise.race([scan, promise]);
    } finally {
      hurry();
      end();
    }
  }

  private async scan(running: Running): Promise<Scan> {
    await this.copies.prepare();
    const scan: Scan = { places: [], gaps: [], at: 0 };
    const waiting = await this.placesOf(this.deps.folders());
    const seen = new Set<string>();
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      if (seen.has(place.folder)) continue;
      seen.add(place.folder);
      try {
        const found = await this.scanOne(place, running);
        scan.places.push(found);
        scan.gaps.push(...found.gaps);
        waiting.push(...(await this.placesOf(found.nested)));
      } catch (error) {
        // Where nothing else was looked at, there is nothing to go on with.
        if (scan.places.length === 0) throw error;
        scan.gaps.push(t("{0} could not be looked at before a command: {1}.", place.folder, whyNot(error)));
      }
    }
    scan.at = this.clock.now();
    return scan;
  }

  private async scanOne(place: ScanPlace, running: Running): Promise<PlaceScan> {
    const before = this.last?.places.find(({ place: { folder } }) => folder === place.folder);
    const index = await this.indexOf(place, before);
    const copies = this.copies.takeWhile(() => !running.isLate);
    return scanPlace(place, index, before?.files ?? new Map(), copies);
  }

  /** Where folders lie in one another the inner one's repository is its own. */
  private async placesOf(folders: readonly string[]): Promise<ScanPlace[]> {
    const places: ScanPlace[] = [];
    for (const native of folders) {
      const folder = withSlashes(await realPath(native));
      const repository = await this.repositoryOf(folder);
      if (repository && isWithin(repository.top, folder)) places.push({ folder, repository });
      else places.push({ folder });
    }
    return places;
  }

  private async repositoryOf(folder: string): Promise<GitRepository | undefined> {
    const { program } = this;
    const known = this.repositories.get(folder);
    if ((await known)?.isThere()) return known;
    const opened = program ? GitRepository.open(folder, program) : Promise.resolve(undefined);
    // `git init` may make one later.
    opened.then(
      found => found ?? this.repositories.delete(folder),
      () => this.repositories.delete(folder),
    );
    this.repositories.set(folder, opened);
    return opened;
  }

  private async indexOf({ repository }: ScanPlace, before: PlaceScan | undefined) {
    if (!repository) return undefined;
    if (before?.index && before.index.version === (await repository.indexVersion())) return before.index;
    return repository.copyIndex(this.copies.newIndexPath());
  }

  private async changes(before: Scan, { started, ended }: Run): Promise<CommandChanges> {
    const changes: CommandChange[] = [];
    const scans = await this.scanAfter(before);
    if (scans.missing.length === 0) await this.goOnFrom(before, scans.after);
    const gone = new Set(scans.changed.flatMap(({ before: was, after }) => (after ? [] : (movedAs(was) ?? []))));
    for (const { path, before: was, held, after, born, touched } of scans.changed) {
      // A file not touched since the command began was changed before it.
      const isMoved = was === null && gone.has(movedAs(after) ?? "");
      // A file in a folder that got another name is as it was.
      if (after && touched < started - CLOCK_STEP && !isMoved) continue;
      // Another program made what came into being after its end.
      if (was === null && born > ended + CLOCK_STEP) continue;
      const isNew = born >= started - CLOCK_STEP || isMoved;
      // Another program touched it after the end.
      const left = after && touched > ended + CLOCK_STEP ? mixed() : after;
      const made = was === null && isNew;
      // What a person types into it later can be told from this. Of a new file it is enough to know whether it is the same.
      if (was !== null) await this.keep(left);
      changes.push({ uri: pathToFileURL(path).href, path, before: await this.keep(was, held), after: left, made });
    }
    return { changes, gaps: [...before.gaps, ...scans.missing, ...repositoryGaps(scans.before, scans.after)] };
  }

  /** What cannot be found out of one place takes nothing from the others. */
  private async scanAfter({ places }: Scan) {
    const before: PlaceScan[] = [];
    const after: PlaceScan[] = [];
    const missing: string[] = [];
    const changed: CommandFileChange[] = [];
    for (const place of places) {
      try {
        const copies = this.copies.takeWhile(() => true);
        const again = await scanPlace(place.place, place.index, place.files, copies);
        changed.push(...(await this.compare(place, again)));
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

  /** Where no index and no repository is another than before, this scan is good for the next command too. */
  private async goOnFrom(before: Scan, places: PlaceScan[]): Promise<void> {
    for (const [at, { place, index, nested }] of places.entries()) {
      if (index && (await place.repository?.indexVersion()) !== index.version) return;
      if (nested.length !== before.places[at]?.nested.length) return;
    }
    this.last = { places, gaps: places.flatMap(({ gaps }) => gaps), at: this.clock.now() };
  }

  /** What was clean is read from Git's objects. */
  private async compare(before: PlaceScan, now: PlaceScan): Promise<CommandFileChange[]> {
    const { repository } = before.place;
    const paths = new Set([...before.files.keys(), ...now.files.keys()]);
    const changed = [...paths].filter(path => before.files.get(path)?.signature !== now.files.get(path)?.signature);
    const clean = changed.flatMap(path => {
      const indexed = before.files.has(path) ? undefined : now.files.get(path)?.indexed;
      return indexed ? [{ path, ...indexed }] : [];
    });
    const held =
      repository && before.index && clean.length > 0 ? await repository.contents(clean, before.index) : new Map();
    const found: CommandFileChange[] = [];
    const isThrough = throughLink();
    const cleanByPath = new Map(clean.map(file => [file.path, file]));
    for (const path of changed) {
      const listed = before.files.get(path);
      const was = listed?.state ?? null;
      const indexed = cleanByPath.get(path);
      const stats = isThrough(path) ? undefined : statsOf(path);
      const after = now.files.get(path)?.state ?? (await lookAt(path, stats)).state;
      const { birthtimeMs = 0n, ctimeMs = 0n } = stats ?? {};
      const times = { born: Number(birthtimeMs), touched: Number(ctimeMs) };
      const bytes = held.get(path);
      const one = { path, before: indexed ? fromGit(indexed, bytes, after) : was, held: bytes, after, ...times };
      if (sameState(one.before, one.after)) continue;
      found.push(listed?.uncopied ? { ...one, before: uncopied() } : one);
    }
    return found;
  }

  /** @param held what it has, where Git had it: else the copy */
  private async keep(state: FileState, held?: Buffer): Promise<FileState> {
    if (state?.type !== "file") return state;
    const bytes = held ?? (await this.copies.read(state.sha256));
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

interface RewindingDeps {
  /** the workspace's folders on disk */
  roots(): readonly { path: string }[];
  /** where copies go while the process runs */
  keep: string;
  logger: Logger;
}

export function rewinding({ roots, keep, logger }: RewindingDeps): { baselines: Baselines; disk: DiskStates } {
  const folders = () => roots().map(({ path }) => path);
  return { baselines: new NodeBaselines({ folders, scratch: keep, logger }), disk: diskStates };
}
