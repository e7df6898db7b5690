/** Where the agent keeps what is its own: sessions, and what hides secrets. */
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { EnvFiles, Logger, SettingsSource } from "../core/ports";

/** Sessions, and what puts files back for them. */
export function createStorage(
  folder: string,
  node: Pick<typeof import("../node/adapters"), "NodeStorage" | "rewinding">,
  { settings, ...how }: { roots(): readonly { path: string }[]; logger: Logger; settings: SettingsSource },
) {
  const storage = new node.NodeStorage(folder);
  const maxBytes = () => settings.get()["storage.maxBytes"];
  return { storage, ...node.rewinding({ ...how, storage, maxBytes, keep: join(folder, "baselines") }) };
}

/** As they are called and as they are, links followed: what tools touch is named by the latter. */
export async function ownFolders(
  { globalStorageUri, storageUri, logUri }: vscode.ExtensionContext,
  others: readonly string[],
  { realPath, withSlashes }: typeof import("../node/adapters"),
): Promise<string[]> {
  const uris = [globalStorageUri, logUri, ...(storageUri ? [storageUri] : [])];
  const folders = [...uris.map(uri => uri.fsPath), ...others];
  // one that cannot be followed (no permission, a circle of links) counts as it is called
  const real = await Promise.all(folders.map(folder => realPath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real].map(withSlashes))];
}

/** What hides secrets: its key and what placeholders stand for stay in the secret storage. */
export async function createHiding(
  { subscriptions }: vscode.ExtensionContext,
  secrets: Pick<vscode.SecretStorage, "get" | "store" | "delete" | "onDidChange">,
  { envFiles, now, warn }: { envFiles: EnvFiles; now(): number; warn(text: string): void },
) {
  const [{ createRedactor }, { SecretMemory }, { SecretStorageVault, redactionKey }] = await Promise.all([
    import("../core/secrets/redact"),
    import("../core/secrets/secretMemory"),
    import("../vscode/agent"),
  ]);
  const vault = new SecretStorageVault(secrets);
  const memory = new SecretMemory({ vault, now, warn });
  // Another window read a secret that this one may have to put back.
  subscriptions.push(vault.onDidChange(() => void memory.load()));
  const [key] = await Promise.all([redactionKey(secrets, () => randomBytes(32).toString("hex")), memory.load()]);
  const keyedHash = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  return { memory, redactor: createRedactor(keyedHash, { environment: process.env, envFiles, memory }) };
}
