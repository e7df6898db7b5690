/**
 * What a call would change, start and reach, as far as its text and the scripts that it starts tell: compared with what was refused
 * (denials.ts), so it tells too much rather than too little.
 */
import { isObject, parseJson } from "../../shared/isObject";
import { fileName, folderOf, joinPath, normalPath } from "../../shared/paths";
import { keywords, segments } from "./effects";
import { readCommand } from "./plain/commandReading";
import {
  actOf,
  bringing,
  copying,
  databases,
  dry,
  emptiedBy,
  gitDoing,
  hostIn,
  isOpen,
  known,
  managing,
  manifestsOf,
  operands,
  optionValue,
  ownOfShell,
  raising,
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
  /** the very aim of a program: all of the folder that it runs in counts, too */
  isAim?: boolean;
}

interface TextPlace {
  folder: string;
  /** all of the command */
  text: string;
}

const [MAX_DEPTH, MAX_TOKENS] = [20, 400];

export class EffectReader {
  readonly changes: ChangedPlace[] = [];
  readonly reads: string[] = [];
  /** what a file is called afterwards: one of two names, where it is not known whether a folder is there */
  readonly moves: { from: string; to: string }[] = [];
  /** a deed, then each word that matters */
  readonly acts: (readonly string[])[] = [];
  readonly hosts = new Set<string>();
  /** addresses in its words, which it may reach */
  readonly named = new Set<string>();
  /** It starts something of which nothing is known; it changes files that nothing names. */
  mayDoMore = false;
  changesOthers = false;
  private depth = 0;
  private readonly seen = new Set<string>();
  private readonly scripts: ReadonlyMap<string, string>;
  private readonly links: Record<string, string>;

  /** @param links where a path that is a link leads */
  constructor(scripts: string, links: Readonly<Record<string, string>>) {
    this.links = { ...links };
    const texts = scripts.split("\0\0").map(each => each.split("\0"));
    this.scripts = new Map(texts.map(([path = "", text = ""]) => [normalPath(path), text]));
  }

  /** A command line, or a script of a shell. */
  text(text: string, folder: string): void {
    // Each once: scripts may start each other.
    if (this.seen.size === this.seen.add(`${folder}\0${text}`).size) return;
    const { parts, unread } = readCommand(text.replace(/^#!.*/, ""), folder);
    for (const { writes, paths = [] } of parts.flatMap(({ files }) => files))
      if (writes) for (const path of paths) this.change(path, true);
    // What a substitution brings is a word, too.
    const plain = unread
      ?.replace(/\$\{?PWD\b\}?/g, folder)
      .replace(/\$\{?HOME\b\}?/g, "~")
      .replace(/\s(?=\$\(|`)/g, " $_ ");
    const commands = plain === undefined ? parts : segments(plain).map(words => ({ words, folders: undefined }));
    let now = folder;
    for (const { words, folders = [now] } of commands) {
      for (const each of folders) this.program(words, { folder: each, text });
      if (/^(?:cd|pushd)$/.test(words[0] ?? "")) now = joinPath(now, operands(words.slice(1))[0] ?? "~");
    }
    if (unread?.split(/[\s;|&()]+/).some(word => isInterpreter(programName(word)))) this.code(text, folder);
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
    for (const word of isReading ? [] : rest) if (!/\s/.test(word)) this.host(word, word.includes("."), this.named);
    this.mayDoMore ||= !isReading && !isFetch && riskyOptions(words).length > 0;
    if (isReading) this.reads.push(...operands(rest).map(word => this.placed(joinPath(place.folder, word))));
    else if (name === "git") this.git(words, place);
    else if (isShell || isInterpreter(name)) this.script(words, isShell, place);
    else if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) this.packages(words, place);
    else if (/^(?:g?make|just|task)$/.test(name)) this.make(words);
    else if (/^(?:find|fd)$/.test(name)) this.find(words, place);
    else if (isFetch) this.fetch(name, rest, place);
    else if (databases.test(name)) this.database(words, place);
    else if (!this.files(name, rest, place)) this.other(words, place);
    this.depth -= 1;
  }

  private manifests(words: readonly string[], folder: string): void {
    for (const file of manifestsOf(words))
      this.changes.push({ path: this.placed(joinPath(folder, file)), below: false, isBeside: true });
  }

  private other([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const name = programName(first);
    const isTar = /^tar (?=-?\w*[ct])(?!.* --?(?:to|check|use|I))/.test([name, ...rest].join(" "));
    const isPlain = known.test(name) || withVerbs.test(name) || isTar;
    if (isPlain && rest.some(word => dry.test(word))) return;
    const isFile = /^[^/].*\//.test(first);
    if (/^(?:mvn|gradle)w$/.test(name)) this.act(actOf([first, ...rest]));
    if (isFile) this.file(first, operands(rest), place);
    else if (!doesNothing(name)) this.act(raising.test(name) ? ["sudo"] : actOf([first, ...rest]));
    if (rest.some(word => /^(?:-w|--(?:write|fix|in-?place|remove-files)\b)/.test(word)))
      this.all(operands(rest), place);
    // Without a path it is all that the project has.
    this.changesOthers ||=
      rest.some(word => /^--(?:write|fix)\b/.test(word)) && !operands(rest).some(word => /[./]/.test(word));
    this.output(rest, place);
    this.manifests([first, ...rest], place.folder);
    if (startsOthers(name)) this.inner(name, rest, place);
    this.mayDoMore ||= isPlain ? rest.some(word => bringing.test(word)) : !isFile && !startsOthers(name);
  }

  /** The program that another one starts: its first word that may be one. */
  private inner(name: string, rest: readonly string[], place: TextPlace): void {
    const start = withVerbs.test(name) ? -1 : rest.findIndex(word => /^[^-\d]/.test(word) && !/^\w+=/.test(word));
    for (const word of rest) if (/\s/.test(word)) this.text(word, place.folder);
    // The word behind an option may be its value.
    const isOpened = rest.slice(0, Math.max(start, 0)).some(word => /^-(?!y$|-yes$)/.test(word));
    this.mayDoMore ||= start < 0 ? doesNothing(name) : isOpened || /^(?:xargs|parallel)$/.test(name);
    if (start >= 0) this.program(rest.slice(start), place);
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
    if (name === "python" && rest.includes("-m")) this.program(rest.slice(rest.indexOf("-m") + 1), place);
    else if (flag >= 0 && isShell) this.text(code, place.folder);
    else if (flag >= 0) {
      this.code(code, place.folder);
      this.act([name, code]);
    } else if (file !== undefined) this.file(file, given, place);
  }

  private file(file: string, given: readonly string[], place: TextPlace): void {
    const path = joinPath(place.folder, file);
    const text = this.scripts.get(path);
    this.act([`run:${path}`, ...given]);
    if (text === undefined) this.mayDoMore = true;
    else if (/\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua)$/i.test(path) || /^#!.*(?:python|node|ruby|perl|php)/.test(text))
      this.code(text, place.folder);
    else this.text(text, place.folder);
  }

  /** Of another language each word may be a file. */
  private code(text: string, folder: string): void {
    this.mayDoMore = true;
    const tokens = text.match(/[^\s'"`,;()[\]{}<>=+|&\\]+/g)?.slice(0, MAX_TOKENS) ?? [];
    const writes = writing.test(text);
    for (const token of tokens) {
      if (writes && !/^\.{0,2}\/?$/.test(token)) this.change(joinPath(folder, token), true);
      this.reads.push(this.placed(joinPath(folder, token)));
      this.host(token);
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
    if (/^(?:ci|clean-install)$/.test(verb)) this.change(joinPath(folder, "node_modules"), true);
    const isBin = first !== "npm" && !isScript && !managing.test(verb);
    if (/^(?:exec|x|dlx)$/.test(verb)) this.inner("npx", given, place);
    else if (isBin) this.inner("npx", [verb, ...given], place);
    else this.act(isScript ? ["npm:run", name] : actOf([first, verb, ...given]));
    this.mayDoMore ||= isScript ? typeof scripts[name] !== "string" : given.some(word => bringing.test(word));
    if (!isScript) this.manifests([first, verb], folder);
    // `npm install` and `npm publish` run some, too.
    for (const each of [`pre${name}`, name, `post${name}`, ...(isScript ? [] : ["prepare", "prepublishOnly"])]) {
      const text = scripts[each];
      if (typeof text === "string" && !rest.includes("--ignore-scripts")) this.text(text, folder);
    }
  }

  private make([first = "", ...rest]: readonly string[]): void {
    if (rest.includes("-n")) return;
    this.act([programName(first).replace("gmake", "make"), ...operands(rest).filter(word => /^[\w:-]+$/.test(word))]);
    this.mayDoMore = true;
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
      this.change(joinPath(place.folder, name === undefined ? path : `${path}/**/${name}`), true, true);
    this.mayDoMore ||= inner.length > 0;
  }

  private git(words: readonly string[], place: TextPlace): void {
    const { folder, act, changes, changesOthers = false, starts } = gitDoing(words);
    if (act) this.act(act);
    if (words.includes("mv")) this.files("mv", words.slice(words.indexOf("mv") + 1), place);
    for (const path of changes) this.change(joinPath(joinPath(place.folder, folder), path), true);
    this.changesOthers ||= changesOthers;
    if (starts.length > 0) this.inner("alias", starts, place);
  }

  private fetch(name: string, rest: readonly string[], place: TextPlace): void {
    const before = this.hosts.size;
    const machine = /^(?:ssh|sftp|nc|ncat|telnet)$/.test(name)
      ? operands(rest).find(word => /^[a-z]/i.test(word))
      : undefined;
    for (const word of rest) this.host(word, word === machine || /^(?!-).*\.[a-z]|^localhost/i.test(word));
    this.output(rest, place);
    // Under its name on the server.
    const into = optionValue(rest, /^(?:-P|--directory-prefix|--output-dir)(?:=.*)?$/) ?? ".";
    if (name === "wget" || rest.some(word => /^-\w*O|^--remote-name/.test(word)))
      for (const word of operands(rest)) this.change(joinPath(place.folder, `${into}/${fileName(word)}`), false);
    this.mayDoMore ||= rest.some(word => isOpen(word) || /^(?:-K|--config|--input-file)/.test(word));
    if (this.hosts.size === before) this.act(actOf([name, ...rest]));
    if (machine && name === "ssh") this.inner(name, rest.slice(rest.indexOf(machine) + 1), place);
  }

  private database(words: readonly string[], place: TextPlace): void {
    const emptied = emptiedBy(place.text);
    const isLook = words.some(word =>
      /^\s*(?:select|show|explain|describe|ping|get|keys|info|\\[dl]|\.schema|\.tables)\b/i.test(word),
    );
    for (const act of emptied) this.act(act);
    if (emptied.length === 0) this.act(isLook ? ["sql:look", words.join(" ")] : actOf(words));
    this.mayDoMore = true;
  }

  private output(rest: readonly string[], { folder }: TextPlace): void {
    const file = optionValue(rest, /^(?:-\w*[oO]|--out(?:put|-?file)?(?:-document)?(?:=.*)?)$/);
    if (file !== undefined) this.change(joinPath(folder, file), true);
  }

  /** @returns false: it is not known which files it changes */
  private files(name: string, rest: readonly string[], place: TextPlace): boolean {
    const named = operands(rest);
    const given = named.length > 0 ? named : ["$"];
    const has = (option: RegExp) => rest.some(word => option.test(word));
    const isInPlace = /^(?:sed|yq)$/.test(name) && has(/^(?:-\w*i|--in-?place)/);
    if (/^(?:black|rustfmt|isort)$/.test(name) && has(dry)) return true;
    if (name === "dd") this.all(optionValue(rest, /^of=/)?.split("\n") ?? [], place);
    else if (isInPlace || (removing.test(name) && !copying.test(name))) this.all(given, place, true);
    // They may start programs: `sed 1e`, `!` of an editor.
    this.mayDoMore ||= /^e[dx]$/.test(name) || (isInPlace && given.some(word => /[ewW](?:$|\s)/.test(word)));
    if (!copying.test(name)) return isInPlace || removing.test(name);
    if (name === "rsync" && has(/^(?:-\w*n|--dry-run)/)) return true;
    const into = optionValue(rest, /^(?:-t|--target-directory(?:=.*)?)$/);
    const to = into ?? given.at(-1) ?? ".";
    const from = given.filter((word, at) => (into === undefined ? at < given.length - 1 : word !== into));
    for (const word of given) this.host(word, word.includes(":"));
    const at = joinPath(place.folder, to);
    const isLink = name === "ln" && has(/^-\w*s|^--sym/);
    // A hard link is another name of the same file.
    if (has(/^--remove-source/) || removing.test(name) || (name === "ln" && !isLink)) this.all(from, place);
    const isWhole = has(/^--delete/) || from.some(word => /[*$]|\/\.?$|^\.$/.test(word));
    this.change(at, isWhole);
    // The command itself may go through it.
    if (isLink) this.links[at] = this.placed(joinPath(folderOf(at), from[0] ?? ""));
    for (const word of from) {
      const [path, inside] = [joinPath(place.folder, word), joinPath(place.folder, `${to}/${fileName(word)}`)];
      this.change(inside, true);
      if (removing.test(name))
        for (const each of [at, inside]) this.moves.push({ from: this.placed(path), to: this.placed(each) });
    }
    return true;
  }

  /** Files with all in them. */
  private all(words: readonly string[], { folder }: TextPlace, isAim = false): void {
    this.mayDoMore ||= words.some(isOpen);
    for (const word of words) if (!isOpen(word)) this.change(joinPath(folder, word), true, isAim);
  }

  change(path: string, below: boolean, isAim = false): void {
    this.changes.push({ path: this.placed(path).replace(/^\/\*+$/, "/"), below, isAim });
  }

  act(words: readonly string[]): void {
    if (words.length > 0) this.acts.push(words.map(word => word.toLowerCase()));
  }

  host(word: string, isPlace = false, into = this.hosts): void {
    const host = hostIn(word, isPlace);
    if (host) into.add(host);
  }

  private placed(path: string): string {
    for (let folder = path; folder.length > 1; folder = folderOf(folder)) {
      const to = this.links[folder];
      if (to !== undefined) return to + path.slice(folder.length);
    }
    return path.replace(NOWHERE, "");
  }
}

/** A folder that is not known: paths in it are the ends of paths. */
export const NOWHERE = "/\u0000/";

const isInterpreter = (name: string) =>
  isProgram("runs", name) && !isProgram("shell", name) && !/^(?:source|\.|bun)$/.test(name);
/** Nothing but starting another one. */
const doesNothing = (name: string) => isProgram("wraps", name) || /^(?:command|trap|npx|pnpx|bunx|uvx)$/.test(name);
const startsOthers = (name: string) =>
  doesNothing(name) || raising.test(name) || isProgram("starts", name) || isProgram("elsewhere", name);
