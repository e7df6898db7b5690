import assert from "node:assert/strict";
import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { NodeFiles } from "../../src/node/files";
import { packagedRipgrep, RipgrepSearch } from "../../src/node/ripgrep";
import { editsContract } from "../contract/edits";
import { type FilesWorld, filesContract } from "../contract/files";
import { putFile, temporaryFolder } from "../fakes/temporary";

async function nodeWorld(rootNames: readonly string[]): Promise<FilesWorld & { files: NodeFiles; root: string }> {
  const folder = temporaryFolder("files");
  const roots = rootNames.map(name => join(folder, name));
  const outside = join(folder, "outside");
  for (const path of [...roots, outside]) await mkdir(path);
  const files = new NodeFiles(roots);
  const at = (path: string) => {
    const named = rootNames.find(name => path.startsWith(`${name}:`));
    return named ? join(folder, named, path.slice(named.length + 1)) : join(roots[0]!, path);
  };
  return {
    files,
    root: roots[0]!,
    outside,
    async put(path, content) {
      putFile(at(path), content);
    },
    bytes: path => readFile(at(path)).catch(() => undefined),
    remove: path => rm(at(path)),
    mkdir: async path => void (await mkdir(at(path), { recursive: true })),
    link: (target, path) => symlink(target, at(path)),
    makeReadOnly: path => chmod(at(path), 0o444),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

filesContract("NodeFiles", nodeWorld);

editsContract(
  "NodeFiles",
  async () => {
    const world = await nodeWorld(["app"]);
    return { ...world, search: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => world.files.roots }) };
  },
  { editor: false, readOnly: true },
);

describe("NodeFiles", () => {
  let world: Awaited<ReturnType<typeof nodeWorld>>;
  beforeEach(async () => {
    world = await nodeWorld(["app"]);
  });
  afterEach(() => world.dispose());

  const editWhole = async (path: string, text: string) => {
    const ref = await world.files.resolve(path);
    const file = await world.files.read(ref, 1e6);
    assert.ok(file.kind === "text");
    const edits = [{ start: 0, end: file.text.length, text }];
    return world.files.apply({ ref, base: file.stamp.sha256, edits });
  };

  it("bytes of no known encoding come back as they were", async () => {
    const bytes = Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1));
    await world.put("latin", bytes);
    const ref = await world.files.resolve("latin");
    const file = await world.files.read(ref, 1e6);
    assert.ok(file.kind === "text" && file.reading === "unknown");
    const edits = [{ start: 0, end: 0, text: "é\n" }];
    assert.equal((await world.files.apply({ ref, base: file.stamp.sha256, edits })).kind, "applied");
    assert.deepEqual(await world.bytes("latin"), Buffer.concat([Buffer.from("é\n"), bytes]));
  });

  it("half a surrogate is refused", async () => {
    await world.put("a", "a");
    await assert.rejects(editWhole("a", "\ud800"), { code: "IO" });
    assert.deepEqual(await world.bytes("a"), Buffer.from("a"));
  });

  it("keeps the mode, leaves no temporary file", async () => {
    await world.put("run.sh", "old");
    await chmod(join(world.root, "run.sh"), 0o755);
    await editWhole("run.sh", "new");
    assert.equal((await stat(join(world.root, "run.sh"))).mode & 0o777, 0o755);
    assert.deepEqual(await readdir(world.root), ["run.sh"]);
  });

  it("makes a file anew as one was stored that is gone: its encoding, its mode", async () => {
    const stored = ["61620a", "efbbbf61620a", "fffe610062000a00", "feff00610062000a", "61e90a"];
    for (const hex of stored) {
      await world.put("run.sh", Buffer.from(hex, "hex"));
      await chmod(join(world.root, "run.sh"), 0o750);
      const ref = await world.files.resolve("run.sh");
      const file = await world.files.read(ref, 100);
      assert.ok(file.kind === "text");
      const { mode } = (await world.files.stat(ref)) ?? {};
      await rm(join(world.root, "run.sh"));
      const as = { text: file.text, sha256: file.stamp.sha256, mode };
      const edits = [{ start: 0, end: 0, text: file.text }];
      assert.equal((await world.files.apply({ ref, base: null, edits, as })).kind, "applied");
      assert.deepEqual(await world.bytes("run.sh"), Buffer.from(hex, "hex"));
      assert.equal((await stat(join(world.root, "run.sh"))).mode & 0o777, 0o750);
      await rm(join(world.root, "run.sh"));
    }
  });

  it("keeps hard links", async () => {
    await world.put("a", "old and long");
    await link(join(world.root, "a"), join(world.root, "b"));
    await editWhole("a", "new");
    assert.deepEqual(await world.bytes("b"), Buffer.from("new"));
  });

  it("an edit that changes nothing writes nothing", async () => {
    await world.put("a", "same");
    const before = await stat(join(world.root, "a"));
    assert.equal((await editWhole("a", "same")).kind, "applied");
    const after = await stat(join(world.root, "a"));
    assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
  });

  it("edits that overlap or reach beyond the end are refused", async () => {
    await world.put("a", "abc");
    const ref = await world.files.resolve("a");
    const { stamp } = await world.files.read(ref, 100);
    for (const edits of [
      [{ start: 0, end: 9, text: "" }],
      [
        { start: 1, end: 2, text: "" },
        { start: 0, end: 1, text: "" },
      ],
    ]) {
      await assert.rejects(world.files.apply({ ref, base: stamp.sha256, edits }), { code: "IO" });
    }
  });

  it("devices, pipes and folders are no files to read", async () => {
    await world.mkdir("folder");
    for (const path of ["/dev/zero", "folder"]) {
      await assert.rejects(world.files.read(await world.files.resolve(path), 1e6), { name: "FileError", code: "IO" });
    }
  });

  for (const [what, path] of [
    ["nothing there", "none"],
    ["below a folder that is not there", "none/a/b"],
    ["below a file", "file/below"],
    ["a link to nothing", "toNothing"],
  ] as const) {
    it(`${what}: it has a name and no stat`, async () => {
      await world.put("file", "text");
      await symlink(join(world.root, "file"), join(world.root, "toFile"));
      await symlink(join(world.root, "gone"), join(world.root, "toNothing"));
      const ref = await world.files.resolve(path);
      assert.equal(ref.inside, true);
      assert.equal(await world.files.stat(ref), undefined);
      await assert.rejects(world.files.read(ref, 100), { name: "FileError", code: "NOT_FOUND" });
    });
  }

  it("names that no file can have are a FileError", async () => {
    for (const path of ["a\0b", "x".repeat(5000)]) {
      await assert.rejects(async () => world.files.stat(await world.files.resolve(path)), { name: "FileError" });
    }
  });

  it("a full disk: says so and keeps the old content", async function () {
    const files = new NodeFiles(["/dev"]);
    const ref = await files.resolve("/dev/full");
    if (!(await files.stat(ref))) this.skip();
    await assert.rejects(files.read(ref, 100), { code: "IO" });
  });

  it("roots of the same name get names of their own, and links to roots are followed", async () => {
    await world.mkdir("x/web");
    await world.mkdir("y/web");
    await symlink(join(world.root, "x"), join(world.outside, "alias"));
    const files = new NodeFiles([join(world.outside, "alias", "web"), join(world.root, "y", "web")]);
    assert.deepEqual(
      files.roots.map(({ name, path }) => ({ name, path })),
      [
        { name: "web", path: join(world.root, "x", "web") },
        { name: "web-2", path: join(world.root, "y", "web") },
      ],
    );
    assert.equal((await files.resolve("web-2:a")).absolute, join(world.root, "y", "web", "a"));
  });

  it("without a folder, only absolute paths resolve", async () => {
    const files = new NodeFiles([]);
    await assert.rejects(files.resolve("a.ts"), { code: "NOT_FOUND" });
    assert.equal((await files.resolve("/etc")).inside, false);
  });
});
