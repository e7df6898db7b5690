/** Sentences of rules files that bind: which are proposed, that what is bound refuses the breach in their words, and what becomes stale. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { SettingLevel, SettingsLayer } from "../../../src/core/ground/ports";
import { boundChecks } from "../../../src/core/permissions/bindings";
import { complaintsOf, mergeLayers, rulesInForce } from "../../../src/core/permissions/levels";
import { permissionsReport } from "../../../src/core/permissions/overview";
import { decide } from "../../../src/core/permissions/policy";
import type { Rule } from "../../../src/core/permissions/rules";
import { type Bindings, bindingsIn, readProposals } from "../../../src/core/permissions/sentences/proposals";
import { decided } from "./corpus";

interface Row {
  /** a rules file */
  text: string;
  /** what is proposed, as others may write it too: its kind counts, and of a check the command; null: nothing may be */
  expect: string | null;
  /** what the bound sentence holds, and its neighbours: commands, or `edit` and `read` with a path */
  breach: string[];
  fine: string[];
}
const rows: Row[] = JSON.parse(readFileSync("bench/corpora/bindings.json", "utf8"));

const fileOf = (text: string, path = "AGENTS.md") => ({ path, text, cutBytes: 0, trust: "rules" as const });
const settingsOf = (entries: unknown[], level: SettingLevel = "user") => {
  const layers: SettingsLayer[] = [{ level, place: "mine", values: { "permissions.bindings": entries } }];
  return { get: () => mergeLayers(layers), layers: () => layers };
};
const looked = (text: string, entries: unknown[] = []): Bindings => bindingsIn([fileOf(text)], settingsOf(entries));
const entriesOf = ({ proposed }: Bindings) =>
  proposed.flatMap(({ file, sentence, as, against }) => (against ? [] : as.map(each => ({ file, sentence, ...each }))));
const shown = ({ proposed }: Bindings) =>
  proposed.flatMap(({ as, against }) =>
    against ? [] : as.flatMap(each => Object.entries(each).map(one => one.join(": "))),
  );

async function verdictOn(act: string, inForce: readonly Rule[]) {
  const [, how, path = ""] = /^(edit|read) (.+)$/.exec(act) ?? [];
  if (how === undefined) return decided(act, { inForce });
  const ref = { path, relative: path, absolute: `/ws/app/${path}`, uri: `file:///ws/app/${path}`, inside: true };
  const call = {
    ...{ toolName: how === "edit" ? "Edit" : "Read", effects: [how as "edit" | "read"], targets: [ref] },
    ...{ namesSecret: false, detail: { type: "files" as const, paths: [path] } },
  };
  return decide(call as unknown as Parameters<typeof decide>[0], {
    ...{ mode: "auto", trusted: true, ownFolders: [], grants: [], rules: inForce, trustsAllContent: true },
    runEverything: false,
  });
}

describe("sentences that bind", () => {
  let proposed = 0;
  for (const { text, expect, breach, fine } of rows)
    it(`${expect ?? "nothing"}: ${JSON.stringify(text).slice(0, 90)}`, async () => {
      const found = looked(text);
      const kinds = new Set(shown(found).map(each => each.split(":")[0]));
      if (expect === null || kinds.size === 0) return assert.deepEqual(shown(found), []);
      proposed += 1;
      const [kind = ""] = expect.split(":");
      assert.ok(kind === "check" ? shown(found).includes(expect) : kinds.has(kind), shown(found).join("\n"));
      const inForce = rulesInForce(settingsOf(entriesOf(found)));
      for (const act of breach) {
        const { decision, reason = "" } = await verdictOn(act, inForce);
        assert.equal(decision, kind, act);
        assert.match(reason, /^AGENTS\.md says: “/, act);
      }
      for (const act of fine) {
        const bound = await verdictOn(act, inForce);
        assert.deepEqual([bound.decision, bound.rule], [(await verdictOn(act, [])).decision, undefined], act);
      }
    });

  it("are proposed for nine of ten sentences that can be held", () => {
    const bindable = rows.filter(({ expect }) => expect !== null).length;
    assert.ok(proposed >= 0.9 * bindable, `${proposed} of ${bindable}`);
  });

  const never = { file: "AGENTS.md", sentence: "Never push to main.", deny: "Bash(git push * main *)" };

  it("are stale once their file says something else, and hold until they are unbound", () => {
    const found = looked("Never push to main", [never]);
    assert.deepEqual([found.bound[0]?.isStale, found.proposed], [false, []]);
    for (const text of ["Never push to main unless asked.", "", "Push to main."]) {
      assert.equal(looked(text, [never]).bound[0]?.isStale, true, text);
      assert.equal(rulesInForce(settingsOf([never]))[0]?.kind, "deny");
    }
  });

  it("written by hand to nonsense ask for every tool and are told of; the others beside them hold", async () => {
    const broken = [7, null, { file: "x", sentence: "y" }, { ...never, ask: "Bash(ls *)" }, { ...never, deny: " " }];
    for (const entry of broken) {
      const settings = settingsOf([entry, never]);
      assert.equal((await decided("touch a", { inForce: rulesInForce(settings) })).decision, "ask");
      assert.equal((await decided("git push origin main", { inForce: rulesInForce(settings) })).decision, "deny");
      assert.match(complaintsOf(settings.layers()).join(), /under bindings in mine, cannot be read .* every tool asks/);
      assert.equal(bindingsIn([], settings).bound.length, 2);
    }
    const rule = settingsOf([{ ...never, deny: "Bash((" }]);
    assert.match(complaintsOf(rule.layers()).join(), /`Bash\(\(`, under bindings in mine, .* so Bash asks/);
  });

  it("of a workspace tighten; their checks are demanded once, and all is listed with its sentence", async () => {
    const check = { file: "AGENTS.md", sentence: "Run it.", check: "npm test" };
    const settings = settingsOf([never, check, check, { ...check, allow: "Bash(rm *)" }], "workspace");
    assert.deepEqual(boundChecks(settings), [{ command: "npm test", sentence: "Run it.", file: "AGENTS.md" }]);
    const { decision, reason } = await decided("git push origin main", { inForce: rulesInForce(settings) });
    const said =
      "AGENTS.md says: “Never push to main.”. This workspace's rule `Bash(git push * main *)` in mine forbids";
    assert.ok(decision === "deny" && reason.startsWith(said), reason);
    const { sections } = permissionsReport({ mode: "auto", trusted: true, sandbox: "off", settings });
    const details = sections.flatMap(({ lines }) => lines).map(({ detail = "" }) => detail);
    assert.deepEqual(
      details.filter(detail => detail.includes("“")),
      ["AGENTS.md says: “Never push to main.”", "AGENTS.md says: “Run it.”"],
    );
  });

  it("that disagree are all shown, and none is bound", () => {
    const files = [fileOf("Always push to main."), fileOf("Never push to main.\n\nNever commit.", "CLAUDE.md")];
    const { proposed, guidance } = bindingsIn(files, settingsOf([]));
    assert.deepEqual(
      proposed.map(({ sentence, against }) => [sentence, against?.file]),
      [
        ["Never push to main.", "AGENTS.md"],
        ["Never commit.", undefined],
      ],
    );
    assert.equal(guidance[0]?.sentence, "Always push to main.");
    assert.deepEqual(shown(looked("Don't use npm.\n\nRun `npm run lint` before you finish.")), []);
  });

  it("of a file of 32 KB, whatever is in it, are found or left, and no list is endless", () => {
    const hostile = ["- never ".repeat(4_000), "`".repeat(32_000), `Never push to ${"a/".repeat(16_000)}`];
    for (const text of [...hostile, `Before you ${"finish the task ".repeat(2_000)}`])
      assert.deepEqual(shown(looked(text)), []);
    assert.equal(looked("Never push to main.\n\nNever commit.\n\n".repeat(800)).proposed.length, 2);
  });

  it("by the model: each line is one of three kinds and a rule of its own, or it is left out", () => {
    const asked = ["a", "b", "c"].map(sentence => ({ file: "AGENTS.md", sentence }));
    const answer = [
      ...["Sure!", "1. deny: Bash(git push *)", "1. ask: Edit(infra/**)", "2. deny: Bash(*)", "2. deny: Bash"],
      ...[
        "2. allow: Bash(rm *)",
        "2. deny: Bash((",
        "3. check: npm test",
        "3. check: rm <file>",
        "4. deny: Bash(ls *)",
      ],
      ...["2. deny: Edit(**)", "2. deny: Bash(* x)", "-1. deny: Bash(ls *)", "2. deny: AskUser(a b)", "2. deny: *"],
    ];
    assert.deepEqual(
      readProposals(answer.join("\n"), asked).map(({ sentence, as }) => [sentence, JSON.stringify(as)]),
      [
        ["a", '[{"deny":"Bash(git push *)"},{"ask":"Edit(infra/**)"}]'],
        ["c", '[{"check":"npm test"}]'],
      ],
    );
  });
});
