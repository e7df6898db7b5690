/** A link that is made between the question and the write: the file that is written is the one that was asked about. */
import assert from "node:assert/strict";
import { link, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ApplyEdits, FileError } from "../../src/core/ground/ports";
import { NodeFiles } from "../../src/node/files";
import { edit, read } from "../fakes/agent";
import { hash } from "../fakes/hash";
import { startOnDisk } from "../fakes/onDisk";
import { isSoak } from "../fakes/soak";
import { type Swapper, startSwapper } from "../fakes/swapper";
import { temporaryFolder } from "../fakes/temporary";

/** How often each is tried while links come and go. */
const TRIES = isSoak("interleavings") ? 300 : 6;

const BEFORE = "the same inside and outside\n";

describe("attack 11: a link made between question and write", function () {
  this.timeout(120_000);
  let folder: string;
  let files: NodeFiles;
  let swapper: Swapper | undefined;
  const inside = (path: string) => join(folder, "app", path);
  const outside = (path = "") => join(folder, "outside", path);

  beforeEach(async () => {
    folder = temporaryFolder("swap");
    await mkdir(inside("src"), { recursive: true });
    await mkdir(outside());
    await writeFile(inside("src/a.txt"), BEFORE);
    await writeFile(outside("a.txt"), BEFORE);
    files = new NodeFiles([inside("")]);
  });
  afterEach(async () => {
    await swapper?.end();
    swapper = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  /** What fails with words has written nothing. @returns whether it was written */
  async function write(change: ApplyEdits): Promise<boolean> {
    try {
      return (await files.apply(change)).kind === "applied";
    } catch (error) {
      assert.ok(error instanceof FileError, String(error));
      return false;
    }
  }

  // Elsewhere no process can hold a folder open: there the path is compared right before the write, and a moment is left.
  const always = process.platform === "linux" ? it : it.skip;

  for (const [what, path, target] of [
    ["a folder above the file", "src", ""],
    ["the file", "src/a.txt", "a.txt"],
  ] as const)
    for (const names of [1, 2])
      always(`is not followed in ${TRIES} edits: ${what}, with ${names === 1 ? "one name" : "two names"}`, async () => {
        if (names === 2) await link(inside("src/a.txt"), inside("second name"));
        swapper = await startSwapper(inside(path), outside(target));
        let written = 0;
        while (written < TRIES) {
          const ref = await files.resolve("src/a.txt").catch(() => undefined);
          const read = ref?.inside ? await files.read(ref, 1000).catch(() => undefined) : undefined;
          if (!ref || read?.kind !== "text") continue;
          // The same on both sides: the text does not tell which of the two it is.
          await writeFile(outside("a.txt"), read.text);
          const edits = [{ start: 0, end: read.text.length, text: `${written}\n` }];
          if (await write({ ref, base: read.stamp.sha256, edits })) written += 1;
          assert.equal(await readFile(outside("a.txt"), "utf8"), read.text);
        }
        assert.deepEqual(await readdir(outside()), ["a.txt"]);
      });

  always(`is not followed when ${TRIES} files are made`, async () => {
    swapper = await startSwapper(inside("src"), outside());
    for (let n = 0; n < TRIES; ) {
      const ref = await files.resolve(`src/${n % 2 ? "deep/er/" : ""}${n}.txt`).catch(() => undefined);
      if (!ref?.inside) continue;
      await write({ ref, base: null, edits: [{ start: 0, end: 0, text: "new" }] });
      n += 1;
    }
    assert.deepEqual(await readdir(outside()), ["a.txt"]);
  });

  always(`is not followed when ${TRIES} files are removed or read`, async () => {
    await writeFile(outside("a.txt"), "secret\n");
    await writeFile(outside("b.txt"), BEFORE);
    await writeFile(inside("src/b.txt"), BEFORE);
    swapper = await startSwapper(inside("src"), outside());
    for (let n = 0; n < TRIES; n += 1) {
      const [a, b] = await Promise.all(["src/a.txt", "src/b.txt"].map(path => files.resolve(path)));
      if (a?.inside) {
        const read = await files.read(a, 1000).catch(() => undefined);
        assert.ok(!read || (read.kind === "text" && read.text === BEFORE));
      }
      if (b?.inside) await files.removeFile(b, hash.sha256(BEFORE)).catch(() => undefined);
    }
    assert.deepEqual((await readdir(outside())).sort(), ["a.txt", "b.txt"]);
  });

  it("counts as a change: it is prepared and asked anew", async () => {
    const ref = await files.resolve("src/a.txt");
    const made = await files.resolve("src/new/b.txt");
    await rm(inside("src"), { recursive: true });
    await symlink(outside(), inside("src"));
    const change = { edits: [{ start: 0, end: 0, text: "x" }] };
    assert.deepEqual(await files.apply({ ...change, ref, base: hash.sha256(BEFORE) }), { kind: "stale" });
    assert.deepEqual(await files.apply({ ...change, ref: made, base: null }), { kind: "stale" });
    assert.equal(await files.removeFile(ref, hash.sha256(BEFORE)), "stale");
    await assert.rejects(files.read(ref, 1000), /leads elsewhere/);
    assert.deepEqual(await readdir(outside()), ["a.txt"]);
    assert.equal((await files.resolve("src/a.txt")).inside, false);
  });
});

describe("attack 11: a file with other names", () => {
  const FILES = { "app/a.txt": "one\n", "app/b.txt": "one\n", "outside/profile": "one\n" };
  let agent: Awaited<ReturnType<typeof startOnDisk>>;
  afterEach(() => agent.dispose());

  async function play(...texts: [from: string, to: string][]) {
    const edits = texts.map(([from, to]) => ({ calls: [edit("a.txt", from, to)] }));
    agent.models.play({ calls: [read("a.txt")] }, ...edits, { text: "ok" });
    await agent.session.submit("go");
  }
  const text = (path: string) => readFile(agent.at(path), "utf8");
  async function linkOutside() {
    await rm(agent.at("app/a.txt"));
    await link(agent.at("outside/profile"), agent.at("app/a.txt"));
  }

  it("is asked about before it is written, and read without a question", async () => {
    agent = await startOnDisk({ mode: "auto", files: FILES });
    await linkOutside();
    await play(["one", "two"]);
    const { action } = await agent.asked();
    assert.match(action.reason ?? "", /other names/);
    assert.equal(action.toolName, "Edit");
    assert.equal(await text("outside/profile"), "one\n");
    await agent.answer("allow");
    await agent.session.idle();
    assert.equal(await text("outside/profile"), "two\n");
  });

  it("is asked about anew where it got them while somebody was asked", async () => {
    agent = await startOnDisk({ mode: "ask", files: FILES });
    await play(["one", "two"]);
    await agent.asked();
    await linkOutside();
    const before = await agent.answer("allow");
    assert.equal(before.reason, undefined);
    const { action } = await agent.asked();
    assert.match(action.reason ?? "", /other names/);
    assert.equal(await text("outside/profile"), "one\n");
    await agent.session.stop();
  });

  it("is not what was allowed for the session while it had one", async () => {
    agent = await startOnDisk({ mode: "ask", files: FILES });
    await play(["one", "two"], ["two", "three"]);
    await agent.answer("allow", "session");
    await agent.session.idle();
    assert.equal(await text("app/a.txt"), "three\n");
    await writeFile(agent.at("outside/profile"), "three\n");
    await linkOutside();
    await play(["three", "four"], ["four", "five"]);
    const action = await agent.answer("allow", "session");
    assert.match(action.reason ?? "", /other names/);
    await agent.session.idle();
    assert.equal(await text("outside/profile"), "five\n", "from then on it is");
  });
});
