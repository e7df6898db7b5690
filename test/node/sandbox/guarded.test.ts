/** What runs outside the sandbox without a question is not changed from within: scripts of hooks that were agreed to. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InSandbox, requireSandbox } from "./inSandbox";

describe("scripts of hooks in the sandbox", function () {
  this.timeout(60_000);
  let box: InSandbox | undefined;
  before(function () {
    return requireSandbox(this);
  });
  afterEach(() => box?.close());

  it("cannot be written, swapped, or covered by another folder; what is beside them can", async () => {
    const files = {
      "tools/hooks/guard.sh": "good",
      "tools/other.sh": "one",
      "guard.sh": "good",
      ".claude/x.sh": "good",
    };
    box = new InSandbox({ files });
    const path = (name: string) => join(box?.root ?? "", name);
    const scripts = ["tools/hooks/guard.sh", "guard.sh", ".claude/x.sh"];
    box.sandbox.guard("hooks", [...scripts, "gone.sh", "../home/x.sh"].map(path));
    const evil = scripts.flatMap(name => [
      `echo evil > ${name}`,
      `echo evil > e; mv -f e ${name}`,
      `rm -f ${name}; echo evil > ${name}`,
      `ln -f e ${name}`,
      `chmod 777 ${name}; echo evil >> ${name}`,
    ]);
    const moves = ["tools/hooks", "tools", ".claude"].map(
      folder => `mv ${folder} moved && mkdir -p ${folder} && cp -r moved/. ${folder} && echo evil > ${folder}/guard.sh`,
    );
    const { out } = await box.run(
      [...evil, ...moves, "echo two > tools/other.sh", "echo new > tools/hooks/new.sh", "cat guard.sh"].join("\n"),
    );
    for (const name of scripts) assert.equal(readFileSync(path(name), "utf8"), "good", `${name}: ${out}`);
    assert.equal(readFileSync(path("tools/other.sh"), "utf8"), "two\n");
    assert.equal(readFileSync(path("tools/hooks/new.sh"), "utf8"), "new\n");
    assert.match(out, /good$/);
  });

  it("of a folder that is meant as a whole nothing can be written, added or moved", async () => {
    box = new InSandbox({
      files: { "tools/hooks/a.sh": "good", "tools/hooks/deep/b.sh": "good", "tools/c.sh": "good" },
    });
    const path = (name: string) => join(box?.root ?? "", name);
    box.sandbox.guard("hooks", [path("tools/hooks")]);
    const tries = [
      "echo evil > tools/hooks/a.sh",
      "echo evil > tools/hooks/deep/b.sh",
      "echo evil > tools/hooks/new.sh",
    ];
    const moves = ["mv tools/hooks other", "mv tools other", "rm -rf tools/hooks", "ln -s /tmp tools/hooks/link"];
    await box.run([...tries, ...moves, "echo new > tools/c.sh"].join("\n"));
    for (const name of ["a.sh", "deep/b.sh"]) assert.equal(readFileSync(path(`tools/hooks/${name}`), "utf8"), "good");
    assert.deepEqual(readdirSync(path("tools/hooks")).sort(), ["a.sh", "deep"]);
    assert.equal(readFileSync(path("tools/c.sh"), "utf8"), "new\n");
  });

  it("are free again once others are named in their place, each owner's for themselves", async () => {
    box = new InSandbox({ files: { "a.sh": "good", "b.sh": "good", "server.js": "good" } });
    const path = (name: string) => join(box?.root ?? "", name);
    box.sandbox.guard("servers", [path("server.js")]);
    box.sandbox.guard("hooks", [path("a.sh"), path("b.sh")]);
    box.sandbox.guard("hooks", [path("b.sh")]);
    await box.run("for name in a.sh b.sh server.js; do echo new > $name; done");
    const now = ["a.sh", "b.sh", "server.js"].map(name => readFileSync(path(name), "utf8").trim());
    assert.deepEqual(now, ["new", "good", "good"]);
  });
});
