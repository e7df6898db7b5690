import assert from "node:assert/strict";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { callersEnv, findDesktop, gitEnv, ownEnvironment } from "../../scripts/lib/environment.mjs";
import { temporaryFolder } from "../fakes/temporary";

describe("environment of what scripts start", () => {
  it("has no variable of git", () => {
    const env = {
      HOME: "/h",
      GIT_DIR: ".git",
      GIT_INDEX_FILE: "i",
      GIT_CONFIG_COUNT: "1",
      git_work_tree: "w",
      MYGIT_X: "1",
    };
    assert.deepEqual(gitEnv(env), { HOME: "/h", MYGIT_X: "1" });
  });

  it("has nothing that npm set for the program that it started", () => {
    const env = {
      npm_config_userconfig: "/h/.npmrc",
      npm_lifecycle_event: "test",
      NPM_CONFIG_REGISTRY: "r",
      GIT_DIR: "g",
    };
    assert.deepEqual(callersEnv(env), { NPM_CONFIG_REGISTRY: "r" });
    assert.deepEqual(ownEnvironment({ ...env, PATH: "/bin" }), { NPM_CONFIG_REGISTRY: "r", PATH: "/bin" });
  });

  it("has the user's PATH, without what npm put in front", () => {
    const bin = join("project", "node_modules", ".bin");
    const gyp = join("npm", "bin", "node-gyp-bin");
    const PATH = [bin, gyp, "/usr/bin", "/bin"].join(delimiter);
    assert.deepEqual(ownEnvironment({ PATH, GIT_DIR: ".git", A: "1" }), { A: "1", PATH: `/usr/bin${delimiter}/bin` });
  });
});

describe("desktop VS Code", () => {
  let bin: string;
  const check = (variables: Record<string, string>, expected: string | undefined) =>
    assert.equal(findDesktop({ PATH: `${bin}${delimiter}/usr/bin${delimiter}/bin`, ...variables }), expected);

  before(function () {
    if (process.platform === "win32") this.skip();
    bin = temporaryFolder("code");
    writeFileSync(join(bin, "code"), "#!/bin/sh\n");
    chmodSync(join(bin, "code"), 0o755);
  });
  after(() => {
    if (bin) rmSync(bin, { recursive: true, force: true });
  });

  it("is `code` on PATH, unless there is no display or `code` is a remote window's", () => {
    check({ DISPLAY: ":0" }, join(bin, "code"));
    check({ WAYLAND_DISPLAY: "wayland-0" }, join(bin, "code"));
    check({ DISPLAY: ":0", VSCODE_IPC_HOOK_CLI: "/run/vscode-ipc.sock" }, undefined);
    if (process.platform === "linux") check({}, undefined);
  });
});
