/** How a shell is told what to run: the command is data, never part of a script. */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program to start for one command. */
export interface Launch {
  program: string;
  args: string[];
  env: Record<string, string>;
  /** The folder in which the shell ended, from what it wrote to descriptor 3; undefined: it did not say. */
  endedIn(report: string): Promise<string | undefined>;
}

export interface ShellLauncher {
  readonly name: string;
  launch(command: string): Launch;
}

/**
 * The command comes as arguments (several, since Linux takes 128 KB each), is put together and evaluated. The trap
 * reports the folder also after `exit`; the lines behind `eval` do where the command set a trap of its own. Descriptor 9
 * instead of 3, so that a command which uses 3 itself does not write into the report. That it started is said first: what was
 * printed before that was not the command.
 */
const POSIX_SCRIPT = `
__strata_command=
for __strata_part do __strata_command=$__strata_command$__strata_part; done
unset __strata_part
set --
exec 9>&3 3>&-
echo started >&9
trap '{ set +x; pwd -P; } 2>/dev/null >&9 || :' EXIT
eval "$__strata_command"
{ __strata_code=$?; set +x; pwd -P >&9; } 2>/dev/null || :
exit $__strata_code
`;

/** in UTF-16 units: at most three bytes each */
const ARGUMENT_LENGTH = 40_000;

export function posixLauncher(program: string, name: string): ShellLauncher {
  return {
    name,
    launch: command => ({
      program,
      args: ["-c", POSIX_SCRIPT, name, ...pieces(closed(command))],
      env: {},
      endedIn: async report => report.split("\n").findLast(line => line.startsWith("/")),
    }),
  };
}

/** bash (5.2) loses its place in the script behind an eval of a text that ends in a backslash. */
function closed(command: string): string {
  return /\\\n?$/.test(command) ? `${command}\n\n` : command;
}

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

export function powershellLauncher(program: string, name: string): ShellLauncher {
  return {
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
  };
}
