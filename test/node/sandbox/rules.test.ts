/** What rules forbid is forbidden to programs in the sandbox too, whatever opens it there. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forbiddenPlaces, parseRules } from "../../../src/core/permissions/rules";
import { InSandbox, needsSandbox } from "./inSandbox";

describe("rules in the sandbox", function () {
  needsSandbox(this);
  let box: InSandbox | undefined;
  afterEach(() => box?.close());

  it("files and folders that are forbidden to read are hidden, those to edit stay as they are", async () => {
    const deny = ["Read(secrets/**)", "Read(~/notes.txt)", "Edit(migrations/**)", "Edit(./fixed.txt)", "Read(none/**)"];
    const places = forbiddenPlaces(parseRules({ allow: ["Read(src/**)"], ask: ["Edit(src/**)"], deny }));
    box = new InSandbox({
      files: { "secrets/a": "HIDDEN", "migrations/1.sql": "one", "fixed.txt": "kept", "src/a.ts": "code" },
      home: { "notes.txt": "HIDDEN" },
      sandbox: { forbidden: () => places },
    });
    const { out } = await box.run(
      "cat secrets/a ~/notes.txt; cp -r secrets /tmp/s; cat /tmp/s/a; mv secrets t; rm -rf migrations; echo x > fixed.txt; mv fixed.txt u; echo y > migrations/2.sql; cat migrations/1.sql src/a.ts; echo x > src/a.ts",
    );
    assert.doesNotMatch(out, /HIDDEN/);
    assert.match(out, /onecode/);
    const path = (name: string) => join(box?.root ?? "", name);
    assert.equal(readFileSync(path("secrets/a"), "utf8"), "HIDDEN");
    assert.equal(readFileSync(path("fixed.txt"), "utf8"), "kept");
    assert.equal(readFileSync(path("migrations/1.sql"), "utf8"), "one");
    assert.equal(existsSync(path("migrations/2.sql")), false);
    assert.equal(readFileSync(path("src/a.ts"), "utf8"), "x\n");
  });

  it("patterns are left to the question before", () => {
    const deny = ["Read(**/*.pem)", "Read", "Edit(a?)", "Bash(rm *)", "Read({a,b}/**)", "Read((("];
    assert.deepEqual(forbiddenPlaces(parseRules({ allow: [], ask: [], deny })), { read: [], write: [] });
  });
});
