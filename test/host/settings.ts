/** Settings of the user that a test changes, and puts back. */
import * as vscode from "vscode";

/** Runs with these user settings. */
export async function withSettings(settings: Record<string, unknown>, run: () => Promise<void>): Promise<void> {
  const set = async (name: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  const before = Object.keys(settings).map(name => {
    const { globalValue } = vscode.workspace.getConfiguration().inspect(name) ?? {};
    return [name, globalValue] as const;
  });
  for (const [name, value] of Object.entries(settings)) await set(name, value);
  try {
    await run();
  } finally {
    for (const [name, value] of before) await set(name, value);
  }
}
