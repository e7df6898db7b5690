/** What is hidden from the model, and put back. */
import { createHmac, randomBytes } from "node:crypto";
import type * as vscode from "vscode";
import type { EnvFiles } from "../core/ports";

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
