/** What shells make of command lines: each program that they start is written down with its words, and does nothing. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Shell {
  name: string;
  program: string;
  args: readonly string[];
  /** it has a way to its own `printf` besides `command`, and functions of any name */
  hasBuiltin: boolean;
  /** options make it expand more than by itself */
  expandsMore: boolean;
}

const all: readonly (readonly [program: string, ...args: string[]])[] = [
  ["bash"],
  ["bash", "-k", "-O", "extglob", "-O", "nullglob", "-O", "dotglob", "-O", "globstar"],
  ["bash", "--posix"],
  ["dash"],
  ["busybox", "sh"],
  ["zsh", "-f"],
  [
    "zsh",
    "-f",
    ..."EXTENDED_GLOB MAGIC_EQUAL_SUBST RC_QUOTES BRACE_CCL KSH_GLOB NULL_GLOB GLOB_DOTS INTERACTIVE_COMMENTS BANG_HIST AUTO_CD GLOB_SUBST SH_WORD_SPLIT CSH_JUNKIE_QUOTES CDABLE_VARS PATH_DIRS"
      .split(" ")
      .flatMap(option => ["-o", option]),
  ],
];

/** Those that are here. */
export const shells = (): Shell[] =>
  all.flatMap(([name, ...args]) => {
    const program = ["/bin", "/usr/bin", "/opt/homebrew/bin"].map(folder => join(folder, name)).find(existsSync);
    const about = { hasBuiltin: /^(?:bash|zsh)$/.test(name) && args[0] !== "--posix", expandsMore: args.length > 4 };
    return program ? [{ name: [name, ...args.slice(0, 2)].join(" "), program, args, ...about }] : [];
  });

/** Words that no function can be named, or that this needs itself. */
const taken = new Set(
  "rec command builtin printf eval exec exit return break continue export readonly local typeset declare integer float set unset shift times trap let source alias if then else elif fi for foreach while until do done case esac in function select time coproc end repeat nocorrect noglob always".split(
    " ",
  ),
);

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A shell that reads commands where nothing is found but functions that write down how they were called. */
export class Recorder {
  private readonly log: string;
  private readonly place: string;
  private readonly empty: string;
  private readonly before: string;

  /** @param folder an empty one of its own */
  constructor(private readonly folder: string) {
    this.log = join(folder, "log");
    this.place = join(folder, "place");
    this.empty = join(folder, "empty");
    mkdirSync(this.place);
    mkdirSync(this.empty);
    for (const name of ["-rf", "*", "$(touch x)", "`touch x`", "a b", "HEAD", "~", "=ls", "--x", "a=b", "ls", "#", "'"])
      writeFileSync(join(this.place, name), "");
    this.before = this.names();
  }

  private names(): string {
    return [...readdirSync(this.place), ...readdirSync(this.empty)].sort().join("\n");
  }

  /**
   * @param status with which each program ends
   * @param asLines the commands stand in a script as they are, else each is evaluated
   * @returns the programs of each command with their words; what was said beside, or changed
   */
  run(shell: Shell, commands: readonly string[], status: number, asLines: boolean) {
    const { record, names } = recording(shell, commands);
    const functions = names.map(name => `${name}() { rec '${name}' "$@"; return ${status}; }\n`);
    const lines = commands.map((each, at) => `rec '#' ${at}\n${asLines ? each : `eval ${quote(each)}`}\n`);
    const script = join(this.folder, "script");
    // The functions first, so that theirs are the names in all that follows.
    writeFileSync(script, `rec() { ${record} '%s\\0' "$#" "$@" >>"$LOG"; }\n${functions.join("")}${lines.join("")}`);
    writeFileSync(this.log, "");
    const env = { PATH: this.empty, LOG: this.log, LC_ALL: asLines ? "C.UTF-8" : "C", HOME: this.place };
    const { stderr, stdout, error } = spawnSync(shell.program, [...shell.args, script], {
      ...{ cwd: this.place, env, encoding: "utf8", input: "", timeout: 120_000 },
    });
    const changed = this.names() === this.before ? "" : `files: ${this.names()}`;
    return { started: this.read(commands.length), beside: `${error ?? ""}${stderr}${stdout}${changed}` };
  }

  private read(count: number): string[][][] {
    const fields = readFileSync(this.log, "utf8").split("\0");
    const started: string[][][] = Array.from({ length: count }, () => []);
    let command: string[][] | undefined;
    for (let at = 0; at + 1 < fields.length; ) {
      const words = Number(fields[at]);
      const call = fields.slice(at + 1, at + 1 + words);
      at += 1 + words;
      if (call[0] === "#") command = started[Number(call[1])];
      else command?.push(call);
    }
    return started;
  }
}

/** Each word that could be a program is a function, so that none is started unseen; what the shell has itself is, too. */
function recording({ hasBuiltin }: Shell, commands: readonly string[]) {
  const words = new Set(commands.flatMap(command => command.match(/[A-Za-z_]\w*|^\[(?= )|(?<=[ |&;])\[(?= )/g) ?? []));
  return {
    record: hasBuiltin ? "builtin printf" : "command printf",
    names: [...words].filter(
      word =>
        (!taken.has(word) && (hasBuiltin || word !== "[")) || word === "printf" || (hasBuiltin && word === "command"),
    ),
  };
}
