/** Composition root of the terminal: parses the command line, builds the ports, runs the command. No logic. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../package.json";
import { NoRequestError } from "./core/context/rebuild";
import { NewerLogError, NotALogError } from "./core/history/codec";
import type { AgentPorts } from "./core/openSession";
import { StorageError } from "./core/ports";
import { createRedactor } from "./core/redact";
import { SessionError } from "./core/session";
import { createModels } from "./models";
import { NodeFiles } from "./node/files";
import { NodeLogger } from "./node/logger";
import { withSlashes } from "./node/paths";
import { packagedRipgrep, RipgrepSearch } from "./node/ripgrep";
import { NodeRules } from "./node/rules";
import { keyedHash, userKey } from "./node/secretKey";
import { NodeShell } from "./node/shell";
import { configDir, defaultStorageDir, NodeStorage } from "./node/storage/sessionStorage";
import { nodeClock, nodeHash, nodeIds } from "./node/system";
import type { Settings } from "./shared/settings";
import { parseCommand, type RunCommand, USAGE, UsageError } from "./terminal/args";
import { listSessions, showSession } from "./terminal/list";
import type { Streams } from "./terminal/print";
import { showRequest, verify } from "./terminal/prove";
import { EXIT, run } from "./terminal/run";
import { loadSettings, SettingsError } from "./terminal/settings";

const streams: Streams = {
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
};

async function main(): Promise<number> {
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
  if (command.kind !== "run") return EXIT.done;
  return run(command, buildPorts(command, workspace, storageDir, storage), { streams, onInterrupt });
}

function buildPorts(command: RunCommand, workspace: string, storageDir: string, storage: NodeStorage): AgentPorts {
  const config = configDir();
  const trusted = command.trust;
  const loaded = loadSettings({
    configDir: config,
    ...(trusted ? { trustedWorkspace: workspace } : {}),
    env: process.env,
    flags: flagSettings(command),
  });
  const settings = { get: () => loaded };
  const files = new NodeFiles([workspace]);
  const logger = new NodeLogger({
    folder: join(storageDir, "logs"),
    clock: nodeClock,
    level: loaded["log.payload"] ? "debug" : "info",
  });
  const shell = new NodeShell({});
  return {
    files,
    search: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots }),
    shell,
    storage,
    models: createModels({ settings, apiKey: async () => process.env.OPENAI_API_KEY, hash: nodeHash }),
    rules: new NodeRules({ roots: () => files.roots, configDir: config, trusted: () => trusted, logger }),
    surroundings: { platform: process.platform, trusted: () => trusted, editor: () => undefined },
    settings,
    redactor: createRedactor(keyedHash(userKey(config))),
    clock: nodeClock,
    ids: nodeIds,
    hash: nodeHash,
    logger,
    ownFolders: [config, storageDir].map(withSlashes),
    attended: Boolean(process.stdin.isTTY) && !command.json,
  };
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

/** The first Ctrl+C stops the turn and keeps what there is; the second ends the process. */
function onInterrupt(stop: () => void): void {
  let pressed = 0;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      pressed++;
      if (pressed > 1) process.exit(EXIT.stopped);
      streams.err("\nStopping. Press Ctrl+C again to quit at once.\n");
      stop();
    });
  }
}

/** What a person can mend is one sentence; anything else is a fault of ours, with its stack. */
function explain(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: `${error.message}\nstrata --help says more.`, code: EXIT.usage };
  if (error instanceof SettingsError || error instanceof NoRequestError)
    return { text: error.message, code: EXIT.usage };
  const known = [StorageError, SessionError, NewerLogError, NotALogError].some(kind => error instanceof kind);
  if (error instanceof Error && known) return { text: error.message, code: EXIT.error };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: EXIT.error };
}

main().then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const { text, code } = explain(error);
    streams.err(`${text}\n`);
    process.exitCode = code;
  },
);
