/** The environment of commands that nobody allowed, since they only read: their words mean what they say. */
import type { ShellRun } from "../../core/ports";
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
 * Where a command's words were read, they mean what they say; where nobody is asked, a name starts no program of the workspace.
 * @param roots folders of the workspace
 */
export function trustedEnvironment(
  { onlyReads, distrustsPath, sandbox }: Pick<ShellRun, "onlyReads" | "distrustsPath" | "sandbox">,
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
