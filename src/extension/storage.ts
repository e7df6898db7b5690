/** Where the agent keeps what is its own. */
import { join } from "node:path";
import type * as vscode from "vscode";
import type { Logger, SettingsSource } from "../core/ports";

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
