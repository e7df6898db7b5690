/** What was decided about calls is on disk, for which bytes and by whom, and without what is secret. */

import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StorageError } from "../../src/core/ground/ports";
import { PermissionLog, readPermissionLog } from "../../src/core/log/permissionLog";
import type { PermissionEntry } from "../../src/shared/approval";
import { hiding } from "../fakes/redact";
import { program, runArgs, said, withModel } from "../program/program";

describe("permissions.jsonl", function () {
  this.timeout(180_000);
  const { place, strata } = program();
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const commands = ["touch b.txt", "rm -r a.txt", "make thing", `echo ${secret} > c.txt`];

  it("says what was allowed, denied and asked, by which rule and for which bytes", () =>
    withModel(
      request => {
        const command = commands[said(request).length];
        return command ? { calls: [{ name: "Bash", input: { command } }] } : { text: "Done." };
      },
      async url => {
        const at = { ...place(), env: { STRATA_PERMISSIONS_RUN_EVERYTHING: "false", STRATA_BASH_SANDBOX: "off" } };
        mkdirSync(join(at.home, "config/strata"), { recursive: true });
        const own = join(at.home, "config/strata/settings.json");
        const rules = { "strata.permissions.allow": ["Bash(touch *)"], "strata.permissions.deny": ["Bash(rm *)"] };
        writeFileSync(own, JSON.stringify(rules));
        await strata(at, runArgs(at, url, "--mode", "edits", "--trust", "--prompt", "go"));
        const [id = ""] = readdirSync(join(at.storage, "sessions"));
        const file = join(at.storage, "sessions", id, "permissions.jsonl");
        const shown = await strata(at, ["show", id, "--permissions", "--json", "--storage", at.storage]);
        const entries: PermissionEntry[] = shown.out
          .trim()
          .split("\n")
          .map(line => JSON.parse(line));
        const lines = entries.map(({ kind, decision, by, rule }) => `${kind} ${decision} ${by} ${rule ?? ""}`.trim());
        assert.deepEqual(lines, [
          "decided allow rule Bash(touch *)",
          "decided deny rule Bash(rm *)",
          "asked ask command",
          "decided deny nobody",
          "asked ask secret",
          "decided deny nobody",
        ]);
        assert.deepEqual(entries[0]?.from, { level: "user", place: own });
        assert.equal(entries[0]?.sandbox, "out");
        for (const { binds, ts } of entries) assert.ok(/^[0-9a-f]{64}$/.test(binds) && ts > 0);
        assert.equal(entries[2]?.binds, entries[3]?.binds);
        const text = await strata(at, ["show", id, "--permissions", "--storage", at.storage]);
        assert.match(
          text.out,
          /^\d{4}-\d\d-\d\d [\d:]{8} allowed Bash: .*touch b\.txt.* \(rule Bash\(touch \*\) in .*settings\.json, outside the sandbox; sha256 [0-9a-f]{12}\)$/m,
        );
        // An export is for others: what was decided here is said here alone.
        const exported = join(at.home, "x.strata.jsonl");
        await strata(at, ["export", id, exported, "--storage", at.storage]);
        assert.ok(!readFileSync(exported, "utf8").includes('"permissions.jsonl"'));
        // A crash cut the last line off.
        appendFileSync(file, '{"kind":"decided","ts":');
        const cut = await strata(at, ["show", id, "--permissions", "--storage", at.storage]);
        assert.match(cut.err, /1 line cannot be read/);
        await strata(at, ["remove", id, "--yes", "--storage", at.storage]);
        assert.equal(existsSync(file), false);
      },
    ));

  const entry = {
    ...{ kind: "decided" as const, callId: "c", toolName: "Bash", title: `Run ${secret}`, binds: "0".repeat(64) },
    ...{ mode: "auto" as const, decision: "allow" as const, by: "mode" },
  };

  it("a line that cannot be written stops nothing; the next says how many are missing", async () => {
    let text = '{"cut off';
    let fails = 2;
    const warnings: string[] = [];
    const log = new PermissionLog({
      files: {
        async append(_, line) {
          if (fails-- > 0) throw new StorageError("DISK_FULL", "The disk is full.");
          text += line;
        },
      },
      logger: { log: (_, message) => void warnings.push(message) },
      now: () => 1,
      redact: hiding(value => value.replaceAll(secret, "[secret]")),
    });
    for (let count = 0; count < 4; count++) await log.write(entry);
    const { entries, broken } = await readPermissionLog({ read: async () => text });
    assert.deepEqual([entries.map(({ missed }) => missed), broken, warnings.length], [[2, undefined], 1, 2]);
    assert.ok(!text.includes(secret));
  });
});
