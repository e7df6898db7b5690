/** What a word of a command is before anything runs: its text, where it is known, and what in it is only found out later. */

import type { Assignment, DoubleQuotedChild, Word, WordPart } from "unbash";
import { t } from "../../../shared/l10n";
import { looksSecretName } from "../../secrets/looksSecret";

export interface ShellWord {
  /** as it was written */
  text: string;
  /** what the program gets; undefined: it depends on what is there when it runs */
  value: string | undefined;
  /** it names files by a pattern, which is `value` */
  isGlob?: boolean | undefined;
  /** a path, and so no option */
  isPath?: true;
}

/** Variables whose value says nothing that a person would mind, and names no file. */
const plainVariables = new Set(["?", "#", "$", "!", "-", "LINENO", "SECONDS", "RANDOM", "PPID", "UID", "EUID"]);

/** What variables hold wherever the command runs. */
export type Variables = ReadonlyMap<string, string>;

interface WordFacts {
  /** the folder of `$PWD`; undefined: it is not known */
  cwd: string | undefined;
  variables?: Variables | undefined;
  /** it does not stand where a word begins, so that the home folder is not where it would be taken for it */
  isLater?: boolean;
}

/** The word's value, as far as it is known. Scripts in it are not looked at: who walks the whole tree finds them. */
export function readWord(word: Word, known: WordFacts): ShellWord {
  const { text } = word;
  if (word.parts === undefined) return { text, value: tilde(word.value, text) };
  const values = word.parts.map((part, at) => partValue(part, at === 0 ? known : { ...known, isLater: true }));
  const value = values.some(each => each === undefined) ? undefined : tilde(values.join(""), text);
  return { text, value, ...(value !== undefined && word.parts.some(isGlob) && { isGlob: true }) };
}

const isGlob = ({ type }: WordPart) => type === "Glob" || type === "ExtendedGlob";

/** `~` becomes a folder that this module does not know: the word is known where it is `~` alone or begins with `~/`. */
function tilde(value: string, text: string): string | undefined {
  if (!text.startsWith("~")) return value;
  return text === "~" || text.startsWith("~/") ? value : undefined;
}

/** undefined: not known */
function partValue(part: WordPart | DoubleQuotedChild, known: WordFacts): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return joined(part.parts.map((child, at) => partValue(child, at === 0 ? known : { ...known, isLater: true })));
    case "SimpleExpansion":
      return variable(part.text.slice(1), known);
    case "ExtendedGlob":
      return part.parts?.some(inner => partValue(inner, known) === undefined) ? undefined : part.text;
    case "ParameterExpansion":
      if (part.index || part.prefix) return undefined;
      // What stands in for a variable that is set is not looked at: `${NAME:-.}`.
      if (part.operation && !(isDefault(part.operation) && known.variables?.has(part.parameter))) return undefined;
      return variable(part.parameter, known);
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticExpansion":
    case "BraceExpansion":
      return undefined;
  }
}

const isDefault = (operation: { type: string; operator?: string }) =>
  operation.type === "Default" && !operation.operator?.includes("+");

function variable(name: string, { cwd, isLater, variables }: WordFacts): string | undefined {
  const given = variables?.get(name);
  if (given !== undefined) return given;
  if (name === "PWD") return cwd;
  if (name === "HOME") return isLater ? undefined : "~";
  return plainVariables.has(name) ? "0" : undefined;
}

const joined = (values: (string | undefined)[]) =>
  values.some(value => value === undefined) ? undefined : values.join("");

/** The assignments' names that change nothing but what a program says or how it looks. */
const harmlessNames =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|COLUMNS|LINES|DEBUG|VERBOSE|LOG_LEVEL|RUST_(?:BACKTRACE|LOG)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|UTF8)|GOOS|GOARCH|CGO_ENABLED|[a-z][a-z0-9]*|_[a-z0-9]+|[A-Za-z])$/;
/** The environment's names of keys and passwords, and of addresses that hold one. What a script itself counts in is small. */
export const mayHoldSecret = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(name) &&
  !/^(?:OLD)?PWD$/.test(name) &&
  (looksSecretName(name) ||
    /(?:^|_)DSN$|CONNECTION_?STRING$|(?:DATABASE|DB|REDIS|MONGO\w*|AMQP|POSTGRES\w*|MYSQL)_(?:URL|URI)$/.test(name));

/** Lower-case names that programs look at all the same. */
const meantNames =
  /^(?:path|fpath|cdpath|manpath|histchars|ifs|prompt|psvar|argv|status|precmd|preexec|chpwd|periodic|fignore|mailpath|watch)$/;

/** What the assignment may change of what runs; undefined: nothing. */
export function changesWhatRuns({ name, index }: Pick<Assignment, "name" | "index">): string | undefined {
  if (index !== undefined) return t("sets {0}[…], which may change what runs", name);
  return harmlessNames.test(name) && !meantNames.test(name)
    ? undefined
    : t("sets {0}, which may change what runs", name);
}
