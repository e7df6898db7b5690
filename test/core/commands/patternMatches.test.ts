/** A pattern stands for links as well, and where these lead is for the disk to say. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planCommand } from "../../../src/core/commands/commandPlan";
import { tryInForce } from "../../../src/core/commands/tryCommand";
import { NodeFiles } from "../../../src/node/files";
import { TASK_FILES } from "../../../src/shared/obeyedFiles";
import { defaultSettings } from "../../../src/shared/settings";
import { temporaryFolder } from "../../fakes/temporary";

describe("patterns in commands that rules allow", () => {
  let base = "";
  before(function () {
    if (process.platform === "win32") this.skip();
    base = temporaryFolder("patterns");
    for (const folder of ["ws/docs", "ws/plain", "ws/config", "out"])
      mkdirSync(join(base, folder), { recursive: true });
    writeFileSync(join(base, "out/private.txt"), "of somebody else");
    for (const file of ["docs/a.md", "plain/a.md", "plain/b.md", "config/a.yml", "config/kubeconfig.yml", ".env"])
      writeFileSync(join(base, "ws", file), "x");
    symlinkSync("../../out/private.txt", join(base, "ws/docs/b.md"));
    symlinkSync("../.env", join(base, "ws/config/notes.md"));
    symlinkSync("docs", join(base, "ws/elsewhere"));
  });
  async function decided(command: string, allow: string[]): Promise<string> {
    const root = join(base, "ws");
    const settings = { get: () => ({ ...defaultSettings, "permissions.allow": allow }) };
    const inForce = { cwd: root, files: new NodeFiles([root]), shell: {}, settings, ownFolders: [] };
    return (await tryInForce(command, inForce, { mode: "auto", trusted: true })).decision;
  }

  for (const [command, expected] of [
    ["cat plain/*.md", "allow"],
    ["cat docs/*.md", "ask"],
    ["grep of */*.md", "ask"],
    ["head -n 1 elsewhere/*.md", "ask"],
    ["cat config/*.md", "ask"],
    ["cat config/*.yml", "ask"],
    ["cd docs && cat *.md", "ask"],
    ["cat nowhere/*.md", "allow"],
    ["ls docs/*.md", "allow"],
  ] as const)
    it(`${command}: ${expected}`, async () => assert.equal(await decided(command, ["Bash"]), expected));

  for (const [command, expected] of [
    ["grep -R x plain", "allow"],
    ["grep -R x docs", "ask"],
    ["rg -L x docs", "ask"],
    ["diff -rq plain docs", "ask"],
    ["grep -R x elsewhere", "ask"],
    ["wc -l < plain/a.md", "allow"],
    ["wc -l < docs/b.md", "ask"],
    ["cat < .env", "ask"],
  ] as const)
    it(`${command}, of which no rule says anything: ${expected}`, async () =>
      assert.equal(await decided(command, []), expected));

  it("an allowance for the session hangs on the task files, in every spelling, however many scripts are named", async () => {
    const command = `for f in ${Array.from({ length: 40 }, (_, at) => `${at}.sh`).join(" ")}; do sh $f; done`;
    let before = "";
    for (const name of TASK_FILES) {
      writeFileSync(join(base, "ws", name), `{"scripts":{"a":"${name}"}}`);
      const { scripts } = await planCommand(command, join(base, "ws"), new NodeFiles([join(base, "ws")]));
      assert.notEqual(scripts, before, name);
      before = scripts;
    }
  });
});
