import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SecretMemory } from "../../src/core/secrets/secretMemory";
import { SecretFile } from "../../src/node/secretFiles";
import { FakeClock } from "../fakes/clock";
import { temporaryFolder } from "../fakes/temporary";

describe("the file of what placeholders stand for", () => {
  let folder = "";
  const path = () => join(folder, "redaction.secrets.json");
  const mode = () => statSync(path()).mode & 0o777;
  beforeEach(() => {
    folder = temporaryFolder("secrets");
  });

  it("is for its owner's eyes only, and nothing lies beside it", async () => {
    const file = new SecretFile(folder);
    assert.equal(await file.read(), undefined);
    await file.update(kept => `${kept} one`);
    await file.update(kept => `${kept} two`);
    assert.equal(await file.read(), "undefined one two");
    if (process.platform !== "win32") assert.equal(mode(), 0o600);
    assert.deepEqual(readdirSync(folder), ["redaction.secrets.json"]);
  });

  it("is closed where somebody opened it", async function () {
    if (process.platform === "win32") this.skip();
    writeFileSync(path(), "text");
    chmodSync(path(), 0o644);
    assert.equal(await new SecretFile(folder).read(), "text");
    assert.equal(mode(), 0o600);
  });

  it("loses nothing where many write at once", async () => {
    const warn = (text: string) => assert.fail(text);
    const memories = Array.from(
      { length: 8 },
      () => new SecretMemory({ vault: new SecretFile(folder), now: () => 1, warn }),
    );
    for (const [index, memory] of memories.entries()) memory.set(`mark ${index}`, `s3cret ${index}`, "here");
    await Promise.all(memories.map(memory => memory.flush()));
    const { secrets } = JSON.parse(readFileSync(path(), "utf8"));
    assert.equal(Object.keys(secrets).length, 8);
  });

  it("goes on behind a lock that a killed process left", async () => {
    const lock = `${path()}.lock`;
    writeFileSync(lock, "");
    utimesSync(lock, 1, 1);
    await new SecretFile(folder).update(() => "text");
    assert.deepEqual(readdirSync(folder), ["redaction.secrets.json"]);
    const tomorrow = Date.now() / 1000 + 86_400;
    writeFileSync(lock, "");
    utimesSync(lock, tomorrow, tomorrow);
    await new SecretFile(folder).update(() => "the clock was set back");
    assert.deepEqual(readdirSync(folder), ["redaction.secrets.json"]);
  });

  it("waits for a lock that may be held, until it is old", async () => {
    const clock = new FakeClock();
    const lock = `${path()}.lock`;
    writeFileSync(lock, "");
    utimesSync(lock, clock.now() / 1000, clock.now() / 1000);
    let isWritten = false;
    const writing = new SecretFile(folder, clock)
      .update(() => "text")
      .then(() => {
        isWritten = true;
      });
    await clock.pass(5_000);
    assert.equal(isWritten, false);
    await clock.until("it is written", () => isWritten);
    await writing;
    assert.deepEqual(readdirSync(folder), ["redaction.secrets.json"]);
  });

  it("is moved aside, but not where another process has put a good one in its place", async () => {
    const file = new SecretFile(folder);
    writeFileSync(path(), "good");
    const aside = await file.setAside("broken");
    assert.equal(await file.read(), "good");
    await file.setAside("good");
    assert.equal(await file.read(), undefined);
    assert.equal(readFileSync(aside, "utf8"), "good");
  });
});
