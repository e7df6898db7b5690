import assert from "node:assert/strict";
import { readCommand } from "../../../src/core/permissions/plain/commandReading";
import { Random } from "../../fakes/random";
import { cases, isSoak } from "../../fakes/soak";
import { workOf } from "../../fakes/work";
import { corpus, decided } from "./corpus";
import { places, starters, wrapped, written } from "./shell/generated";

const strictness = { allow: 0, ask: 1, deny: 2 };

/** Of a command: 10,000 make one of 1 MB. */
const PARTS = isSoak("large") ? 10_000 : 1_000;

describe("what always holds of decisions about commands", () => {
  it("one more rule that forbids never allows more, nor does one that asks", async () => {
    const random = new Random(72);
    const all = corpus();
    const rules = "rm *|git push *|npm *|* -rf *|ls|cat *|Bash|* *|echo:*|git * x|curl|sh -c *".split("|");
    for (let at = 0; at < cases(4000); at++) {
      const { command, mode, rules: before } = random.pick(all);
      const kind = random.pick(["deny", "ask"] as const);
      const rule = random.pick(rules);
      const text = rule === "Bash" ? rule : `Bash(${rule})`;
      const first = await decided(command, { mode, rules: before });
      const second = await decided(command, { mode, rules: { ...before, [kind]: [...before[kind], text] } });
      assert.ok(
        strictness[second.decision] >= strictness[first.decision],
        `${first.decision}, then ${second.decision} with ${kind} ${text}: ${command}`,
      );
    }
  });

  it("one more rule that allows never allows what is forbidden", async () => {
    const random = new Random(73);
    const denied = corpus().filter(({ expected }) => expected === "deny");
    for (let at = 0; at < cases(3000); at++) {
      const { command, mode, rules } = random.pick(denied);
      const allow = [...rules.allow, random.pick(["Bash", "Bash(*)", "Bash(rm *)", "*", `Bash(${command})`])];
      assert.equal((await decided(command, { mode, rules: { ...rules, allow } })).decision, "deny", command);
    }
  });

  it("a part that asks makes the whole ask", async () => {
    const random = new Random(74);
    const asking = corpus().filter(({ expected, mode }) => expected === "ask" && mode === "auto");
    const simple = asking.filter(({ command }) => /^[\w ./-]+$/.test(command));
    assert.ok(simple.length > 100);
    for (let at = 0; at < cases(4000); at++) {
      const { command, rules } = random.pick(simple);
      const whole = random.pick(places)(command);
      const alone = await decided(command, { rules });
      const { decision } = await decided(whole, { rules });
      if (alone.decision !== "allow") assert.notEqual(decision, "allow", whole);
    }
  });

  it("nothing that starts a denied program is allowed, whatever else is", async () => {
    const random = new Random(75);
    const rules = { deny: ["Bash(rm *)"], allow: ["Bash(*)"] };
    for (let at = 0; at < cases(8000); at++) {
      const inner = random.chance(0.5) ? "rm x" : written(random, ["rm", "x"]).trim();
      const command = wrapped(random, inner);
      assert.notEqual((await decided(command, { rules })).decision, "allow", command);
    }
  });

  it("blanks, quotes and comments make no difference", async () => {
    const random = new Random(76);
    const rules = { deny: ["Bash(git push *)"], ask: ["Bash(git log *)"], allow: ["Bash(npm test)", "Bash(git *)"] };
    const commands = "git push origin|git log|npm test|git fetch|ls src|cat src/a.ts|rm x|npm publish|git status".split(
      "|",
    );
    for (let at = 0; at < cases(4000); at++) {
      const words = random.pick(commands).split(" ");
      const variant = written(random, words);
      // Without a sandbox, only the plainest way is certain to only read.
      const state = { rules, confined: "offline" as const };
      const [plain, other] = [await decided(words.join(" "), state), await decided(variant, state)];
      // What the strict language does not have asks.
      if (/\$'|\\\n/.test(variant))
        assert.ok(strictness[other.decision] >= strictness[plain.decision], JSON.stringify(variant));
      else assert.equal(other.decision, plain.decision, JSON.stringify(variant));
    }
  });

  it("holds for long commands, of many parts, and within each other", async () => {
    const rules = { deny: ["Bash(rm *)"] };
    const long = [
      `${"true && ".repeat(PARTS)}rm x`,
      `${"true; ".repeat(PARTS)}rm x`,
      `echo ${"a ".repeat(50 * PARTS)}; rm x`,
      `cat <<'EOF'\n${"x\n".repeat(50 * PARTS)}EOF\nrm x`,
      `${"true | ".repeat(PARTS)}rm x`,
    ];
    for (const command of long)
      assert.equal((await decided(command, { rules })).decision, "deny", command.slice(0, 40));
    for (const inner of [
      "(",
      "$(",
      "{ ",
      "`",
      "'",
      '"',
      "if ",
      "<<E\n",
      "${x:-",
      "$((",
      "sudo ",
      "nice -n 1 ",
      "sh -c '",
      "[[ ( ",
    ])
      assert.notEqual((await decided(inner.repeat(2 * PARTS), { rules })).decision, "allow", inner);
    const deep = `echo ${"$(echo ".repeat(2 * PARTS)}${")".repeat(2 * PARTS)}`;
    assert.notEqual((await decided(deep, { rules })).decision, "allow");
  });

  it("no command takes work that grows faster than it does, however programs start each other", async () => {
    const random = new Random(77);
    const pairs = Array.from({ length: cases(8) }, () => [random.pick(starters), random.pick(starters)]);
    for (const ways of [...starters.map(way => [way]), ...pairs])
      for (const depth of [12, 3_000]) {
        let command = "ls x";
        for (let at = 0; at < depth && command.length < 8_000; at++)
          command = ways[at % ways.length]?.(command) ?? command;
        const work = await workOf(() => {
          readCommand(command, "/w");
        });
        assert.ok(work < 500_000 + 50 * command.length, `${work} for ${command.length}: ${command.slice(0, 200)}`);
      }
  }).timeout(300_000);
});
