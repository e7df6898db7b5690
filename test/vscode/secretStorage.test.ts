import assert from "node:assert/strict";
import { SecretMemory } from "../../src/core/secrets/secretMemory";
import type { KeyPlace } from "../../src/models/providers";
import { ApiKey, redactionKey, SecretStorageVault, usableSecrets } from "../../src/vscode/platform/secretStorage";

/** A SecretStorage that windows share. */
class Storage {
  readonly kept = new Map<string, string>();
  failing = false;
  private readonly listeners: ((event: { key: string }) => void)[] = [];

  onDidChange = (listener: (event: { key: string }) => void) => {
    this.listeners.push(listener);
    return { dispose: () => undefined };
  };
  async get(key: string) {
    if (this.failing) throw new Error("no keyring");
    return this.kept.get(key);
  }
  async store(key: string, value: string) {
    if (this.failing) throw new Error("no keyring");
    this.kept.set(key, value);
    for (const listener of this.listeners) listener({ key });
  }
  async delete(key: string) {
    if (this.failing) throw new Error("no keyring");
    this.kept.delete(key);
  }
}

const silent = (text: string) => assert.fail(text);

const openai: KeyPlace = {
  provider: "openai",

  host: "api.openai.com",
  variables: ["OPENAI_API_KEY"],
};

describe("VS Code's secret storage", () => {
  it("keeps what placeholders stand for, also where windows write at the same time", async () => {
    const storage = new Storage();
    const windows = Array.from(
      { length: 4 },
      () => new SecretMemory({ vault: new SecretStorageVault(storage), now: () => 1, warn: silent }),
    );
    for (const [index, window] of windows.entries()) window.set(`mark ${index}`, `s3cret ${index}`, "here");
    await Promise.all(windows.map(window => window.flush()));
    const next = new SecretMemory({ vault: new SecretStorageVault(storage), now: () => 1, warn: silent });
    await next.load();
    assert.deepEqual(
      [0, 1, 2, 3].map(index => next.get(`mark ${index}`, "here")),
      ["s3cret 0", "s3cret 1", "s3cret 2", "s3cret 3"],
    );
  });

  it("tells a window of what another one kept, and of nothing else", async () => {
    const storage = new Storage();
    const vault = new SecretStorageVault(storage);
    let told = 0;
    vault.onDidChange(() => told++);
    await new ApiKey(storage, {}).set(openai, "key");
    await vault.update(() => "text");
    assert.equal(told, 1);
  });

  it("has one key for each provider and address; the one that was for all serves OpenAI's interface alone", async () => {
    const storage = new Storage();
    storage.kept.set("strata.apiKey", "of an earlier version");
    const key = new ApiKey(storage, { ANTHROPIC_API_KEY: "from the environment" });
    const anthropic: KeyPlace = {
      provider: "anthropic",

      host: "api.anthropic.com",
      variables: ["ANTHROPIC_API_KEY"],
    };
    const gateway: KeyPlace = {
      provider: "openai-compatible",

      host: "gateway.example:8443",
      variables: ["OPENAI_API_KEY"],
    };
    assert.equal(await key.get(openai), "of an earlier version");
    assert.equal(await key.get({ ...gateway, variables: [] }), undefined, "found, not set: only its own");
    assert.equal(await key.get(anthropic), "from the environment");
    await key.set(anthropic, "one");
    await key.set(gateway, "two");
    assert.deepEqual(await Promise.all([openai, anthropic, gateway].map(place => key.get(place))), [
      "of an earlier version",
      "one",
      "two",
    ]);
    await key.clear(anthropic);
    assert.equal(await key.get(anthropic), "from the environment");
    assert.equal(await key.get(gateway), "two");
    await key.clear(gateway);
    assert.equal(await key.get(openai), undefined);
  });

  it("sets a broken text aside", async () => {
    const storage = new Storage();
    const vault = new SecretStorageVault(storage);
    await vault.update(() => "broken");
    assert.match(await vault.setAside("broken"), /secret storage \(strata\.redactionSecrets\.broken\)/);
    assert.equal(await vault.read(), undefined);
    assert.equal(storage.kept.get("strata.redactionSecrets.broken"), "broken");
  });

  it("has one key of placeholders", async () => {
    const storage = new Storage();
    assert.equal(await redactionKey(storage, () => "first"), "first");
    assert.equal(await redactionKey(storage, () => "second"), "first");
  });

  it("that cannot be used is said once, and lasts as long as the window", async () => {
    const storage = new Storage();
    storage.failing = true;
    const said: string[] = [];
    const secrets = usableSecrets(storage, text => said.push(text));
    const key = new ApiKey(secrets, { OPENAI_API_KEY: "from the environment" });
    assert.equal(await key.get(openai), "from the environment");
    await key.set(openai, "typed");
    assert.equal(await key.get(openai), "typed");
    assert.equal(await redactionKey(secrets, () => "hex"), "hex");
    assert.equal(await redactionKey(secrets, () => "other"), "hex");
    await key.clear(openai);
    assert.equal(await key.get(openai), "from the environment");
    assert.equal(said.length, 1);
    assert.match(said.join(), /^VS Code's secret storage does not work \(no keyring\)/);
  });
});
