/** Programs that start another one: what they start is what counts. */

import { t } from "../../../shared/l10n";
import { fileName } from "../../../shared/paths";
import { optionTable, readOptions as readKnown } from "../plain/getopt";
import { isProgram, programsThat } from "../plain/programKinds";
import type { SimpleCommand } from "./script";
import { changesWhatRuns, type ShellWord } from "./words";

interface WrappedCommands {
  /** what it starts, word by word */
  inner: SimpleCommand[];
  /** what it gives to a shell */
  scripts: string[];
  /** words that may be scripts: looked into for what is denied */
  guesses?: string[];
  /** why it cannot be told what runs, or what else it does: it is asked about */
  problem?: string;
  /** it runs something of its own, as any program */
  acts?: { why: string; risky: readonly string[] };
}

/** A word that is only known when it runs is taken for none: whoever asks has looked whether it may be one. */
const readOptions = (words: readonly ShellWord[], table: ReturnType<typeof optionTable>) =>
  readKnown(
    words.map(({ value }) => value ?? "unknown"),
    table,
  );

type Unwrap = (rest: readonly ShellWord[], command: SimpleCommand) => WrappedCommands;

const none: WrappedCommands = { inner: [], scripts: [] };

/** Options, then so many words of its own, then the command. */
function before(line: string, own = 0, problem?: string): Unwrap {
  const table = optionTable(line);
  return (rest, command) => {
    const at = endOfOptions(rest, table);
    if (at === undefined) return { ...anyEnd(rest, command), problem: problem ?? t("has an option that is not known") };
    return { ...started(rest.slice(at + own), command), ...(problem && { problem }) };
  };
}

/** words before the command: nobody gives a wrapper more */
const MAX_OPTIONS = 100;

/** Where the first word stands that is no option; undefined: an option is not known. */
function endOfOptions(rest: readonly ShellWord[], table: ReturnType<typeof optionTable>): number | undefined {
  for (let end = 0; end <= Math.min(rest.length, MAX_OPTIONS); end++) {
    const word = rest[end];
    if (word?.value === "--") return end + 1;
    if (word?.value?.startsWith("-") && word.value !== "-") continue;
    if (word !== undefined && word.value === undefined) return undefined;
    const read = readOptions(rest.slice(0, end), table);
    if ("unknown" in read) {
      if (word === undefined) return undefined;
      const further = readOptions(rest.slice(0, end + 1), table);
      if ("unknown" in further) return undefined;
      if (further.words.length === 0) continue;
    }
    return end;
  }
  return undefined;
}

const started = (words: readonly ShellWord[], command: SimpleCommand): WrappedCommands => ({
  inner: words.length > 0 ? [{ ...command, words, redirects: [] }] : [],
  scripts: [],
});

/** Each word may be the first of what is started: enough to find what is denied. */
const anyEnd = (rest: readonly ShellWord[], command: SimpleCommand): WrappedCommands => ({
  inner: rest.slice(0, 50).map((_, at) => ({ ...command, words: rest.slice(at), redirects: [] })),
  scripts: [],
  guesses: rest.slice(0, 50).flatMap(({ value = "" }) => {
    const [option] = /^-(?:-[\w-]+=|[A-Za-z0]+)/.exec(value) ?? [];
    const texts = option === undefined ? [value] : [value, value.slice(option.length), value.slice(2)];
    return texts.filter(text => /[\s"'\\;&|`$()<>]/.test(text));
  }),
});

const opaque =
  (problem: string): Unwrap =>
  (rest, command) => ({ ...anyEnd(rest, command), problem });

const env: Unwrap = (rest, command) => {
  const table = optionTable("-i0 -u: --ignore-environment --unset: --null");
  let at = 0;
  for (; at < rest.length; at++) {
    const value = rest[at]?.value;
    const isAssignment = value !== undefined && /^[A-Za-z_]\w*=/.test(value);
    if (isAssignment) {
      const problem = changesWhatRuns({ name: value.slice(0, value.indexOf("=")), index: undefined });
      if (problem) return { ...anyEnd(rest, command), problem };
    } else if (!value?.startsWith("-")) break;
    else if (
      "unknown" in readOptions([rest[at] as ShellWord, ...(rest[at + 1] ? [rest[at + 1] as ShellWord] : [])], table)
    )
      return { ...anyEnd(rest, command), problem: t("has an option of `env` that may change what runs") };
    else if (value === "-u" || value === "--unset") at += 1;
  }
  if (at === rest.length) return { ...none, problem: t("shows the environment") };
  return started(rest.slice(at), command);
};

/** It may run what it is given to read. */
const fed = ({ given }: SimpleCommand) => (given === undefined ? {} : { guesses: [...given] });

const shell: Unwrap = (rest, command) => {
  const end = rest.findIndex(({ value }) => value === undefined || !/^[-+]/.test(value) || value === "--");
  const options = end < 0 ? rest : rest.slice(0, end);
  const at = rest[end]?.value === "--" ? end + 1 : end;
  const hasCode = options.some(({ value }) => /^-[a-zA-Z]+$/.test(value ?? "") && value?.includes("c"));
  if (!options.every(({ value }) => /^-[celuxi]+$/.test(value ?? "")))
    return { ...anyEnd(rest, command), ...fed(command), problem: t("starts a shell with options") };
  const code = rest[at]?.value;
  if (!hasCode) {
    // Its own name has to stand in a rule: what else a shell may be given is not allowed with it.
    if (code === undefined || command.openEnded) return { ...none, ...fed(command), problem: t("starts a shell") };
    return { ...none, acts: { why: t("runs the script {0}, whatever it does", code), risky: [code] } };
  }
  return code === undefined
    ? { ...none, problem: t("runs a text that is only known when it runs") }
    : { inner: [], scripts: [code] };
};

const xargs: Unwrap = (rest, command) => {
  const plain = before(
    "-0rtpx -n: -P: -I: -J: -L: -d: -s: -E: --null --no-run-if-empty --max-args: --max-procs: --delimiter: --verbose --replace?",
  );
  // What stands for the words that it reads may be any text, also within another one.
  const at = rest.findIndex(({ value }) => /^-[0rtpx]*[IJ]|^--replace/.test(value ?? ""));
  const given = rest[at]?.value?.replace(/^-[0rtpx]*[IJ]|^--replace=?/, "") ?? "";
  const isLong = rest[at]?.value?.startsWith("--");
  const mark = given || (isLong ? "{}" : (rest[at + 1]?.value ?? ""));
  const holds = ({ value }: ShellWord) => at >= 0 && value?.includes(mark);
  const unwrapped = plain(rest, command);
  const inner = unwrapped.inner.map(each => ({
    ...each,
    openEnded: true,
    words: each.words.map(word => (holds(word) ? { text: word.text, value: undefined } : word)),
  }));
  const started = joined(unwrapped.inner[0]?.words ?? []);
  return {
    ...unwrapped,
    guesses: (command.given ?? []).map(text => `${started} ${text}`),
    inner:
      inner.length > 0 || command.openEnded
        ? inner
        : [{ ...command, words: [{ text: "echo", value: "echo" }], redirects: [] }],
  };
};

/** The commands that it runs for what it finds; what it does itself is judged as any program. */
const find: Unwrap = (rest, command) => {
  const inner: SimpleCommand[] = [];
  for (let at = 0; at < rest.length; at++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(rest[at]?.value ?? "")) continue;
    if (inner.length === MAX_OPTIONS) return { ...none, problem: t("is too much to read") };
    const end = rest.findIndex(({ value }, index) => index > at && (value === ";" || value === "+"));
    const words = rest.slice(at + 1, end < 0 ? undefined : end);
    const found = words.map(word =>
      word.value?.includes("{}")
        ? { text: word.text, value: undefined, ...(word.value.startsWith("{}") && { isPath: true as const }) }
        : word,
    );
    inner.push({ ...command, words: found, redirects: [] });
  }
  return { inner, scripts: [] };
};

const joined = (words: readonly ShellWord[]) => words.map(({ value, text }) => value ?? text).join(" ");
const isKnown = (words: readonly ShellWord[]) => words.every(({ value }) => value !== undefined);

const evaluated: Unwrap = rest => ({
  inner: [],
  scripts: [joined(rest)],
  problem: isKnown(rest) ? t("evaluates a text") : t("evaluates a text that is only known when it runs"),
});

const watch: Unwrap = (rest, command) => {
  const at = endOfOptions(rest, optionTable("-dtbegcx -n: --interval: --differences --no-title --color"));
  if (at === undefined) return { ...anyEnd(rest, command), problem: t("has an option that is not known") };
  return { inner: [], scripts: [joined(rest.slice(at))], problem: t("runs until it is stopped") };
};

/** `command -v x` asks where x is. */
const command: Unwrap = (rest, given) =>
  /^-p?[vV]$/.test(rest[0]?.value ?? "")
    ? { inner: [{ ...given, words: [{ text: "type", value: "type" }, ...rest.slice(1)], redirects: [] }], scripts: [] }
    : before("-p")(rest, given);

const wrappers = new Map<string, Unwrap>([
  ["env", env],
  ["timeout", before("-fpv -k: -s: --preserve-status --foreground --verbose --kill-after: --signal:", 1)],
  ["gtimeout", before("-fpv -k: -s: --preserve-status --foreground --kill-after: --signal:", 1)],
  ["nice", before("-# -n: --adjustment:")],
  ["ionice", before("-t -c: -n:")],
  ["nohup", before("-")],
  ["setsid", before("-cfw --fork --wait --ctty")],
  ["stdbuf", before("-i: -o: -e: --input: --output: --error:")],
  ["time", before("-pv")],
  ["command", command],
  ["builtin", before("-")],
  ["exec", before("-cl -a:")],
  ["xargs", xargs],
  ["find", find],
  ["watch", watch],
  ["eval", evaluated],
  ["source", (_, command) => ({ ...none, ...fed(command), problem: t("runs a file as its own text") })],
  [".", (_, command) => ({ ...none, ...fed(command), problem: t("runs a file as its own text") })],
  ...programsThat("unsettles").map((name): [string, Unwrap] => [
    name,
    () => ({ ...none, problem: t("`{0}` may change what runs", name) }),
  ]),
  ...["export", "declare", "typeset", "local"].map((name): [string, Unwrap] => [name, declared(name)]),
  [
    "set",
    rest =>
      rest.every(({ value }) => /^[-+](?:[euxo]+|)$|^(?:pipefail|errexit|nounset|xtrace)$/.test(value ?? "x ")) &&
      rest.length > 0
        ? none
        : { ...none, problem: t("`set` may change what runs") },
  ],
  ...programsThat("shell").map((name): [string, Unwrap] => [name, shell]),
  ...programsThat("starts").map((name): [string, Unwrap] => [name, opaque(t("`{0}` starts another program", name))]),
]);

/** Its assignments are looked at where they stand; options make names what they are not. */
function declared(name: string): Unwrap {
  return rest => {
    const plain = rest.every(
      ({ text, value }) => /^[A-Za-z_]\w*(?:\+?=|$)/.test(text) && (value !== undefined || text.includes("=")),
    );
    if (plain && rest.length > 0) return none;
    return { ...none, problem: t("`{0}` may change what runs", name) };
  };
}

/** Its folder says that a program is the system's; one of the workspace may be anything, whatever its name. */
const isSystems = (program: string) => /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/.test(program) || !program.includes("/");

/** undefined: it starts nothing. */
export function unwrap(command: SimpleCommand): (WrappedCommands & { actsItself: boolean }) | undefined {
  const program = command.words[0]?.value ?? "";
  const name = fileName(program);
  const unwrapped = wrappers.get(name)?.(command.words.slice(1), command);
  if (!unwrapped) return undefined;
  const startsNothing = unwrapped.inner.length + unwrapped.scripts.length === 0 && unwrapped.problem === undefined;
  // `xargs nohup`: the words that it reads are the program.
  const problem = command.openEnded && startsNothing && name !== "find" ? t("starts what it reads") : unwrapped.problem;
  // Its own name says all: a part that acts, and asks by itself, without hiding what is in it.
  const actsItself = isProgram("starts", name) || unwrapped.acts !== undefined || !isSystems(program);
  return { ...unwrapped, ...(problem && { problem }), actsItself };
}

/** Each end of its words may be what it starts: for what is denied, where nothing else is known. */
export const ends = ({ words, ...command }: SimpleCommand): SimpleCommand[] =>
  words.slice(0, 200).map((_, at) => ({ ...command, words: words.slice(at) }));
