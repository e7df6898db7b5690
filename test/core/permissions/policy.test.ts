import assert from "node:assert/strict";
import type { FileRef } from "../../../src/core/ground/ports";
import type { CommandFacts } from "../../../src/core/permissions/commandFacts";
import { isGranted, withAnswer } from "../../../src/core/permissions/grants";
import type { CommandFact } from "../../../src/core/permissions/plain/commandReading";
import { decide } from "../../../src/core/permissions/policy";
import { protectedBecause } from "../../../src/core/permissions/protectedPaths";
import { parseRules } from "../../../src/core/permissions/rules";
import type { Action, Effect, PolicyState } from "../../../src/core/permissions/verdict";
import type { ApprovalAction } from "../../../src/shared/approval";
import type { PermissionMode } from "../../../src/shared/settingValues";
import { policyState } from "../../fakes/call";

/** In a workspace that lies where keys do: that protects nothing by itself. */
const inside = (relative: string, root?: string): FileRef => ({
  uri: `file:///home/u/.ssh/ws/${relative}`,
  absolute: `/home/u/.ssh/ws/${relative}`,
  path: root ? `${root}:${relative}` : relative,
  relative,
  inside: true,
});
const outside = (absolute: string): FileRef => ({
  uri: `file://${absolute}`,
  absolute,
  path: absolute,
  relative: absolute,
  inside: false,
});

const state = (mode: PermissionMode, more: Partial<PolicyState> = {}): PolicyState =>
  policyState({ mode, ownFolders: ["/home/u/.config/strata"], ...more });
const action = (effects: Effect[], more: Partial<Action> = {}): Action => ({
  ...{ toolName: "T", effects, targets: [], detail: { type: "read", paths: [] } },
  ...{ namesSecret: false },
  ...more,
});

function check(mode: PermissionMode, effect: Effect, expected: string, targets: FileRef[] = [], trusted = true) {
  const verdict = decide(action([effect], { targets }), state(mode, { trusted }));
  assert.equal(verdict.decision, expected, `${mode} ${effect} ${targets.map(target => target.absolute)}`);
}

const noFacts: CommandFacts = {
  ...{ parts: [], problems: [], reads: [], changes: [], writes: [], folders: [], fetches: false },
};
const acts: CommandFact = { text: "python3 a.py", words: [], shown: "python3 a.py", effect: "acts" };

describe("what runs unasked, in the sandbox or since everything does", () => {
  for (const [how, more, of] of [
    ["in the sandbox", { confined: "offline" }, {}],
    ["since everything does", {}, { runEverything: true }],
  ] as const) {
    const decision = (facts: Partial<CommandFacts>, rules: Parameters<typeof parseRules>[0]) =>
      decide(
        action(["command"], { toolName: "Bash", command: { ...noFacts, parts: [acts], ...facts }, ...more }),
        state("auto", { ...of, rules: parseRules(rules) }),
      ).decision;
    const none = { allow: [], ask: [], deny: [] };

    it(`${how}: asks where a rule asks about a file that it names, or forbids one that it may name`, () => {
      const [source] = [inside("src/a.ts")];
      assert.equal(decision({ writes: [source] }, none), "allow");
      assert.equal(decision({ writes: [source] }, { ...none, ask: ["Edit(src/**)"] }), "ask");
      assert.equal(decision({ reads: [source] }, { ...none, ask: ["Read(src/**)"] }), "ask");
      assert.equal(decision({ changes: [source] }, { ...none, deny: ["Edit(src/**)"] }), "ask");
      assert.equal(decision({ unknownFile: "names $x" }, none), "allow");
      assert.equal(decision({ unknownFile: "names $x" }, { ...none, deny: ["Read(src/**)"] }), "ask");
      assert.equal(decision({ changes: [inside("AGENTS.md")] }, none), "ask");
    });

    it(`${how}: asks where a program may start what a rule forbids`, () => {
      const wrapper = { ...acts, text: "chronic git -C . push", shown: "chronic git -C . push" };
      assert.equal(decision({ parts: [wrapper] }, { ...none, deny: ["Bash(git push *)"] }), "ask");
      assert.equal(decision({ parts: [wrapper] }, { ...none, ask: ["Bash(git push *)"] }), "ask");
      assert.equal(decision({ parts: [wrapper] }, { ...none, deny: ["Bash(git fetch *)"] }), "allow");
    });
  }
});

describe("permission policy", () => {
  const modes: Record<PermissionMode, Record<Effect, string>> = {
    plan: { session: "allow", read: "allow", edit: "deny", command: "deny", network: "deny", delegate: "ask" },
    ask: { session: "allow", read: "allow", edit: "ask", command: "ask", network: "ask", delegate: "ask" },
    edits: { session: "allow", read: "allow", edit: "allow", command: "ask", network: "ask", delegate: "ask" },
    auto: { session: "allow", read: "allow", edit: "allow", command: "ask", network: "ask", delegate: "allow" },
  };
  for (const [mode, effects] of Object.entries(modes)) {
    it(`mode ${mode}`, () => {
      for (const [effect, expected] of Object.entries(effects)) {
        check(mode as PermissionMode, effect as Effect, expected, [inside("src/a.ts")]);
      }
    });
  }

  it("asks about protected files in every mode that would allow", () => {
    for (const target of [
      inside(".git/config"),
      inside("packages/x/.GIT/hooks/pre-commit"),
      inside(".vscode/settings.json"),
      inside("app.code-workspace"),
      inside(".env"),
      inside("api/.env.production"),
      inside("deploy/server.pem"),
      inside(".env-local"),
      inside(".env_prod"),
      inside(".envrc"),
      inside(".npmrc"),
      ...["prod.env", "ci/.docker/config.json", ".cargo/credentials.toml", ".pgpass", ".vault-token", "kubeconfig"].map(
        path => inside(path),
      ),
      ...[".git/config", ".env", ".vscode/tasks.json", ".npmrc", "id_rsa", ".ssh/config"].map(path =>
        inside(path, "app"),
      ),
      ...[".git./config", ".git /config", ".env.", ".env::$DATA", ".npmrc. ."].map(path => inside(path)),
      outside("/etc/passwd"),
      outside("/home/u/.bashrc"),
      outside("/home/u/.ssh/id_ed25519"),
      outside("/home/u/.config/strata/settings.json"),
      outside("/home/u/.config/Strata/redaction.key"),
    ]) {
      check("auto", "edit", "ask", [inside("src/a.ts"), target]);
      check("auto", "read", "ask", [target]);
      assert.ok(protectedBecause(target, ["/home/u/.config/strata"]), target.absolute);
    }
  });

  it("does not cry wolf", () => {
    for (const path of [
      "src/environment.ts",
      ".gitignore",
      ".github/workflows/ci.yml",
      "src/keyboard.ts",
      "docs/env.md",
      "docker/config.json",
      "src/credentials.ts",
      ".environment/a.ts",
      "src/.environment",
      ".",
    ]) {
      assert.equal(protectedBecause(inside(path), []), undefined, path);
      assert.equal(protectedBecause(inside(path, "app"), []), undefined, path);
    }
  });

  it("asks about a command or a network call that names a secret, in every mode that would run it", () => {
    const asked = (effect: Effect) => action([effect], { namesSecret: true });
    for (const mode of ["ask", "edits", "auto"] as const) {
      for (const effect of ["command", "network"] as const) {
        const verdict = decide(asked(effect), state(mode));
        const reason = "names a secret hidden from the model";
        assert.deepEqual(verdict, { decision: "ask", by: "secret", reason });
      }
    }
    assert.equal(decide(asked("command"), state("plan")).decision, "deny");
    assert.equal(decide(asked("edit"), state("auto")).decision, "allow");
  });

  it("lets the strictest of several effects decide, and says what decided", () => {
    assert.deepEqual(decide(action(["read", "network"]), state("edits")), { decision: "ask", by: "mode" });
    assert.equal(decide(action(["read", "network"]), state("plan")).decision, "deny");
    assert.equal(decide(action(["network"]), state("auto", { trusted: false })).by, "trust");
    const outsideFile = action(["read"], { targets: [outside("/etc/hosts")] });
    assert.deepEqual(decide(outsideFile, state("auto")), {
      ...{ decision: "ask", by: "protected", reason: "outside the workspace" },
    });
    const grants = granted({ toolName: "T", detail: outsideFile.detail });
    assert.deepEqual(decide(outsideFile, state("auto", { grants })), {
      ...{ decision: "allow", by: "grant", reason: "outside the workspace" },
    });
  });

  it("allows by a rule what the rule says of every file, and asks or denies by what it says of one", () => {
    const [a, b] = [inside("src/a.ts"), inside("docs/b.md")];
    const decision = (kind: "allow" | "ask" | "deny", targets: FileRef[]) =>
      decide(
        action(["edit"], { targets }),
        state("ask", { rules: parseRules({ ...{ allow: [], ask: [], deny: [] }, [kind]: ["T(src/**)"] }) }),
      );
    assert.deepEqual([decision("allow", [a]).by, decision("allow", [a, b]).by], ["rule", "mode"]);
    assert.equal(decision("allow", [a, b]).decision, "ask");
    assert.deepEqual([decision("ask", [b, a]).by, decision("deny", [b, a]).decision], ["rule", "deny"]);
  });

  it("lets an untrusted workspace only be read", () => {
    check("auto", "read", "allow", [inside("a")], false);
    check("auto", "edit", "deny", [inside("a")], false);
    check("auto", "command", "deny", [], false);
  });

  it("denies rather than asks in plan mode, also for protected files", () =>
    check("plan", "edit", "deny", [inside(".env")]));
});

type Asked = Pick<ApprovalAction, "toolName" | "detail">;
const forSession = { decision: "allow", scope: "session", by: "user" } as const;
const granted = (asked: Asked) => withAnswer([], asked, forSession);
const change = (uri: string) => ({ uri, path: uri, created: false, added: 1, removed: 0, diff: "" });

describe("a rule for a tool that became a part of another", () => {
  it("KillBash forbids ending a task, and no reading of it", () => {
    const rules = parseRules({ deny: ["KillBash"], ask: [], allow: [] });
    for (const [input, decision] of [
      [{ bash_id: "task_1", kill: true }, "deny"],
      [{ bash_id: "task_1", kill: false }, "allow"],
      [{ bash_id: "task_1" }, "allow"],
    ] as const) {
      const asked = action(["session"], { toolName: "BashOutput", input });
      assert.equal(decide(asked, state("ask", { rules })).decision, decision, JSON.stringify(input));
    }
  });
});

describe("grants for a session", () => {
  const command = { type: "command", command: "make all", cwd: "/a b" } as const;
  const edit = (...uris: string[]): Asked => ({
    toolName: "Edit",
    detail: { type: "edit", changes: uris.map(change) },
  });
  const read = (toolName: string, ...paths: string[]): Asked => ({ toolName, detail: { type: "read", paths } });
  const bash = (more: object = {}): Asked => ({ toolName: "Bash", detail: { ...command, ...more } });
  const other = (toolName: string, input: object): Asked => ({
    toolName,
    detail: { type: "other", summary: "s", input: input as Record<string, string> },
  });

  const cases: [string, Asked, Asked[], Asked[]][] = [
    [
      "reading the same paths with the tool that was asked about",
      read("LS", ".env"),
      [],
      [read("Grep", ".env"), read("LS")],
    ],
    [
      "the same command in the same folder, confined in the same way",
      bash(),
      [bash({ unsaved: ["a.ts"] })],
      [
        ...[
          bash({ cwd: "/a" }),
          bash({ command: "make" }),
          bash({ background: true }),
          bash({ sandbox: { kind: "x" } }),
        ],
        { ...bash(), toolName: "s:run" },
      ],
    ],
    [
      "edits of the same files with any tool of ours",
      edit("a", "b"),
      [{ ...edit("a", "b"), toolName: "Write" }],
      [edit("a"), { ...edit("a", "b"), toolName: "s:write" }],
    ],
    [
      "a foreign tool with the same input",
      other("s:t", { a: "1" }),
      [],
      [other("s:u", { a: "1" }), other("s:t", { a: "2" })],
    ],
  ];
  for (const [what, asked, also, not] of cases) {
    it(`allow ${what}`, () => {
      const grants = granted(asked);
      for (const each of [asked, ...also]) assert.ok(isGranted(grants, each), JSON.stringify(each));
      for (const each of not) assert.ok(!isGranted(grants, each), JSON.stringify(each));
      assert.deepEqual(withAnswer(grants, asked, forSession), grants, "once");
      assert.deepEqual(withAnswer(grants, asked, { ...forSession, scope: "once" }), grants);
    });
  }
});
