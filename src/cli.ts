/** Composition root of the terminal: parses the command line, builds the ports, runs the command. No logic. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../package.json";
import { withAgent } from "./cli/agent";
import { withHooks } from "./cli/hooks";
import { withMcp } from "./cli/mcp";
import { withServe } from "./cli/mcpServe";
import {
  bothForms,
  createLogger,
  environmentKey,
  flagSettings,
  instructionPlaces,
  type Place,
  permissionFlags,
  readSettings,
} from "./cli/place";
import { withSessions } from "./cli/sessions";
import { ErrorForPeople } from "./core/ports";
import { NoRequestError } from "./core/verify/rebuild";
import { createModels, ModelDirectory, modelFacts } from "./models";
import { NodeFiles } from "./node/files";
import { realPath, withSlashes } from "./node/paths";
import { proxyFromEnvironment, proxyHost } from "./node/proxy";
import { NodeSandbox } from "./node/sandbox/sandbox";
import { NodeShell } from "./node/shell/shell";
import { NodeSkills } from "./node/skills";
import { configDir, defaultStorageDir, NodeStorage, spendingDir } from "./node/storage/sessionStorage";
import { nodeClock, nodeHash } from "./node/system";
import { errorMessage } from "./shared/errorMessage";
import { type ModelsCommand, type PermitCommand, parseCommand, UsageError } from "./terminal/args";
import { listModels } from "./terminal/models";
import { EXIT, Output } from "./terminal/output";
import { permit } from "./terminal/permit";
import { SettingsError } from "./terminal/settings";
import { showSkills } from "./terminal/skills";
import { USAGE } from "./terminal/usage";

async function main(streams: Output): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  if (command.kind === "help") streams.out(USAGE);
  if (command.kind === "version") streams.out(`${version}\n`);
  if (command.kind === "help" || command.kind === "version") return EXIT.done;
  const workspace = openFolder(command.workspace);
  const storageDir = resolve(command.storage ?? defaultStorageDir(workspace));
  const storage = new NodeStorage(storageDir);
  const place = { workspace, storageDir, storage, streams };
  if (command.kind === "permit") return tryPermission(command, place);
  if (command.kind === "hooks") return withHooks(command, place);
  if (command.kind === "mcp" && command.action === "serve") return withServe(command, place);
  if (command.kind === "mcp" || command.kind === "models")
    proxyFromEnvironment(process.env, text => streams.err(`${text}\n`));
  if (command.kind === "mcp") return withMcp(command, place);
  if (command.kind === "models") return showModels(command, place);
  if (command.kind === "skills") {
    const files = new NodeFiles([workspace]);
    const logger = createLogger(storageDir);
    // Whoever asks here sees them: nothing of them is used.
    const skills = new NodeSkills(instructionPlaces(files, { logger, trusted: () => true }));
    return showSkills(command, { skills, hash: nodeHash, streams });
  }
  if (command.kind === "run" && command.prompt === "-")
    return withAgent({ ...command, prompt: await readPrompt() }, place);
  return "trust" in command ? withAgent(command, place) : withSessions(command, place);
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

async function tryPermission(command: PermitCommand, place: Place): Promise<number> {
  const { workspace, storageDir, streams } = place;
  const settings = readSettings(place, permissionFlags(command), true);
  const ownFolders = await bothForms([configDir(), storageDir, spendingDir()]);
  const files = new NodeFiles([workspace]);
  const cwd = withSlashes(await realPath(workspace));
  const roots = () => [{ path: cwd }];
  const sandbox = new NodeSandbox({ roots, ownFolders, keep: join(storageDir, "sandbox") });
  const shell = new NodeShell({ roots: () => [cwd] });
  const code = await permit(command, { files, settings, cwd, shell, ownFolders, sandbox, streams });
  await sandbox.close();
  return code;
}

async function showModels(command: ModelsCommand, place: Place): Promise<number> {
  const settings = readSettings(place, flagSettings(command), command.trust);
  const proxy = proxyHost(process.env);
  const models = createModels({ settings, apiKey: environmentKey, hash: nodeHash, clock: nodeClock, proxy });
  const directory = new ModelDirectory({ settings, apiKey: environmentKey, clock: nodeClock });
  const inUse = models.connect().catch((error: unknown) => errorMessage(error));
  return listModels(command, {
    shelves: await directory.all(new AbortController().signal),
    inUse: await inUse,
    streams: place.streams,
    favorites: settings.get()["model.favorites"],
    facts: modelFacts,
  });
}

function openFolder(path: string): string {
  const folder = resolve(path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`The workspace ${folder} is not there. Name a folder with --workspace.`);
  if (!found.isDirectory()) throw new UsageError(`The workspace ${folder} is a file. Name a folder with --workspace.`);
  return folder;
}

/** What a person can mend is one sentence; anything else is a fault of ours, with its stack. */
function explain(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: `${error.message}\nstrata --help says more.`, code: EXIT.usage };
  if (error instanceof SettingsError || error instanceof NoRequestError)
    return { text: error.message, code: EXIT.usage };
  if (error instanceof ErrorForPeople) return { text: error.message, code: EXIT.error };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.error };
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
  (error: unknown) => {
    const { text, code } = explain(error);
    output.err(`${text}\n`);
    process.exitCode = code;
  },
);
