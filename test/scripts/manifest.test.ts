import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { manifestTexts } from "../../scripts/manifest.mjs";

describe("manifest", () => {
  it("package.json says what the settings' schema says (else: npm run manifest)", async () => {
    const { manifest, page, nls } = await manifestTexts();
    assert.equal(page.now, page.wanted, "docs/settings.md: run `npm run manifest`");
    assert.equal(nls.now, nls.wanted, "package.nls.json: run `npm run manifest`");
    assert.equal(manifest.now, manifest.wanted);
  });

  it("every language has all sentences of the manifest, and no others", () => {
    const keysOf = (file: string) => Object.keys(JSON.parse(readFileSync(join(root, file), "utf8"))).sort();
    for (const language of globSync("package.nls.*.json", { cwd: root }))
      assert.deepEqual(keysOf(language), keysOf("package.nls.json"), language);
  });

  it("what differs by machine has that scope, so that a remote window has its own and a workspace none", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const sections: { properties: Record<string, { scope: string }> }[] = contributes.configuration;
    const properties = Object.assign({}, ...sections.map(section => section.properties));
    const scopes = ["model.baseUrl", "storage.maxBytes", "log.payload", "bash.sandbox", "telemetry.otlpEndpoint"];
    assert.deepEqual(
      scopes.map(name => properties[`strata.${name}`]?.scope),
      scopes.map(() => "machine"),
    );
    for (const name of ["permissions.allow", "permissions.mode", "permissions.runEverything"])
      assert.equal(properties[`strata.${name}`]?.scope, "application", name);
  });

  it("no start of VS Code wakes the extension: a document, a proposal, a plan, its view, a session's tab or a command does", () => {
    const { activationEvents } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.deepEqual(activationEvents, [
      "onLanguage",
      "onFileSystem:strata-proposal",
      "onFileSystem:strata-plan",
      "onWebviewPanel:strata.session",
      "onWebviewPanel:strata.page.tools",
    ]);
  });

  it("a session in a tab of the editor has the row of the side bar's, but for the way into a tab", () => {
    const { menus } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).contributes;
    type Entry = { command: string; when: string; group: string };
    const rowWhere = (entries: Entry[], where: string) =>
      entries
        .filter(({ when }) => when.startsWith(where))
        .map(({ command, when, group }) => `${command} ${when.slice(where.length)} ${group}`)
        .sort();
    // A new session stays where the person is.
    const asInTab = (menus["view/title"] as Entry[])
      .filter(({ command }) => command !== "strata.openInTab")
      .map(entry => (entry.command === "strata.newSession" ? { ...entry, command: "strata.newSessionTab" } : entry));
    assert.deepEqual(
      rowWhere(menus["editor/title"], "activeWebviewPanelId == 'strata.session'"),
      rowWhere(asInTab, "view == strata.chat"),
    );
  });

  it("every command has a row that says what it does", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const rows = globSync("src/vscode/commands/*.ts", { cwd: root }).map(file =>
      readFileSync(join(root, file), "utf8"),
    );
    const names = contributes.commands.map(({ command }: { command: string }) => command.replace("strata.", ""));
    const isRow = (name: string) => new RegExp(`^ {2,4}(?:async )?${name}[:(]`, "m");
    assert.deepEqual(
      names.filter((name: string) => !rows.some(text => isRow(name).test(text))),
      [],
    );
  });

  it("every menu entry and key names a command that exists, every file it names is there", () => {
    const { contributes, icon } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings] as {
      command: string;
      args?: { commands: (string | { command: string })[] };
    }[];
    const named = used.flatMap(({ command, args }) => args?.commands ?? [command]);
    const names = named.map(each => (typeof each === "string" ? each : each.command));
    const known = contributes.commands.map(({ command }: { command: string }) => command);
    assert.deepEqual(
      names.filter(name => ![...known, `${contributes.views.strata[0].id}.focus`].includes(name)),
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
