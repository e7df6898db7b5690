/** What every `Files` has to do, on disk, in an editor or in memory. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { FileError, type Files } from "../../src/core/ground/ports";
import { isSoak } from "../fakes/soak";
import { applyContract, edit, readTextFile, removeContract } from "./filesApply";

export interface FilesWorld {
  files: Files;
  /** Writes as another program would. `path` is relative to the first root, or `root:path`. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** what is on disk; undefined: nothing */
  bytes(path: string): Promise<Uint8Array | undefined>;
  remove(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  /** Makes a symbolic link at `path`; absent where there are none. */
  link?(target: string, path: string): Promise<void>;
  /** absent where files cannot be read-only */
  makeReadOnly?(path: string): Promise<void>;
  /** an absolute path outside of every root, that exists */
  outside: string;
  dispose(): Promise<void>;
}

const MB = 1_000_000;
const text = (value: string, encoding: BufferEncoding = "utf8") => Buffer.from(value, encoding);
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export function filesContract(name: string, make: (rootNames: readonly string[]) => Promise<FilesWorld>): void {
  describe(`files: ${name}`, () => {
    let world: FilesWorld;
    beforeEach(async () => {
      world = await make(["app"]);
    });
    afterEach(() => world.dispose());

    const readText = (path: string) => readTextFile(world, path);

    describe("resolve", () => {
      const check = (input: string, path: string, inside = true) =>
        it(`${JSON.stringify(input)} is ${path}`, async () => {
          const ref = await world.files.resolve(input);
          assert.deepEqual(
            { path: ref.path, relative: ref.relative, inside: ref.inside },
            { path, relative: path, inside },
          );
          assert.ok(ref.uri.startsWith("file:///") && ref.absolute.startsWith("/"), ref.uri);
        });
      check("src/a.ts", "src/a.ts");
      check("./src//a.ts", "src/a.ts");
      check("src/../b.ts", "b.ts");
      check("not/there/yet.ts", "not/there/yet.ts");
      check("with space/中文.md", "with space/中文.md");
      check(".", ".");
      check("", ".");
      check("/", "/", false);

      it("an absolute path in a root is named as in it", async () => {
        const absolute = `${world.files.roots[0]?.path}/src/a.ts`;
        const ref = await world.files.resolve(absolute);
        assert.deepEqual([ref.path, ref.inside, ref.absolute], ["src/a.ts", true, absolute]);
      });

      it("`..` beyond the root, another folder and ~ are outside", async () => {
        for (const input of ["../x.ts", "src/../../x.ts", `${world.outside}/x.ts`, "~/x.ts"]) {
          const ref = await world.files.resolve(input);
          assert.equal(ref.inside, false, input);
          assert.equal(ref.path, ref.absolute, input);
        }
      });

      it("a folder whose name begins as the root's is outside", async () => {
        assert.equal((await world.files.resolve(`${world.files.roots[0]?.path}-old/a.ts`)).inside, false);
      });

      it("the same file has the same uri, however it is named", async () => {
        await world.put("src/a.ts", "a");
        const uris = ["src/a.ts", "./src/a.ts", "src/../src/a.ts", `${world.files.roots[0]?.path}/src/a.ts`];
        const refs = await Promise.all(uris.map(uri => world.files.resolve(uri)));
        assert.equal(new Set(refs.map(ref => ref.uri)).size, 1);
      });
    });

    describe("several roots", () => {
      let two: FilesWorld;
      beforeEach(async () => {
        two = await make(["app", "lib"]);
        await two.put("app:a.ts", "in app");
        await two.put("lib:a.ts", "in lib");
      });
      afterEach(() => two.dispose());

      it("are addressed by name; without one it is the first", async () => {
        const named = async (input: string) => (await two.files.resolve(input)).path;
        assert.equal(await named("a.ts"), "app:a.ts");
        assert.equal(await named("lib:a.ts"), "lib:a.ts");
        assert.equal(await named("lib:src/../a.ts"), "lib:a.ts");
        assert.equal(await named(`${two.files.roots[1]?.path}/a.ts`), "lib:a.ts");
        assert.equal(await named("lib:."), "lib:.");
        const relative = async (input: string) => (await two.files.resolve(input)).relative;
        assert.deepEqual([await relative("a.ts"), await relative("lib:.git/config")], ["a.ts", ".git/config"]);
      });

      it("what is named so resolves to itself and is read", async () => {
        const ref = await two.files.resolve("lib:a.ts");
        assert.deepEqual(await two.files.resolve(ref.path), ref);
        const file = await two.files.read(ref, MB);
        assert.equal(file.kind === "text" && file.text, "in lib");
      });

      it("a name does not lead out of its root unseen", async () => {
        assert.equal((await two.files.resolve("lib:../../x")).inside, false);
      });
    });

    describe("links", () => {
      const withLinks = (title: string, run: (link: NonNullable<FilesWorld["link"]>) => Promise<void>) =>
        it(title, async function () {
          if (!world.link) this.skip();
          await run(world.link);
        });

      withLinks("out of the workspace are outside", async link => {
        await link(world.outside, "out");
        const ref = await world.files.resolve("out/secret.txt");
        assert.deepEqual([ref.inside, ref.path], [false, ref.absolute]);
      });

      withLinks("that dangle lead where they point, also for a new file", async link => {
        await link(`${world.outside}/not-there.txt`, "dangling");
        const ref = await world.files.resolve("dangling");
        assert.equal(ref.inside, false);
        await link("also-not-there.txt", "near");
        assert.equal((await world.files.resolve("near")).path, "also-not-there.txt");
      });

      withLinks("within the workspace are the file that they lead to", async link => {
        await world.put("real/a.ts", "a");
        await link("real", "alias");
        assert.deepEqual(await world.files.resolve("alias/a.ts"), await world.files.resolve("real/a.ts"));
        await edit(world, "alias/a.ts", "a", "b");
        assert.deepEqual(await world.bytes("real/a.ts"), text("b"));
      });

      withLinks("in a circle are an error", async link => {
        await link("two", "one");
        await link("one", "two");
        await assert.rejects(world.files.resolve("one"), FileError);
      });
    });

    describe("stat and list", () => {
      it("tell files, folders and nothing apart", async () => {
        await world.put("a.ts", "four");
        await world.mkdir("src");
        const stat = async (path: string) => world.files.stat(await world.files.resolve(path));
        const file = await stat("a.ts");
        assert.deepEqual([file?.type, file?.size], ["file", 4]);
        assert.ok((file?.mtime ?? 0) > 0);
        assert.equal((await stat("src"))?.type, "directory");
        assert.equal(await stat("nothing"), undefined);
        assert.equal(await stat("a.ts/below"), undefined);
      });

      it("list what a folder holds", async () => {
        await world.put("b.ts", "12345");
        await world.put(".hidden", "");
        await world.put("src/a.ts", "a");
        const entries = await world.files.list(await world.files.resolve("."));
        assert.deepEqual(
          entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          [
            { name: ".hidden", type: "file", size: 0 },
            { name: "b.ts", type: "file", size: 5 },
            { name: "src", type: "directory", size: 0 },
          ],
        );
      });

      it("listing nothing or a file is an error", async () => {
        await world.put("a.ts", "a");
        for (const path of ["nothing", "a.ts"]) {
          await assert.rejects(world.files.list(await world.files.resolve(path)), FileError, path);
        }
      });
    });

    describe("read", () => {
      const check = (title: string, bytes: Uint8Array, expected: { text: string; encoding: string }) =>
        it(title, async () => {
          await world.put("file", bytes);
          const file = await readText("file");
          assert.deepEqual({ text: file.text, encoding: file.encoding }, expected);
          assert.deepEqual([file.stamp.dirty, file.stamp.sha256], [false, sha(bytes)]);
        });
      check("UTF-8", text("héllo 中文\n"), { text: "héllo 中文\n", encoding: "utf8" });
      check("an empty file", text(""), { text: "", encoding: "utf8" });
      check("CRLF stays", text("a\r\nb\r\n"), { text: "a\r\nb\r\n", encoding: "utf8" });
      check("UTF-8 with BOM", text("\uFEFFa\n"), { text: "a\n", encoding: "utf8bom" });
      check("UTF-16 LE", text("\uFEFFhé\n", "utf16le"), { text: "hé\n", encoding: "utf16le" });
      check("UTF-16 BE", text("\uFEFFhé\n", "utf16le").swap16(), { text: "hé\n", encoding: "utf16be" });

      const binary = (title: string, bytes: Uint8Array, mediaType?: string) =>
        it(`${title} is binary`, async () => {
          await world.put("file", bytes);
          const file = await world.files.read(await world.files.resolve("file"), 10 * MB);
          assert.equal(file.kind, "binary");
          assert.ok(file.kind === "binary");
          assert.deepEqual([file.size, file.mediaType], [bytes.length, mediaType]);
          const isImage = mediaType?.startsWith("image/") ?? false;
          assert.deepEqual(file.bytes && Buffer.from(file.bytes), isImage ? Buffer.from(bytes) : undefined);
        });
      binary("a NUL", text("a\0b"));
      binary("PNG", text("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), "image/png");
      binary("JPEG", text("\xff\xd8\xff\xe0\0\x10JFIF", "latin1"), "image/jpeg");
      binary("GIF", text("GIF89a\x01\0\x01\0", "latin1"), "image/gif");
      binary("WebP", text("RIFF\x10\0\0\0WEBPVP8 ", "latin1"), "image/webp");

      it("an image of more than 20 MB comes without its bytes", async () => {
        const bytes = Buffer.alloc(22 * MB);
        bytes.write("\x89PNG\r\n\x1a\n", "latin1");
        await world.put("big.png", bytes);
        const file = await world.files.read(await world.files.resolve("big.png"), 30 * MB);
        assert.ok(file.kind === "binary" && file.mediaType === "image/png" && file.bytes === undefined);
      });

      it("more than is to be read is TOO_LARGE", async () => {
        await world.put("big.log", Buffer.alloc(isSoak("large") ? 50 * MB : 10 * MB + 1, "x\n"));
        await assert.rejects(world.files.read(await world.files.resolve("big.log"), 10 * MB), { code: "TOO_LARGE" });
      });

      it("what is not there is NOT_FOUND, also when it went after it was resolved", async () => {
        await world.put("a.ts", "a");
        const ref = await world.files.resolve("a.ts");
        await world.remove("a.ts");
        await assert.rejects(world.files.read(ref, MB), { name: "FileError", code: "NOT_FOUND" });
      });

      it("the stamp follows the content, not the time", async () => {
        await world.put("a.ts", "a");
        const first = (await readText("a.ts")).stamp.sha256;
        await world.put("a.ts", "b");
        const second = (await readText("a.ts")).stamp.sha256;
        await world.put("a.ts", "a");
        assert.notEqual(first, second);
        assert.equal((await readText("a.ts")).stamp.sha256, first);
      });
    });

    applyContract(() => world);
    removeContract(() => world);
  });
}
