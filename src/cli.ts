/**
 * Composition root of the terminal: parses the command line, loads what the command needs, runs it. No logic. `--help` and a
 * wrong command line load nothing more.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { version } from "../package.json";
import type { Place } from "./cli/place";
import { type Command, parseCommand, UsageError } from "./terminal/args";
import { EXIT, Output } from "./terminal/output";
import { USAGE } from "./terminal/usage";

async function main(streams: Output): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  if (command.kind === "help") streams.out(USAGE);
  if (command.kind === "version") streams.out(`${version}\n`);
  if (command.kind === "help" || command.kind === "version") return EXIT.done;
  const workspace = openFolder(command.workspace);
  const { defaultStorageDir, NodeStorage } = await import("./node/storage/sessionStorage");
  const storageDir = resolve(command.storage ?? defaultStorageDir(workspace));
  return carryOut(command, { workspace, storageDir, storage: new NodeStorage(storageDir), streams });
}

type Work = Exclude<Command, { kind: "help" | "version" }>;

async function carryOut(command: Work, place: Place): Promise<number> {
  if (command.kind === "permit") return (await import("./cli/permit")).withPermit(command, place);
  if (command.kind === "hooks") return (await import("./cli/hooks")).withHooks(command, place);
  if (command.kind === "mcp" && command.action === "serve")
    return (await import("./cli/mcpServe")).withServe(command, place);
  if (command.kind === "mcp") return (await import("./cli/mcp")).withMcp(command, place);
  if (command.kind === "models") return (await import("./cli/models")).withModels(command, place);
  if (command.kind === "skills") return (await import("./cli/skills")).withSkills(command, place);
  if (!("trust" in command)) return (await import("./cli/sessions")).withSessions(command, place);
  const { withAgent } = await import("./cli/agent");
  const isAsked = command.kind === "run" && command.prompt === "-";
  return withAgent(isAsked ? { ...command, prompt: await readPrompt() } : command, place);
}

const MAX_PROMPT = 1_000_000;

/** Asked for by name alone: standard input may be a pipe that nobody closes. */
async function readPrompt(): Promise<string> {
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) {
    text += piece;
    if (text.length > MAX_PROMPT)
      throw new UsageError("Standard input has more than a prompt can: put it into a file, and name that.");
  }
  if (!text.trim()) throw new UsageError("The prompt is empty: nothing came by standard input.");
  return text;
}

function openFolder(path: string): string {
  const folder = resolve(path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`The workspace ${folder} is not there. Name a folder with --workspace.`);
  if (!found.isDirectory()) throw new UsageError(`The workspace ${folder} is a file. Name a folder with --workspace.`);
  return folder;
}

async function explain(error: unknown): Promise<{ text: string; code: number }> {
  if (error instanceof UsageError) return { text: `${error.message}\nstrata --help says more.`, code: EXIT.usage };
  return (await import("./cli/failure")).explained(error);
}

const output = new Output(process.stdout, process.stderr);
main(output).then(
  async code => {
    await output.written();
    if (output.complaint) output.err(`${output.complaint}\n`);
    // A reader that has what it wanted is no fault, unless a turn was stopped for it.
    const isCutShort = output.complaint !== undefined || (output.failure && code === EXIT.stopped);
    process.exitCode = isCutShort ? EXIT.error : code;
  },
  async (error: unknown) => {
    const { text, code } = await explain(error);
    output.err(`${text}\n`);
    process.exitCode = code;
  },
);
