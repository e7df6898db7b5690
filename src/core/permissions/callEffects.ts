/**
 * What a call would change, start and reach, as far as its text and the scripts that it starts tell: compared with what was refused
 * (denials.ts), so it tells too much rather than too little.
 */
import { isObject, parseJson } from "../../shared/isObject";
import { fileName, joinPath, normalPath } from "../../shared/paths";
import { keywords, segments } from "./effects";
import { readCommand } from "./plain/commandReading";
import { gitDoing, recipeOf } from "./plain/doings";
import { isProgram, programName } from "./plain/programKinds";
import { readProgram } from "./plain/programs";

interface FileChange {
  /** absolute, perhaps a pattern; of a foreign tool's input also the end of a path */
  path: string;
  /** all that lies in it too: it is removed, replaced or emptied */
  below: boolean;
  /** only files with such a name */
  names?: string | undefined;
}

/** What is done, then each word that matters. `isGuess`: words of a text that may be a program. */
export interface StartedAct {
  words: readonly string[];
  isGuess: boolean;
}

interface TextPlace {
  folder: string;
  /** words of the whole text, which may be what a variable or a pipe brings to a program */
  around: readonly string[];
  /** A program reads what others print: their words may be commands. */
  runsPrinted: boolean;
  isGuess: boolean;
}

const [MAX_DEPTH, MAX_INNER, MAX_TOKENS] = [6, 40, 400];

const removing =
  /^(?:rm|rmdir|unlink|shred|rimraf|trash|trash-put|srm|del|erase|truncate|tee|sponge|chmod|chown|chgrp|black|rustfmt|isort|ed|ex|dd|mv|move)$/;
const copying = /^(?:cp|copy|rsync|scp|install|ln|ditto|robocopy|xcopy|mv|move)$/;
const ownOfShell =
  /^(?:touch|mkdir|true|false|exit|export|set|unset|local|declare|read|trap|wait|shift|return|:|\[\[|cd|pushd|popd|alias)$/;
const raises = /^(?:sudo|doas|su|pkexec|runas|run0)$/;
/** Like Git they do what their words say. */
const withVerbs =
  /^(?:docker|podman|kubectl|gh|aws|gcloud|az|terraform|pulumi|systemctl|service|netlify|wrangler|supabase|heroku|fly|flyctl|vercel|firebase|helm|apt|apt-get|aptitude|brew|dnf|yum|apk|pacman|npm|pnpm|yarn|bun|pip|pip3|uv|pipx|gem|git)$/;
const known =
  /^(?:tsc|eslint|biome|prettier|ruff|mypy|pyright|flake8|stylelint|shellcheck|gcc|g\+\+|clang|javac|rustc|kill|killall|pkill|shutdown|reboot|mount|umount|open|xdg-open|tar|zip|gzip|docker-compose|sqlite3|psql|mysql|redis-cli|dropdb|createdb)$/;
const dry = /^--(?:dry-?run|help|version|check|whatif)\b/i;
/** In code: it may write, remove or start something. */
const writing =
  /write|unlink|remove|delet|\brm|rmtree|rmdir|renam|\bmove|trunc|copy|system|exec|spawn|popen|subprocess|shutil|['"][awx]b?\+?['"]|output|save|dump|touch|mkdir|chmod/i;
/** They only say what kind of thing a verb is about. */
const nouns =
  /^(?:run|image|container|volume|network|system|builder|compose|pods?|deployments?|svc|services?|jobs?|namespace|secrets?|configmap|nodes?|pr|release|repo|issue|workflow|s3|s3api|ec2|iam|storage|compute|instances|vm|group|app|apps|db|database|migrate|stack|user|role)$/;
/** Options that say where, with a value. */
const valued =
  /^(?:-[nHRCf]|--(?:namespace|context|profile|project|region|repo|host|prefix|filter|dir|config|cluster|kubeconfig|file|workspace|cwd|registry))$/;
const sameNames: Readonly<Record<string, string>> = {
  ...{ pnpm: "npm", yarn: "npm", bun: "npm", pip3: "pip", uv: "pip", pipx: "pip", podman: "docker", "apt-get": "apt" },
  ...{ pkill: "kill", killall: "kill", halt: "shutdown", poweroff: "shutdown", reboot: "shutdown", yum: "dnf" },
};
const sameVerbs: Readonly<Record<string, string>> = { i: "install", add: "install", ci: "install" };

function operands(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  return words.filter((word, at) => word !== "" && ((end >= 0 && at > end) || !word.startsWith("-")));
}
function optionValue(words: readonly string[], option: RegExp): string | undefined {
  const at = words.findIndex(word => option.test(word));
  return at < 0 ? undefined : (/=(.*)/s.exec(words[at] ?? "")?.[1] ?? words[at + 1]);
}
const isOpen = (word: string) => /[$`]/.test(word);

/** No options, of packages no versions, and one name for programs that do the same. */
function actOf([first = "", ...rest]: readonly string[]): string[] {
  const name = programName(first);
  if (name === "git") return gitDoing([first, ...rest]).act ?? [];
  const hasVerbs = isProgram("verbs", name) || withVerbs.test(name);
  let at = 0;
  while (hasVerbs && rest[at]?.startsWith("-")) at += valued.test(rest[at] ?? "") ? 2 : 1;
  const given = operands(rest.slice(at)).filter(word => name !== "uv" || word !== "pip");
  const end = hasVerbs ? given.findIndex((word, index) => index > 0 && !nouns.test(word)) : 0;
  const verbs = given.splice(0, end < 0 ? given.length : end).map(word => sameVerbs[word] ?? word);
  const plain = (word: string) => word.replace(/([\w-])(?:@|==|>=|~=)[\w.^~*-]+$/, "$1").replace(/^\.\/|\/$/g, "");
  return [[sameNames[name] ?? name, ...verbs].join(" "), ...given.map(plain)];
}

/** @param isPlace without an address around it the word may be a machine: `ssh web-1` */
function hostIn(word: string, isPlace: boolean): string | undefined {
  const address = /(?:[a-z][\w+.-]{1,20}:\/\/(?:[^\s/@'"]{1,200}@)?|^[\w.-]{1,60}@)([\w.-]+)/i.exec(word);
  const found = address ?? (isPlace ? /^([a-z][\w.-]*)(?::(?!\/\/).*|\/.*)?$/i.exec(word) : undefined);
  const host = found?.[1]?.toLowerCase().replace(/^www\./, "");
  return /^(?:127\.0\.0\.1|0\.0\.0\.0)$/.test(host ?? "") ? "localhost" : host;
}

export class EffectReader {
  readonly changes: FileChange[] = [];
  readonly reads: string[] = [];
  readonly acts: StartedAct[] = [];
  readonly hosts = new Set<string>();
  /** It starts something of which nothing is known; it changes files that nothing names. */
  mayDoMore = false;
  changesOthers = false;
  private depth = 0;
  private readonly scripts: ReadonlyMap<string, string>;

  /** @param links where a path that is a link leads */
  constructor({ scripts = "", links = {} }: { scripts?: string; links?: Readonly<Record<string, string>> }) {
    this.links = links;
    const texts = scripts.split("\0\0").map(each => each.split("\0"));
    this.scripts = new Map(texts.map(([path = "", text = ""]) => [normalPath(path), text]));
  }
  private readonly links: Readonly<Record<string, string>>;

  /** A command line, or a script of a shell. */
  text(text: string, folder: string, isGuess = false): void {
    if (this.depth >= MAX_DEPTH) this.mayDoMore = true;
    if (this.depth >= MAX_DEPTH) return;
    this.depth += 1;
    const { parts, unread } = readCommand(text.replace(/^#!.*/, ""), folder);
    for (const { writes, paths = [] } of parts.flatMap(({ files }) => files))
      if (writes) for (const path of paths) this.change(path, true);
    const plain = unread?.replace(/\$\{?PWD\b\}?/g, folder).replace(/\$\{?HOME\b\}?/g, "~");
    const commands = plain === undefined ? parts : segments(plain).map(words => ({ words, folders: undefined }));
    const around = commands.flatMap(({ words }) => words);
    const runsPrinted = commands.some(
      ({ words: [first = "", ...rest] }) =>
        isProgram("shell", programName(first)) && (rest.length === 0 || rest.includes("-s")),
    );
    let now = folder;
    for (const { words, folders = [now] } of commands) {
      for (const each of folders) this.program(words, { folder: each, around, runsPrinted, isGuess });
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
    if (first === "" || ownOfShell.test(name) || rest.some(word => dry.test(word))) return;
    if (place.runsPrinted && /^(?:echo|printf)$/.test(name)) this.text(rest.join(" "), place.folder);
    else if (!("why" in readProgram(words, false)))
      this.reads.push(...operands(rest).map(word => this.placed(joinPath(place.folder, word))));
    else if (name === "git") this.git(words, place);
    else if (isShell || isInterpreter(name)) this.script(words, isShell, place);
    else if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) this.packages(words, place);
    else if (/^(?:g?make|just|task)$/.test(name)) this.make(words, place);
    else if (/^(?:find|fd)$/.test(name)) this.find(words, place);
    else if (isProgram("fetches", name) && !withVerbs.test(name)) this.fetch(name, rest, place);
    else if (!this.files(name, rest, place)) this.other(words, place);
  }

  private other([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const name = programName(first);
    const isWrapper = isProgram("wraps", name) || name === "command";
    if (/^[^/].*\//.test(first)) this.file(first, operands(rest), place);
    else if (!isWrapper) this.act(raises.test(name) ? ["sudo"] : actOf([first, ...rest]), place);
    if (rest.some(word => /^--(?:write|fix|in-?place)\b/.test(word))) this.all(operands(rest), place);
    const starts = isWrapper || raises.test(name) || isProgram("starts", name) || isProgram("elsewhere", name);
    if (starts) this.inner(name, rest, place);
    if (starts || known.test(name) || withVerbs.test(name)) return;
    this.mayDoMore = true;
    // A program that is not known may start one that its words name.
    for (const index of rest.slice(0, MAX_INNER).keys()) this.act(actOf(rest.slice(index)), { isGuess: true });
  }

  /** The program that another one starts: its first word that may be one, and any other that is. */
  private inner(name: string, rest: readonly string[], place: TextPlace): void {
    const isFed = /^(?:xargs|parallel)$/.test(name);
    const around = place.around.some(word => /[/*]|^\./.test(word)) ? place.around : [...place.around, "."];
    const start = withVerbs.test(name) ? 0 : rest.findIndex(word => /^[^-\d]/.test(word) && !/^\w+=/.test(word));
    for (const [at, word] of rest.slice(0, MAX_INNER).entries()) {
      const words = [...rest.slice(at), ...(isFed ? ["$"] : [])];
      if (/\s/.test(word)) this.text(word, place.folder);
      else if ((at === start && !withVerbs.test(name)) || (at > start && start >= 0 && isKnown(word)))
        this.program(words, { ...place, ...(isFed && { around }), isGuess: place.isGuess || at > start });
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
    this.act([`run ${path}`, ...given], place);
    if (text === undefined) this.mayDoMore = true;
    else if (/\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua)$/i.test(path) || /^#!.*(?:python|node|ruby|perl|php)/.test(text))
      this.code(text, place.folder);
    else this.text(text, place.folder);
  }

  /** Of another language each word may be a file, or a program with those behind it. */
  private code(text: string, folder: string): void {
    this.mayDoMore = true;
    const tokens = text
      .split(/[\s'"`,;()[\]{}<>=+|&\\]+/)
      .filter(Boolean)
      .slice(0, MAX_TOKENS);
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
    const folder = joinPath(place.folder, optionValue(rest, /^(?:--prefix|--cwd|-C|--dir)(?:=.*)?$/) ?? ".");
    const json = parseJson(this.scripts.get(`${folder}/package.json`) ?? "");
    const scripts = isObject(json) ? json : {};
    const isRun = /^(?:run|run-script)$/.test(verb);
    const name = isRun ? (given[0] ?? "") : verb.replace(/^t$/, "test");
    const isScript = isRun || /^(?:test|start|stop|restart)$/.test(name) || (first !== "npm" && name in scripts);
    if (/^(?:exec|x|dlx)$/.test(verb)) this.inner("npx", given, place);
    else this.act(isScript ? ["npm run", name] : actOf([first, verb, ...given]), place);
    const texts = isScript ? [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]] : [];
    this.mayDoMore ||= isScript && typeof scripts[name] !== "string";
    for (const text of texts) if (typeof text === "string") this.text(text, folder);
  }

  private make([first = "", ...rest]: readonly string[], place: TextPlace): void {
    if (rest.includes("-n")) return;
    const inFolder = optionValue(rest, /^(?:-C|--directory)(?:=.*)?$/);
    const folder = joinPath(place.folder, inFolder ?? ".");
    const targets = operands(rest).filter(word => !word.includes("=") && word !== inFolder);
    this.act([programName(first).replace("gmake", "make"), ...targets], place);
    const file = TASKS.map(name => `${folder}/${name}`).find(path => this.scripts.has(path));
    if (file === undefined) this.mayDoMore = true;
    else
      for (const target of targets.length > 0 ? targets : [""])
        this.text(recipeOf(this.scripts.get(file) ?? "", target), folder);
  }

  private find([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const end = rest.findIndex(word => /^[-(!]/.test(word));
    const given = first.endsWith("fd") ? [] : rest.slice(0, end < 0 ? undefined : end);
    const starts = rest.findIndex(word => /^-(?:exec|ok)(?:dir)?$|^-[xX]$|^--exec/.test(word));
    const inner = starts < 0 ? [] : rest.slice(starts + 1).filter(word => !/^(?:\{\}|\+|;)$/.test(word));
    if (!rest.includes("-delete") && (inner.length === 0 || !("why" in readProgram(inner, false)))) return;
    for (const path of given.length > 0 ? given : ["."])
      this.change(joinPath(place.folder, path), true, optionValue(rest, /^-i?name$/));
    this.inner("find", inner, place);
  }

  private git(words: readonly string[], place: TextPlace): void {
    const { folder, act, changes, changesOthers = false, starts } = gitDoing(words);
    if (act) this.act(act, place);
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
    const output = optionValue(rest, /^(?:-[oO]|--output(?:-document)?(?:=.*)?)$/);
    if (output) this.change(joinPath(place.folder, output), true);
    if (this.hosts.size === before) this.act(actOf([name, ...rest]), place);
    if (machine && name === "ssh") this.inner(name, rest.slice(rest.indexOf(machine) + 1), place);
  }

  /** @returns false: it is not known which files it changes */
  private files(name: string, rest: readonly string[], place: TextPlace): boolean {
    const named = operands(rest);
    const given = named.length > 0 ? named : ["$"];
    const has = (option: RegExp) => rest.some(word => option.test(word));
    if (name === "dd")
      this.all(
        rest.flatMap(word => /^of=(.*)/s.exec(word)?.[1] ?? []),
        place,
      );
    else if (removing.test(name) || (/^(?:sed|yq)$/.test(name) && has(/^(?:-\w*i|--in-?place)/)))
      this.all(given, place);
    if (!copying.test(name)) return removing.test(name) || name === "sed";
    if (name === "rsync" && has(/^-\w*n/)) return true;
    const into = optionValue(rest, /^(?:-t|--target-directory(?:=.*)?)$/);
    const to = into ?? given.at(-1) ?? ".";
    const from = given.filter((word, at) => (into === undefined ? at < given.length - 1 : word !== into));
    for (const word of given) this.host(word, word.includes(":"));
    // A hard link is another name of the same file.
    if (has(/^--remove-source/) || (name === "ln" && !has(/^-\w*s|^--sym/))) this.all(from, place);
    const isWhole = has(/^--delete/) || from.some(word => /[*$]|\/\.?$|^\.$/.test(word));
    this.change(joinPath(place.folder, to), isWhole);
    for (const word of from) this.change(joinPath(place.folder, `${to}/${fileName(word)}`), true);
    return true;
  }

  /** Files with all in them. One that is only known when it runs may be any that the text names. */
  private all(words: readonly string[], { folder, around }: TextPlace): void {
    const names = optionValue(around, /^-i?name$/);
    const isAny = words.some(isOpen);
    const any = isAny
      ? around.map(word => word.replace(/^\w+=/, "")).filter(word => !word.startsWith("-") && word !== names)
      : [];
    for (const word of words) if (!isOpen(word)) this.change(joinPath(folder, word), true);
    for (const word of any)
      if (!isOpen(word)) for (const path of [word, `./${word}`]) this.change(joinPath(folder, path), true, names);
    this.mayDoMore ||= isAny;
  }

  change(path: string, below: boolean, names?: string): void {
    this.changes.push({ path: this.placed(path), below, names });
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
function isKnown(word: string): boolean {
  const name = /^[\w./-]+$/.test(word) ? programName(word) : "";
  const traits = ["wraps", "starts", "shell", "fetches", "verbs", "narrow", "runs", "changes", "elsewhere"] as const;
  return removing.test(name) || known.test(name) || traits.some(trait => isProgram(trait, name));
}
