/** How commands run: the shell, its sandbox, and the variables they do not get. */
import { join } from "node:path";
import type { NamedValue, SettingsSource } from "../core/ports";
import type { NodeSandboxOptions } from "../node/sandbox/sandbox";

interface ShellParts
  extends Pick<NodeSandboxOptions, "roots" | "ownFolders" | "isSecret" | "imported" | "warn" | "logger"> {
  isKeyVariable(name: string): boolean;
  settings: SettingsSource;
  /** the agent's own folder */
  storage: string;
}

/** Commands, and the sandbox for them. */
export function createShell(
  { forbiddenPlaces, onTextSaved, rulesInForce }: typeof import("../vscode/agent"),
  { NodeSandbox, ownShell }: typeof import("../node/adapters"),
  { isKeyVariable, settings, storage, ...place }: ShellParts,
) {
  const sandbox = new NodeSandbox({
    ...place,
    keep: join(storage, "sandbox"),
    forbidden: () => forbiddenPlaces(rulesInForce(settings)),
    readable: () => settings.get()["bash.read"],
  });
  const saves = onTextSaved((path, text) => sandbox.saved(path, text));
  const roots = () => place.roots().map(({ path }) => path);
  const shell = ownShell(isKeyVariable, { variables: () => settings.get()["bash.env"], sandbox, roots });
  // However this process ends, unless it is killed outright: no command lives on without it.
  process.once("exit", () => {
    shell.killAll();
    sandbox.closeNow();
  });
  const endCommands = () => {
    saves.dispose();
    shell.killAll();
    return sandbox.close();
  };
  return { shell, sandbox, endCommands };
}

/** Commands in the sandbox do not get these. */
export async function secretVariables() {
  const { looksSecret, MIN_ENV_LENGTH } = await import("../core/secrets/looksSecret");
  return { isSecret: (variable: NamedValue) => looksSecret(variable, MIN_ENV_LENGTH) };
}
