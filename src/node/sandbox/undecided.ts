/**
 * What tasks in the background made or changed of what is obeyed, kept on disk: it counts for nothing until a person has agreed,
 * whatever became of the process that ran them. Each task has a file: while it runs with when it began and what it could not change, afterwards
 * with what it left, by path and hash.
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
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { FOLDER_MODE } from "../fileSystem";
import { isProcessAlive } from "../processes";
import { bytesOf, entriesIn, statsOf } from "./quietRead";

const taskSchema = z.object({
  version: z.literal(1),
  process: z.string(),
  /** folders of the workspace */
  roots: z.array(z.string()),
  /** ms since the epoch */
  began: z.number(),
  /** places on disk */
  held: z.array(z.string()),
  /** absent: it runs, or its process was killed */
  left: z.record(z.string(), z.string()).optional(),
});
export type KeptTask = z.infer<typeof taskSchema>;

const MAX_BYTES = 16 * 1024 * 1024;
/** of what a folder holds; of one with more all counts */
const MAX_FILES = 5000;

export class UndecidedFiles {
  private tasks = new Map<string, KeptTask>();
  private version: bigint | undefined;
  /** tasks of this process */
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
    try {
      return [[name, taskSchema.parse(JSON.parse(readFileSync(join(this.folder ?? "", name), "utf8")))]];
    } catch {
      // it has just been removed, or is no such file
      return [];
    }
  }
}

/** The file itself, or all files in the folder. */
export function filesOf(path: string): string[] {
  const found: string[] = [];
  const folders = [path];
  for (const folder of folders) {
    if (!statsOf(folder)?.isDirectory()) return [path];
    for (const entry of entriesIn(folder)) (entry.isDirectory() ? folders : found).push(join(folder, entry.name));
    if (found.length + folders.length > MAX_FILES) return [path];
  }
  return found;
}

/** "*" stands for any content. */
function hashOf(path: string): string {
  const stats = statsOf(path);
  const target = stats?.isSymbolicLink() ? readlinkSync(path) : "";
  const bytes = bytesOf(path, MAX_BYTES);
  if (!stats) return "";
  return bytes || target !== ""
    ? createHash("sha256")
        .update(`${target}\0`)
        .update(bytes ?? "")
        .digest("hex")
    : "*";
}

/** A process, told apart from a later one with its number where the system says when it began. */
function markOf(pid: number): string {
  try {
    const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[^)]*$)/);
    return `${pid} ${after.split(" ")[19]}`;
  } catch {
    return `${pid}`;
  }
}

function isRunning(mark: string): boolean {
  const pid = Number(mark.split(" ")[0]);
  return isProcessAlive(pid) && markOf(pid) === mark;
}
