/** The sandbox of a process of the terminal: for its commands, and for servers and hooks of the workspace. */
import { join } from "node:path";
import { rulesInForce } from "../core/permissions/levels";
import { forbiddenPlaces } from "../core/permissions/rules";
import { nodeRoots } from "../node/paths";
import { NodeSandbox, type NodeSandboxOptions } from "../node/sandbox/sandbox";
import { configDir, spendingDir, unreviewedDir } from "../node/stateFolders";
import type { TerminalSettings } from "../terminal/settings";
import { bothForms, type SessionPlace } from "./place";

/** It leaves nothing behind, unless the process is killed outright. */
export async function createSandbox(
  { workspace, storageDir, streams }: SessionPlace,
  settings: TerminalSettings,
  how: { imported?: NodeSandboxOptions["imported"] } = {},
): Promise<{ sandbox: NodeSandbox; ownFolders: string[] }> {
  const ownFolders = await bothForms([configDir(), storageDir, spendingDir(), unreviewedDir()]);
  const sandbox = new NodeSandbox({
    ...how,
    ownFolders,
    keep: join(storageDir, "sandbox"),
    undecided: join(configDir(), "undecided"),
    roots: () => nodeRoots([workspace]),
    forbidden: () => forbiddenPlaces(rulesInForce(settings)),
    readable: () => settings.get()["bash.read"],
    hosts: () => settings.get()["bash.network"],
    isOff: () => settings.get()["bash.sandbox"] === "off",
    warn: text => streams.err(`${text}\n`),
  });
  process.on("exit", () => sandbox.closeNow());
  return { sandbox, ownFolders };
}
