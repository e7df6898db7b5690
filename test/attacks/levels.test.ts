/** Settings of several levels: who wins, what adds up, what a broken file amounts to, and what is said of it. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { permit } from "../../src/cli/permit";
import type { TriedCommand } from "../../src/core/commands/tryCommand";
import { modeInForce, rulesInForce, whyNotMode } from "../../src/core/permissions/levels";
import { NodeFiles } from "../../src/node/files";
import { managedSettingsPath, readManagedSettings } from "../../src/node/managedSettings";
import { withSlashes } from "../../src/node/paths";
import type { Settings } from "../../src/shared/settings";
import { loadSettings } from "../../src/terminal/settings";
import { temporaryFolder } from "../fakes/temporary";

type Permitted = TriedCommand & { mode: string };

describe("levels of settings", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder("levels");
    mkdirSync(join(folder, "ws/.vscode"), { recursive: true });
    mkdirSync(join(folder, "own"));
    mkdirSync(join(folder, "etc"));
  });

  const managedPath = () => join(folder, "etc/settings.json");
  const asFile = (values: Partial<Settings> & Record<string, unknown>) =>
    JSON.stringify(Object.fromEntries(Object.entries(values).map(([name, value]) => [`strata.${name}`, value])));

  interface Levels {
    managed?: string;
    user?: Partial<Settings>;
    workspace?: Record<string, unknown>;
    env?: Record<string, string>;
    flags?: Partial<Settings>;
  }

  function load({ managed, user, workspace, env = {}, flags = {} }: Levels) {
    if (managed !== undefined) writeFileSync(managedPath(), managed);
    if (user) writeFileSync(join(folder, "own/settings.json"), asFile(user));
    if (workspace) writeFileSync(join(folder, "ws/.vscode/settings.json"), asFile(workspace));
    const said: string[] = [];
    const settings = loadSettings({
      ...{ configDir: join(folder, "own"), trustedWorkspace: join(folder, "ws"), env, flags },
      managed: readManagedSettings(managedPath()),
      warn: text => said.push(text),
    });
    return { settings, said };
  }

  async function decided(levels: Levels, command: string): Promise<Permitted> {
    const { settings } = load(levels);
    const printed: string[] = [];
    await permit(
      { kind: "permit", workspace: ".", json: true, command },
      {
        ...{ settings, cwd: withSlashes(join(folder, "ws")), ownFolders: [] },
        files: new NodeFiles([join(folder, "ws")]),
        shell: {},
        streams: { out: text => void printed.push(text), err: () => undefined },
      },
    );
    return JSON.parse(printed.join(""));
  }

  it("the administrator's scalars win over everybody's", () => {
    const { settings } = load({
      managed: asFile({ "permissions.runEverything": false, "permissions.mode": "ask", "agent.maxSteps": 5 }),
      user: { "permissions.runEverything": true, "agent.maxSteps": 7 },
      env: { STRATA_PERMISSIONS_RUN_EVERYTHING: "true", STRATA_PERMISSIONS_MODE: "auto" },
      flags: { "permissions.mode": "auto", "agent.maxSteps": 9 },
    });
    const { "permissions.runEverything": all, "permissions.mode": mode, "agent.maxSteps": steps } = settings.get();
    assert.deepEqual([all, mode, steps], [false, "ask", 5]);
    assert.equal(modeInForce("auto", settings), "ask");
    assert.equal(modeInForce("plan", settings), "plan");
    assert.match(whyNotMode("edits", settings) ?? "", /no more than the mode "Ask first" \(.*etc.settings\.json\)/);
    assert.equal(whyNotMode("plan", settings), undefined);
  });

  it("rules of all levels add up, and each says where it stands", async () => {
    const levels: Levels = {
      managed: asFile({ "permissions.deny": ["Bash(npm publish *)"] }),
      user: { "permissions.allow": ["Bash(npm *)"] },
      workspace: { "permissions.ask": ["Bash(npm version *)"] },
      flags: { "permissions.deny": ["Bash(npm run evil)"] },
    };
    const published = await decided(levels, "npm publish --tag next");
    assert.equal(published.decision, "deny");
    assert.deepEqual(published.from, { level: "managed", place: managedPath() });
    assert.match(
      published.reason,
      /^The administrator's rule `Bash\(npm publish \*\)` in .*settings\.json forbids this/,
    );
    const version = await decided(levels, "npm version 2.0.0");
    assert.match(version.reason, /^this workspace's rule `Bash\(npm version \*\)` in .*\.vscode.settings\.json asks/);
    const evil = await decided(levels, "npm run evil");
    assert.match(evil.reason, /^The rule `Bash\(npm run evil\)` of the command line forbids this/);
    const test = await decided(levels, "npm test");
    assert.deepEqual([test.decision, test.from?.place], ["allow", join(folder, "own/settings.json")]);
  });

  it("a workspace allows nothing, and takes nothing back that others forbid", async () => {
    const levels: Levels = {
      user: { "permissions.deny": ["Bash(rm *)"], "permissions.mode": "auto" },
      workspace: {
        "permissions.allow": ["Bash(touch *)", "Bash(rm *)"],
        "permissions.deny": [],
        "permissions.runEverything": true,
      },
    };
    assert.equal((await decided(levels, "rm a")).decision, "deny");
    assert.equal((await decided(levels, "touch a")).decision, "ask");
    // also where somebody put it into the layer
    const layers = [{ level: "workspace" as const, place: "w", values: { "permissions.allow": ["Bash(touch *)"] } }];
    assert.deepEqual(rulesInForce({ get: load({}).settings.get, layers: () => layers }), []);
  });

  for (const [what, text] of [
    ["no JSON", "{ nothing"],
    ["empty", ""],
    ["a list", "[]"],
    ["with a value that cannot be used", '{"strata.permissions.deny": "Bash(rm *)"}'],
    ["with a name that is no setting", '{"strata.permissions.denied": ["Bash(rm *)"]}'],
  ] as const)
    it(`the administrator's file, ${what}: said, and nothing runs unasked`, async () => {
      const levels: Levels = {
        managed: text,
        user: {
          "permissions.mode": "auto",
          "permissions.runEverything": true,
          "permissions.allow": ["Bash(npm test)"],
        },
      };
      for (const command of ["npm test", "ls", "curl example.com"]) {
        const { decision, reason } = await decided(levels, command);
        assert.equal(decision, "ask", command);
        assert.match(reason, /settings in .*etc.settings\.json cannot be used/);
      }
      const { said } = load(levels);
      assert.equal(said.length, 1);
      assert.match(
        said[0] ?? "",
        /^The administrator's settings, .*settings\.json, cannot be used \(.*\), so that nothing runs unasked\.$/,
      );
    });

  it("the administrator's file: what can be read of a broken one holds", async () => {
    const managed = '{"strata.permissions.deny": ["Bash(rm *)"], "strata.permissions.mode": "autoo"}';
    assert.equal((await decided({ managed }, "rm a")).decision, "deny");
  });

  it("the administrator's file as a folder, or a link that leads nowhere, is there and cannot be used", () => {
    mkdirSync(managedPath());
    assert.ok("problem" in (readManagedSettings(managedPath()) ?? {}));
    symlinkSync(join(folder, "nowhere"), join(folder, "etc/link.json"));
    assert.ok("problem" in (readManagedSettings(join(folder, "etc/link.json")) ?? {}));
    assert.equal(readManagedSettings(join(folder, "none/settings.json")), undefined);
    writeFileSync(join(folder, "file"), "");
    assert.equal(readManagedSettings(join(folder, "file/settings.json")), undefined);
  });

  it("has comments, and a byte order mark", async () => {
    const managed = '\uFEFF{ // ours\n "strata.permissions.deny": ["Bash(rm *)"], }';
    assert.equal((await decided({ managed }, "rm a")).decision, "deny");
    assert.deepEqual(load({ managed }).said, []);
  });

  it("stands where the system keeps such files", () => {
    assert.equal(managedSettingsPath("linux", {}), "/etc/strata/settings.json");
    assert.equal(managedSettingsPath("darwin", {}), "/Library/Application Support/Strata/settings.json");
    assert.equal(managedSettingsPath("win32", { ProgramData: "D:\\PD" }), "D:\\PD\\Strata\\settings.json");
  });

  it("rules that cannot be read are named once: left out where they allow, asking where they forbid", async () => {
    const levels: Levels = {
      user: { "permissions.allow": ["Bash(npm test"], "permissions.deny": ["Bash(rm *"] },
    };
    const { said } = load(levels);
    assert.equal(said.length, 2, said.join("\n"));
    assert.match(said.join("\n"), /`Bash\(npm test`, under allow in .*, cannot be read \(.*\), so it is left out/);
    assert.match(said.join("\n"), /`Bash\(rm \*`, under deny in .*, cannot be read \(.*\), so Bash asks/);
    assert.equal((await decided(levels, "ls")).decision, "ask");
  });
});
