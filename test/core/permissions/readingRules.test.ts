/** What `Read(…)` rules keep is told by no tool and no attachment, whatever it is called and whether it was named. */
import assert from "node:assert/strict";
import { writeCommitMessage } from "../../../src/core/agent/smallCalls/commitMessage";
import type { Problem } from "../../../src/core/ground/ports";
import { decide } from "../../../src/core/permissions/policy";
import { parseRules } from "../../../src/core/permissions/rules";
import type { Json } from "../../../src/shared/messages";
import { world as agentWorld } from "../../fakes/agent";
import { problem as listed, problemsOf } from "../../fakes/attachments";
import { findsBad, problem } from "../../fakes/diagnostics";
import { MemoryFiles } from "../../fakes/files";
import { Harness } from "../looking/harness";
import { world as attaching, inside } from "../mentions/attachments/attaching";

const tree = {
  "open.ts": "function loadAll() {\n  loadAll();\n}\n",
  "keys/kept.ts": "const loadAll = 'told of keys'; // bad\n",
};
const problems: Record<string, readonly Problem[]> = {
  "open.ts": [problem(1, "of open")],
  "keys/kept.ts": [problem(1, "told of keys")],
};
type Kind = "deny" | "ask";

async function harness(kind: Kind, rule: string) {
  const made = new Harness({ app: tree }, { code: true, checker: (_, path) => problems[path] });
  for (const path of Object.keys(problems)) await made.diagnostics.check(path);
  made.rules = parseRules({ deny: [], ask: [], allow: [], [kind]: [rule] });
  return made;
}

/** the tool, its input, rules beside `Read(keys/**)` that keep the file from it */
const looks: [string, Json, string[]][] = [
  ["Diagnostics", {}, ["Diagnostics(keys/**)", "Diag*(keys/**)", "*(keys/**)", "Read(**/kept.ts)"]],
  ["Diagnostics", { file_path: "." }, ["Diagnostics(keys/*)"]],
  ["Grep", { pattern: "told", output_mode: "content" }, ["Grep(keys/**)", "G*(keys/**)"]],
  ["Grep", { pattern: "told", path: ".", output_mode: "content" }, ["Grep(keys/kept.ts)"]],
  ["Code", { action: "references", symbol: "loadAll", file_path: "open.ts" }, ["Code(keys/**)"]],
];

describe("files that rules keep from being read", () => {
  for (const [tool, input, rules] of looks)
    for (const kind of ["deny", "ask"] as const)
      for (const rule of ["Read(keys/**)", "Read(./keys/**)", "Read(/ws/app/keys/**)", ...rules])
        it(`${kind} ${rule}: ${tool} ${JSON.stringify(input)} does not tell what is in them`, async () => {
          const { text } = await (await harness(kind, rule)).call(tool, input);
          assert.ok(!text.includes("told of keys"), text);
        });

  it("are told where no rule keeps them", async () => {
    for (const [tool, input] of looks) {
      const { text } = await (await harness("deny", "Read(other/**)")).call(tool, input);
      assert.ok(text.includes("told of keys"), `${tool}: ${text}`);
    }
  });

  const named: [string, Json][] = [
    ["Read", { file_path: "keys/kept.ts" }],
    ["Grep", { pattern: "told", path: "keys/kept.ts" }],
    ["Diagnostics", { file_path: "keys/kept.ts" }],
    ["Code", { action: "symbols", file_path: "keys/kept.ts" }],
  ];
  for (const [tool, input] of named)
    for (const kind of ["deny", "ask"] as const)
      for (const rule of ["Read(keys/**)", `${tool}(keys/**)`])
        it(`${kind} ${rule}: ${tool} of the file is decided by it`, async () => {
          const made = await harness(kind, rule);
          const prepared = await made.prepare(tool, input);
          const { effect = "session" } = made.tools.get(tool) ?? {};
          const { targets, detail } = prepared;
          const verdict = decide(
            { toolName: tool, effects: [effect], targets, detail, input, namesSecret: false },
            {
              ...{ mode: "auto", trusted: true, ownFolders: [], grants: [], rules: made.rules },
              ...{ trustsAllContent: false, runEverything: true },
            },
          );
          assert.equal(verdict.decision, kind);
        });

  it("a rule whose pattern cannot be read lets no tool look", () => {
    for (const tool of ["Read", "Grep", "LS", "Glob", "Diagnostics", "Code", "Edit", "Refactor"]) {
      const [rule] = parseRules({ deny: [`${tool}(keys/{a)`], ask: [], allow: [] });
      assert.ok(rule?.problem !== undefined, tool);
    }
  });

  it("Refactor changes them, and tells no problems of them", async () => {
    const made = new Harness({ app: tree }, { code: true, checker: findsBad });
    made.rules = parseRules({ deny: ["Read(keys/**)"], ask: [], allow: [] });
    const input = { action: "rename", symbol: "loadAll", file_path: "open.ts", new_name: "badAll" };
    const { text } = await made.call("Refactor", input);
    assert.match(text, /open\.ts: \S/);
    assert.ok(!/keys\/kept\.ts:.*(?:problem|bad)/i.test(text), text);
  });

  for (const kind of ["deny", "ask"] as const) {
    it(`${kind}: @problems and @changes leave them out, and say so`, async () => {
      const files = new MemoryFiles({ app: {} });
      const found = await problemsOf(files, {
        "open.ts": [listed("error", 1, "of open")],
        "keys/kept.ts": [listed("error", 1, "told of keys")],
      });
      const diff = (path: string) =>
        `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+told of ${path.split("/")[0]}\n`;
      const changes = [
        { root: "/ws/app", staged: "", unstaged: diff("open.ts") + diff("keys/kept.ts"), untracked: [] },
      ];
      const set = { [`permissions.${kind}`]: ["Read(keys/**)"] };
      const { one } = attaching({ problems: found, changes }, { set });
      for (const name of ["problems", "changes"] as const) {
        const text = inside(await one(name)).join("\n");
        assert.ok(!text.includes("told of keys"), text);
        assert.match(text, /1 file left out, .*keys\/kept\.ts/);
      }
    });

    it(`${kind}: a commit message is not made of them`, async () => {
      const { models, ports } = agentWorld({
        files: tree,
        settings: { [`permissions.${kind}`]: ["Read(keys/**)"] },
      });
      models.play({ text: "Change" });
      const diff = (path: string, line: string) =>
        `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+${line}\n`;
      const staged = diff("open.ts", "of open") + diff("keys/kept.ts", "told of keys");
      const changes = { root: "/ws/app", staged, unstaged: "", untracked: [] };
      await writeCommitMessage(changes, [], ports, new AbortController().signal);
      const asked = JSON.stringify(models.requests.at(-1)?.prompt);
      assert.match(asked, /of open/);
      assert.ok(!asked.includes("told of keys"), asked);
    });
  }
});
