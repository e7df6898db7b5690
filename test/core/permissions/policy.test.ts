import assert from "node:assert/strict";
import { decide, type Effect, protectedBecause, sessionGrant } from "../../../src/core/permissions/policy";
import type { FileRef } from "../../../src/core/ports";
import type { PermissionMode } from "../../../src/shared/settings";

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

function check(mode: PermissionMode, effect: Effect, expected: string, targets: FileRef[] = [], trusted = true) {
  const verdict = decide({ mode, effect, trusted, targets, ownFolders: ["/home/u/.config/strata"] });
  assert.equal(verdict.decision, expected, `${mode} ${effect} ${targets.map(target => target.absolute)}`);
}

describe("permission policy", () => {
  const modes: Record<PermissionMode, Record<Effect, string>> = {
    plan: { session: "allow", read: "allow", edit: "deny", command: "deny" },
    ask: { session: "allow", read: "allow", edit: "ask", command: "ask" },
    edits: { session: "allow", read: "allow", edit: "allow", command: "ask" },
    auto: { session: "allow", read: "allow", edit: "allow", command: "allow" },
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
      ".environment/a.ts",
      "src/.environment",
      ".",
    ]) {
      assert.equal(protectedBecause(inside(path), []), undefined, path);
      assert.equal(protectedBecause(inside(path, "app"), []), undefined, path);
    }
  });

  it("asks about a command that names a secret, in every mode that would run it", () => {
    const question = { trusted: true, targets: [], ownFolders: [], namesSecret: true } as const;
    for (const mode of ["ask", "edits", "auto"] as const) {
      const verdict = decide({ ...question, mode, effect: "command" });
      assert.deepEqual(verdict, { decision: "ask", reason: "names a secret that Strata keeps from the model" });
    }
    assert.equal(decide({ ...question, mode: "plan", effect: "command" }).decision, "deny");
    assert.equal(decide({ ...question, mode: "auto", effect: "edit" }).decision, "allow");
  });

  it("grants reading to the tool that was asked about", () => {
    const grant = (toolName: string) =>
      sessionGrant({ toolName, callId: "c", title: "?", binds: "", detail: { type: "read", paths: [".env"] } });
    assert.notEqual(grant("LS"), grant("Grep"));
    assert.equal(grant("LS"), grant("LS"));
  });

  it("lets an untrusted workspace only be read", () => {
    check("auto", "read", "allow", [inside("a")], false);
    check("auto", "edit", "deny", [inside("a")], false);
    check("auto", "command", "deny", [], false);
  });

  it("denies rather than asks in plan mode, also for protected files", () =>
    check("plan", "edit", "deny", [inside(".env")]));
});
