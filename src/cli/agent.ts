/** The commands that need the agent: its ports, built and wired. */

import { join } from "node:path";
import { version } from "../../package.json";
import type { AgentPorts } from "../core/agent/session/openSession";
import { ruledOut } from "../core/permissions/levels";
import { protectedBecause } from "../core/permissions/protectedPaths";
import { redactingLogger } from "../core/secrets/redact";
import { holdsSecret } from "../core/secrets/shapes";
import { createModels, isKeyVariable } from "../models";
import { rewinding } from "../node/baselines/baseline";
import { NodeFiles } from "../node/files";
import { NodeHooks } from "../node/hooks";
import { httpSend } from "../node/httpFetch";
import { OtlpTelemetry } from "../node/otlp";
import { nodeRoots } from "../node/paths";
import { NodePictures } from "../node/pictures/nodePictures";
import { lostCertificates, proxyFromEnvironment, proxyHost } from "../node/proxy";
import { packagedRipgrep, RipgrepSearch } from "../node/ripgrep";
import { NodeRules } from "../node/rules";
import type { NodeSandbox } from "../node/sandbox/sandbox";
import { type NodeShell, ownShell } from "../node/shell/shell";
import { NodeSkills } from "../node/skills";
import { configDir, spendingDir } from "../node/stateFolders";
import { NodeSpending } from "../node/storage/spending";
import { nodeClock, nodeHash, nodeIds } from "../node/system";
import { worktreesFor } from "../node/worktrees/worktrees";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { parseSlashCommand } from "../shared/slashCommand";
import type { AgentCommand } from "../terminal/args";
import { previewCompaction, rewind } from "../terminal/compact";
import type { Interrupts } from "../terminal/interrupts";
import { EXIT } from "../terminal/output";
import { run, terminalAttachments } from "../terminal/run";
import type { RunFolder } from "../terminal/runFolder";
import { addAllowRules, type TerminalSettings } from "../terminal/settings";
import { kindOfInput, readInput } from "../terminal/standardInput";
import { agreeForNow } from "./guidance";
import { speakLanguage } from "./language";
import { createMcp } from "./mcp";
import type { CliOutcome, PlaceArgs, SessionPlace } from "./place";
import {
  buildRedactor,
  carriedOut,
  createLogger,
  environmentKey,
  flagSettings,
  instructionPlaces,
  logFolder,
  readSettings,
  refuseSessionOfOthers,
  watchInterrupts,
} from "./place";
import { createSandbox } from "./sandbox";

/** Carries out a command for which the agent is not loaded by itself. @param token of the bot, as the environment had it */
export type Serving = (
  on: { token: string; ports: AgentPorts; interrupts: Interrupts } & SessionPlace,
) => Promise<number>;

/** What is loaded with the agent for some commands alone: `strata serve`, and runs with a folder of results. */
interface ApartParts {
  serving?: Serving;
  openFolder?: typeof RunFolder.open;
}

export function withAgent(command: AgentCommand, where: PlaceArgs, apart: ApartParts = {}): Promise<CliOutcome> {
  speakLanguage(process.env);
  return carriedOut(where, place => carryOut(command, place, apart));
}

async function carryOut(command: AgentCommand, place: SessionPlace, apart: ApartParts): Promise<number> {
  const { streams, workspace, storageDir } = place;
  if ("session" in command && command.session) refuseSessionOfOthers(place, command.session);
  const given = beginReading(command, streams.err);
  proxyFromEnvironment(process.env, text => streams.err(`${text}\n`));
  const loaded = readSettings(place, flagSettings(command), command.trust);
  const { sandbox, ownFolders } = await createSandbox(place, loaded, { imported: () => ports.rules.imported });
  const roots = () => nodeRoots([workspace]).map(({ path }) => path);
  const shell = ownShell(isKeyVariable, {
    variables: () => loaded.get()["bash.env"],
    ...{ looksSecret: holdsSecret, sandbox, roots },
  });
  // However this process ends, no command lives on without it (where it is killed outright: LiveCommands in shell/commandProcesses.ts).
  process.on("exit", () => shell.killAll());
  const servers = createMcp(place, {
    ...{ trusted: command.trust, settings: loaded, sandbox },
    // A channel cannot answer what a server asks.
    elicits: isAttended(command) && command.kind !== "serve",
    learn: value => ports.redactor.learn(`MCP_INPUT_SECRET=${JSON.stringify(value)}`),
  });
  // Before the model can write anything: its files are not agreed to.
  if (command.trust) await servers.agreeForNow();
  const built = await buildPorts(command, { ...place, shell, sandbox, loaded, ownFolders });
  // Commands and servers inherit the environment; the redactor knows it by now.
  const token = process.env[TELEGRAM_TOKEN]?.trim() ?? "";
  delete process.env[TELEGRAM_TOKEN];
  const ports: AgentPorts = { ...built, foreignTools: servers, offers: servers };
  const interrupts = watchInterrupts(streams);
  const { openFolder } = apart;
  const environment = {
    ...{ streams, input: process.stdin, output: process.stderr, interrupts },
    ...(openFolder && {
      openFolder: (out: string, task?: string) => openFolder(out, task, { ports, workspace, app: version }),
    }),
  };
  const end = async () => {
    if (command.kind === "run") return run({ ...command, ...(await given) }, ports, environment);
    if (command.kind === "rewind") return rewind(command, ports, streams);
    if (command.kind === "compact") return previewCompaction(command, ports, streams);
    return apart.serving?.({ ...place, token, ports, interrupts }) ?? EXIT.usage;
  };
  const code = await end().finally(() => Promise.all([built.telemetry.flush(), servers.close()]));
  if (code === EXIT.error && !("json" in command && command.json))
    streams.err(t("What happened, in detail: the newest file in {0}\n", logFolder(storageDir)));
  return code;
}

const TELEGRAM_TOKEN = "STRATA_TELEGRAM_TOKEN";

/** Beside all else that a run needs. */
function beginReading(command: AgentCommand, err: (text: string) => void): ReturnType<typeof readInput> | undefined {
  if (command.kind !== "run" || command.reply || parseSlashCommand(command.prompt)) return undefined;
  const isWatched = process.stderr.isTTY === true;
  const given = readInput(command, { stream: process.stdin, kind: kindOfInput(), clock: nodeClock, isWatched, err });
  // What is wrong with it is said once the run begins.
  given.catch(() => undefined);
  return given;
}

/** By the terminal, or by a channel. */
const isAttended = ({ kind, json }: AgentCommand) => kind === "serve" || (Boolean(process.stdin.isTTY) && !json);

/** Who reads events goes on with the session, as does who answers one of its questions. */
function whenAnswered(command: AgentCommand): AgentPorts["answers"] {
  if (isAttended(command)) return "now";
  return command.json || ("reply" in command && command.reply) ? "later" : "never";
}

interface AgentPlace extends SessionPlace {
  shell: NodeShell;
  sandbox: NodeSandbox;
  loaded: TerminalSettings;
  ownFolders: string[];
}

const searchOf = ({ roots }: NodeFiles, encoding: string | undefined) =>
  new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => roots, encoding: () => encoding });

async function buildPorts(
  command: AgentCommand,
  place: AgentPlace,
): Promise<AgentPorts & { telemetry: OtlpTelemetry }> {
  const { workspace, storageDir, storage, shell, sandbox, loaded, ownFolders } = place;
  const config = configDir();
  const trusted = command.trust;
  const settings = {
    get: () => loaded.get(),
    layers: () => loaded.layers(),
    allow: async (rules: readonly string[]) => {
      loaded.add(rules);
      await addAllowRules(config, rules).catch(error => {
        place.streams.err(
          t("The rule could not be written into your settings: {0}. It holds for this run.\n", errorMessage(error)),
        );
      });
    },
  };
  const encoding = loaded.filesEncoding;
  const files = new NodeFiles([workspace], (path, text) => sandbox.saved(path, () => text), encoding);
  const bare = createLogger(storageDir, loaded.get()["log.payload"]);
  const redactor = await buildRedactor(place, { files, logger: bare });
  const logger = redactingLogger(bare, redactor.redact);
  const madeByCommand: typeof sandbox.mayHaveMade = (path, read) => sandbox.mayHaveMade(path, read);
  const written = { ...instructionPlaces(files, { logger, trusted: () => trusted }), madeByCommand };
  const hooks = new NodeHooks({ ...written, sandbox });
  if (trusted) await agreeForNow(hooks);
  const rules = new NodeRules({
    ...{ ...written, ruledOut: ruledOut(settings) },
    protectedBecause: ref => protectedBecause(ref, ownFolders),
  });
  const skills = new NodeSkills(written);
  const surroundings = { platform: process.platform, trusted: () => trusted, editor: () => undefined };
  const keep = join(storageDir, "baselines");
  const worktrees = worktreesFor({
    ...{ roots: () => files.roots, shell, sandbox, rules, skills, surroundings, logger, encoding, keep },
    search: within => searchOf(within, encoding),
  });
  return {
    files,
    shell,
    sandbox,
    storage,
    hooks,
    settings,
    redactor,
    logger,
    ownFolders,
    clock: nodeClock,
    ids: nodeIds,
    hash: nodeHash,
    search: searchOf(files, encoding),
    pictures: new NodePictures(join(import.meta.dirname, "../pictureWorker.js")),
    spending: new NodeSpending(spendingDir()),
    models: createModels({
      settings,
      apiKey: environmentKey,
      ...{ hash: nodeHash, clock: nodeClock, fetch: () => httpSend },
      ...{ proxy: proxyHost(process.env), lostCertificates: lostCertificates(process.env) },
    }),
    ...{ rules, skills, surroundings, worktrees },
    tellsStart: true,
    telemetry: new OtlpTelemetry({ settings, env: process.env, logger, version }),
    ...rewinding(() => files.roots, keep, logger),
    attachments: terminalAttachments(workspace, () => trusted),
    answers: whenAnswered(command),
    ...("limits" in command && { runLimits: command.limits }),
  };
}
