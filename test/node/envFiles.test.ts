import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { NodeEnvFiles } from "../../src/node/envFiles";
import { putFile, temporaryFolder } from "../fakes/temporary";

describe("the .env files of a workspace", () => {
  let folder = "";
  const put = (path: string, text: string | Uint8Array) => putFile(join(folder, path), text);
  const make = (...roots: string[]) =>
    new NodeEnvFiles({
      roots: () => roots.map(path => ({ path: join(folder, path) })),
      logger: { log: (_, message, fields) => assert.fail(`${message} ${JSON.stringify(fields)}`) },
    });
  beforeEach(() => {
    folder = temporaryFolder("env");
  });

  it("are found in any folder, and at any depth", async () => {
    put("a/.env", "1");
    put("a/.env.local", "2");
    put("a/x/y/z/w/.env", "3");
    put("b/prod.env", "4");
    put("a/x/y/z/w/v/u/t/.env", "5");
    put("a/node_modules/x/.env", "6");
    put("a/.config/deep/id_rsa", "7");
    put("a/vendor/x/server.key", "8");
    put("a/.git/.env", "no");
    put("a/env.ts", "no");
    mkdirSync(join(folder, "a/.env.d"));
    assert.deepEqual((await make("a", "b", "gone").read("workspace")).sort(), ["1", "2", "3", "4", "5", "6", "7", "8"]);
  });

  it("says where it ended, once, where there are too many folders: what others made comes last", async () => {
    put("a/node_modules/x/.env", "another's");
    put("a/b/c/.env", "1");
    const said: unknown[] = [];
    const files = new NodeEnvFiles({
      roots: () => [{ path: join(folder, "a") }],
      logger: { log: (_, message, fields) => said.push([message, fields]) },
      maxFolders: 3,
    });
    assert.deepEqual(await files.read("workspace"), ["1"]);
    assert.deepEqual(await files.read("workspace"), ["1"]);
    assert.deepEqual(said, [
      ["too many folders to look through all for secrets", { first: join(folder, "a/node_modules") }],
    ]);
  });

  it("are followed where they are links, and read as what they are written in", async () => {
    put("elsewhere", "1");
    put("a/.env.utf16", Buffer.from("\uFEFF2", "utf16le"));
    put("a/.env.large", "x".repeat(300 * 1024));
    put("a/.env.binary", "a\0b");
    symlinkSync(join(folder, "elsewhere"), join(folder, "a/.env"));
    symlinkSync(join(folder, "nothing"), join(folder, "a/.env.dangling"));
    assert.deepEqual(await make("a").read("workspace"), ["1", "2"]);
  });

  it("are read again where they changed; new ones in old folders that had none come with the workspace", async () => {
    put("a/.env", "1");
    put("a/x/.env", "2");
    put("a/z/a.ts", "");
    const files = make("a");
    assert.deepEqual(await files.read("known"), ["1"]);
    assert.deepEqual(await files.read("workspace"), ["1", "2"]);
    put("a/.env", "changed");
    put("a/.env.new", "3");
    put("a/x/.env", "changed too");
    put("a/z/.env", "4");
    assert.deepEqual(await files.read("known"), ["changed", "3", "changed too"]);
    assert.deepEqual(await files.read("workspace"), ["changed", "3", "changed too", "4"]);
    rmSync(join(folder, "a/.env"));
    assert.deepEqual(await files.read("known"), ["3", "changed too", "4"]);
  });

  it("are found at once in folders that were just made, also where they come later", async () => {
    put("a/.env", "1");
    const files = make("a");
    assert.deepEqual(await files.read("workspace"), ["1"]);
    put("a/new/server/.env", "2");
    put("a/other/x.ts", "");
    assert.deepEqual(await files.read("known"), ["1", "2"]);
    put("a/other/.env", "3");
    assert.deepEqual((await files.read("known")).sort(), ["1", "2", "3"]);
    for (let count = 0; count < 200; count++) put(`a/made/${count}/.env`, "many");
    assert.ok((await files.read("known")).length < 110, "the rest with the next message");
    assert.equal((await files.read("workspace")).length, 203);
  });
});
