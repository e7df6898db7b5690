/**
 * Which files of a folder a command may start: what an agreement to it is bound to. The shell's grammar says what is started;
 * where that cannot be named exactly, all that it could mean counts. Pure.
 */

import { OPEN } from "../permissions/shell/open";
import { type CommandPart, readCommand } from "../permissions/shell/reading";
import type { Folders } from "../permissions/shell/script";
import { asksItself } from "../permissions/shell/wrappers";
import type { NamedScript } from "../ports";
import { assignedPlaces, changesPrograms } from "./assigned";
import { type Interpreter, interpreter, programName } from "./interpreters";
import { isState, scriptsIn, toList, wordsIn, wordsOf } from "./names";
import { nodeTask, type Runner, runner, runsProject } from "./tasks";

/** Of one command: beyond, it may start anything. */
const MAX_PARTS = 3_000;
const MAX_TEXTS = 100;
const EVERYTHING: NamedScript = { path: ".", runs: true, whole: true };
/** What runs somewhere else, whatever its words are. */
const ELSEWHERE = new Set(["docker", "podman", "nerdctl", "ssh", "mosh", "kubectl", "vagrant"]);
/** A program of theirs stands in the file behind one of these. */
const PROGRAM_FILE = /^(?:-f|-x|-S|-s|-init|--file|--from-file|--source|--command)$/;
const HAS_PROGRAM_FILE = new Set(
  "awk gawk mawk nawk sed gsed jq yq bc dc m4 psql sqlite3 mysql gdb lldb vim vi nvim ex ed emacs screen tmux parallel".split(
    " ",
  ),
);
const SCRIPT = /\.(?:[cm]?[jt]sx?|pyw?|rb|pl|php|lua|(?:ba|z)?sh|ps1)$/i;
/** Words before the program that it starts. */
const VERBS = /^(?:run|exec|x|tool|runx|shell)$/;
/** Where commands say the project's folder, or one that is it. */
const OWN_FOLDER =
  /\$\(\s*(?:pwd|git\s+rev-parse\s+--show-toplevel)\s*(?:2>\s*\/dev\/null\s*)?\)|`\s*(?:pwd|git\s+rev-parse\s+--show-toplevel)\s*`/g;
const FOLDER_VARIABLES = ["CLAUDE_PROJECT_DIR", "STRATA_PROJECT_DIR"];

/** @param folder absolute, '/' separators: the project's, where they start. Names that lie in it are seen from there */
export function startedBy(commands: readonly string[], folder: string): NamedScript[] {
  const starts = new Starts(folder);
  for (const command of commands) {
    for (const { path, runs } of wordsOf(command)) starts.add({ path, runs });
    starts.command(command, folder);
  }
  return toList(starts.found);
}

class Starts {
  readonly found: NamedScript[] = [];
  readonly #seen = new Set<string>();
  #parts = 0;
  #texts = 0;

  constructor(private readonly root: string) {}

  add(named: NamedScript): void {
    this.found.push({ ...named, path: this.#fromRoot(named.path) });
  }

  command(given: string, cwd: string): void {
    const text = given.replace(OWN_FOLDER, "$PWD");
    const key = `${cwd}\0${text}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#texts += 1;
    if (this.#texts > MAX_TEXTS) {
      this.#everything();
      return;
    }
    const known = new Map(FOLDER_VARIABLES.map(name => [name, this.root]));
    let reading = readCommand(text, cwd, known);
    // It says itself what they are.
    if (reading.assignments.some(({ name }) => known.has(name))) reading = readCommand(text, cwd);
    if (reading.isUnclear) this.#everything();
    for (const { name, value } of reading.assignments) this.#assigned(name, value, [cwd]);
    let elsewhere = "";
    let moved: Pick<CommandPart, "text" | "folders"> | undefined;
    for (const given of reading.parts) {
      const isOf = (text: string | undefined) => given.isGuess && text?.endsWith(given.text);
      if (elsewhere !== "" && isOf(elsewhere)) continue;
      const part = moved && isOf(moved.text) ? { ...given, folders: moved.folders } : given;
      const name = programName(part.words[0] ?? "");
      if (ELSEWHERE.has(name)) elsewhere = part.text;
      if (!part.isGuess) moved = asksItself.has(name) || name === "env" ? this.#moved(part) : undefined;
      this.#parts += 1;
      if (this.#parts > MAX_PARTS) {
        this.#everything();
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
      const there = to === undefined ? undefined : this.#seenFrom(to, folders);
      return { text, folders: there && folders && [...folders, ...there] };
    }
    return undefined;
  }

  #everything(): void {
    this.found.push(EVERYTHING);
  }

  #part(part: CommandPart): void {
    const [program, ...rest] = part.words;
    if (part.words.length === 0) return;
    if (program === undefined || /[*?[{]/.test(program)) {
      if (!part.isGuess && program !== "[" && program !== "[[" && program !== "{") this.#started(program, part.folders);
      return;
    }
    const assigned = /^([A-Za-z_]\w*)\+?=(.*)/s.exec(program);
    if (assigned) {
      this.#assigned(assigned[1] ?? "", assigned[2], part.folders);
      return;
    }
    // `uv run check.py`
    if (program.includes("/") || (part.isGuess && SCRIPT.test(program))) this.#started(program, part.folders, false);
    const name = programName(program);
    const language = interpreter(program);
    if (language) this.#interpreted(language, rest, part);
    else if (name === "." || name === "source") {
      const file = rest.find(word => word !== "--");
      if (rest.length > 0 && !(part.isGuess && file === undefined)) this.#started(file, part.folders);
    } else this.#program(name, rest, part);
    // A program that starts another one, whose name is only known when it runs.
    const first = rest.findIndex(word => !(word?.startsWith("-") || VERBS.test(word ?? "")));
    const isOpen = first >= 0 && (rest[first] === undefined || /[*?[{]/.test(rest[first] ?? ""));
    if (!part.isGuess && asksItself.has(name) && !ELSEWHERE.has(name) && isOpen)
      this.#started(rest[first], part.folders);
    if (name !== "tee") this.#data(rest, part.folders);
  }

  #program(name: string, rest: readonly (string | undefined)[], part: CommandPart): void {
    const { folders } = part;
    if (runsProject(name, rest)) this.#everything();
    const tasks = runner(name);
    if (tasks) this.#tasks(name, tasks, rest, folders);
    if (name === "git") this.#git(rest, folders);
    if (HAS_PROGRAM_FILE.has(name))
      for (const [at, word] of rest.entries()) {
        if (PROGRAM_FILE.test(word ?? "")) this.#started(rest[at + 1], folders);
        const joined = /^(?:--(?:file|from-file|source)=|-f)(.+)/s.exec(word ?? "")?.[1];
        if (joined !== undefined) this.#started(joined, folders);
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
        this.#everything();
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
        this.#everything();
        return;
      }
      if (language.code.test(word)) {
        this.#code(word, rest[at + 1], language, part);
        return;
      }
      if (language.module?.test(word)) {
        this.#module(word, rest, at, part);
        return;
      }
      if (/^[-+]./.test(word)) {
        if (/^--(?:version|help)$|^-(?:v|V|h|version)$/.test(word)) return;
        this.#optionValue(word, folders);
        if (language.valued?.test(word)) {
          const value = rest[at + 1];
          if (value === undefined && at + 1 < rest.length) {
            this.#everything();
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
        this.#place(`${word}/package.json`, folders, { runs: true, task: "" });
      if (language.hasTasks) this.#tasksOf(language, word, folders);
      if (!mayBeValue || /\.[a-z]\w*$/i.test(word)) return;
      mayBeValue = false;
    }
    if (candidates === 0 && !part.isGuess) this.#fed(part);
  }

  #tasksOf({ files = [] }: Interpreter, task: string, folders: Folders): void {
    for (const file of files) this.#place(file, folders, { runs: true, task });
  }

  /** It runs what it reads: a file that is named, or whatever comes in. */
  #fed(part: CommandPart): void {
    const files = part.files.filter(({ writes }) => !writes);
    if (files.length === 0 || part.text.endsWith(OPEN)) {
      this.#everything();
      return;
    }
    for (const { paths } of files) {
      if (paths === undefined) this.#everything();
      for (const path of paths ?? []) this.#started(path, part.folders);
    }
  }

  #code(word: string, next: string | undefined, language: Interpreter, { folders }: CommandPart): void {
    const joined = /^--[\w-]+=(.*)$/s.exec(word)?.[1];
    const code = joined ?? next;
    if (code === undefined || folders === undefined) {
      this.#everything();
      return;
    }
    for (const folder of folders) {
      if (language.as === undefined) this.command(code, folder);
      else
        for (const { path, ...how } of [
          ...scriptsIn(code, language.as),
          ...wordsIn(code).map(({ word }) => ({ path: word, runs: false })),
        ])
          this.#place(path, [folder], how);
    }
  }

  /** A module of the folder is found before one that is installed. */
  #module(word: string, rest: readonly (string | undefined)[], at: number, part: CommandPart): void {
    const joined = word.replace(/^-[a-zA-Z]*?m/, "");
    const name = joined === "" ? rest[at + 1] : joined;
    if (name === undefined) {
      this.#everything();
      return;
    }
    const [top = name] = name.split(".");
    for (const path of [top, `${top}.py`]) this.#place(path, part.folders, { runs: true, whole: true });
    this.#program(programName(name), rest.slice(joined === "" ? at + 2 : at + 1), part);
  }

  /** `--import=./x.js`, `-I./lib`. What a program may read or reach is none of it. */
  #optionValue(word: string, folders: Folders): void {
    if (/^--(?:allow|deny)-/.test(word)) return;
    const value = /^--?[\w-]+=(.+)$/s.exec(word)?.[1] ?? /^-[A-Za-z]([./].*)$/s.exec(word)?.[1];
    if (value !== undefined) this.#started(value, folders);
  }

  #script(word: string | undefined, { endings = [""] }: Interpreter, folders: Folders): void {
    const isWhole = /\.[a-z]\w{0,3}$/i.test(word ?? "");
    for (const ending of isWhole ? [""] : endings)
      this.#started(word === undefined ? undefined : word + ending, folders);
  }

  #tasks(
    name: string,
    { files, folder, file, looksUp }: Runner,
    rest: readonly (string | undefined)[],
    folders: Folders,
  ): void {
    const task = /^(?:np[mx]|pnpm|pnpx|bunx|yarn|yarnpkg)$/.test(name) ? nodeTask(name, rest) : {};
    if (task === undefined) return;
    if (task.everywhere) this.#everything();
    let places = folders;
    for (const [at, word] of rest.entries()) {
      const [option = "", joined] = word?.startsWith("--")
        ? word.split(/=(.*)/s)
        : [word?.slice(0, 2), word?.slice(2) || undefined];
      const isShort = word !== undefined && !word.startsWith("--") && joined !== undefined;
      const named = (pattern: RegExp | undefined) =>
        pattern?.test(word ?? "")
          ? { value: rest[at + 1] }
          : pattern?.test(option) && joined !== undefined
            ? { value: joined }
            : undefined;
      const inFolder = named(folder);
      if (inFolder && !(isShort && option === word)) {
        if (inFolder.value === undefined || /[*?[{]/.test(inFolder.value)) this.#everything();
        else places = this.#seenFrom(inFolder.value, places);
      }
      const inFile = named(file);
      if (inFile) this.#started(inFile.value, places);
    }
    if (places === undefined) {
      this.#everything();
      return;
    }
    for (const place of places.flatMap(each => (looksUp ? this.#upwards(each) : [each]))) {
      for (const each of files)
        this.add({ path: `${place}/${each}`, runs: true, ...(task.task !== undefined && { task: task.task }) });
      const [program] = task.program ?? [];
      if (program !== undefined && !/[/\\]/.test(program))
        this.add({ path: `${place}/node_modules/.bin/${program.replace(/@.*/, "")}`, runs: true });
    }
  }

  /** Runners look for their file in the folders above, too. */
  #upwards(folder: string): string[] {
    const all = [folder];
    for (let at = folder; at !== this.root && at.startsWith(`${this.root}/`); ) {
      at = at.slice(0, at.lastIndexOf("/"));
      all.push(at);
    }
    return all;
  }

  /** Another folder's repository has settings and hooks of its own, by which Git starts programs. */
  #git(rest: readonly (string | undefined)[], folders: Folders): void {
    for (const [at, word] of rest.entries()) {
      const joined = /^--(?:git-dir|work-tree)=(.*)$/s.exec(word ?? "")?.[1];
      if (!/^(?:-C|--git-dir|--work-tree)$/.test(word ?? "") && joined === undefined) continue;
      const folder = joined ?? rest[at + 1];
      if (folder === undefined) {
        this.#everything();
        return;
      }
      for (const git of [`${folder}/.git`, folder])
        for (const name of ["config", "config.worktree", "hooks", "commondir"])
          this.#place(`${git}/${name}`, folders, { runs: true, whole: true });
      this.#place(`${folder}/.git`, folders, { runs: true });
    }
  }

  #assigned(name: string, value: string | undefined, folders: Folders): void {
    const isObeyed = changesPrograms(name);
    if (value === undefined) {
      if (isObeyed) this.#everything();
      return;
    }
    const { places, isOpen } = assignedPlaces(value, FOLDER_VARIABLES);
    if (isOpen && isObeyed) this.#everything();
    for (const place of places) this.#place(place, folders, isObeyed ? { runs: true, whole: true } : { runs: false });
  }

  /** Words that may be files that it reads: those that are programs count. */
  #data(rest: readonly (string | undefined)[], folders: Folders): void {
    for (const word of rest) {
      if (word === undefined || word.length > 4_000) continue;
      const names = [{ word, way: undefined }, ...wordsIn(word)];
      for (const { word: path, way } of names)
        if (!isState(path))
          for (const folder of folders ?? []) this.#place(path, [folder], { runs: way !== undefined });
    }
  }

  /** undefined: only known when it runs */
  #started(value: string | undefined, folders: Folders, mayBeFolder = true): void {
    if (value === undefined) {
      this.#everything();
      return;
    }
    if (value === "") return;
    const pattern = value.search(/[*?[{]|[@+!]\(/);
    // What a pattern could mean lies below the folder that it begins with.
    if (pattern >= 0 && /(?:^|\/)\.\.(?:\/|$)/.test(value.slice(pattern))) {
      this.#everything();
      return;
    }
    const path = pattern < 0 ? value : value.slice(0, pattern).replace(/[^/]*$/, "") || ".";
    this.#place(path, folders, { runs: true, ...((mayBeFolder || pattern >= 0) && { whole: true }) });
  }

  #place(path: string, folders: Folders, how: Omit<NamedScript, "path">): void {
    const places = this.#seenFrom(path, folders);
    if (places === undefined) {
      if (how.runs) this.#everything();
      return;
    }
    for (const place of places) this.add({ path: place, ...how });
  }

  #seenFrom(path: string, folders: Folders): string[] | undefined {
    if (/^(?:\/|~(?:\/|$)|[A-Za-z]:[\\/])/.test(path)) return [path];
    return folders?.map(folder => (path === "." ? folder : `${folder}/${path}`));
  }

  #fromRoot(path: string): string {
    if (path === this.root) return ".";
    return path.startsWith(`${this.root}/`) ? path.slice(this.root.length + 1) || "." : path;
  }
}
