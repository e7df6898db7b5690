/** Folders of the workspace that stand in PATH serve neither Strata nor what runs unasked. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { findProgram, trustedPath } from "../../src/node/programs";
import { NodeShell } from "../../src/node/shell/shell";
import { temporaryFolder } from "../fakes/temporary";

describe("programs of the workspace", () => {
  let base: string;
  let root: string;
  const at = (...parts: string[]) => join(base, ...parts);
  const program = (path: string, says: string) => writeFileSync(path, `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
  beforeEach(() => {
    base = temporaryFolder("programs");
    root = at("ws");
    for (const path of ["ws/bin", "own"]) mkdirSync(at(path), { recursive: true });
    program(at("ws/bin/tool"), "evil");
    program(at("own/tool"), "good");
    symlinkSync(at("ws/bin"), at("link"));
    symlinkSync(at("ws/bin/tool"), at("own/linked"));
  });
  const path = (...parts: string[]) => parts.join(delimiter);

  it("PATH without them, without what is relative, and without links to them", () => {
    const all = path(at("ws/bin"), ".", "", "bin", at("link"), root, at("own"), at("ws-beside"));
    assert.equal(trustedPath(all, [root]), path(at("own"), at("ws-beside")));
    assert.equal(trustedPath("", [root]), "");
  });

  const printed = async (shell: NodeShell, command: string, onlyReads: boolean) => {
    let out = "";
    const onOutput = (_: string, chunk: Uint8Array) => {
      out += Buffer.from(chunk);
    };
    const signal = new AbortController().signal;
    await shell.run({ command, cwd: base, sandbox: NO_SANDBOX, onlyReads, signal, onOutput });
    return out;
  };

  it("none is found, also not by a link to one", () => {
    const env = { PATH: path(at("link"), at("ws/bin"), at("own")) };
    assert.equal(findProgram("tool", env, [root]), at("own/tool"));
    assert.equal(findProgram("tool", env, []), at("link/tool"));
    assert.equal(findProgram("linked", env, [root]), undefined);
    assert.equal(findProgram("tool", { PATH: "" }, [root]), undefined);
  });

  it("a command that runs since it only reads gets none; one that somebody allowed does", async function () {
    if (process.platform === "win32") return this.skip();
    const env = { ...process.env, PATH: path("ws/bin", at("ws/bin"), at("link"), at("own"), process.env.PATH ?? "") };
    const shell = new NodeShell({ env, roots: () => [root] });
    const run = (onlyReads: boolean) => printed(shell, "tool; linked", onlyReads);
    assert.match(await run(true), /^good\n/);
    assert.match(await run(false), /^evil\n/);
  });

  it("a command that runs since it only reads means what it says, whatever the environment makes of words", async function () {
    if (process.platform === "win32") return this.skip();
    writeFileSync(at("before.sh"), `: > '${at("ran")}'\n`);
    const changes = { BASH_ENV: at("before.sh"), CDPATH: at("own"), "BASH_FUNC_tool%%": "() { echo function; }" };
    const env = { ...process.env, ...changes, PATH: path(at("own"), process.env.PATH ?? "") };
    const shell = new NodeShell({ env, roots: () => [root] });
    const run = (onlyReads: boolean) => printed(shell, "tool", onlyReads);
    assert.match(await run(true), /^good\n/);
    assert.equal(existsSync(at("ran")), false);
    assert.match(await run(false), /^function\n/);
    assert.equal(existsSync(at("ran")), true);
    rmSync(at("ran"));
  });

  it("nor do programs by which Strata itself runs commands", async function () {
    if (process.platform === "win32") return this.skip();
    const names = ["bash", "sh", "mkfifo", "ps", "git", "bwrap", "rg", "sleep"];
    for (const name of names) writeFileSync(at("ws/bin", name), `#!/bin/sh\n: > '${at("ran")}'\n`, { mode: 0o755 });
    const before = process.env.PATH;
    process.env.PATH = path(at("ws/bin"), before ?? "");
    try {
      const shell = new NodeShell({ roots: () => [root] });
      const signal = new AbortController().signal;
      const ran = await shell.run({
        ...{
          command: "(trap '' HUP; read -t 60 < /dev/zero) & :",
          cwd: base,
          sandbox: NO_SANDBOX,
          onlyReads: true,
          signal,
        },
        onOutput: () => undefined,
      });
      assert.equal(ran.exitCode, 0);
      assert.equal(existsSync(at("ran")), false);
    } finally {
      process.env.PATH = before;
    }
  });
});
