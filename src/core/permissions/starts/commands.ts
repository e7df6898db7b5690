/**
 * Which files of a folder a command may start: what an agreement to it is bound to. The shell's grammar says what is started;
 * where that cannot be named exactly, all that it could mean counts. Pure.
 */

import { isScriptName } from "../../../shared/scriptNames";
import type { NamedScript } from "../../ground/ports";
import { isProgram, programName } from "../plain/programKinds";
import { OPEN } from "../shell/open";
import { type CommandPart, readCommand } from "../shell/reading";
import type { Folders } from "../shell/script";
import { type Interpreter, interpreter } from "./interpreters";
import { scriptsIn, toList, wordsIn, wordsOf } from "./names";
import { ASSIGNMENT, FOLDER_VARIABLES, StartedPlaces } from "./places";
import { givenPlaces, nodeTask, type Runner, runner, runsProject } from "./tasks";

/** Of one command: beyond, it may start anything. */
const MAX_PARTS = 3_000;
const MAX_TEXTS = 1_000;
/** characters: of a text that the grammar reads, and of all texts of a file. Nothing that is started is named by more. */
const MAX_TEXT = 5_000;
const MAX_ALL = 100_000;
/** A program of theirs stands in the file behind one of these. */
const PROGRAM_FILE = /^(?:-f|-x|-S|-s|-init|--file|--from-file|--source|--command)$/;
const HAS_PROGRAM_FILE = new Set(
  "awk gawk mawk nawk sed gsed jq yq bc dc m4 psql sqlite3 mysql gdb lldb vim vi nvim ex ed emacs screen tmux parallel".split(
    " ",
  ),
);
/** Words before the program that it starts. */
const VERBS = /^(?:run|exec|x|tool|runx|shell)$/;
/** Where commands say the project's folder, or one that is it. */
const OWN_FOLDER =
  /\$\(\s*(?:pwd|git\s+rev-parse\s+--show-toplevel)\s*(?:2>\s*\/dev\/null\s*)?\)|`\s*(?:pwd|git\s+rev-parse\s+--show-toplevel)\s*`/g;

/** @param folder absolute, '/' separators: the project's, where they start. Names that lie in it are seen from there */
export function startedBy(commands: readonly string[], folder: string): NamedScript[] {
  const places = new StartedPlaces(folder);
  const starts = new Starts(places);
  for (const command of commands) {
    for (const { path, runs } of wordsOf(command)) places.add({ path, runs });
    starts.command(command, folder);
  }
  return toList(places.found);
}

class Starts {
  readonly #places: StartedPlaces;
  readonly #seen = new Set<string>();
  #parts = 0;
  #texts = 0;
  #read = 0;
  /** what the guesses are of */
  #parent = "";

  constructor(places: StartedPlaces) {
    this.#places = places;
  }

  command(given: string, cwd: string): void {
    const text = given.replace(OWN_FOLDER, "$PWD");
    const key = `${cwd}\0${text}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#texts += 1;
    this.#read += text.length;
    const isTooMuch = this.#texts > MAX_TEXTS || this.#read > MAX_ALL || this.#parts > MAX_PARTS;
    if (isTooMuch || text.length > MAX_TEXT) {
      this.#places.everything();
      return;
    }
    const known = new Map(FOLDER_VARIABLES.map(name => [name, this.#places.root]));
    let reading = readCommand(text, cwd, known);
    // It says itself what they are.
    if (reading.assignments.some(({ name }) => known.has(name))) reading = readCommand(text, cwd);
    if (reading.isUnclear) this.#places.everything();
    for (const { name, value } of reading.assignments) this.#places.assigned(name, value, [cwd]);
    let elsewhere = "";
    let moved: Pick<CommandPart, "text" | "folders"> | undefined;
    for (const given of reading.parts) {
      const isOf = (text: string | undefined) => given.isGuess && text?.endsWith(given.text);
      if (elsewhere !== "" && isOf(elsewhere)) continue;
      const part = moved && isOf(moved.text) ? { ...given, folders: moved.folders } : given;
      const name = programName(part.words[0] ?? "");
      if (isProgram("elsewhere", name)) elsewhere = part.text;
      if (!part.isGuess) this.#parent = name;
      if (!part.isGuess) moved = isProgram("starts", name) || name === "env" ? this.#moved(part) : undefined;
      this.#parts += 1;
      if (this.#parts > MAX_PARTS) {
        this.#places.everything();
        return;
      }
      this.#part(part);
    }
  }

  /** `env -C srv`, `uv --directory srv run`: what it starts may start there. */
  #moved({ words, text, folders }: CommandPart): Pick<CommandPart, "text" | "folders"> | undefined {
    for (const [at, word] of words.entries()) {
      const joined = /^--(?:chdir|directory|project|cwd)=(.*)$/s.exec(word ?? "")?.[1];
      if (!/^(?:-C|-D|--chdir|--directory|--project|--cwd)$/.test(word ?? "") && joined === undefined) continue;
      const to = joined ?? words[at + 1];
      const there = to === undefined ? undefined : this.#places.seenFrom(to, folders);
      return { text, folders: there && folders && [...folders, ...there] };
    }
    return undefined;
  }

  #part(part: CommandPart): void {
    const [program, ...rest] = part.words;
    if (part.words.length === 0) return;
    if (program === undefined || /[*?[{]/.test(program)) {
      // What starts others and is known for it is looked at by itself, below.
      const isKnown = part.isGuess && (isProgram("starts", this.#parent) || program !== undefined);
      if (!isKnown && !/^(?:\[\[?|\{)$/.test(program ?? "")) this.#places.started(program, part.folders);
      return;
    }
    const assigned = ASSIGNMENT.exec(program);
    if (assigned) {
      this.#places.assigned(assigned[1] ?? "", assigned[2], part.folders);
      return;
    }
    // `uv run check.py`
    if (program.includes("/") || (part.isGuess && isScriptName(program)))
      this.#places.started(program, part.folders, false);
    const name = programName(program);
    const language = interpreter(program);
    if (language) this.#interpreted(language, rest, part);
    else if (name === "." || name === "source") {
      const file = rest.find(word => word !== "--");
      if (rest.length > 0 && !(part.isGuess && file === undefined)) this.#places.started(file, part.folders);
    } else this.#program(name, rest, part);
    // A program that starts another one, whose name is only known when it runs.
    const first = rest.findIndex(word => !(word?.startsWith("-") || VERBS.test(word ?? "")));
    const isOpen = first >= 0 && (rest[first] === undefined || /[*?[{]/.test(rest[first] ?? ""));
    if (!part.isGuess && isProgram("starts", name) && !isProgram("elsewhere", name) && isOpen)
      this.#places.started(rest[first], part.folders);
    if (name !== "tee") this.#places.data(rest, part.folders);
  }

  #program(name: string, rest: readonly (string | undefined)[], part: CommandPart): void {
    const { folders } = part;
    if (runsProject(name, rest)) this.#places.everything();
    const tasks = runner(name);
    if (tasks) this.#tasks(name, tasks, rest, folders);
    if (name === "git") this.#git(rest, folders);
    if (HAS_PROGRAM_FILE.has(name))
      for (const [at, word] of rest.entries()) {
        if (PROGRAM_FILE.test(word ?? "")) this.#places.started(rest[at + 1], folders);
        const joined = /^(?:--(?:file|from-file|source)=|-f)(.+)/s.exec(word ?? "")?.[1];
        if (joined !== undefined) this.#places.started(joined, folders);
      }
  }

  /** Its words up to the file, or the text, that it runs. */
  #interpreted(language: Interpreter, rest: readonly (string | undefined)[], part: CommandPart): void {
    const { folders } = part;
    this.#tasksOf(language, "", folders);
    let mayBeValue = false;
    let candidates = 0;
    for (let at = 0; at < rest.length; at++) {
      const word = rest[at];
      if (word === undefined) {
        this.#places.everything();
        return;
      }
      if (word === "--") {
        if (at + 1 < rest.length) {
          this.#script(rest[at + 1], language, folders);
          return;
        }
        continue;
      }
      if (language.all?.test(word)) {
        this.#places.everything();
        return;
      }
      if (language.code.test(word)) {
        this.#code(word, rest[at + 1], language, folders);
        return;
      }
      if (language.module?.test(word)) {
        this.#module(word, rest, at, part);
        return;
      }
      if (language.reads?.test(word)) break;
      if (/^[-+]./.test(word)) {
        if (/^--(?:version|help)$|^-(?:v|V|h|version)$/.test(word)) return;
        this.#optionValue(word, language, folders);
        if (language.valued?.test(word)) {
          const value = rest[at + 1];
          if (value === undefined && at + 1 < rest.length) {
            this.#places.everything();
            return;
          }
          at += 1;
          if (value !== undefined && !/[oO]$/.test(word)) this.#script(value, language, folders);
          mayBeValue = false;
        } else mayBeValue = /^--[^=]+$|^-\w{2,}$/.test(word) && language.as !== undefined;
        continue;
      }
      if (word === "-") break;
      if (language.verbs?.test(word)) continue;
      candidates += 1;
      this.#script(word, language, folders);
      // Which file a folder means stands in it.
      if (language.endings && !/\.[a-z]\w{0,3}$/i.test(word))
        this.#places.place(`${word}/package.json`, folders, { runs: true, task: "" });
      if (language.hasTasks) this.#tasksOf(language, word, folders);
      if (!mayBeValue || /\.[a-z]\w*$/i.test(word)) return;
      mayBeValue = false;
    }
    // To a runner of packages it may be the name of one.
    if (candidates === 0 && !(part.isGuess && runner(this.#parent))) this.#fed(part);
  }

  #tasksOf({ files = [] }: Interpreter, task: string, folders: Folders): void {
    for (const file of files) this.#places.place(file, folders, { runs: true, task });
  }

  /** It runs what it reads: a file that is named, or whatever comes in. */
  #fed(part: CommandPart): void {
    const files = part.files.filter(({ redirected, writes }) => redirected && !writes);
    if (files.length === 0 || part.text.endsWith(OPEN)) {
      this.#places.everything();
      return;
    }
    for (const { paths } of files) {
      if (paths === undefined) this.#places.everything();
      for (const path of paths ?? []) this.#places.started(path, part.folders);
    }
  }

  #code(word: string, next: string | undefined, language: Interpreter, folders: Folders): void {
    const joined = /^--[\w-]+=(.*)$/s.exec(word)?.[1];
    const code = joined ?? next;
    if (code === undefined || folders === undefined) {
      this.#places.everything();
      return;
    }
    for (const folder of folders) {
      if (language.as === undefined) this.command(code, folder);
      else
        for (const { path, ...how } of [
          ...scriptsIn(code, language.as),
          ...wordsIn(code).map(({ word }) => ({ path: word, runs: false })),
        ])
          this.#places.place(path, [folder], how);
    }
  }

  /** A module of the folder is found before one that is installed. */
  #module(word: string, rest: readonly (string | undefined)[], at: number, part: CommandPart): void {
    const joined = word.replace(/^-[abd-zA-Z]*?m/, "");
    const name = joined === "" ? rest[at + 1] : joined;
    if (name === undefined) {
      this.#places.everything();
      return;
    }
    const [top = name] = name.split(".");
    for (const path of [top, `${top}.py`]) this.#places.place(path, part.folders, { runs: true, whole: true });
    this.#program(programName(name), rest.slice(joined === "" ? at + 2 : at + 1), part);
  }

  /** `--import=./x.js`, `-I./lib`. What a program may read or reach is none of it. */
  #optionValue(word: string, language: Interpreter, folders: Folders): void {
    if (/^--(?:allow|deny)-/.test(word)) return;
    const code = language.joined?.exec(word)?.[1];
    if (code !== undefined) this.#code(word, code, language, folders);
    const isJoined = word.length > 2 && language.valued?.test(word.slice(0, 2)) && language.as !== undefined;
    const value =
      /^--?[\w-]+=(.+)$/s.exec(word)?.[1] ??
      /^-[A-Za-z]([./].*)$/s.exec(word)?.[1] ??
      (isJoined ? word.slice(2) : undefined);
    if (value !== undefined) this.#places.started(value, folders);
  }

  #script(word: string | undefined, { endings = [""] }: Interpreter, folders: Folders): void {
    const isWhole = /\.[a-z]\w{0,3}$/i.test(word ?? "");
    for (const ending of isWhole ? [""] : endings)
      this.#places.started(word === undefined ? undefined : word + ending, folders);
  }

  #tasks(
    name: string,
    { files, folder, file, looksUp }: Runner,
    rest: readonly (string | undefined)[],
    folders: Folders,
  ): void {
    const task = /^(?:np[mx]|pnpm|pnpx|bunx|yarn|yarnpkg)$/.test(name) ? nodeTask(name, rest) : {};
    if (task === undefined) return;
    if (task.everywhere) this.#places.everything();
    let places = folders;
    const given = givenPlaces(rest, { folder, file });
    for (const place of given.folders)
      if (place === undefined || /[*?[{]/.test(place)) this.#places.everything();
      else places = this.#places.seenFrom(place, places);
    for (const place of given.files) this.#places.started(place, places);
    if (places === undefined) {
      this.#places.everything();
      return;
    }
    for (const place of places.flatMap(each => (looksUp ? this.#places.upwards(each) : [each]))) {
      for (const each of files)
        this.#places.add({ path: `${place}/${each}`, runs: true, ...(task.task !== undefined && { task: task.task }) });
      const [program] = task.program ?? [];
      if (program !== undefined && !/[/\\]/.test(program))
        this.#places.add({ path: `${place}/node_modules/.bin/${program.replace(/@.*/, "")}`, runs: true });
    }
  }

  /** Another folder's repository has settings and hooks of its own, by which Git starts programs. */
  #git(rest: readonly (string | undefined)[], folders: Folders): void {
    for (const [at, word] of rest.entries()) {
      const joined = /^--(?:git-dir|work-tree)=(.*)$/s.exec(word ?? "")?.[1];
      if (!/^(?:-C|--git-dir|--work-tree)$/.test(word ?? "") && joined === undefined) continue;
      const folder = joined ?? rest[at + 1];
      if (folder === undefined) {
        this.#places.everything();
        return;
      }
      for (const git of [`${folder}/.git`, folder])
        for (const name of ["config", "config.worktree", "hooks", "commondir"])
          this.#places.place(`${git}/${name}`, folders, { runs: true, whole: true });
      this.#places.place(`${folder}/.git`, folders, { runs: true });
    }
  }
}
