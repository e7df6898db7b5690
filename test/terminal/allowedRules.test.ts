/** "Always" in the person's settings.json. */
import assert from "node:assert/strict";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAnswer } from "../../src/terminal/questions";
import { addAllowRules } from "../../src/terminal/settings";
import { temporaryFolder } from "../fakes/temporary";

const folder = () => temporaryFolder("rules");

describe("a rule that is allowed always", () => {
  it("is added once, and comments stay", async () => {
    const config = folder();
    const file = join(config, "settings.json");
    await writeFile(file, '{\n  // mine\n  "strata.model.name": "m",\n}\n');
    await addAllowRules(config, ["Bash(npm test)"]);
    await addAllowRules(config, ["Bash(npm test)", "Edit(src/**)"]);
    const text = await readFile(file, "utf8");
    assert.match(text, /\/\/ mine/);
    assert.equal(text.match(/Bash\(npm test\)/g)?.length, 1);
    assert.match(text, /"Edit\(src\/\*\*\)"/);
  });

  it("makes the file where there is none, and follows a link", async () => {
    const config = join(folder(), "strata");
    await addAllowRules(config, ["Bash(make)"]);
    assert.deepEqual(JSON.parse(await readFile(join(config, "settings.json"), "utf8")), {
      "strata.permissions.allow": ["Bash(make)"],
    });
    const linked = folder();
    const own = join(folder(), "mine.json");
    await writeFile(own, "{}");
    await symlink(own, join(linked, "settings.json"));
    await addAllowRules(linked, ["Bash(make)"]);
    assert.match(await readFile(own, "utf8"), /Bash\(make\)/);
  });

  it("leaves a file alone that is not JSON", async () => {
    const config = folder();
    await writeFile(join(config, "settings.json"), "{ nonsense");
    await assert.rejects(addAllowRules(config, ["Bash(make)"]), /is not valid JSON/);
    assert.equal(await readFile(join(config, "settings.json"), "utf8"), "{ nonsense");
  });

  it("is chosen in the terminal by a and w, where they are offered", () => {
    const rules = [["Bash(npm test)"], ["Bash(npm test *)"]];
    assert.deepEqual(parseAnswer("a", rules), { decision: "allow", scope: "always", rules: rules[0] });
    assert.deepEqual(parseAnswer(" W ", rules), { decision: "allow", scope: "always", rules: rules[1] });
    assert.deepEqual(parseAnswer("a"), { decision: "deny", scope: "once", words: "a" });
  });
});
