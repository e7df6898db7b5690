/** Composition root of the terminal: parses the command line, builds the ports, runs the command. No logic. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../package.json";
import { NoRequestError } from "./core/context/rebuild";
import { NewerLogError, NotALogError } from "./core/history/codec";
import { HandleError } from "./core/history/handles";
import type { AgentPorts } from "./core/openSession";
import { StorageError } from "./core/ports";
import { createRedactor } from "./core/redact";
import { SecretMemory } from "./core/secrets/memory";
import { SessionError } from "./core/session";
import { createModels } from "./models";
import { NodeEnvFiles } from "./node/envFiles";
import { NodeFiles } from "./node/files";
import { NodeLogger } from "./node/logger";
import { realPath, withSlashes } from "./node/paths";
import { packagedRipgrep, RipgrepSearch } from "./node/ripgrep";
import { NodeRules } from "./node/rules";
import { SecretFile } from "./node/secretFile";
import { keyedHash, userKey } from "./node/secretKey";
import { NodeShell } from "./node/shell";
import { configDir, defaultStorageDir, NodeStorage } from "./node/storage/sessionStorage";
import { nodeClock, nodeHash, nodeIds } from "./node/system";
import type { Settings } from "./shared/settings";
import { parseCommand, type RunCommand, USAGE, UsageError } from "./terminal/args";
import { Interrupts } from "./terminal/interrupts";
import { listSessions, showSession } from "./terminal/list";
import { Output } from "./terminal/output";
import { showRequest, verify } from "./terminal/prove";
import { recall } from "./terminal/recall";
import { EXIT, run } from "./terminal/run";
import { loadSettings, SettingsError } from "./terminal/settings";

async function main(streams: Output): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  if (command.kind === "help") streams.out(USAGE);
  if (command.kind === "version") streams.out(`${version}\n`);
  if (command.kind === "help" || command.kind === "version") return EXIT.done;
  const workspace = openFolder(command.workspace);
  const storageDir = resolve(command.storage ?? defaultStorageDir(workspace));
  const storage = new NodeStorage(storageDir);
  if (command.kind === "sessions") await listSessions(storage, command.json, streams);
  if (command.kind === "verify") return verify(storage, nodeHash, command, streams);
  if (command.kind === "show" && command.request) {
    return showRequest(storage, nodeHash, { ...command, request: command.request }, streams);
  }
  if (command.kind === "show") await showSession(storage, command.session, command.json, streams);
  if (command.kind === "recall") await recall(command, storage, streams);
  if (command.kind !== "run") return EXIT.done;
  const shell = new NodeShell({});
  // However this process ends, unless it is killed outright: no command lives on without it.
  process.on("exit", () => shell.killAll());
  const ports = await buildPorts(command, { workspace, storageDir, storage, shell, streams });
  const interrupts = new Interrupts({ err: streams.err, quit: () => process.exit(EXIT.stopped) }).watch();
  streams.onFailure(() => interrupts.stop());
  return run(command, ports, { streams, input: process.stdin, output: process.stderr, interrupts });
}

interface Parts {
  workspace: string;
  storageDir: string;
  storage: NodeStorage;
  shell: NodeShell;
  streams: Output;
}

async function buildPorts(command: RunCommand, parts: Parts): Promise<AgentPorts> {
  const { workspace, storageDir, storage, shell, streams } = parts;
  const config = configDir();
  const trusted = command.trust;
  const warn = (text: string) => streams.err(`${text}\n`);
  const loaded = loadSettings({
    configDir: config,
    ...(trusted ? { trustedWorkspace: workspace } : {}),
    env: process.env,
    flags: flagSettings(command),
    warn,
  });
  const settings = { get: () => loaded };
  const files = new NodeFiles([workspace]);
  const logger = new NodeLogger({
    folder: join(storageDir, "logs"),
    clock: nodeClock,
    level: loaded["log.payload"] ? "debug" : "info",
  });
  const memory = new SecretMemory({ vault: new SecretFile(config), now: nodeClock.now, warn });
  await memory.load();
  return {
    files,
    search: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots }),
    shell,
    storage,
    models: createModels({ settings, apiKey: async () => process.env.OPENAI_API_KEY, hash: nodeHash }),
    rules: new NodeRules({ roots: () => files.roots, configDir: config, trusted: () => trusted, logger }),
    surroundings: { platform: process.platform, trusted: () => trusted, editor: () => undefined },
    settings,
    redactor: createRedactor(keyedHash(userKey(config, warn)), {
      environment: process.env,
      envFiles: new NodeEnvFiles({ roots: () => files.roots, logger }),
      memory,
    }),
    clock: nodeClock,
    ids: nodeIds,
    hash: nodeHash,
    logger,
    ownFolders: await bothForms([config, storageDir]),
    attended: Boolean(process.stdin.isTTY) && !command.json,
  };
}

/** As they are called and as they are, links followed: what tools touch is named by the latter. */
async function bothForms(folders: string[]): Promise<string[]> {
  const real = await Promise.all(folders.map(folder => realPath(folder)));
  return [...new Set([...folders, ...real])].map(withSlashes);
}

function flagSettings({ model, baseUrl, maxSteps }: RunCommand): Partial<Settings> {
  return {
    ...(model ? { "model.name": model } : {}),
    ...(baseUrl ? { "model.baseUrl": baseUrl } : {}),
    ...(maxSteps ? { "agent.maxSteps": maxSteps } : {}),
  };
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
  const known = [StorageError, SessionError, HandleError, NewerLogError, NotALogError].some(
    kind => error instanceof kind,
  );
  if (error instanceof Error && known) return { text: error.message, code: EXIT.error };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.error };
}

const output = new Output(process.stdout, process.stderr);
main(output).then(
  code => {
    if (output.complaint) output.err(`${output.complaint}\n`);
    process.exitCode = output.failure ? EXIT.error : code;
  },
  (error: unknown) => {
    const { text, code } = explain(error);
    output.err(`${text}\n`);
    process.exitCode = code;
  },
);
