/** What a file of tasks starts, task by task; and that texts of others take no time that grows faster than they do. */
import assert from "node:assert/strict";
import { startedBy } from "../../../../src/core/permissions/starts/commands";
import { startedIn } from "../../../../src/core/permissions/starts/contents";

const json = (scripts: object) => JSON.stringify({ scripts });

describe("what a file starts in turn", () => {
  const of = (text: string, task: string, path = "/w/package.json") =>
    startedIn(text, path)
      .filter(named => named.task === task && /\.(?:sh|js)$/.test(named.path))
      .map(named => named.path);

  it("of each task what it starts, with what stands before and after it, and what it calls", () => {
    const text = json({ a: "bash a.sh", prea: "sh pre.sh", b: "npm run a && node b.js", c: "npm run b", d: "yarn d" });
    assert.deepEqual(of(text, "a").sort(), ["/w/a.sh", "/w/pre.sh"]);
    assert.deepEqual(of(text, "c").sort(), ["/w/a.sh", "/w/b.js", "/w/pre.sh"]);
    assert.deepEqual(of(text, "d"), []);
  });

  it("that calls itself in a circle, or is no JSON, ends", () => {
    assert.deepEqual(of(json({ a: "npm run b", b: "npm run a" }), "a"), []);
    assert.deepEqual(startedIn("{ no", "/w/package.json"), []);
    assert.deepEqual(of(JSON.stringify({ scripts: { a: { command: "sh a.sh" } } }), "a"), ["/w/a.sh"]);
  });

  it("in which each calls all others is taken as a whole", () => {
    const names = Array.from({ length: 200 }, (_, at) => `s${at}`);
    const text = json(Object.fromEntries(names.map(name => [name, `bash ${name}.sh; npm run $X`])));
    assert.deepEqual(startedIn(text, "/w/package.json"), [{ path: "/w", runs: true, whole: true }]);
  });

  it("a shell's script by the grammar, too, but for what could be anything", () => {
    const found = startedIn("#!/bin/sh\nmake -C dir lint\nbash tools/*.sh\nbash $X\n", "/w/a.sh").filter(
      ({ runs }) => runs,
    );
    assert.ok(found.some(({ path }) => path === "dir/Makefile"));
    assert.ok(found.some(({ path, whole }) => path === "tools/" && whole));
    assert.ok(!found.some(({ path, whole }) => path === "." && whole));
  });

  it("what no shell would take as it stands may start anything", () => {
    for (const text of ["bash 'x", "echo $(bash x", "a\0b", "bash x\r", "echo \u200b", `bash ${"x".repeat(5_000)}`])
      assert.ok(
        startedBy([text], "/w").some(({ path, whole }) => path === "." && whole),
        text.slice(0, 40),
      );
  });

  it("is bounded, whatever the words are", () => {
    for (const word of ["npx ", "env -S 'x y' ", "python -m x;", "xargs ", 'bash -c "', "$(", "*[", "PATH=$ "])
      assert.ok(startedBy([word.repeat(5_000 / word.length)], "/w").length < 20_000, word);
  });
});
