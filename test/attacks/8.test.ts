/** Files that are read because of their names alone: a repository that has a pipe, a device or a link out there. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { link, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { StorageError } from "../../src/core/ground/ports";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { NodeEnvFiles } from "../../src/node/envFiles";
import { readExported } from "../../src/node/exportedFile";
import { NodeFiles } from "../../src/node/files";
import { guardedSearch } from "../../src/node/ignoreFiles";
import { packagedRipgrep, RipgrepSearch } from "../../src/node/ripgrep";
import { NodeRules } from "../../src/node/rules";
import { compileGlob } from "../../src/shared/glob";
import { loadSettings, SettingsError } from "../../src/terminal/settings";
import { putFile, temporaryFolder } from "../fakes/temporary";

const hasPipes = process.platform !== "win32";
const { signal } = new AbortController();

/** What must not be read, and how it comes to a path. */
const TRAPS: Record<string, (path: string) => Promise<unknown>> = {
  "a pipe": async path => execFileSync("mkfifo", [path]),
  "a link to a pipe": async path => {
    execFileSync("mkfifo", [`${path}.pipe`]);
    await symlink(`${path}.pipe`, path);
  },
  "a link to a device without an end": path => symlink("/dev/zero", path),
  "a file that is far too large": async path => {
    await writeFile(path, "");
    await truncate(path, 17 * 2 ** 30);
  },
};

describe("attack 8: files that are read because of their names", function () {
  before(function () {
    if (!hasPipes) this.skip();
  });
  this.timeout(120_000);
  let folder: string;
  let files: NodeFiles;
  let search: RipgrepSearch;
  const at = (path: string) => join(folder, path);
  const put = async (path: string, text = "needle\n") => putFile(at(path), text);
  beforeEach(async () => {
    folder = temporaryFolder("names");
    for (const path of ["app/a.ts", "app/src/b.ts", "app/src/deep/c.ts"]) await put(path);
    files = new NodeFiles([at("app")]);
    search = new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots, excludes: () => ["out"] });
  });

  async function grep(path: string): Promise<string[]> {
    const found: string[] = [];
    const ref = await files.resolve(path);
    const how = { mode: "content", before: 0, after: 0, ignoreCase: false, multiline: false } as const;
    await search.grep({ pattern: "needle", ref, ...how }, line => found.push(line.path) > 0, signal);
    return found.sort();
  }

  for (const [what, trap] of Object.entries(TRAPS)) {
    for (const name of ["app/.gitignore", "app/src/deep/.ignore", ".rgignore"])
      it(`refuses a search that would read ${what} as ${name}`, async () => {
        await trap(at(name));
        const because = (error: Error) => error.name === "SearchError" && error.message.includes(`/${name} cannot be`);
        await assert.rejects(grep("."), because);
        await assert.rejects(search.glob(await files.resolve("."), "**", signal), because);
      });

    it(`lists a folder with ${what} as its ignore file`, async () => {
      await trap(at("app/.gitignore"));
      assert.deepEqual(await search.ignored(await files.resolve("."), ["a.ts", "src/"], signal), new Set());
      assert.ok((await files.list(await files.resolve("."))).some(({ name }) => name === ".gitignore"));
    });

    it(`reads ${what} as no rules, variables or settings`, async () => {
      await mkdir(at("app/.vscode"));
      for (const name of ["app/AGENTS.md", "app/src/AGENTS.md", "app/.env", "app/.vscode/settings.json"])
        await trap(at(name));
      const logger = { log: () => undefined };
      const isHuge = what.startsWith("a file");
      const rules = new NodeRules({
        ...{ roots: () => files.roots, configDir: at("config"), trusted: () => true, logger },
        protectedBecause: ref => protectedBecause(ref, []),
      });
      const nested = await rules.nested({ absolute: `${files.roots[0]?.path}/src/b.ts` });
      // Of a large file only the beginning is read.
      if (!isHuge) assert.deepEqual([...(await rules.read()), ...nested], []);
      assert.deepEqual(await new NodeEnvFiles({ roots: () => files.roots, logger }).read("workspace"), []);
      assert.throws(
        () =>
          loadSettings({
            ...{ configDir: at("config"), trustedWorkspace: at("app"), env: {}, flags: {} },
            warn: () => undefined,
          }),
        (error: Error) => error instanceof SettingsError && /no regular file/.test(error.message),
      );
    });
  }

  it("does not search, read or import a pipe that is named", async () => {
    execFileSync("mkfifo", [at("app/pipe")]);
    await assert.rejects(grep("pipe"), /device, a pipe or a socket/);
    await assert.rejects(files.read(await files.resolve("pipe"), 1000), /device, a pipe or a socket/);
    const importing = readExported(at("app/pipe")).next();
    await assert.rejects(importing, (error: StorageError) => /not a regular file/.test(error.message));
    assert.deepEqual(
      await grep("."),
      ["a.ts", "src/b.ts", "src/deep/c.ts"],
      "nor does it keep others from being found",
    );
  });

  it("passes over what ripgrep does not read: ignored and excluded folders, .git", async () => {
    await put("app/.gitignore", "node_modules/\n");
    for (const path of ["app/node_modules/x/.gitignore", "app/out/.gitignore", "app/.git/x/.gitignore"]) {
      await mkdir(dirname(at(path)), { recursive: true });
      execFileSync("mkfifo", [at(path)]);
    }
    assert.deepEqual(await grep("."), ["a.ts", "src/b.ts", "src/deep/c.ts"]);
    // It would be found last: all others are nearer.
    await mkdir(at("app/src/deep/below"));
    execFileSync("mkfifo", [at("app/src/deep/below/.rgignore")]);
    const stopped = guardedSearch(
      { folder: at("app"), cwd: at("app"), isFile: false },
      [compileGlob("out")],
      until => new Promise((_, no) => until.addEventListener("abort", () => no(until.reason))),
      signal,
    );
    await assert.rejects(stopped, /below\/\.rgignore cannot be read/);
  });

  it("refuses a link to a file of the kernel's, which may look regular and have no end", async function () {
    if (process.platform !== "linux") return this.skip();
    await symlink("/proc/self/status", at("app/.ignore"));
    await assert.rejects(grep("."), /app\/\.ignore cannot be/);
  });

  it("reads an ignore file that is a link to a file, and one with other names", async () => {
    await put("app/ignored", "deep\n");
    await symlink("ignored", at("app/.gitignore"));
    await link(at("app/ignored"), at("app/src/.ignore"));
    assert.deepEqual(await grep("."), ["a.ts", "src/b.ts"]);
  });

  it("follows no rules out of the workspace or to a protected file, in a folder below neither", async () => {
    await put("outside/secret.md", "outside");
    await put("app/.env", "KEY=protected");
    for (const [name, target] of [
      ["app/AGENTS.md", "../outside/secret.md"],
      ["app/CLAUDE.md", ".env"],
      ["app/src/AGENTS.md", "../../outside/secret.md"],
      ["app/src/deep/AGENTS.md", "../../.env"],
    ] as const)
      await symlink(target, at(name));
    await symlink("../outside", at("app/out"));
    await put("outside/AGENTS.md", "outside");
    const warned: string[] = [];
    const rules = new NodeRules({
      ...{ roots: () => files.roots, configDir: at("config"), trusted: () => true },
      protectedBecause: ref => protectedBecause(ref, []),
      logger: { log: (_, message) => void warned.push(message) },
    });
    const found = await rules.read(["src/AGENTS.md", "src/deep/AGENTS.md", "out/AGENTS.md"]);
    for (const path of ["src/deep/c.ts", "out/secret.md"])
      found.push(...(await rules.nested({ absolute: `${files.roots[0]?.path}/${path}` })));
    assert.ok(found.length >= 5);
    for (const { text, problem } of found) assert.ok(text === "" && /^It is a link out/.test(problem ?? ""));
    assert.deepEqual(warned, []);
  });
});
