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
 * A command that was judged by its words gets no variable that changes their meaning; one that runs unasked starts no program of the workspace by name.
 * @param roots folders of the workspace
 */
export function trustedEnvironment(
  { onlyReads, distrustsPath, sandbox }: ShellRun,
  env: NodeJS.ProcessEnv,
  roots: readonly string[],
): NodeJS.ProcessEnv {
  if (onlyReads) return plainEnvironment(env, roots, sandbox.kind !== "none");
  if (!distrustsPath) return env;
  const isPath = (name: string) => name.toUpperCase() === "PATH";
  return Object.fromEntries(
    Object.entries(env).map(([name, value = ""]) => [
      name,
      isPath(name) ? trustedPath(value, roots) || SYSTEM_PATH : value,
    ]),
  );
}

/** No program and no library is taken from the workspace. */
function plainEnvironment(env: NodeJS.ProcessEnv, roots: readonly string[], isConfined: boolean): NodeJS.ProcessEnv {
  const isGiven = (name: string) =>
    isConfined ? !CHANGES_WORDS.test(name) : HARMLESS.test(name) || LIBRARIES.test(name);
  const given = Object.entries(env).flatMap(([name, value = ""]): [string, string][] => {
    if (!isGiven(name)) return [];
    if (name.toUpperCase() === "PATH") return [[name, trustedPath(value, roots) || SYSTEM_PATH]];
    if (!LIBRARIES.test(name)) return [[name, value]];
    const trusted = trustedPath(value, roots);
    return trusted === "" ? [] : [[name, trusted]];
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
