/** The model's key: in SecretStorage and nowhere else; without one there, from the environment. */
import type * as vscode from "vscode";

const KEY = "strata.apiKey";

export class ApiKey {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly fromEnvironment: string | undefined,
  ) {}

  onDidChange(listener: () => void): vscode.Disposable {
    return this.secrets.onDidChange(event => {
      if (event.key === KEY) listener();
    });
  }

  async get(): Promise<string | undefined> {
    return (await this.secrets.get(KEY)) ?? this.fromEnvironment;
  }

  async set(key: string): Promise<void> {
    await this.secrets.store(KEY, key);
  }

  async clear(): Promise<void> {
    await this.secrets.delete(KEY);
  }
}
