/** Sentences of rules files that bind: which are proposed, that what is bound refuses the breach in their words, and what becomes stale. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { SettingLevel, SettingsLayer } from "../../../src/core/ground/ports";
import { type Bindings, bindingsIn, boundChecks, type Proposal } from "../../../src/core/permissions/bindings";
import { complaintsOf, mergeLayers, rulesInForce } from "../../../src/core/permissions/levels";
import { permissionsReport } from "../../../src/core/permissions/overview";
import { decide } from "../../../src/core/permissions/policy";
import type { Rule } from "../../../src/core/permissions/rules";
import { decided } from "./corpus";

interface Row {
  /** a rules file */
  text: string;
  /** one of the entries that are proposed; null: none is */
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
const looked = (text: string, entries: unknown[] = []): Bindings => bindingsIn([fileOf(text)], settingsOf(entries), []);
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
  for (const { text, expect, breach, fine } of rows)
    it(`${expect ?? "nothing"}: ${JSON.stringify(text).slice(0, 90)}`, async () => {
      const found = looked(text);
      if (expect === null) return assert.deepEqual(shown(found), []);
      assert.ok(shown(found).includes(expect), shown(found).join("\n"));
      const inForce = rulesInForce(settingsOf(entriesOf(found)));
      const [kind] = expect.split(":");
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
});
