/** What a command in the sandbox makes for agents and machines to obey is put aside, or counts for nothing in this process. */

import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ReadText } from "../../../src/core/ground/ports";
import { NodeFiles } from "../../../src/node/files";
import { NodeRules } from "../../../src/node/rules";
import { ObeyedRuns, obeyedSince, placesOf } from "../../../src/node/sandbox/obeyedRuns";
import { NodeSkills } from "../../../src/node/skills";
import { madeByCommand } from "../../../src/shared/obeyedFiles";
import { pluck } from "../../fakes/pluck";
import { InSandbox, needsSandbox } from "./inSandbox";

const logger = { log: () => undefined };

describe("what is obeyed, in the sandbox", function () {
  needsSandbox(this);
  let box: InSandbox;
  const start = (files: Record<string, string>) => {
    box = new InSandbox({ files: { "sub/a.txt": "a\n", ...files } });
  };
  afterEach(() => box.close());

  for (const [path, command] of [
    ["code_law.md", "echo x > code_law.md"],
    ["sub/AGENTS.md", "echo x > sub/AGENTS.md"],
    ["sub/agents.MD", "echo x > sub/agents.MD"],
    ["sub/.agents/skills/x/SKILL.md", "mkdir -p sub/.agents/skills/x; echo x > sub/.agents/skills/x/SKILL.md"],
    ["skills/x/SKILL.md", "mkdir -p skills/x; echo x > skills/x/SKILL.md"],
    [".github/workflows/x.yml", "mkdir -p .github/workflows; echo x > .github/workflows/x.yml"],
    ["new/mcp.json", "mkdir new; echo x > new/mcp.json"],
    ["sub/CLAUDE.md", "mv sub/a.txt sub/CLAUDE.md"],
    ["sub/.tool-versions", "ln -s a.txt sub/.tool-versions"],
  ] as const)
    it(`is put aside and told: ${path}`, async () => {
      start({});
      const ran = await box.run(command);
      assert.equal(existsSync(join(box.root, path)), false, ran.out);
      assert.match(JSON.stringify(ran), /"now":/);
    });

  it("deeper than anybody looks it is not obeyed, until somebody saves it", async () => {
    start({ "AGENTS.md": "ours\n" });
    const deep = "1/2/3/4/5/6/7/8";
    await box.run(`mkdir -p ${deep}; echo evil > ${deep}/AGENTS.md; : > ${deep}/a.ts`);
    const rules = () =>
      new NodeRules({
        ...{
          roots: () => [{ name: "ws", path: box.root, uri: `file://${box.root}` }],
          configDir: join(box.base, "config"),
        },
        ...{ trusted: () => true, protectedBecause: () => undefined, logger },
        madeByCommand: (path, read) => box.sandbox.mayHaveMade(path, read),
      });
    const file = join(box.root, deep, "AGENTS.md");
    const found = await rules().nested({ absolute: join(box.root, deep, "a.ts") });
    assert.ok(!existsSync(file) || found.length === 0);
    assert.deepEqual(pluck(await rules().read(), "text"), ["ours\n"], "what was there before is obeyed");
  });

  it("in folders of dependencies it stays and can be removed, and what a command changed is not obeyed", async () => {
    start({ "node_modules/p/AGENTS.md": "theirs\n", "node_modules/p/.github/workflows/ci.yml": "ci\n" });
    const ran = await box.run(
      "echo evil >> node_modules/p/AGENTS.md; mkdir node_modules/q; echo x > node_modules/q/.travis.yml",
    );
    assert.deepEqual([ran.exitCode, ran.ended], [0, "exited"], ran.out);
    assert.ok(existsSync(join(box.root, "node_modules/q/.travis.yml")));
    assert.ok(box.sandbox.mayHaveMade(join(box.root, "node_modules/p/AGENTS.md")));
    assert.equal((await box.run("rm -r node_modules")).exitCode, 0);
  });

  it("a task in the background makes nothing that is obeyed", async () => {
    start({});
    const abort = new AbortController();
    const done = new Promise<void>(resolve => {
      const task = box.long(
        "mkdir -p .github/skills/x sub; echo evil > .github/skills/x/SKILL.md; echo evil > sub/AGENTS.md; echo done; sleep 60",
        {
          signal: abort.signal,
          onOutput: () => resolve(),
        },
      );
      void task.catch(() => undefined);
    });
    await done;
    const how = {
      ...{
        roots: () => [{ name: "ws", path: box.root, uri: `file://${box.root}` }],
        configDir: join(box.base, "config"),
      },
      ...{ trusted: () => true, protectedBecause: () => undefined, logger, home: box.home },
      madeByCommand: (path: string, read: ReadText) => box.sandbox.mayHaveMade(path, read),
    };
    const [rules, known] = [new NodeRules(how), new NodeSkills(how)];
    const shown = async () =>
      (await rules.nested({ absolute: join(box.root, "sub/a.txt") })).map(one => [one.text, one.problem]);
    assert.deepEqual(await shown(), [["", `${madeByCommand()}.`]]);
    const { skills, broken } = await known.read();
    assert.deepEqual(skills, []);
    assert.match(broken[0]?.problem ?? "", /while a command ran in the sandbox/);
    // The task may run for hours: what a person saves meanwhile is theirs, and what it changes after that is not.
    for (const name of ["sub/AGENTS.md", ".github/skills/x/SKILL.md"])
      box.sandbox.saved(join(box.root, name), () => "evil\n");
    assert.deepEqual(await shown(), [["evil\n", undefined]]);
    assert.equal((await known.read()).skills.length, 1);
    writeFileSync(join(box.root, "sub/AGENTS.md"), "worse\n");
    assert.deepEqual(await shown(), [["", `${madeByCommand()}.`]]);
    const files = new NodeFiles([box.root], (path, text) => box.sandbox.saved(path, () => text));
    // Whoever is quicker than the news of a save, or was there before an edit that was refused, is still no person.
    box.sandbox.saved(join(box.root, "sub/AGENTS.md"), () => "mine\n");
    const changed = await files.resolve("sub/AGENTS.md");
    const edit = { ref: changed, base: "0".repeat(64), edits: [{ start: 0, end: 0, text: "mine\n" }] };
    assert.equal((await files.apply(edit)).kind, "stale");
    assert.deepEqual(await shown(), [["", `${madeByCommand()}.`]]);
    mkdirSync(join(box.root, "other"));
    const ref = await files.resolve("other/AGENTS.md");
    await files.apply({ ref, base: null, edits: [{ start: 0, end: 0, text: "agreed\n" }] });
    assert.deepEqual(pluck(await rules.nested(ref), "text"), ["agreed\n"]);
    abort.abort();
  });

  describe("that a task in the background made or changed", () => {
    const NAMES = [
      ..."AGENTS.md CLAUDE.md GEMINI.md CODE_LAW.md .cursorrules .windsurfrules .mcp.json .envrc".split(" "),
      ...".claude/settings.json .claude/commands/x.md .agents/skills/x/SKILL.md .strata/hooks.json".split(" "),
      ...".cursor/rules/x.mdc .github/copilot-instructions.md .github/prompts/x.prompt.md .github/hooks/x.json".split(
        " ",
      ),
      ...".husky/pre-commit sub/AGENTS.md vendor/p/AGENTS.md README.md".split(" "),
    ];
    const writeAll = NAMES.map(name => `mkdir -p $(dirname ${name}); echo '{"evil":1}' > ${name}`).join("; ");
    /** A process of its own, also of another window. */
    const process = (said: string[] = []) => {
      const undecided = join(box.base, "undecided");
      const imported = () => new Set([join(box.root, "README.md")]);
      const warn = (text: string) => said.push(text);
      return new InSandbox({ at: box, sandbox: { undecided, imported, warn } });
    };
    const withheld = ({ sandbox }: InSandbox) => NAMES.filter(name => sandbox.mayHaveMade(join(box.root, name)));
    const found = NAMES.filter(name => !name.startsWith("vendor/"));

    it("is told when it ends, and counts for no process until a person saves it", async () => {
      start({ "README.md": "ours\n" });
      const said: string[] = [];
      const first = process(said);
      const ran = await first.long(writeAll, {});
      const told = ran.refused?.map(({ path }) => path.slice(box.root.length + 1)).sort();
      assert.deepEqual(told, [...found].sort());
      assert.equal(said.length, 1);
      assert.ok(found.every(name => said[0]?.includes(join(box.root, name))));
      assert.deepEqual(withheld(first), NAMES);
      await first.sandbox.close();
      const next = process();
      assert.deepEqual(withheld(next), found);
      // A person's own change, and what they save as it stands.
      writeFileSync(join(box.root, "AGENTS.md"), "mine\n");
      next.sandbox.saved(join(box.root, "CLAUDE.md"), () => '{"evil":1}\n');
      const rest = found.filter(name => !["AGENTS.md", "CLAUDE.md"].includes(name));
      assert.deepEqual(withheld(next), rest);
      assert.deepEqual(withheld(process()), rest);
      utimesSync(join(box.root, ".mcp.json"), 1, 1);
      assert.deepEqual(withheld(process()), rest, "another time makes no other text");
    });

    it("nor while it runs in another window, nor where that was killed", async () => {
      start({ "sub/CLAUDE.md": "ours\n" });
      const first = process();
      const up = Promise.withResolvers<void>();
      const stop = new AbortController();
      const running = first.long(`${writeAll}; echo up; sleep 60`, {
        signal: stop.signal,
        onOutput: () => up.resolve(),
      });
      await up.promise;
      assert.deepEqual(withheld(process()), NAMES);
      assert.equal(process().sandbox.mayHaveMade(join(box.root, "sub/CLAUDE.md")), false);
      const kept = join(box.base, "undecided");
      const [name = ""] = readdirSync(kept);
      const record = JSON.parse(readFileSync(join(kept, name), "utf8"));
      assert.deepEqual([record.left, record.roots], [undefined, [box.root]]);
      rmSync(join(kept, name));
      writeFileSync(join(kept, "killed.json"), JSON.stringify({ ...record, process: "999999999 1" }));
      const said: string[] = [];
      assert.deepEqual(withheld(process(said)), found);
      assert.deepEqual([said.length, said[0]?.includes("AGENTS.md")], [1, true]);
      assert.deepEqual(withheld(process()), found);
      stop.abort();
      await running;
    });

    it("leaves nothing where nothing of that was changed, and no task runs where it cannot be kept", async () => {
      start({ "AGENTS.md": "ours\n" });
      const first = process();
      assert.equal((await first.long("echo x > AGENTS.md; echo y > a", {})).refused, undefined);
      assert.deepEqual(readdirSync(join(box.base, "undecided")), []);
      rmSync(join(box.base, "undecided"), { recursive: true });
      writeFileSync(join(box.base, "undecided"), "");
      await assert.rejects(first.long("echo > ran", {}));
      assert.equal(existsSync(join(box.root, "ran")), false);
    });
  });
});

describe("what commands may have made", () => {
  it("is none of what was there before and nobody looked at", () => {
    const box = new InSandbox({ files: { "a.md": "a" } });
    const path = join(box.root, "a.md");
    const { ctimeMs } = lstatSync(path);
    const roots = [box.root];
    assert.deepEqual(obeyedSince(new Map(), [path], { moment: ctimeMs, roots }), [path]);
    assert.deepEqual(obeyedSince(new Map(), [path], { moment: ctimeMs + 1, roots }), []);
    assert.deepEqual(obeyedSince(placesOf([path]), [path], { moment: 0, roots }), []);
    return box.close();
  });

  it("is what changed while one ran, and could be changed by it", () => {
    const box = new InSandbox({ files: { "a.md": "a", "b.md": "b" } });
    const [a, b] = ["a.md", "b.md"].map(name => join(box.root, name)) as [string, string];
    let now = Date.now() + 10_000;
    const roots = () => [box.root];
    const runs = new ObeyedRuns({ now: () => now, roots });
    assert.equal(runs.mayHaveMade(a), false);
    const { over } = runs.begin([b]);
    assert.equal(runs.mayHaveMade(a), false, "it was there before");
    now = 0;
    const other = new ObeyedRuns({ now: () => now, roots });
    const { over: ended } = other.begin([b]);
    writeFileSync(a, "c");
    utimesSync(a, 1, 1);
    writeFileSync(b, "c");
    assert.deepEqual([other.mayHaveMade(a), other.mayHaveMade(b)], [true, false]);
    now = 1;
    ended();
    assert.equal(other.mayHaveMade(a), false, "somebody else changed it since");
    over();
    return box.close();
  });
});
