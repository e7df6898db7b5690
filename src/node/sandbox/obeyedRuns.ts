/**
 * What commands in the sandbox made that an agent or a machine would obey. What lies in folders that are looked through is found
 * when a command is over, and put aside. The rest, deep below or made in the background, may be a person's: what
 * changed while a command ran, and could have been by it, is not obeyed by this process. What tasks in the background left is kept on disk,
 * and obeyed by none until a person has agreed.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import type { ReadText } from "../../core/ground/ports";
import { parseJson } from "../../shared/isObject";
import { holdsObeyed, obeyedBecause } from "../../shared/obeyedFiles";
import { isBelow } from "../../shared/paths";
import { unlessFails } from "../errno";
import { FOLDER_MODE } from "../fileSystem";
import { realOrSame, withSlashes } from "../paths";
import { isProcessAlive } from "../processes";
import { bytesOf, changedAt, entriesIn, statsOf } from "./quietRead";
import { linkedPlace } from "./workspaceScan";

interface ObeyedRun {
  /** ms since the epoch */
  began: number;
  /** absent: it runs */
  ended?: number;
  /** Places on disk of what no command could change meanwhile: another file may have been put at its path. */
  held: ReadonlySet<string>;
}

interface ObeyedRunsDeps {
  now(): number;
  /** of the workspace, links followed */
  roots(): readonly string[];
  /** files that rules import: obeyed under any name; absent: none */
  imported?(): ReadonlySet<string>;
  /** files there now that are obeyed by their names; absent: no search */
  obeyed?(roots: readonly string[]): readonly string[];
  /** absent: nothing is kept */
  undecided?: UndecidedFiles;
  /** is told what a task left whose process was killed */
  tell?(paths: readonly string[]): void;
}

/** A file system's time lags behind the clock by a step of the kernel's, ms. */
const STEP = 50;

/** Lives as long as the process. The sandbox reports commands, and the editor and tools report saves. */
export class ObeyedRuns {
  private readonly runs: ObeyedRun[] = [];
  /** the texts that persons saved, by their paths */
  private readonly saved = new Map<string, string>();

  private readonly undecided: UndecidedFiles;

  constructor(private readonly deps: ObeyedRunsDeps) {
    this.undecided = deps.undecided ?? new UndecidedFiles(undefined);
  }

  /** @param obeyed paths that are read-only in it @param long in the background @throws where that cannot be kept on disk */
  begin(obeyed: readonly string[], long = false) {
    // By another name a command could still change it.
    const held = obeyed
      .filter(path => !linkedPlace(path))
      .flatMap(path => LOOKS.map(look => placeOf(statOrNone(path, look))));
    const run: ObeyedRun = { began: this.deps.now(), held: new Set(held) };
    const task = { version: 1 as const, process: "", roots: [...this.deps.roots()], began: run.began, held };
    let name = long ? this.undecided.begin(task) : undefined;
    this.runs.push(run);
    /** Its processes have ended. */
    const over = () => {
      run.ended ??= this.deps.now();
    };
    /** @returns obeyed files that a task in the background may have made or changed; they are kept on disk from here on */
    const left = () => {
      over();
      if (name === undefined) return [];
      const paths = this.leftBy(run, task);
      this.undecided.end(name, task, paths);
      name = undefined;
      return paths;
    };
    return { over, left };
  }

  /** A person saved this text, or agreed to it. What a command writes there afterwards, however soon, is not that text. */
  save(path: string, text: () => string): void {
    const parts = path.toLowerCase().split(/[\\/]/);
    const real = realOrSame(path);
    if (obeyedBecause(parts) === undefined && !this.imported.has(withSlashes(real))) return;
    this.saved.set(real, text());
    for (const each of namesOf(path)) this.undecided.agree(each);
  }

  /** A command of this process may have made the file, changed it, or moved a folder with it there; or a task before it left it so. @param read its text as read; absent: for any text */
  mayHaveMade(path: string, read?: ReadText): boolean {
    if (read && this.isSaved(path, read)) return false;
    const roots = this.deps.roots();
    const others = this.undecided.unended().filter(({ task }) => task.roots.some(root => isNear(root, roots)));
    for (const { name, task } of others.filter(({ isRunning }) => !isRunning)) {
      const left = this.leftBy({ ...task, ended: this.deps.now(), held: new Set(task.held) }, task);
      this.undecided.end(name, task, left);
      if (left.length > 0) this.deps.tell?.(left);
    }
    const running = others
      .filter(({ isRunning }) => isRunning)
      .map(({ task }) => ({ ...task, held: new Set(task.held) }));
    return isMade(path, [...this.runs, ...running], roots) || namesOf(path).some(each => this.undecided.holds(each));
  }

  private leftBy(run: ObeyedRun, { roots }: Pick<KeptTask, "roots">): string[] {
    const isHeld = (path: string) => LOOKS.every(look => run.held.has(placeOf(statOrNone(path, look))));
    const imported = [...this.imported].filter(path => roots.some(root => isBelow(root, path)));
    const named = [...(this.deps.obeyed?.(roots) ?? []), ...imported].filter(path => !isHeld(path));
    const text = (path: string) => bytesOf(path, MAX_TEXT)?.toString("utf8");
    return [...new Set(named.flatMap(filesOf))].filter(
      path => isMade(path, [run], roots) && this.saved.get(realOrSame(path)) !== (text(path) ?? ""),
    );
  }

  private get imported(): ReadonlySet<string> {
    return this.deps.imported?.() ?? new Set();
  }

  private isSaved(path: string, { text, cutBytes }: ReadText): boolean {
    const saved = this.saved.get(realOrSame(path));
    return saved !== undefined && (cutBytes > 0 ? saved.startsWith(text) : saved === text);
  }
}

/** bytes: what a person saves is no longer */
const MAX_TEXT = 1024 * 1024;

/** The given path, its real path, and its name in its real folder. */
const namesOf = (path: string): string[] => [
  ...new Set([path, realOrSame(path), join(realOrSame(dirname(path)), basename(path))]),
];

const isNear = (root: string, roots: readonly string[]) =>
  roots.some(each => each === root || isBelow(each, root) || isBelow(root, each));

function isMade(path: string, runs: readonly ObeyedRun[], roots: readonly string[]): boolean {
  if (runs.length === 0) return false;
  const found = LOOKS.map(look => statOrNone(path, look));
  const times = found.map(stats => stats?.ctimeMs ?? 0);
  const last = Math.max(...times);
  const around = foldersAround(path, roots).map(changedAt);
  return runs.some(({ began, ended = Number.POSITIVE_INFINITY, held }) => {
    const isIn = (time: number) => time > began - STEP && time < ended + STEP;
    if (found.every(stats => held.has(placeOf(stats)))) return false;
    // A later save was made with this text in view.
    return times.some(isIn) || (last < ended && around.some(isIn));
  });
}

/** Each with its place on disk. */
export const placesOf = (paths: readonly string[]) => new Map(paths.map(path => [placeOf(statsOf(path)), path]));

/** Not there before, under any name. @param moment what was not changed since was only not seen before, unless a folder around it was moved */
export function obeyedSince(
  before: ReadonlyMap<string, string>,
  now: readonly string[],
  { moment, roots }: { moment: number; roots: readonly string[] },
): string[] {
  const isMoved = (path: string) => foldersAround(path, roots).some(folder => changedAt(folder) >= moment);
  return now.filter(path => {
    const was = before.get(placeOf(statsOf(path)));
    if (was !== undefined) return was !== path && isOfRoot(path, roots);
    return changedAt(path) >= moment || isMoved(path);
  });
}

/** What a command could change. @returns those that were changed since */
export function changesOf(paths: readonly string[]): () => string[] {
  const before = new Map(paths.map(path => [path, changedAt(path)]));
  return () => paths.filter(path => ![0, before.get(path)].includes(changedAt(path)));
}

/** Only there it is obeyed: workflows of an example become those of the project. */
const isOfRoot = (path: string, roots: readonly string[]) =>
  roots.includes(dirname(dirname(path))) && holdsObeyed(dirname(path).replace(/^.*\//, ""));

/** Folders between the path and its root, without both. */
function foldersAround(path: string, roots: readonly string[]): string[] {
  const found: string[] = [];
  for (let folder = dirname(path); !roots.includes(folder) && dirname(folder) !== folder; folder = dirname(folder))
    found.push(folder);
  return found.length > 0 && roots.some(root => isBelow(root, path)) ? found : [];
}

const LOOKS = [lstatSync, statSync] as const;

/** undefined: gone, or a link that leads nowhere */
const statOrNone = (path: string, look: (typeof LOOKS)[number]) => unlessFails(() => look(path), undefined);

const placeOf = (stats: Stats | undefined) => (stats ? `${stats.dev} ${stats.ino}` : "");

const taskSchema = z.object({
  version: z.literal(1),
  process: z.string(),
  roots: z.array(z.string()),
  /** ms since the epoch */
  began: z.number(),
  held: z.array(z.string()),
  /** absent: it runs, or its process was killed */
  left: z.record(z.string(), z.string()).optional(),
});
type KeptTask = z.infer<typeof taskSchema>;

const MAX_BYTES = 16 * 1024 * 1024;
/** of what a folder holds; of one with more all counts */
const MAX_FILES = 5000;

export class UndecidedFiles {
  private tasks = new Map<string, KeptTask>();
  private version: bigint | undefined;
  private readonly own = new Set<string>();

  /** @param folder absolute; made where something is to be kept; absent: nothing is */
  constructor(private readonly folder: string | undefined) {}

  /** @throws where it cannot be kept: then no task may start */
  begin(task: KeptTask): string {
    const name = `${randomUUID()}.json`;
    this.own.add(name);
    this.write(name, { ...task, process: markOf(process.pid) });
    return name;
  }

  /** @param paths what it may have made or changed */
  end(name: string, task: KeptTask, paths: readonly string[]): void {
    this.own.delete(name);
    if (paths.length > 0)
      this.write(name, { ...task, held: [], left: Object.fromEntries(paths.map(path => [path, hashOf(path)])) });
    else if (this.folder !== undefined) rmSync(join(this.folder, name), { force: true });
  }

  /** Tasks of other processes: those that run, and those whose process was killed. */
  unended(): { name: string; task: KeptTask; isRunning: boolean }[] {
    this.read();
    const open = [...this.tasks].filter(([name, { left }]) => left === undefined && !this.own.has(name));
    return open.map(([name, task]) => ({ name, task, isRunning: isRunning(task.process) }));
  }

  /** The file, or a folder or link on its way, is as a task left it. */
  holds(path: string): boolean {
    this.read();
    const left = [...this.tasks.values()].flatMap(task => (task.left ? [task.left] : []));
    if (left.length === 0) return false;
    for (let at = path; ; at = dirname(at)) {
      if (left.some(paths => Object.hasOwn(paths, at) && paths[at] === hashOf(at))) return true;
      if (dirname(at) === at) return false;
    }
  }

  /** A person approved the current text. */
  agree(path: string): void {
    this.read();
    for (const [name, { left: { [path]: gone, ...left } = {}, ...task }] of this.tasks)
      if (gone !== undefined) this.write(name, { ...task, left });
  }

  private write(name: string, task: KeptTask): void {
    if (this.folder === undefined) return;
    mkdirSync(this.folder, { recursive: true, mode: FOLDER_MODE });
    const path = join(this.folder, name);
    writeFileSync(`${path}.new`, JSON.stringify(task), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** Other processes write there too: the folder's time tells. */
  private read(): void {
    if (this.folder === undefined) return;
    const version = lstatSync(this.folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
    if (version === this.version) return;
    this.version = version;
    const names = version === undefined ? [] : readdirSync(this.folder).filter(name => name.endsWith(".json"));
    this.tasks = new Map(names.flatMap(name => this.readTask(name)));
  }

  private readTask(name: string): [string, KeptTask][] {
    // It may have just been removed.
    const text = unlessFails(() => readFileSync(join(this.folder ?? "", name), "utf8"), "");
    const task = taskSchema.safeParse(parseJson(text)).data;
    return task ? [[name, task]] : [];
  }
}

/** The file itself, or all files in the folder. */
function filesOf(path: string): string[] {
  const found: string[] = [];
  const folders = [path];
  for (const folder of folders) {
    if (!statsOf(folder)?.isDirectory()) return [path];
    for (const entry of entriesIn(folder)) (entry.isDirectory() ? folders : found).push(join(folder, entry.name));
    if (found.length + folders.length > MAX_FILES) return [path];
  }
  return found;
}

/** "*": any content. */
function hashOf(path: string): string {
  const stats = statsOf(path);
  const target = stats?.isSymbolicLink() ? readlinkSync(path) : "";
  const bytes = bytesOf(path, MAX_BYTES);
  if (!stats) return "";
  if (!bytes && target === "") return "*";
  const hash = createHash("sha256").update(`${target}\0`);
  return hash.update(bytes ?? "").digest("hex");
}

/** A process, told apart from a later one with its number where the system says when it began. */
function markOf(pid: number): string {
  const stat = unlessFails(() => readFileSync(`/proc/${pid}/stat`, "utf8"), undefined);
  const [, after = ""] = stat?.split(/\) (?=[^)]*$)/) ?? [];
  return stat === undefined ? `${pid}` : `${pid} ${after.split(" ")[19]}`;
}

function isRunning(mark: string): boolean {
  const pid = Number(mark.split(" ")[0]);
  return isProcessAlive(pid) && markOf(pid) === mark;
}
