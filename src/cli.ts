/**
 * Composition root of the terminal: parses the command line, loads what the command needs, runs it. No logic. `--help` and a
 * wrong command line load nothing more.
 */

import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../package.json";
import type { CliFailure } from "./cli/failure";
import { speakLanguage } from "./cli/language";
import type { CliOutcome, SessionPlace } from "./cli/place";
import { t } from "./shared/l10n";
import { type DirectCommand, needsAgent, parseCommand } from "./terminal/args";
import { UsageError, usageText } from "./terminal/argValues";
import { EXIT, Output } from "./terminal/output";
import { usage } from "./terminal/usage";

async function main(streams: Output): Promise<CliOutcome> {
  speakLanguage(process.env);
  const command = parseCommand(process.argv.slice(2));
  if (command.kind === "help") streams.out(usage());
  if (command.kind === "version") streams.out(`${version}\n`);
  if (command.kind === "help" || command.kind === "version") return EXIT.done;
  // What a run leaves is in one place, with its log: another machine goes on with it.
  const own = "out" in command && command.out !== undefined ? join(command.out, "storage") : undefined;
  const where = { workspace: openFolder(command.workspace), storage: command.storage ?? own, streams };
  if (command.kind === "serve") return (await import("./cli/serve")).withServe(command, where);
  if (own !== undefined && command.kind === "run")
    return (await import("./cli/runFolder")).withRunFolder(command, where);
  if (needsAgent(command)) return (await import("./cli/agent")).withAgent(command, where);
  return (await import("./cli/place")).carriedOut(where, place => carryOut(command, place));
}

/** The commands that need no agent. Each loads what it needs. */
async function carryOut(command: DirectCommand, place: SessionPlace): Promise<number> {
  if (command.kind === "permit") return (await import("./cli/permit")).withPermit(command, place);
  if (command.kind === "hooks") return (await import("./cli/guidance")).withHooks(command, place);
  if (command.kind === "mcp") return (await import("./cli/mcp")).withMcp(command, place);
  if (command.kind === "models") return (await import("./cli/models")).withModels(command, place);
  if (command.kind === "skills") return (await import("./cli/guidance")).withSkills(command, place);
  return (await import("./cli/sessions")).withSessions(command, place);
}

function openFolder(path: string): string {
  const folder = resolve(path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new UsageError(t("The workspace {0} is not there. Name a folder with --workspace.", folder));
  if (!found.isDirectory())
    throw new UsageError(t("The workspace {0} is a file. Name a folder with --workspace.", folder));
  return folder;
}

const output = new Output(process.stdout, process.stderr);
main(output).then(
  async outcome => {
    if (typeof outcome !== "number") return end(outcome);
    await output.written();
    if (output.complaint) output.err(`${output.complaint}\n`);
    // A reader that has what it wanted is no fault, unless a turn was stopped for it.
    const isCutShort = output.complaint !== undefined || (output.failure && outcome === EXIT.stopped);
    process.exitCode = isCutShort ? EXIT.error : outcome;
  },
  (error: unknown) => {
    if (error instanceof UsageError) return end({ text: usageText(error), code: EXIT.usage });
    return end({ text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.error });
  },
);

function end({ text, code }: CliFailure): void {
  output.err(`${text}\n`);
  process.exitCode = code;
}
