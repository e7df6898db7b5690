/** What people are shown of what is in force: each rule with its place, and what is wrong with it. */
import assert from "node:assert/strict";
import type { SettingsLayer } from "../../../src/core/ground/ports";
import { mergeLayers } from "../../../src/core/permissions/levels";
import { permissionsReport } from "../../../src/core/permissions/overview";

function overview(layers: readonly SettingsLayer[], more: { trusted?: boolean } = {}) {
  const settings = { get: () => mergeLayers(layers), layers: () => layers };
  return permissionsReport({ mode: "auto", trusted: true, sandbox: "off", settings, ...more }).sections;
}
const find = (sections: ReturnType<typeof overview>, label: string) =>
  sections.flatMap(({ lines }) => lines).find(line => line.label === label);

describe("the overview of permissions", () => {
  const rules: SettingsLayer[] = [
    {
      ...{ level: "user", place: "mine" },
      values: {
        "permissions.allow": ["Bash(git push origin)", "Bash(oops"],
        "permissions.runEverything": true,
      },
    },
  ];

  for (const [label, warning] of [
    ["Bash(oops", /^Cannot be read: .*\. It is left out\.$/],
    ["Run everything without asking: on", /^Dangerous/],
  ] as const)
    it(`${label}: ${warning}`, () => assert.match(find(overview(rules), label)?.warnings?.[0] ?? "", warning));

  it("says where a rule and a setting come from, and what an untrusted workspace's are", () => {
    const sections = overview(rules, { trusted: false });
    assert.equal(find(sections, "Bash(git push origin)")?.from, "mine");
    assert.equal(find(sections, "Run everything without asking: on")?.from, "mine");
    assert.match(
      find(sections, "This workspace is not trusted")?.warnings?.[0] ?? "",
      /rules and settings are not loaded\.$/,
    );
  });
});
