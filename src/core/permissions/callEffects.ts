/**
 * What a call would change, start and reach, as far as its text and the scripts that it starts tell. Only compared with what was
 * refused (denials.ts): it tells too much rather than too little, and `mayDoMore` where it cannot tell.
 */
import { parseJson } from "../../shared/isObject";
import { fileName, joinPath } from "../../shared/paths";
import { keywords, segments } from "./effects";
import { readCommand } from "./plain/commandReading";
import { gitDoing, recipeOf } from "./plain/doings";
import { isProgram, programName } from "./plain/programKinds";
import { readProgram } from "./plain/programs";

/** `path`: absolute, small letters, `*` in it as a shell has it; of a foreign tool's input also the end of one. */
interface FileChange {
  path: string;
  /** all that lies in it too: it is removed, replaced or emptied */
  below: boolean;
  /** only files with such a name, of a search */
  names?: string | undefined;
}

/** What is done, then each word that matters: `git push`, `main`. `isGuess`: any word of a text that may be a program. */
export interface StartedAct {
  words: readonly string[];
  isGuess: boolean;
}

export interface CallEffects {
  changes: FileChange[];
  reads: string[];
  acts: StartedAct[];
  hosts: Set<string>;
  /** It starts something of which nothing is known. */
  mayDoMore: boolean;
}

/** Where a text runs. */
interface TextPlace {
  folder: string;
  /** how deep scripts have started scripts */
  depth: number;
  /** words of the whole text, which may be what a variable or a pipe brings to a program */
  around: readonly string[];
  /** A program reads what others print: their words may be commands. */
  runsPrinted: boolean;
  isGuess: boolean;
}

const MAX_DEPTH = 6;
const [MAX_INNER, MAX_TOKENS] = [40, 400];

/** Words that are not options. A value that an option takes is one too: which do is not known. */
const operands = (words: readonly string[]) => {
  const end = words.indexOf("--");
  return words.filter((word, at) => word !== "" && ((end >= 0 && at > end) || !word.startsWith("-")));
};
const valueOf = (words: readonly string[], option: RegExp): string | undefined => {
  const at = words.findIndex(word => option.test(word));
  return at < 0 ? undefined : (/=(.*)/s.exec(words[at] ?? "")?.[1] ?? words[at + 1]);
};
const isOpen = (word: string) => /[$`]/.test(word);

const removing =
  /^(?:rm|rmdir|unlink|shred|rimraf|trash|trash-put|srm|del|erase|truncate|tee|sponge|chmod|chown|chgrp|black|rustfmt|isort|ed|ex)$/;
const copying = /^(?:cp|copy|rsync|scp|install|ln|ditto|robocopy|xcopy)$/;
const quiet =
  /^(?:touch|mkdir|true|false|exit|export|set|unset|local|declare|read|trap|wait|shift|return|:|\[\[|cd|pushd|popd|alias)$/;
const raises = /^(?:sudo|doas|su|pkexec|runas|run0)$/;
const packs = /^(?:npm|pnpm|yarn|bun)$/;
const dry = /^--(?:dry-run|help|version|check|whatif)\b/;
/** In code of other languages: it may write, remove or start something. */
const writing =
  /write|unlink|remove|delet|\brm|rmtree|rmdir|renam|\bmove|trunc|copy|system|exec|spawn|popen|subprocess|shutil|['"][awx]b?\+?['"]|output|save|dump|touch|mkdir|chmod/i;
/** Words behind a program's command that only say what kind of thing it is about. */
const nouns = new Set(
  "run image container volume network system builder compose pod pods deployment deployments deploy svc service services job jobs namespace secret secrets configmap node nodes pr release repo issue workflow s3 s3api ec2 iam storage compute instances vm group app apps db database migrate stack user role".split(
    " ",
  ),
);
const withVerbs = new Set(
  "docker podman kubectl gh aws gcloud az terraform pulumi systemctl service netlify wrangler supabase prisma rails artisan ollama vercel firebase fly flyctl heroku".split(
    " ",
  ),
);
const sameNames: Readonly<Record<string, string>> = {
  ...{ pnpm: "npm", yarn: "npm", bun: "npm", pip3: "pip", uv: "pip", pipx: "pip", poetry: "pip", podman: "docker" },
  ...{ "apt-get": "apt", aptitude: "apt", pkill: "kill", killall: "kill", halt: "shutdown", poweroff: "shutdown" },
  ...{ reboot: "shutdown", gmake: "make", doas: "sudo", pkexec: "sudo", su: "sudo", yum: "dnf", service: "systemctl" },
};
const sameVerbs: Readonly<Record<string, string>> = {
  i: "install",
  add: "install",
  ci: "install",
  in: "install",
  un: "uninstall",
};

/** What is done and the words that matter: no options, and of packages no versions. */
function actOf(words: readonly string[]): string[] {
  const name = programName(words[0] ?? "");
  const given = operands(words.slice(1)).filter(word => word !== "pip" || name !== "uv");
  const head = [sameNames[name] ?? name];
  if (isProgram("verbs", name) || withVerbs.has(name))
    for (let first = true; given.length > 0 && (first || nouns.has(given[0] ?? "")); first = false)
      head.push(sameVerbs[given[0] ?? ""] ?? given[0] ?? "") && given.shift();
  return [
    head.join(" "),
    ...given.map(word => word.replace(/(?<=[\w-])(?:@|==|>=|~=)[\w.^~*-]+$/, "").replace(/\/$/, "")),
  ];
}

const HOST = /(?:[a-z][\w+.-]{1,20}:\/\/(?:[^\s/@'"]{1,200}@)?|^[\w.-]{1,60}@)([\w.-]+)/i;
const sameHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^(?:127\.0\.0\.1|0\.0\.0\.0)$/, "localhost")
    .replace(/^www\./, "");
/** @param isPlace a word may be a machine without more: `ssh web-1` */
export function hostIn(word: string, isPlace = false): string | undefined {
  const host =
    HOST.exec(word)?.[1] ?? (isPlace ? /^([\w-]+(?:\.[\w-]+)*)(?::(?!\/\/).*|\/.*)?$/.exec(word)?.[1] : undefined);
  return host && sameHost(host);
}

export class EffectReader {
  readonly effects: CallEffects = { changes: [], reads: [], acts: [], hosts: new Set(), mayDoMore: false };

  /** @param scripts texts by their paths @param links where a path that is a link leads */
  constructor(
    private readonly scripts: ReadonlyMap<string, string>,
    private readonly links: Readonly<Record<string, string>>,
  ) {}

  /** A command line, or a script of a shell. */
  text(text: string, folder: string, { depth = 0, isGuess = false } = {}): void {
    if (depth > MAX_DEPTH) return void (this.effects.mayDoMore = true);
    const reading = readCommand(text.replace(/^#!.*/, ""), folder);
    const { unread } = reading;
    for (const { paths } of reading.parts.flatMap(({ files }) => files).filter(({ writes }) => writes))
      for (const path of paths ?? []) this.change(path, true);
    const commands =
      unread === undefined
        ? reading.parts.map(({ words, folders }) => ({ words, folders }))
        : segments(unread.replace(/\$\{?PWD\b\}?/g, folder).replace(/\$\{?HOME\b\}?/g, "~")).map(words => ({
            words,
            folders: undefined,
          }));
    const around = commands.flatMap(({ words }) => words);
    const names = commands.map(({ words }) => words);
    const runsPrinted = names.some(words => isStdin(words));
    let now = folder;
    for (const { words, folders } of commands) {
      for (const each of folders ?? [now]) this.program(words, { folder: each, depth, around, runsPrinted, isGuess });
      if (/^(?:cd|pushd)$/.test(words[0] ?? "")) now = joinPath(now, operands(words.slice(1))[0] ?? "~");
    }
    // In the quotes of a command that is not read there may be code.
    if (unread !== undefined && names.some(([name = ""]) => isInterpreter(programName(name)))) this.code(text, folder);
  }

  private program(all: readonly string[], place: TextPlace): void {
    const at = all.findIndex(word => !keywords.has(word) && !/^[A-Za-z_]\w*=/.test(word));
    const [first = "", ...rest] = at < 0 ? [] : all.slice(at);
    const words = [first, ...rest];
    const name = programName(first);
    if (first === "" || quiet.test(name)) return;
    if (/^(?:echo|printf)$/.test(name) && place.runsPrinted)
      return this.text(rest.join(" "), place.folder, { depth: place.depth + 1 });
    if (!("why" in readProgram(words, false))) return this.read(words, place);
    const { effects } = this;
    if (rest.some(word => dry.test(word))) return;
    if (raises.test(name)) this.act(["sudo"], place);
    if (isProgram("shell", name) || /^(?:source|\.)$/.test(name)) return this.shell(words, place);
    if (isInterpreter(name)) return this.interpreter(words, place);
    if (packs.test(name)) return this.packages(words, place);
    if (/^g?make$|^just$|^task$/.test(name)) return this.make(words, place);
    if (name === "find" || name === "fd") return this.find(words, place);
    if (name === "git") return this.git(words, place);
    if (this.files(name, rest, place)) return;
    if (isProgram("fetches", name) && !withVerbs.has(name)) return this.fetch(words, place);
    if (first.includes("/") && this.script(first, place))
      return this.act([`run ${joinPath(place.folder, first)}`, ...operands(rest)], place);
    const isWrapper = isProgram("wraps", name) || name === "command";
    if (!isWrapper && !raises.test(name)) this.act(actOf(words), place);
    if (isWrapper || isProgram("starts", name) || isProgram("elsewhere", name)) return this.inner(name, rest, place);
    effects.mayDoMore = true;
    if (rest.some(word => /^--(?:write|fix|in-?place|apply)\b/.test(word))) this.all(operands(rest), place);
    // A program that is not known may start one that its words name.
    rest.slice(0, MAX_INNER).forEach((_, index) => this.act(actOf(rest.slice(index)), { ...place, isGuess: true }));
  }

  /** The program that another one starts: the first word that is one, and perhaps any other. */
  private inner(name: string, rest: readonly string[], place: TextPlace): void {
    const isXargs = /^(?:xargs|parallel)$/.test(name);
    const words = rest.slice(0, MAX_INNER);
    const start = words.findIndex(word => /^[^-\d]/.test(word) && !/^\w+=/.test(word));
    const inside = isXargs
      ? { ...place, around: [...place.around, ...(place.around.some(word => /[/*]|^\./.test(word)) ? [] : ["."])] }
      : place;
    words.forEach((word, index) => {
      if (/\s/.test(word)) this.text(word, place.folder, { depth: place.depth + 1 });
      else if (index >= start && start >= 0 && (index === start || isKnown(word)))
        this.program([...rest.slice(index), ...(isXargs ? ["$"] : [])], {
          ...inside,
          isGuess: place.isGuess || index > start,
          depth: place.depth + 1,
        });
    });
  }

  private fetch([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const name = programName(first);
    const given = operands(rest);
    const before = this.effects.hosts.size;
    const machine = /^(?:ssh|sftp|nc|ncat|telnet)$/.test(name) ? given.find(word => /^[a-z]/i.test(word)) : undefined;
    for (const word of rest)
      this.host(word, word === machine || (/\.[a-z]|^localhost/i.test(word) && !word.startsWith("-")));
    const output = valueOf(rest, /^(?:-[oO]|--output(?:-document)?(?:=.*)?)$/);
    if (output) this.change(joinPath(place.folder, output), true);
    if (name === "ssh") return this.inner(name, rest.slice(rest.indexOf(machine ?? "") + 1), place);
    if (this.effects.hosts.size === before) this.act(actOf([first, ...rest]), place);
  }

  private read(words: readonly string[], { folder }: TextPlace): void {
    this.effects.reads.push(...operands(words.slice(1)).map(word => this.placed(joinPath(folder, word))));
  }

  private shell([, ...rest]: readonly string[], place: TextPlace): void {
    const flag = rest.findIndex(word => /^-\w*c$/.test(word));
    if (flag >= 0) {
      const [code = "", ...more] = rest.slice(flag + 1);
      if (/\s/.test(code)) return this.text(code, place.folder, { depth: place.depth + 1 });
      return this.program([code, ...more], place);
    }
    const [file, ...given] = operands(rest);
    if (file === undefined) return void (this.effects.mayDoMore = true);
    this.script(file, place);
    this.act([`run ${joinPath(place.folder, file)}`, ...given], place);
  }

  private interpreter([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const name = programName(first);
    this.effects.mayDoMore = true;
    const flag = rest.findIndex(word => /^-[cemprE]{1,3}$|^--(?:eval|print)|^eval$/.test(word));
    const module = rest.indexOf("-m");
    if (name === "python" && module >= 0) return this.program(rest.slice(module + 1), place);
    const inPlace = rest.some(word => /^-\w*i/.test(word)) && /^(?:perl|ruby)$/.test(name);
    if (inPlace) this.all(operands(rest), place);
    if (flag >= 0) {
      this.code(rest.slice(flag + 1).join(" "), place.folder);
      return this.act(
        [
          name,
          rest
            .slice(flag + 1)
            .join(" ")
            .replace(/\s+/g, " "),
        ],
        place,
      );
    }
    const [file, ...given] = operands(rest).filter(word => word !== "run");
    if (file === undefined) return;
    this.script(file, place);
    this.act([`run ${joinPath(place.folder, file)}`, ...given], place);
  }

  /** @returns false: its text is not known */
  private script(file: string, { folder, depth }: TextPlace): boolean {
    const path = joinPath(folder, file);
    const text = this.scripts.get(path);
    if (text === undefined) {
      this.effects.mayDoMore = true;
      return false;
    }
    if (/\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua)$/i.test(path) || /^#!.*(?:python|node|ruby|perl|php)/.test(text)) {
      this.effects.mayDoMore = true;
      this.code(text, folder);
    } else this.text(text, folder, { depth: depth + 1 });
    return true;
  }

  /** Another language: each word in it may be a file, or a program with the next ones. */
  code(text: string, folder: string): void {
    this.effects.mayDoMore = true;
    const tokens = text
      .split(/[\s'"`,;()[\]{}<>=+|&\\]+/)
      .filter(Boolean)
      .slice(0, MAX_TOKENS);
    const writes = writing.test(text);
    for (const [at, token] of tokens.entries()) {
      const path = joinPath(folder, token);
      if (writes && !/^\.{0,2}\/?$/.test(token)) this.change(path, true);
      this.effects.reads.push(this.placed(path));
      this.host(token);
      if (/^[\w./-]+$/.test(token) && isKnown(token)) this.started(tokens.slice(at, at + MAX_INNER), folder);
    }
  }

  /** Words in code that may be a command. */
  private started(words: readonly string[], folder: string): void {
    const place = { folder, depth: MAX_DEPTH, around: [], runsPrinted: false, isGuess: true };
    if (programName(words[0] ?? "") === "git") this.git(words, place);
    else this.act(actOf(words), place);
  }

  private packages([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const [verb = "", ...given] = operands(rest);
    const folder = joinPath(place.folder, valueOf(rest, /^(?:--prefix|--cwd|-C|--dir)(?:=.*)?$/) ?? ".");
    const scripts = parseJson(this.scripts.get(`${folder}/package.json`) ?? "{}") as
      | Record<string, unknown>
      | undefined;
    const isRun = /^(?:run|run-script|rum)$/.test(verb);
    const name = isRun ? (given[0] ?? "") : verb === "t" ? "test" : verb;
    const isScript =
      isRun ||
      /^(?:test|start|stop|restart)$/.test(name) ||
      (/^(?:yarn|pnpm|bun)$/.test(first) && scripts?.[name] !== undefined);
    if (/^(?:exec|x|dlx)$/.test(verb)) return this.inner("npx", given, place);
    this.effects.mayDoMore = true;
    if (!isScript) return this.act(actOf([first, verb || "install", ...given]), place);
    this.act(["npm run", name], place);
    for (const each of [`pre${name}`, name, `post${name}`]) {
      const text = scripts?.[each];
      if (typeof text === "string") this.text(text, folder, { depth: place.depth + 1 });
    }
  }

  private make([first = "", ...rest]: readonly string[], place: TextPlace): void {
    if (rest.includes("-n")) return;
    const folder = joinPath(place.folder, valueOf(rest, /^(?:-C|--directory)(?:=.*)?$/) ?? ".");
    const targets = operands(rest).filter(
      word => !word.includes("=") && !rest.some((each, at) => each === "-C" && rest[at + 1] === word),
    );
    this.act([programName(first), ...targets], place);
    const found = ["Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile"].find(name =>
      this.scripts.has(`${folder}/${name}`),
    );
    const text = found && this.scripts.get(`${folder}/${found}`);
    if (!text) return void (this.effects.mayDoMore = true);
    for (const target of targets.length > 0 ? targets : [""])
      this.text(recipeOf(text, target), folder, { depth: place.depth + 1 });
  }

  private find([first = "", ...rest]: readonly string[], place: TextPlace): void {
    const end = rest.findIndex(word => /^[-(!]/.test(word));
    const paths = first.endsWith("fd") ? ["."] : rest.slice(0, end < 0 ? undefined : end);
    const starts = rest.findIndex(word => /^-(?:exec|ok)(?:dir)?$|^-[xX]$|^--exec/.test(word));
    const names = valueOf(rest, /^-i?name$/);
    const inner = starts < 0 ? [] : rest.slice(starts + 1).filter(word => !/^(?:\{\}|\+|;)$/.test(word));
    const isReading = inner.length > 0 && !("why" in readProgram(inner, false));
    if (!rest.includes("-delete") && (inner.length === 0 || isReading)) return;
    for (const path of paths.length > 0 ? paths : ["."]) this.change(joinPath(place.folder, path), true, names);
    if (inner.length > 0) this.inner("xargs", inner, { ...place, around: [] });
  }

  private git(words: readonly string[], place: TextPlace): void {
    const git = gitDoing(words);
    const folder = git.folder === undefined ? place.folder : joinPath(place.folder, git.folder);
    if (git.mayDoMore) this.effects.mayDoMore = true;
    if (git.act) this.act(git.act, place);
    for (const path of git.changes) this.change(path === "/" ? "/" : joinPath(folder, path), true);
    // `git rebase --exec`, `git bisect run`, `git submodule foreach`, `git -c alias.x=!…`
    if (git.starts.length > 0) this.inner("xargs", git.starts, { ...place, around: [] });
  }

  /** @returns false: it is no program of which it is known which files it changes */
  private files(name: string, rest: readonly string[], place: TextPlace): boolean {
    const named = operands(rest);
    const given = named.length > 0 ? named : ["$"];
    const into = valueOf(rest, /^(?:-t|--target-directory(?:=.*)?)$/);
    if (removing.test(name) || (/^(?:sed|yq)$/.test(name) && rest.some(word => /^(?:-\w*i|--in-?place)/.test(word))))
      this.all(given, place);
    else if (name === "dd")
      this.all(
        rest.filter(word => word.startsWith("of=")).map(word => word.slice(3)),
        place,
      );
    else if (copying.test(name) || name === "mv" || name === "move") {
      const to = into ?? given.at(-1) ?? ".";
      const from = into === undefined ? given.slice(0, -1) : given.filter(word => word !== into);
      const isWhole = rest.some(word => /^--delete/.test(word)) || from.some(word => /[*$]|\/\.?$|^\.$/.test(word));
      if (to.includes(":") && hostIn(to, true)) this.host(to, true);
      for (const word of from) if (word.includes(":")) this.host(word, true);
      if (/^(?:mv|move)$/.test(name) || (name === "ln" && !rest.some(word => /^-\w*s|^--sym/.test(word))))
        this.all(from, place);
      if (rest.includes("--remove-source-files")) this.all(from, place);
      if (isWhole) return this.all([to], place), true;
      this.change(joinPath(place.folder, to), false);
      for (const word of from) this.change(joinPath(place.folder, `${to}/${fileName(word)}`), true);
    } else return false;
    return true;
  }

  /** Files that are changed, with all in them. One that is only known when it runs may be any that the text names. */
  private all(words: readonly string[], { folder, around }: TextPlace): void {
    for (const word of words) if (!isOpen(word)) this.change(joinPath(folder, word), true);
    if (!words.some(isOpen)) return;
    const names = valueOf(around, /^-i?name$/);
    const values = around
      .map(word => word.replace(/^\w+=/, ""))
      .filter(word => !word.startsWith("-") && word !== names && !isOpen(word));
    for (const word of values) for (const path of [word, `./${word}`]) this.change(joinPath(folder, path), true, names);
    this.effects.mayDoMore = true;
  }

  change(path: string, below: boolean, names?: string): void {
    this.effects.changes.push({ path: this.placed(path), below, ...(names && { names }) });
  }

  private act(words: readonly string[], { isGuess }: Pick<TextPlace, "isGuess">): void {
    this.effects.acts.push({ words: words.map(word => word.toLowerCase()), isGuess });
  }

  host(word: string, isPlace = false): void {
    const host = hostIn(word, isPlace);
    if (host) this.effects.hosts.add(host);
  }

  /** Of a tool's input: a path, or the end of one. */
  changeEnd(path: string): void {
    this.effects.changes.push({ path: path.replace(/\/$/, "").toLowerCase(), below: true });
  }

  /** A foreign tool with what it is given. */
  tool(name: string, values: readonly string[]): void {
    this.act([`tool ${name}`, ...values], { isGuess: false });
  }

  private placed(path: string): string {
    for (let folder = path; folder.length > 1; folder = folder.slice(0, folder.lastIndexOf("/"))) {
      const to = this.links[folder];
      if (to !== undefined) return (to + path.slice(folder.length)).toLowerCase();
    }
    return path.toLowerCase().replace(NOWHERE, "");
  }
}

/** A folder that is not known: paths in it are the ends of paths. */
export const NOWHERE = "/\u0000/";

const isInterpreter = (name: string) =>
  isProgram("runs", name) && !isProgram("shell", name) && !/^(?:source|\.|bun)$/.test(name);
/** It runs what comes in. */
const isStdin = ([first = "", ...rest]: readonly string[]) =>
  isProgram("shell", programName(first)) && (rest.length === 0 || rest.includes("-s"));
const isKnown = (word: string) =>
  /^[\w./-]+$/.test(word) &&
  (programName(word) === "git" ||
    removing.test(programName(word)) ||
    copying.test(programName(word)) ||
    (["wraps", "starts", "shell", "fetches", "verbs", "narrow", "runs", "changes", "elsewhere"] as const).some(trait =>
      isProgram(trait, programName(word)),
    ));
