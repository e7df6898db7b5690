/** What people are shown of what is in force: each rule with its place, and what is wrong with it. */
import assert from "node:assert/strict";
import type { SettingsLayer } from "../../../src/core/ground/ports";
import { mergeLayers } from "../../../src/core/permissions/levels";
import { permissionsReport } from "../../../src/core/permissions/overview";

function overview(layers: readonly SettingsLayer[], more: { trusted?: boolean; heldBack?: string[] } = {}) {
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
        "permissions.allow": [
          "Bash(npm test *)",
          "Bash(git push origin)",
          "Edit(src/a/**)",
          "Bash(oops",
          "Bash(ls -l)",
        ],
        "permissions.ask": ["Bash(npm *)"],
        "permissions.runEverything": true,
      },
    },
    { level: "workspace", place: "theirs", values: { "permissions.deny": ["Bash(git push *)", "Edit(src/**)"] } },
    { level: "managed", place: "/etc/x", values: { "permissions.deny": ["Bash(git push *)", "Bash(ls -l)"] } },
  ];

  for (const [label, warning] of [
    ["Bash(npm test *)", /^Never counts: it is covered by Bash\(npm \*\), under ask in mine, which wins\.$/],
    ["Bash(git push origin)", /^Never counts: it is covered by Bash\(git push \*\), under deny in \/etc\/x/],
    ["Edit(src/a/**)", /covered by Edit\(src\/\*\*\), under deny in theirs/],
    ["Bash(oops", /^Cannot be read: .*\. It is left out\.$/],
    ["Run everything without asking: on", /^Dangerous/],
  ] as const)
    it(`${label}: ${warning}`, () => assert.match(find(overview(rules), label)?.warnings?.[0] ?? "", warning));

  it("marks what stands twice, and what two levels say against each other", () => {
    const warnings = overview(rules).flatMap(({ lines }) => lines.flatMap(({ warnings }) => warnings ?? []));
    assert.ok(warnings.includes("The same rule is in /etc/x."), warnings.join("\n"));
    assert.ok(warnings.includes("Contradicts Bash(ls -l), under deny in /etc/x, which wins."), warnings.join("\n"));
  });

  it("marks nothing that counts", () => {
    const layers: SettingsLayer[] = [
      {
        ...{ level: "user", place: "mine" },
        values: {
          "permissions.allow": ["Bash(npm *)", "Edit(src/**)", "Read", "Bash(git *)"],
          "permissions.deny": ["Bash(npm publish *)", "Edit(src/a/**)", "Bash(gitk *)", "other:tool"],
        },
      },
    ];
    assert.deepEqual(
      overview(layers).flatMap(({ lines }) => lines.filter(({ warnings }) => warnings !== undefined)),
      [],
    );
  });

  it("says where a rule and a setting come from, and what an untrusted workspace's are", () => {
    const sections = overview(rules, { trusted: false, heldBack: ["AGENTS.md"] });
    assert.equal(find(sections, "Bash(git push origin)")?.from, "mine");
    assert.equal(find(sections, "Run everything without asking: on")?.from, "mine");
    assert.match(find(sections, "This workspace is not trusted")?.warnings?.[0] ?? "", /Held back: AGENTS\.md\.$/);
  });
});
