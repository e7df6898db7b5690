/**
 * How a shell is told what to run: the command is data, never part of a script.
 */
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
  /** @param isPlain its last folder is not needed: a hook */
  launch(command: string, isPlain: boolean): Launch;
}

/**
 * The command comes as arguments, is put together and evaluated in the first line, so that lines count from there. That the shell
 * started is said first: what was printed before that was not the command. The trap reports the folder, also after `exit`.
 * @param to the report's descriptor: one that commands do not use, so that none writes into it
 */
const script = (to: number, parts: readonly string[]) =>
  `__strata_command=${parts.map((_, at) => `\${${at + 1}}`).join("")}; set --; exec ${to}>&3 3>&-; echo started >&${to}; trap '{ set +x; pwd -P; } 2>/dev/null >&${to} || :' EXIT; eval "$__strata_command"`;

/** Of bash below the smallest limit of descriptors; other shells have but one digit for them. */
const reportOf = (name: string) => (name === "bash" ? 62 : 9);

/** bytes of one argument that any Linux takes */
const MAX_ARGUMENT = 120_000;
/** in UTF-16 units: at most three bytes each */
const ARGUMENT_LENGTH = 40_000;

export function posixLauncher(program: string, name: string): ShellLauncher {
  const endedIn = async (report: string) => report.split("\n").findLast(line => line.startsWith("/"));
  return {
    name,
    launch(command, isPlain) {
      if (isPlain && Buffer.byteLength(command) <= MAX_ARGUMENT)
        return { program, args: ["-c", command, name], env: {}, endedIn };
      const parts = pieces(command);
      return { program, args: ["-c", script(reportOf(name), parts), name, ...parts], env: {}, endedIn };
    },
  };
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
