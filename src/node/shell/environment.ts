/** The environment of commands that run unasked, and the part of this process's environment that commands can read. */
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import type { ShellRun } from "../../core/ground/ports";
import { SYSTEM_PATH, trustedPath } from "../programs";

/** What makes a shell do something before a command, or makes words of a command mean something else. */
const CHANGES_WORDS =
  /^(?:BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|IFS|POSIXLY_CORRECT|GREP_OPTIONS|RIPGREP_CONFIG_PATH|LESSOPEN|LESSCLOSE|TAR_OPTIONS|NODE_OPTIONS|MANOPT|MANROFFOPT|PERL5OPT|PERL5LIB|JQ_.*)$/;

/**
 * Without a sandbox nothing else is given: a variable may make any program load a library (`NODE_OPTIONS`, `PERLLIB`), write a file
 * (`GIT_TRACE`, `NODE_V8_COVERAGE`) or read another repository (`GIT_DIR`), and each release of one may know a further one.
 */
const HARMLESS =
  /^(?:PATH|HOME|USER|LOGNAME|USERNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|TERM|NO_COLOR|COLUMNS|LINES|LS_COLORS|XDG_\w+|PAGER|GIT_PAGER|MANPAGER|GIT_EDITOR|GIT_TERMINAL_PROMPT|GIT_CONFIG_(?:COUNT|(?:KEY|VALUE)_\d+|GLOBAL|SYSTEM|NOSYSTEM)|GIT_(?:AUTHOR|COMMITTER)_\w+|GIT_CEILING_DIRECTORIES|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY|API_VERSION)|SYSTEMROOT|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMFILES|WINDIR)$/i;
/** Folders from which code is loaded: an empty one is the folder that a command runs in, as `$X:/lib` makes it where X is not set. */
const LIBRARIES = /^(?:LD_LIBRARY_PATH|DYLD_(?:FALLBACK_)?(?:LIBRARY|FRAMEWORK)_PATH)$/;

/**
 * A command that was judged by its words gets no variable that changes their meaning, and no library of the workspace; it, and one whose
 * approval did not cover the folders in PATH, starts no program of the workspace by name.
 * @param roots folders of the workspace
 */
export function trustedEnvironment(
  { onlyReads, distrustsPath, sandbox }: ShellRun,
  env: NodeJS.ProcessEnv,
  roots: readonly string[],
): NodeJS.ProcessEnv {
  if (!onlyReads && !distrustsPath) return env;
  const isGiven = (name: string) =>
    sandbox.kind === "none" ? HARMLESS.test(name) || LIBRARIES.test(name) : !CHANGES_WORDS.test(name);
  const given = Object.entries(env).flatMap(([name, value = ""]): [string, string][] => {
    if (name.toUpperCase() === "PATH") return [[name, trustedPath(value, roots) || SYSTEM_PATH]];
    if (!onlyReads) return [[name, value]];
    if (!isGiven(name)) return [];
    const trusted = LIBRARIES.test(name) ? trustedPath(value, roots) : value;
    return LIBRARIES.test(name) && trusted === "" ? [] : [[name, trusted]];
  });
  return Object.fromEntries(given);
}

/** Of `/proc/self/stat`, counted behind the name: where in memory the environment begins. */
const ENV_START = 47;

/**
 * What this process was started with stays readable for every command of the same user (`/proc/$PPID/environ`), also once
 * `process.env` has it no more.
 *
 * Linux: the values of these variables go from the block that other processes can read; `process.env` keeps them. Elsewhere
 * nothing is done: macOS and Windows let no program write there without native code.
 * @returns the names of those that are still readable
 */
export function concealVariables(isSecret: (name: string) => boolean): string[] {
  const secret = Object.keys(process.env).filter(name => isSecret(name) && process.env[name]);
  if (secret.length === 0) return [];
  if (process.platform !== "linux") return secret;
  try {
    // Set anew, it has a place of its own; the one it came in is not needed any more.
    for (const name of secret) process.env[name] = String(process.env[name]);
    blank(isSecret);
    return secret.filter(name => readable().includes(`\0${name}=${process.env[name]}\0`));
  } catch {
    // no /proc, or one that is not to be written: a container that forbids it
    return secret;
  }
}

const readable = () => `\0${readFileSync("/proc/self/environ", "utf8")}`;

function blank(isSecret: (name: string) => boolean): void {
  const block = readFileSync("/proc/self/environ");
  const stat = readFileSync("/proc/self/stat", "latin1");
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENV_START]);
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const found = Buffer.alloc(block.length);
    readSync(memory, found, 0, found.length, start);
    // Anything but the same bytes there: it is not what it was taken for.
    if (!found.equals(block)) return;
    for (let at = 0; at < block.length; ) {
      const end = block.indexOf(0, at);
      const sign = block.indexOf("=", at);
      if (end < 0) return;
      if (sign > at && sign < end && isSecret(block.toString("utf8", at, sign)))
        writeSync(memory, Buffer.alloc(end - sign - 1), 0, end - sign - 1, start + sign + 1);
      at = end + 1;
    }
  } finally {
    closeSync(memory);
  }
}
