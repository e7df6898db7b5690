import assert from "node:assert/strict";
import { corpus, decided } from "./corpus";

describe("corpus of commands", () => {
  it("decides about each as a person would", async () => {
    const wrong: string[] = [];
    for (const { command, expected, told: words, ...state } of corpus()) {
      const { decision, reason, told } = await decided(command, state);
      if (words !== undefined && told !== words) wrong.push(`${words} expected, ${told}: ${JSON.stringify(command)}`);
      if (decision !== (/^(?:reads|held)$/.test(expected) ? "ask" : expected))
        wrong.push(`${expected} expected, ${decision} (${reason ?? ""}): ${JSON.stringify(command)}`);
    }
    assert.deepEqual(wrong, []);
  });

  it("runs in a read-only sandbox what seems to read", async () => {
    const wrong: string[] = [];
    for (const { command, expected, mode, rules } of corpus().filter(({ expected }) => expected === "reads")) {
      for (const each of mode === "ask" ? [] : (["edits", "auto"] as const)) {
        const verdict = await decided(command, { mode: each, rules, confined: "online" });
        if (verdict.by !== "sandbox" || verdict.access !== "read")
          wrong.push(`${expected} expected, ${verdict.decision} (${verdict.by} ${verdict.reason ?? ""}): ${command}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("asks about what makes a repository in the sandbox too, where it would not stay", async () => {
    const makes = [
      "git clone https://example.com/a.git",
      "git init",
      "git -C sub init -q",
      "git -c a.b=c --no-pager clone x y",
      "cd sub && git worktree add ../sub2 main",
      "git submodule add ./x lib",
      "git submodule --quiet update --init",
      "timeout 5 git init-db",
      "for i in 1 2; do git init $i; done",
      "/usr/bin/git clone x",
      "bash -c 'git init x'",
    ];
    const others = [
      "git worktree list",
      "git worktree remove x",
      "git submodule status",
      "git commit -m 'git init'",
      "npm init -y",
      "git rebase main",
      "git checkout -b init",
    ];
    const asked = async (commands: string[], rules = {}) => {
      const all = commands.map(async command => {
        const { decision } = await decided(command, { confined: "offline", rules });
        return decision === "ask" ? [command] : [];
      });
      return (await Promise.all(all)).flat();
    };
    assert.deepEqual([await asked(makes), await asked(others)], [makes, []]);
    assert.deepEqual(await asked(["git clone x"], { allow: ["Bash(git clone *)"] }), []);
  });

  it("asks in a sandbox, too, about what may start what is forbidden", async () => {
    for (const { command, rules } of corpus().filter(({ expected }) => expected === "held"))
      for (const mode of ["edits", "auto"] as const)
        assert.equal((await decided(command, { mode, rules, confined: "online" })).decision, "ask", command);
  });

  it("lets nothing run outside the sandbox that would ask where there is none", async () => {
    const wrong: string[] = [];
    for (const { command, mode, rules } of corpus().filter(each => each.mode !== "ask")) {
      const confined = await decided(command, { mode, rules, confined: "offline" });
      const runsOutside = confined.decision === "allow" && confined.by !== "sandbox";
      if (runsOutside && (await decided(command, { mode, rules })).decision !== "allow") wrong.push(command);
    }
    assert.deepEqual(wrong, []);
  });

  it("a file with the name of an option keeps a pattern from standing for files", async () => {
    const files = { app: { "--evil": "x", "a.ts": "x", "src/b.ts": "x" } };
    const rules = { allow: ["Bash(npm test *)"] };
    const of = async (command: string) => (await decided(command, { rules }, files)).decision;
    assert.deepEqual(await Promise.all(["npm test *", "npm test -*", "npm test [!a]*"].map(of)), ["ask", "ask", "ask"]);
    const harmless = ["npm test *.ts", "npm test ./*", "npm test src/*", "npm test -- *"];
    assert.deepEqual(await Promise.all(harmless.map(of)), ["allow", "allow", "allow", "allow"]);
  });
});
