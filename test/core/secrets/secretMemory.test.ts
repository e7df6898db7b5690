import assert from "node:assert/strict";
import type { SecretVault } from "../../../src/core/ground/ports";
import { SecretMemory } from "../../../src/core/secrets/secretMemory";
import { FakeClock } from "../../fakes/clock";

/** What several processes share. */
class Vault implements SecretVault {
  text: string | undefined;
  aside: string[] = [];
  writes = 0;
  failing = false;

  async read() {
    if (this.failing) throw new Error("the keyring is locked");
    return this.text;
  }
  async update(change: (kept: string | undefined) => string) {
    const next = change(await this.read());
    this.writes += 1;
    this.text = next;
  }
  async setAside(text: string) {
    if (text === this.text) this.text = undefined;
    this.aside.push(text);
    return "a safe place";
  }
}

describe("what placeholders stand for", () => {
  const clock = new FakeClock();
  const said: string[] = [];
  const start = async (vault: SecretVault) => {
    const memory = new SecretMemory({ vault, now: () => clock.now(), warn: text => said.push(text) });
    await memory.load();
    return memory;
  };
  beforeEach(() => {
    said.length = 0;
  });
  afterEach(() => assert.ok(!said.join().includes("s3cret"), "no warning tells a secret"));

  it("is there after a restart; what one text brings is one write", async () => {
    const vault = new Vault();
    const memory = await start(vault);
    for (const n of [1, 2, 3]) memory.set(`mark ${n}`, `s3cret ${n}`, "here");
    memory.set("mark 1", "s3cret 1", "here");
    await memory.flush();
    assert.equal(vault.writes, 1);
    const next = await start(vault);
    assert.equal(next.get("mark 2", "here"), "s3cret 2");
    next.set("mark 2", "s3cret 2", "here");
    await next.flush();
    assert.equal(vault.writes, 1, "nothing new");
    assert.equal(next.get("mark 4", "here"), undefined);
    assert.deepEqual(said, []);
  });

  it("is merged with what other processes kept meanwhile", async () => {
    const vault = new Vault();
    const [a, b] = [await start(vault), await start(vault)];
    a.set("mark a", "s3cret a", "here");
    await a.flush();
    b.set("mark b", "s3cret b", "here");
    await b.flush();
    assert.equal(b.get("mark a", "here"), "s3cret a");
    assert.equal(a.get("mark b", "here"), undefined);
    await a.load();
    assert.equal(a.get("mark b", "here"), "s3cret b");
    const c = await start(vault);
    assert.deepEqual([c.get("mark a", "here"), c.get("mark b", "here")], ["s3cret a", "s3cret b"]);
  });

  it("is the newest 500, by when they were seen", async () => {
    const vault = new Vault();
    const memory = await start(vault);
    for (let n = 0; n < 500; n++) memory.set(`mark ${n}`, `s3cret ${n}`, "here");
    await memory.flush();
    await clock.advance(25 * 60 * 60 * 1000);
    const next = await start(vault);
    next.set("mark 0", "s3cret 0", "here");
    for (let n = 500; n < 510; n++) next.set(`mark ${n}`, `s3cret ${n}`, "here");
    await next.flush();
    const last = await start(vault);
    const kept = Array.from({ length: 510 }, (_, n) => n).filter(n => last.get(`mark ${n}`, "here"));
    assert.equal(kept.length, 500);
    assert.ok(kept.includes(0) && kept.includes(509));
  });

  it("is told where it was handed out alone, whoever handed it out there, and of former versions nowhere", async () => {
    const vault = new Vault();
    vault.text = '{"version":1,"secrets":{"old":{"secret":"s3cret","at":1}}}';
    const [a, b] = [await start(vault), await start(vault)];
    a.set("mark", "s3cret", "one");
    await a.flush();
    b.set("mark", "s3cret", "two");
    await b.flush();
    assert.equal(a.get("mark", "two"), undefined);
    await a.load();
    const next = await start(vault);
    for (const memory of [a, b, next])
      assert.deepEqual(
        ["one", "two", "three"].map(place => memory.get("mark", place)),
        ["s3cret", "s3cret", undefined],
      );
    assert.equal(next.get("old", "one"), undefined);
    for (let n = 0; n < 100; n++) next.set("mark", "s3cret", `place ${n}`);
    await next.flush();
    assert.equal((await start(vault)).get("mark", "place 99"), "s3cret");
    assert.equal((await start(vault)).get("mark", "one"), undefined, "the newest places are kept");
  });

  it("takes no more room than 512 KB", async () => {
    const vault = new Vault();
    const memory = await start(vault);
    for (let n = 0; n < 9; n++) memory.set(`mark ${n}`, "s3cret".padEnd(100_000, "x"), "here");
    await memory.flush();
    assert.ok((vault.text?.length ?? 0) < 530_000);
    assert.ok(memory.get("mark 8", "here"), "this process has them all");
  });

  for (const [title, text] of [
    ["cut off", '{"version":1,"secrets":{"mark":{"secret":"s3cr'],
    ["of another version", '{"version":2,"secrets":"s3cret"}'],
    ["odd", '{"version":1,"secrets":{"mark":"s3cret"}}'],
  ] as const) {
    it(`is set aside where it is ${title}, and started anew`, async () => {
      const vault = new Vault();
      vault.text = text;
      const memory = await start(vault);
      assert.deepEqual(vault.aside, [text]);
      assert.match(said.join(), /^The placeholders .* could not be read, .* kept in a safe place\./);
      memory.set("mark", "s3cret", "here");
      await memory.flush();
      assert.equal((await start(vault)).get("mark", "here"), "s3cret");
      assert.equal(said.length, 1);
    });
  }

  it("is of this process alone where it cannot be kept, which is said once", async () => {
    const vault = new Vault();
    vault.failing = true;
    const memory = await start(vault);
    memory.set("mark", "s3cret", "here");
    await memory.flush();
    memory.set("mark 2", "s3cret 2", "here");
    await memory.flush();
    assert.equal(memory.get("mark", "here"), "s3cret");
    assert.equal(said.length, 1);
    assert.match(said.join(), /cannot be kept \(the keyring is locked\)/);
    vault.failing = false;
    memory.set("mark 3", "s3cret 3", "here");
    await memory.flush();
    assert.equal((await start(vault)).get("mark", "here"), "s3cret", "later, with the next");
  });
});
