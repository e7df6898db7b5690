/** What a file starts or loads in turn, one level below the command that names it. Pure. */

import { isObject } from "../../../shared/isObject";
import { folderOf } from "../../../shared/paths";
import { isShellScriptName } from "../../../shared/scriptNames";
import type { NamedScript } from "../../ground/ports";
import { parseSettingsFile } from "../../ground/text/json";
import { startedBy } from "./commands";
import { scriptsIn, writtenIn } from "./names";

const MAX_TASKS = 300;
/** of all tasks of a file */
const MAX_NAMES = 5_000;
/** characters of a shell's script that the grammar reads */
const MAX_SHELL = 5_000;
const isRoot = ({ path, whole }: NamedScript) => whole === true && path === ".";

/** @param path of the file */
export function startedIn(text: string, path: string): readonly NamedScript[] {
  const slashed = path.replaceAll("\\", "/");
  const folder = folderOf(slashed) || "/";
  if (/(?:^|\/)(?:package|composer|deno)\.jsonc?$/.test(slashed)) return ofTasks(text, folder);
  const named = scriptsIn(text, path);
  const isShell = isShellScriptName(path) || /^#![^\n]*\b(?:ba|z|da|k)?sh\b/.test(text);
  if (!isShell || text.length > MAX_SHELL) return named;
  // A script makes up the names of much that it starts: where that could be anything, it is not looked at.
  const written = writtenIn(text);
  const read = startedBy([text], folder).filter(each => each.runs && !isRoot(each));
  return [...named, ...read.filter(({ path: name }) => !written.has(name.replace(/^\.\//, "")))];
}

/** Of each task, with those that it calls. */
function ofTasks(text: string, folder: string): NamedScript[] {
  const read = parseSettingsFile(text);
  const content = read.problem === undefined && isObject(read.value) ? read.value : {};
  const placed = (name: string) => (/^[/~]|^[A-Za-z]:/.test(name) ? name : `${folder}/${name}`);
  const main = typeof content.main === "string" ? [{ path: placed(content.main), runs: true, task: "" }] : [];
  const given = isObject(content.scripts) ? content.scripts : isObject(content.tasks) ? content.tasks : {};
  const entries = Object.entries(given);
  if (entries.length > MAX_TASKS) return [{ path: folder, runs: true, whole: true }];
  const tasks = new Map(
    entries.map(([name, task]) => [name, startedBy([task].flat().map(commandOf), folder).flatMap(withProgram)]),
  );
  const all: NamedScript[] = [];
  for (const task of tasks.keys())
    for (const each of reached(tasks, task)) {
      for (const named of (tasks.get(each) ?? []).filter(isStarted))
        all.push({ ...named, path: placed(named.path), task });
      // They call each other in so many ways that the folder counts as a whole.
      if (all.length > MAX_NAMES) return [{ path: folder, runs: true, whole: true }];
    }
  return [...main, ...all];
}

const commandOf = (task: unknown): string =>
  typeof task === "string" ? task : isObject(task) && typeof task.command === "string" ? task.command : "";
const isStarted = ({ runs, path }: NamedScript) => runs && path !== "package.json";
/** A bare word may be a program of the packages that are installed. */
const withProgram = (named: NamedScript): NamedScript[] =>
  /^[\w.-]+$/.test(named.path) && !named.whole
    ? [named, { path: `node_modules/.bin/${named.path}`, runs: true }]
    : [named];

/** With what stands before and after it by its name. */
function reached(tasks: ReadonlyMap<string, readonly NamedScript[]>, first: string): string[] {
  const found = new Set<string>();
  const next = [first];
  for (let task = next.pop(); task !== undefined; task = next.pop()) {
    if (found.has(task) || !tasks.has(task)) continue;
    found.add(task);
    const called = (tasks.get(task) ?? []).filter(({ path }) => path === "package.json");
    const names = called.flatMap(each => (each.task === undefined ? [...tasks.keys()] : [each.task]));
    next.push(`pre${task}`, `post${task}`, ...names);
  }
  return [...found];
}
