/**
 * How a shell is told what to run: the command is data, never part of a script.
 * A script around the command would show in line numbers, traces and `ps`.
 */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellQuoted } from "../../shared/shellQuoted";

/** A program to start for one command. */
export interface Launch {
  program: string;
  args: string[];
  env: Record<string, string>;
  /** What the shell reads before the command, as a file that BASH_ENV names; absent: nothing. */
  start?: string;
  /** The folder in which the shell ended, from what it wrote to descriptor 3; undefined: it did not say. */
  endedIn(report: string): Promise<string | undefined>;
}

interface LaunchOptions {
  /** BASH_ENV of the command's environment: it is still read, and still there */
  startedBy?: string | undefined;
  /** There is a file for `start`. */
  canStart: boolean;
  /** Its last folder is not needed: a hook. */
  isPlain: boolean;
}

export interface ShellLauncher {
  readonly name: string;
  launch(command: string, options: LaunchOptions): Launch;
}

/**
 * bash reads this before the command, which is its own argument: lines, traces, messages and `ps` are those of `bash -c`. That it
 * started is said first: what was printed before that was not the command. A descriptor that commands do not use, so that none
 * writes into the report, and below the smallest limit of them. The trap reports the folder also after `exit`.
 */
const BASH_START = `exec 62>&3 3>&-; eval "exec \${BASH_ENV##*/}<&-"; echo started >&62
trap '{ set +x; builtin pwd -P; } 2>/dev/null >&62 || :' EXIT
`;

/** Its own trap at the end would take the place of ours. */
const TRAPS_EXIT = /\btrap\b(?:[^\n]*\s(?:0|exit)(?:\s|;|&|$)|[\s\S]{0,400}?\bEXIT\b)/m;
/** Traps are listed, or lines shown as they are read: ours would be among them. */
const SHOWS_TRAPS = /\btrap\b\s*(?:-p\b|$|[;&|)\n])|\bset\s+-(?:\w*v|o\s+verbose\b)/m;

/** bytes of one argument that any Linux takes */
const MAX_ARGUMENT = 120_000;

function bashStart(command: string, startedBy: string | undefined): string {
  const [first = "", ...rest] = BASH_START.split("\n");
  const start = SHOWS_TRAPS.test(command) ? `${first}\n` : [first, ...rest].join("\n");
  // What `$_` begins with.
  const end = ': "$BASH"\n';
  if (startedBy === undefined) return `${start}unset BASH_ENV\n${end}`;
  const quoted = shellQuoted(startedBy);
  // As bash itself reads it: with its variables put in, and only where it is there.
  return `${start}export BASH_ENV=${quoted}\neval "set -- \\"$BASH_ENV\\""\nif [ -r "$1" ]; then . "$1"; fi\nset --\n${end}`;
}

/**
 * For what bash cannot be given so: other shells, a trap at the end, a text longer than one argument. It comes as arguments, is
 * put together and evaluated, all in the first line, so that lines count from there. The lines behind `eval` report the folder where the command
 * set a trap of its own.
 */
const POSIX_SCRIPT = `__strata_command=; for __strata_part do __strata_command=$__strata_command$__strata_part; done; unset __strata_part; set --; exec 9>&3 3>&-; echo started >&9; trap '{ set +x; pwd -P; } 2>/dev/null >&9 || :' EXIT; eval "$__strata_command"
{ __strata_code=$?; set +x; pwd -P >&9; } 2>/dev/null || :
exit $__strata_code
`;

/** in UTF-16 units: at most three bytes each */
const ARGUMENT_LENGTH = 40_000;

export function posixLauncher(program: string, name: string): ShellLauncher {
  const endedIn = async (report: string) => report.split("\n").findLast(line => line.startsWith("/"));
  return {
    name,
    launch(command, { startedBy, canStart, isPlain }) {
      const fits = Buffer.byteLength(command) <= MAX_ARGUMENT;
      if (fits && isPlain) return { program, args: ["-c", command, name], env: {}, endedIn };
      if (fits && canStart && name === "bash" && !TRAPS_EXIT.test(command))
        return { program, args: ["-c", command, name], env: {}, start: bashStart(command, startedBy), endedIn };
      return { program, args: ["-c", POSIX_SCRIPT, name, ...pieces(closed(command))], env: {}, endedIn };
    },
  };
}

/** bash (5.2) loses its place in the script behind an eval of a text that ends in a backslash. */
const closed = (command: string): string => (/\\\n?$/.test(command) ? `${command}\n\n` : command);

function pieces(command: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < command.length; ) {
    let end = Math.min(at + ARGUMENT_LENGTH, command.length);
    // a character of two units stays whole
    if (end < command.length && /[\uD800-\uDBFF]/.test(command.charAt(end - 1))) end--;
    found.push(command.slice(at, end));
    at = end;
  }
  return found;
}

/**
 * PowerShell takes its script encoded and the command from a variable. It ends with the exit code of the last program, or
 * with 1 where the command itself failed. It writes the folder into a file: it knows no further descriptors.
 */
const POWERSHELL_SCRIPT = `
$ProgressPreference = 'SilentlyContinue'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$OutputEncoding = [Text.Encoding]::UTF8
$strataCommand = $env:STRATA_SHELL_COMMAND
$strataReport = $env:STRATA_SHELL_REPORT
Remove-Item Env:STRATA_SHELL_COMMAND, Env:STRATA_SHELL_REPORT
$global:LASTEXITCODE = 0
try { Invoke-Expression $strataCommand; $strataOk = $? }
catch { [Console]::Error.WriteLine(($_ | Out-String)); $strataOk = $false }
finally { [IO.File]::WriteAllText($strataReport, (Get-Location -PSProvider FileSystem).ProviderPath) }
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
if (-not $strataOk) { exit 1 }
`;

export const powershellLauncher = (program: string, name: string): ShellLauncher => ({
  name,
  launch(command) {
    const report = join(tmpdir(), `strata-${randomUUID()}.cwd`);
    const encoded = Buffer.from(POWERSHELL_SCRIPT, "utf16le").toString("base64");
    return {
      program,
      args: ["-NoLogo", "-NoProfile", "-NonInteractive", "-EncodedCommand", encoded],
      env: { STRATA_SHELL_COMMAND: command, STRATA_SHELL_REPORT: report },
      async endedIn() {
        try {
          return await readFile(report, "utf8");
        } catch {
          // killed before it could write
          return undefined;
        } finally {
          await rm(report, { force: true });
        }
      },
    };
  },
});
