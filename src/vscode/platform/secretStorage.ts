/** SecretStorage: the model's key, and what placeholders for secrets stand for. */

import type * as vscode from "vscode";
import type { SecretVault } from "../../core/ground/ports";
import type { KeyPlace } from "../../models/providers";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import { COMMON, ownProviders } from "../../shared/modelProviders";

const KEY = "strata.apiKey";

export class ApiKey {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly environment: Readonly<Record<string, string | undefined>>,
  ) {}

  onDidChange(listener: () => void): vscode.Disposable {
    return this.secrets.onDidChange(event => {
      if (event.key.startsWith(KEY)) listener();
    });
  }

  async get(place: KeyPlace): Promise<string | undefined> {
    return (await this.stored(place)) ?? place.variables.map(name => this.environment[name]).find(Boolean);
  }

  async set(place: KeyPlace, key: string): Promise<void> {
    await this.secrets.store(keyName(place), key);
  }

  /** Of that place; the one for all that an earlier version kept goes too where it would be used there. */
  async clear(place: KeyPlace): Promise<void> {
    await this.secrets.delete(keyName(place));
    if (takesFirst(place)) await this.secrets.delete(KEY);
  }

  private async stored(place: KeyPlace): Promise<string | undefined> {
    const own = await this.secrets.get(keyName(place));
    return own ?? (takesFirst(place) ? this.secrets.get(KEY) : undefined);
  }
}

/** There was one key for all: what is stored under `KEY` alone goes where the variable's key does. */
const takesFirst = ({ variables }: KeyPlace) => variables.includes(ownProviders[COMMON].keyVariables[0]);
const keyName = ({ provider, host }: KeyPlace) => `${KEY}:${provider}@${host}`;

/**
 * The same storage; where it cannot be used (a keyring that is locked or not there), one that lasts as long as this window.
 * @param warn told once, with a sentence for the user
 */
export function usableSecrets(storage: vscode.SecretStorage, warn: (text: string) => void): vscode.SecretStorage {
  const here = new Map<string, string>();
  let warned = false;
  const attempt = async <T>(work: () => Thenable<T>, instead?: () => void): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      const words = t(
        "VS Code's secret storage does not work ({0}). The model's key and hidden secrets are kept until this window closes.",
        errorMessage(error),
      );
      if (!warned) warn(words);
      warned = true;
      instead?.();
      return undefined;
    }
  };
  return {
    get: async key => here.get(key) ?? attempt(() => storage.get(key)),
    async store(key, value) {
      const instead = () => void here.set(key, value);
      await attempt(() => storage.store(key, value), instead);
    },
    delete: async key => {
      here.delete(key);
      await attempt(() => storage.delete(key));
    },
    onDidChange: storage.onDidChange,
  };
}

const MAP = "strata.redactionSecrets";
const MAX_TRIES = 5;

/** What placeholders stand for. The storage has no locks: after each change it is looked whether another window wrote. */
export class SecretStorageVault implements SecretVault {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  onDidChange(listener: () => void): vscode.Disposable {
    return this.secrets.onDidChange(event => {
      if (event.key === MAP) listener();
    });
  }

  async read(): Promise<string | undefined> {
    return this.secrets.get(MAP);
  }

  async update(change: (kept: string | undefined) => string): Promise<void> {
    let kept = await this.read();
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const next = change(kept);
      if (next === kept) return;
      await this.secrets.store(MAP, next);
      kept = await this.read();
    }
  }

  async setAside(text: string): Promise<string> {
    const aside = `${MAP}.broken`;
    if ((await this.read()) === text) {
      await this.secrets.store(aside, text);
      await this.secrets.delete(MAP);
    }
    return t("VS Code's secret storage ({0})", aside);
  }
}

/** The key of placeholders stays in the secret storage: a secret reads the same in every session. */
export async function redactionKey(secrets: vscode.SecretStorage, create: () => string): Promise<string> {
  const name = "strata.redactionKey";
  const stored = await secrets.get(name);
  const key = stored ?? create();
  if (!stored) await secrets.store(name, key);
  return key;
}
