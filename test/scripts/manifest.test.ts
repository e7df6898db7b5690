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
      "a.place": { type: "string", default: "", description: "Where." },
    };
    const words = { "a.mode": { x: "The x.", y: "The y." } };
    assert.deepEqual(withSettings(empty, { properties }, words, ["a.count"], ["a.place"]), {
      capabilities: {
        untrustedWorkspaces: {
          supported: "limited",
          restrictedConfigurations: ["strata.a.mode", "strata.a.count", "strata.a.place"],
        },
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
            "strata.a.place": {
              ...{ type: "string", default: "", markdownDescription: "Where.", scope: "machine", order: 2 },
            },
          },
        },
      },
    });
    const bare = { properties: { b: { type: "string" } } };
    assert.throws(() => withSettings(empty, bare, {}, [], []), /b has no description/);
    assert.throws(() => withSettings(empty, { properties }, words, ["a.place"], ["a.place"]), /a machine's: a\.place/);
  });

  it("what differs by machine has that scope, so that a remote window has its own and a workspace none", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const properties: Record<string, { scope: string }> = contributes.configuration.properties;
    const scopes = ["model.baseUrl", "storage.maxBytes", "log.payload", "bash.sandbox", "telemetry.otlpEndpoint"];
    assert.deepEqual(
      scopes.map(name => properties[`strata.${name}`]?.scope),
      scopes.map(() => "machine"),
    );
    for (const name of ["permissions.allow", "permissions.mode", "permissions.runEverything"])
      assert.equal(properties[`strata.${name}`]?.scope, "application", name);
  });

  it("no start of VS Code wakes the extension: a document, a proposal, a plan, its view or a command does", () => {
    const { activationEvents } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.deepEqual(activationEvents, ["onLanguage", "onFileSystem:strata-proposal", "onFileSystem:strata-plan"]);
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
