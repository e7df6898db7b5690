/** What every command of the terminal starts from: where it runs, its settings, its log, what is secret. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { FileRef, Logger, Redactor } from "../core/ground/ports";
import { protectedBecause } from "../core/permissions/protectedPaths";
import { createRedactor } from "../core/secrets/redact";
import { SecretMemory } from "../core/secrets/secretMemory";
import { NodeEnvFiles } from "../node/envFiles";
import { NodeFiles } from "../node/files";
import { NodeLogger } from "../node/logger";
import { managedSettingsPath, readManagedSettings } from "../node/managedSettings";
import { realPath, withSlashes } from "../node/paths";
import { keyedHash, SecretFile, userKey } from "../node/secretFiles";
import { configDir, defaultStorageDir, unreviewedDir } from "../node/stateFolders";
import { NodeStorage } from "../node/storage/sessionStorage";
import { nodeClock } from "../node/system";
import { defined } from "../shared/defined";
import { t } from "../shared/l10n";
import type { Settings } from "../shared/settings";
import type { AgentCommand, CommandOf } from "../terminal/args";
import { UsageError } from "../terminal/argValues";
import { Interrupts } from "../terminal/interrupts";
import { EXIT, type Output } from "../terminal/output";
import { loadSettings } from "../terminal/settings";
import type { CliFailure } from "./failure";

/** What the command line says of it. */
export interface PlaceArgs {
  workspace: string;
  /** where sessions are kept; undefined: where this workspace's are */
  storage: string | undefined;
  streams: Output;
}

export type SessionPlace = { workspace: string; storageDir: string; storage: NodeStorage; streams: Output };

/** A number is the exit code. */
export type CliOutcome = number | CliFailure;

/**
 * Failures are told apart where their classes are: what needs the agent is a program of its own, with the same classes once more.
 */
export async function carriedOut(
  { workspace, storage, streams }: PlaceArgs,
  work: (place: SessionPlace) => Promise<number>,
): Promise<CliOutcome> {
  try {
    const storageDir = resolve(storage ?? defaultStorageDir(workspace));
    const sessions = new NodeStorage(storageDir, { marks: unreviewedDir() });
    return await work({ workspace, storageDir, storage: sessions, streams });
  } catch (error) {
    return (await import("./failure")).explained(error);
  }
}

/** @throws UsageError where another workspace has the session: also this one, before it was moved or renamed */
export function refuseSessionOfOthers({ workspace, storageDir }: SessionPlace, id: string): void {
  const isHere = (storage: string) => existsSync(join(storage, "sessions", id));
  const all = dirname(storageDir);
  const isDefault = storageDir === resolve(defaultStorageDir(workspace));
  if (!isDefault || !/^[\w-]+$/.test(id) || isHere(storageDir) || !existsSync(all)) return;
  const other = readdirSync(all).find(name => isHere(join(all, name)));
  if (other === undefined) return;
  throw new UsageError(t("Session {0} lies in {1}: name that with --storage.", id, join(all, other)));
}

/** @throws SettingsError */
export function readSettings({ workspace, streams }: SessionPlace, flags: Partial<Settings> = {}, trusted = false) {
  return loadSettings({
    configDir: configDir(),
    ...(trusted ? { trustedWorkspace: workspace } : {}),
    env: process.env,
    flags,
    managed: readManagedSettings(managedSettingsPath()),
    warn: text => streams.err(`${text}\n`),
  });
}

/** Knows the secrets of the environment and of former processes; those of the workspace's files with its first `refresh`. */
export async function buildRedactor(
  { workspace, storageDir, streams }: SessionPlace,
  { files, logger } = { files: new NodeFiles([workspace]), logger: createLogger(storageDir) },
): Promise<Redactor> {
  const config = configDir();
  const warn = (text: string) => streams.err(`${text}\n`);
  const memory = new SecretMemory({ vault: new SecretFile(config), now: nodeClock.now, warn });
  await memory.load();
  const envFiles = new NodeEnvFiles({ roots: () => files.roots, logger });
  return createRedactor(keyedHash(userKey(config, warn)), { environment: process.env, envFiles, memory });
}

/** Where people write rules, skills and prompts. */
export const instructionPlaces = (files: NodeFiles, how: { logger: Logger; trusted(): boolean }) => ({
  ...how,
  configDir: configDir(),
  roots: () => files.roots,
  protectedBecause: (ref: FileRef) => protectedBecause(ref, []),
});

export const environmentKey = async ({ variables }: { variables: readonly string[] }) =>
  variables.map(name => process.env[name]).find(Boolean);

export const logFolder = (storageDir: string) => join(storageDir, "logs");

export const createLogger = (storageDir: string, payload = false): NodeLogger =>
  new NodeLogger({ folder: logFolder(storageDir), clock: nodeClock, level: payload ? "debug" : "info" });

/** As they are called and as they are, links followed: what tools touch is named by the latter. */
export async function bothForms(folders: string[]): Promise<string[]> {
  const real = await Promise.all(folders.map(folder => realPath(folder)));
  return [...new Set([...folders, ...real])].map(withSlashes);
}

/** What the command line says of settings; a run's mode is its session's. */
export function flagSettings(command: AgentCommand | CommandOf<"models" | "permit">): Partial<Settings> {
  const { allow, ask, deny } = command.rules ?? {};
  const rules = { "permissions.allow": allow, "permissions.ask": ask, "permissions.deny": deny };
  if (command.kind === "permit") return defined({ ...rules, "permissions.mode": command.mode });
  const { model, provider, baseUrl } = command;
  const maxSteps = "limits" in command ? command.limits?.steps : undefined;
  const asked = { "model.name": model, "model.provider": provider, "model.baseUrl": baseUrl };
  return defined({ ...rules, ...asked, "agent.maxSteps": maxSteps });
}

export function watchInterrupts(streams: Output): Interrupts {
  const interrupts = new Interrupts({ err: streams.err, quit: () => process.exit(EXIT.stopped) }).watch();
  streams.onFailure(() => interrupts.stop());
  return interrupts;
}
