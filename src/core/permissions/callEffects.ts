/**
 * What a call would change, start and reach, as far as its text and the scripts that it starts tell: compared with what was refused
 * (denials.ts), so it tells too much rather than too little.
 */
import { isObject, parseJson } from "../../shared/isObject";
import { fileName, joinPath, normalPath } from "../../shared/paths";
import { keywords, segments } from "./effects";
import { readCommand } from "./plain/commandReading";
import {
  actOf,
  bringing,
  copying,
  dry,
  gitDoing,
  hostIn,
  isOpen,
  known,
  manifestsOf,
  operands,
  optionValue,
  ownOfShell,
  raising,
  recipeOf,
  removing,
  withVerbs,
  writing,
} from "./plain/doings";
import { isProgram, programName, riskyOptions } from "./plain/programKinds";
import { readProgram } from "./plain/programs";

interface ChangedPlace {
  /** absolute, perhaps a pattern; of a foreign tool's input also the end of a path */
  path: string;
  /** all that lies in it too: it is removed, replaced or emptied */
  below: boolean;
  /** beside what the call is for: no refusal of it holds for this */
  isBeside?: true;
}

/** A deed, then each word that matters. `isGuess`: words of a text that may be a program. */
export interface StartedAct {
  words: readonly string[];
  isGuess: boolean;
}

interface TextPlace {
  folder: string;
  /** words of the whole text, which may be what a variable or a pipe brings to a program; for which folders that was told */
  around: readonly string[];
  told: Set<string>;
  /** A program reads what others print: their words may be commands. */
  runsPrinted: boolean;
  isGuess: boolean;
}

const [MAX_DEPTH, MAX_INNER, MAX_TOKENS] = [20, 40, 400];

export class EffectReader {
  readonly changes: ChangedPlace[] = [];
  readonly reads: string[] = [];
  /** what a file is called afterwards: one of two names, where it is not known whether a folder is there */
  readonly moves: { from: string; to: string }[] = [];
  readonly acts: StartedAct[] = [];
  readonly hosts = new Set<string>();
  /** It starts something of which nothing is known; it changes files that nothing names. */
  mayDoMore = false;
  changesOthers = false;
  private depth = 0;
  private readonly seen = new Set<string>();
  private readonly scripts: ReadonlyMap<string, string>;

  /** @param links where a path that is a link leads */
  constructor(
    scripts: string,
    private readonly links: Readonly<Record<string, string>>,
  ) {
    const texts = scripts.split("\0\0").map(each => each.split("\0"));
    this.scripts = new Map(texts.map(([path = "", text = ""]) => [normalPath(path), text]));
  }

  /** A command line, or a script of a shell. */
  text(text: string, folder: string, isGuess = false): void {
    // Each once: scripts may start each other.
    const isNew = this.seen.size < this.seen.add(`${folder}\0${text}`).size;
    this.mayDoMore ||= this.depth > MAX_DEPTH;
    if (!isNew || this.depth > MAX_DEPTH) return;
    this.depth += 1;
    const { parts, unread } = readCommand(text.replace(/^#!.*/, ""), folder);
    for (const { writes, paths = [] } of parts.flatMap(({ files }) => files))
      if (writes) for (const path of paths) this.change(path, true);
    const plain = unread?.replace(/\$\{?PWD\b\}?/g, folder).replace(/\$\{?HOME\b\}?/g, "~");
    const commands = plain === undefined ? parts : segments(plain).map(words => ({ words, folders: undefined }));
    const around = [...new Set(commands.flatMap(({ words }) => words))];
    const told = new Set<string>();
    const isStdin = ([first = "", second = "-s"]: readonly string[]) =>
      isProgram("shell", programName(first)) && second === "-s";
    const runsPrinted = commands.some(({ words }) => isStdin(words));
    let now = folder;
    for (const { words, folders = [now] } of commands) {
      for (const each of folders) this.program(words, { folder: each, around, told, runsPrinted, isGuess });
      if (/^(?:cd|pushd)$/.test(words[0] ?? "")) now = joinPath(now, operands(words.slice(1))[0] ?? "~");
    }
    if (unread !== undefined && around.some(word => isInterpreter(programName(word)))) this.code(text, folder);
    this.depth -= 1;
  }

  private program(all: readonly string[], place: TextPlace): void {
    const at = all.findIndex(word => !keywords.has(word) && !/^[A-Za-z_]\w*=/.test(word));
    const [first = "", ...rest] = at < 0 ? [] : all.slice(at);
    const words = [first, ...rest];
    const name = programName(first);
    const isShell = isProgram("shell", name) || /^(?:source|\.)$/.test(name);
    const isFetch = isProgram("fetches", name) && !withVerbs.test(name);
    this.mayDoMore ||= this.depth > MAX_DEPTH;
    if (first === "" || ownOfShell.test(name) || this.depth > MAX_DEPTH) return;
    this.depth += 1;
    const isReading = !("why" in readProgram(words, false));
    this.mayDoMore ||= !isReading && !isFetch && riskyOptions(words).length > 0;
    if (place.runsPrinted && /^(?:echo|printf)$/.test(name)) this.text(rest.join(" "), place.folder);
    else if (isReading) this.reads.push(...operands(rest).map(word => this.placed(joinPath(place.folder, word))));
    else if (name === "git") this.git(words, place);
    else if (isShell || isInterpreter(name)) this.script(words, isShell, place);
    else if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) this.packages(words, place);
    else if (/^(?:g?make|just|task)$/.test(name)) this.make(words, place);
    else if (/^(?:find|fd)$/.test(name)) this.find(words, place);
    else if (isFetch) this.fetch(name, rest, place);
    else if (!this.files(name, rest, place)) this.other(words, place);
    this.depth -= 1;
  }

  private manifests(words: readonly string[], folder: string): void {
    for (const file of manifestsOf(words))
      this.changes.push({ path: this.placed(joinPath(folder, file)), below: false, isBeside: true });
  }

  private other([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const name = programName(first);
    const isTar = /^tar -?\w*[ct](?!.* --?(?:to|check|use|I))/.test([name, ...rest].join(" "));
    const isPlain = known.test(name) || withVerbs.test(name) || isTar;
    if (isPlain && rest.some(word => dry.test(word))) return;
    const isFile = /^[^/].*\//.test(first);
    if (isFile) this.file(first, operands(rest), place);
    else if (!doesNothing(name)) this.act(raising.test(name) ? ["sudo"] : actOf([first, ...rest]), place);
    if (rest.some(word => /^(?:-w|--(?:write|fix|in-?place|remove-files)\b)/.test(word)))
      this.all(operands(rest), place);
    this.output(rest, place);
    this.manifests([first, ...rest], place.folder);
    if (startsOthers(name)) this.inner(name, rest, place);
    this.mayDoMore ||= isPlain ? rest.some(word => bringing.test(word)) : !isFile && !startsOthers(name);
    // A program that is not known may start one that its words name.
    if (!isPlain)
      for (const index of rest.slice(0, MAX_INNER).keys())
        this.act(actOf(rest.slice(index, index + MAX_INNER)), { isGuess: true });
  }

  /** The program that another one starts: its first word that may be one, and any other that is. */
  private inner(name: string, rest: readonly string[], place: TextPlace): void {
    const isFed = /^(?:xargs|parallel)$/.test(name);
    const around = place.around.some(word => /[/*]|^\./.test(word)) ? place.around : [...place.around, "."];
    const start = withVerbs.test(name) ? -1 : rest.findIndex(word => /^[^-\d]/.test(word) && !/^\w+=/.test(word));
    this.mayDoMore ||= start < 0 && doesNothing(name);
    for (const [at, word] of rest.slice(0, MAX_INNER).entries()) {
      const isGuess = place.isGuess || at !== start;
      if (/\s/.test(word)) this.text(word, place.folder);
      else if (at === start || (at > start && isKnown(word)))
        this.program([...rest.slice(at), ...(isFed ? ["$"] : [])], { ...place, ...(isFed && { around }), isGuess });
      if (at >= start && startsOthers(programName(word))) return;
    }
  }

  /** A shell or an interpreter, with a text or a file. */
  private script([first = "", ...rest]: readonly string[], isShell: boolean, place: TextPlace): void {
    const name = programName(first);
    const flag = rest.findIndex(word =>
      (isShell ? /^-\w*c$/ : /^-\w{0,3}[ceprE]$|^--(?:eval|print)$|^eval$/).test(word),
    );
    const code = rest.slice(flag + 1).join(" ");
    const [file, ...given] = operands(rest).filter(word => isShell || word !== "run");
    if (!isShell || file === undefined) this.mayDoMore = true;
    if (/^(?:perl|ruby)$/.test(name) && rest.some(word => /^-\w*i/.test(word))) this.all(operands(rest), place);
    if (name === "python" && rest.includes("-m")) this.program(rest.slice(rest.indexOf("-m") + 1), place);
    else if (flag >= 0 && isShell) this.text(code, place.folder, place.isGuess);
    else if (flag >= 0) {
      this.code(code, place.folder);
      this.act([name, code], place);
    } else if (file !== undefined) this.file(file, given, place);
  }

  private file(file: string, given: readonly string[], place: TextPlace): void {
    const path = joinPath(place.folder, file);
    const text = this.scripts.get(path);
    this.act([`run:${path}`, ...given], place);
    if (text === undefined) this.mayDoMore = true;
    else if (/\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua)$/i.test(path) || /^#!.*(?:python|node|ruby|perl|php)/.test(text))
      this.code(text, place.folder);
    else this.text(text, place.folder);
  }

  /** Of another language each word may be a file, or a program with those behind it. */
  private code(text: string, folder: string): void {
    this.mayDoMore = true;
    const tokens = text.match(/[^\s'"`,;()[\]{}<>=+|&\\]+/g)?.slice(0, MAX_TOKENS) ?? [];
    const writes = writing.test(text);
    for (const [at, token] of tokens.entries()) {
      if (writes && !/^\.{0,2}\/?$/.test(token)) this.change(joinPath(folder, token), true);
      this.reads.push(this.placed(joinPath(folder, token)));
      this.host(token);
      if (isKnown(token)) this.act(actOf(tokens.slice(at, at + MAX_INNER)), { isGuess: true });
    }
  }

  private packages([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const [verb = "install", ...given] = operands(rest);
    if (rest.some(word => dry.test(word))) return;
    const folder = joinPath(place.folder, optionValue(rest, /^(?:--prefix|--cwd|-C|--dir)(?:=.*)?$/) ?? ".");
    const json = parseJson(this.scripts.get(`${folder}/package.json`) ?? "");
    const scripts = isObject(json) ? json : {};
    const isRun = /^(?:run|run-script)$/.test(verb);
    const name = isRun ? (given[0] ?? "") : verb.replace(/^t$/, "test");
    const isScript = isRun || /^(?:test|start|stop|restart)$/.test(name) || (first !== "npm" && name in scripts);
    if (/^(?:exec|x|dlx)$/.test(verb)) this.inner("npx", given, place);
    else this.act(isScript ? ["npm:run", name] : actOf([first, verb, ...given]), place);
    this.mayDoMore ||= isScript ? typeof scripts[name] !== "string" : given.some(word => bringing.test(word));
    if (!isScript) this.manifests([first, verb], folder);
    // `npm install` and `npm publish` run some, too.
    for (const each of [`pre${name}`, name, `post${name}`, ...(isScript ? [] : ["prepare", "prepublishOnly"])]) {
      const text = scripts[each];
      if (typeof text === "string" && !rest.includes("--ignore-scripts")) this.text(text, folder);
    }
  }

  private make([first = "", ...rest]: readonly string[], place: TextPlace): void {
    if (rest.includes("-n")) return;
    const inFolder = optionValue(rest, /^(?:-C|--directory)(?:=.*)?$/);
    const inFile = optionValue(rest, /^(?:-f|--(?:make|just)?file)(?:=.*)?$/);
    const folder = joinPath(place.folder, inFolder ?? ".");
    const given = operands(rest).filter(word => word !== inFolder && word !== inFile);
    const [values, targets] = [given.filter(word => word.includes("=")), given.filter(word => !word.includes("="))];
    this.act([programName(first).replace("gmake", "make"), ...targets], place);
    const texts = (inFile === undefined ? TASKS : [inFile]).map(name => this.scripts.get(joinPath(folder, name)));
    const text = [texts.find(each => each !== undefined), ...values].join("\n");
    for (const target of targets.length > 0 ? targets : [""]) {
      const recipe = recipeOf(text, target);
      this.mayDoMore ||= recipe === "";
      this.text(recipe, folder);
    }
  }

  private find([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const end = rest.findIndex(word => /^[-(!]/.test(word));
    const given = first.endsWith("fd") ? [] : rest.slice(0, end < 0 ? undefined : end);
    const starts = rest.findIndex(word => /^-(?:exec|ok)(?:dir)?$|^-[xX]$|^--exec/.test(word));
    const inner = starts < 0 ? [] : rest.slice(starts + 1).filter(word => !/^(?:\{\}|\+|;)$/.test(word));
    if (!rest.includes("-delete") && (inner.length === 0 || !("why" in readProgram(inner, false)))) return;
    const isOne = rest.filter(word => /^(?:-i?name|-o|-or|!|-not|,)$/.test(word)).length === 1;
    const name = isOne ? optionValue(rest, /^-i?name$/) : undefined;
    for (const path of given.length > 0 ? given : ["."])
      this.change(joinPath(place.folder, name === undefined ? path : `${path}/**/${name}`), true);
    this.inner("find", inner, place);
  }

  private git(words: readonly string[], place: TextPlace): void {
    const { folder, act, changes, changesOthers = false, starts } = gitDoing(words);
    if (act) this.act(act, place);
    if (words.includes("mv")) this.files("mv", words.slice(words.indexOf("mv") + 1), place);
    for (const path of changes) this.change(joinPath(joinPath(place.folder, folder), path), true);
    this.changesOthers ||= changesOthers;
    this.inner("alias", starts, place);
  }

  private fetch(name: string, rest: readonly string[], place: TextPlace): void {
    const before = this.hosts.size;
    const machine = /^(?:ssh|sftp|nc|ncat|telnet)$/.test(name)
      ? operands(rest).find(word => /^[a-z]/i.test(word))
      : undefined;
    for (const word of rest) this.host(word, word === machine || /^(?!-).*\.[a-z]|^localhost/i.test(word));
    this.output(rest, place);
    this.mayDoMore ||= rest.some(isOpen);
    if (this.hosts.size === before) this.act(actOf([name, ...rest]), place);
    if (machine && name === "ssh") this.inner(name, rest.slice(rest.indexOf(machine) + 1), place);
  }

  private output(rest: readonly string[], { folder }: TextPlace): void {
    const file = optionValue(rest, /^(?:-[oO]|--out(?:put|-?file)?(?:-document)?(?:=.*)?)$/);
    if (file !== undefined) this.change(joinPath(folder, file), true);
  }

  /** @returns false: it is not known which files it changes */
  private files(name: string, rest: readonly string[], place: TextPlace): boolean {
    const named = operands(rest);
    const given = named.length > 0 ? named : ["$"];
    const has = (option: RegExp) => rest.some(word => option.test(word));
    const isInPlace = /^(?:sed|yq)$/.test(name) && has(/^(?:-\w*i|--in-?place)/);
    if (name === "dd") this.all(optionValue(rest, /^of=/)?.split("\n") ?? [], place);
    else if (isInPlace || (removing.test(name) && !copying.test(name))) this.all(given, place);
    // They may start programs: `sed 1e`, `!` of an editor.
    this.mayDoMore ||= /^e[dx]$/.test(name) || (isInPlace && given.some(word => /[ewW](?:$|\s)/.test(word)));
    if (!copying.test(name)) return isInPlace || removing.test(name);
    if (name === "rsync" && has(/^(?:-\w*n|--dry-run)/)) return true;
    const into = optionValue(rest, /^(?:-t|--target-directory(?:=.*)?)$/);
    const to = into ?? given.at(-1) ?? ".";
    const from = given.filter((word, at) => (into === undefined ? at < given.length - 1 : word !== into));
    for (const word of given) this.host(word, word.includes(":"));
    // A hard link is another name of the same file.
    if (has(/^--remove-source/) || removing.test(name) || (name === "ln" && !has(/^-\w*s|^--sym/)))
      this.all(from, place);
    const isWhole = has(/^--delete/) || from.some(word => /[*$]|\/\.?$|^\.$/.test(word));
    this.change(joinPath(place.folder, to), isWhole);
    for (const word of from) {
      const [path, inside] = [joinPath(place.folder, word), joinPath(place.folder, `${to}/${fileName(word)}`)];
      this.change(inside, true);
      if (removing.test(name))
        for (const each of [joinPath(place.folder, to), inside])
          this.moves.push({ from: this.placed(path), to: this.placed(each) });
    }
    return true;
  }

  /** Files with all in them. One that is only known when it runs may be any that the text names. */
  private all(words: readonly string[], { folder, around, told }: TextPlace): void {
    for (const word of words) if (!isOpen(word)) this.change(joinPath(folder, word), true);
    if (!words.some(isOpen)) return;
    this.mayDoMore = true;
    const any = told.has(folder) ? [] : around.flatMap(word => word.replace(/^\w+=/, "").split(","));
    for (const word of any)
      if (!/^-/.test(word) && !isOpen(word))
        for (const path of [word, `./${word}`]) this.change(joinPath(folder, path), true);
    told.add(folder);
  }

  change(path: string, below: boolean): void {
    this.changes.push({ path: this.placed(path), below });
  }

  /** Of a tool's input: a path, or the end of one. */
  changeEnd(path: string): void {
    if (/[/.]/.test(path)) this.changes.push({ path, below: true });
  }

  act(words: readonly string[], { isGuess }: { isGuess: boolean }): void {
    if (words.length > 0) this.acts.push({ words: words.map(word => word.toLowerCase()), isGuess });
  }

  host(word: string, isPlace = false): void {
    const host = hostIn(word, isPlace);
    if (host) this.hosts.add(host);
  }

  private placed(path: string): string {
    for (let folder = path; folder.length > 1; folder = folder.slice(0, folder.lastIndexOf("/"))) {
      const to = this.links[folder];
      if (to !== undefined) return to + path.slice(folder.length);
    }
    return path.replace(NOWHERE, "");
  }
}

/** A folder that is not known: paths in it are the ends of paths. */
export const NOWHERE = "/\u0000/";
const TASKS = ["GNUmakefile", "makefile", "Makefile", "justfile", "Justfile", ".justfile"];

const isInterpreter = (name: string) =>
  isProgram("runs", name) && !isProgram("shell", name) && !/^(?:source|\.|bun)$/.test(name);
/** Nothing but starting another one. */
const doesNothing = (name: string) => isProgram("wraps", name) || /^(?:command|trap)$/.test(name);
const startsOthers = (name: string) =>
  doesNothing(name) || raising.test(name) || isProgram("starts", name) || isProgram("elsewhere", name);
const traits = ["wraps", "starts", "shell", "fetches", "verbs", "narrow", "runs", "changes", "elsewhere"] as const;
function isKnown(word: string): boolean {
  const name = /^[\w./-]+$/.test(word) ? programName(word) : "";
  return removing.test(name) || known.test(name) || traits.some(trait => isProgram(trait, name));
}
