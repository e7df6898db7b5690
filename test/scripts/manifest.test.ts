import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { manifestTexts, withSettings } from "../../scripts/manifest.mjs";

describe("manifest", () => {
  it("package.json says what the settings' schema says (else: npm run manifest)", async () => {
    const { now, wanted, page } = await manifestTexts();
    assert.equal(page.now, page.wanted, "docs/settings.md: run `npm run manifest`");
    assert.equal(now, wanted);
  });

  it("a setting carries type, default, description, limits and words for its values", () => {
    const empty = {
      capabilities: { untrustedWorkspaces: { supported: "limited" } },
      contributes: { configuration: { title: "T" } },
    };
    const properties = {
      "a.mode": { type: "string", enum: ["x", "y"], default: "x", description: "Which." },
      "a.count": {
        type: "integer",
        default: 3,
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "How many.",
      },
    };
    assert.deepEqual(withSettings(empty, { properties }, { "a.mode": { x: "The x.", y: "The y." } }, ["a.count"]), {
      capabilities: {
        untrustedWorkspaces: { supported: "limited", restrictedConfigurations: ["strata.a.mode", "strata.a.count"] },
      },
      contributes: {
        configuration: {
          title: "T",
          properties: {
            "strata.a.mode": {
              ...{ type: "string", enum: ["x", "y"], enumDescriptions: ["The x.", "The y."], default: "x" },
              ...{ markdownDescription: "Which.", scope: "application", order: 0 },
            },
            "strata.a.count": {
              ...{
                type: "integer",
                minimum: 1,
                default: 3,
                markdownDescription: "How many.",
                scope: "window",
                order: 1,
              },
            },
          },
        },
      },
    });
    assert.throws(() => withSettings(empty, { properties: { b: { type: "string" } } }, {}, []), /b has no description/);
  });

  it("no start of VS Code wakes the extension: a document, a proposal, its view or a command does", () => {
    const { activationEvents } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.deepEqual(activationEvents, ["onLanguage", "onFileSystem:strata-proposal"]);
  });

  it("every menu entry and key names a command that exists, every file it names is there", () => {
    const { contributes, icon } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const known = new Set(contributes.commands.map(({ command }: { command: string }) => command));
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings] as { command: string }[];
    assert.deepEqual(
      used.filter(({ command }) => !known.has(command)),
      [],
    );
    const [language] = contributes.languages;
    const files = [
      ...[icon, contributes.viewsContainers.activitybar[0].icon, contributes.views.strata[0].icon],
      ...[language.configuration, contributes.grammars[0].path],
    ];
    assert.deepEqual(
      files.filter(file => !existsSync(join(root, file))),
      [],
    );
  });
});
