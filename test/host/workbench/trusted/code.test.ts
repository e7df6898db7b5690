/**
 * What VS Code's TypeScript extension knows and changes, as the agent asks it and a person sees it: a rename over 31 files in
 * one question and one step of undo, a quick fix, imports.
 */
import assert from "node:assert/strict";
import type { OfflineAnswer, OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { eventually } from "../../../fakes/eventually";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

const USERS = 30;
const declares =
  "/** Loads every order. */\nexport function loadAll(limit: number): string[] {\n  return [String(limit)];\n}\n";
const uses = (at: number) => `import { loadAll } from "./load";\n\nexport const orders${at} = loadAll(${at}).length;\n`;
const users = Array.from({ length: USERS }, (_, at) => `code/use${at}.ts`);

const place = { symbol: "loadAll", file_path: "code/load.ts" };
const calls: [id: string, name: string, input: object][] = [
  ["references", "Code", { action: "references", ...place }],
  ["definition", "Code", { action: "definition", symbol: "loadAll", file_path: "code/use7.ts", line: 3 }],
  ["hover", "Code", { action: "hover", ...place }],
  ["callers", "Code", { action: "callers", symbol: "inner", file_path: "code/fix.ts" }],
  ["symbols", "Code", { action: "symbols", symbol: "loadAll" }],
  ["fixes", "Code", { action: "fixes", file_path: "code/fix.ts", line: 3 }],
  ["rename", "Refactor", { action: "rename", ...place, new_name: "loadOrders" }],
  ["fix", "Refactor", { action: "fix", file_path: "code/fix.ts", line: 3, title: "Change spelling to 'length'" }],
  ["organize", "Refactor", { action: "organize_imports", file_path: "code/fix.ts" }],
];
const fixable =
  'import { orders1, orders0 } from "./use0";\n\nexport const many = "many".lenght + orders0;\nfunction inner(): void {}\nexport function outer(): void {\n  inner();\n}\n';

soak("walks", () => {
  describe("what the editor knows", () => {
    /** what the model was told, by call */
    const told = new Map<string, string>();
    const left = [...calls];
    const workbench = inWorkbench({
      wide: true,
      settings: { "strata.permissions.mode": "ask" },
      script: ({ messages }: OfflineRequest): OfflineAnswer => {
        for (const message of messages) if (message.callId !== undefined) told.set(message.callId, message.text);
        const next = left.shift();
        return next ? { calls: [{ id: next[0], name: next[1], input: next[2] }] } : { text: "All is renamed." };
      },
      files: {
        "code/tsconfig.json":
          '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "strict": true } }',
        "code/load.ts": declares,
        "code/fix.ts": fixable,
        ...Object.fromEntries(users.map((path, at) => [path, uses(at)])),
      },
    });
    afterEach(function () {
      if (this.currentTest?.state === "failed") console.log(JSON.stringify([...told], null, 1));
    });

    const text = (path: string) => workbench.onDisk(path);
    const renamed = (all: string) => all.replaceAll("loadAll", "loadOrders");
    const allow = () => workbench.panel.getByRole("button", { name: "Apply", exact: true }).click();

    it("answers the agent, and renames in 31 files after one question", async () => {
      // In a tab: in what has none, TypeScript finds no problems.
      await workbench.open("code/fix.ts");
      const { panel } = workbench;
      await workbench.send("rename loadAll to loadOrders");
      await panel.getByText("Rename loadAll to loadOrders in 31 files?").last().waitFor();
      assert.match(told.get("references") ?? "", /code\/use29\.ts\n1:import \{ loadAll \}/);
      assert.match(told.get("references") ?? "", /\(61 hits in 31 files\)/);
      assert.match(told.get("definition") ?? "", /code\/load\.ts\n2:export function loadAll.*\n3-.*\n4-\}/);
      assert.match(told.get("hover") ?? "", /function loadAll\(limit: number\): string\[\].*Loads every order/s);
      assert.match(told.get("callers") ?? "", /code\/fix\.ts\n6: {2}inner\(\); {2}\[outer\]/);
      assert.match(told.get("symbols") ?? "", /code\/load\.ts/);
      assert.match(told.get("fixes") ?? "", /- Change spelling to 'length'/);
      assert.equal(text("code/load.ts"), declares);
      await workbench.screenshot("vscode-rename");
      await panel.getByRole("button", { name: /^Show all \d+ lines$/ }).click();
      await allow();
      await panel.getByText("Apply \"Change spelling to 'length'\" in code/fix.ts?").last().waitFor();
      assert.match(told.get("rename") ?? "", /^Renamed loadAll to loadOrders in 31 files, \+61 −61, saved\./);
      assert.equal(text("code/load.ts"), renamed(declares));
      for (const [at, path] of users.entries()) assert.equal(text(path), renamed(uses(at)), path);
    });

    it("applies a quick fix and organizes imports", async () => {
      const { panel } = workbench;
      await allow();
      await panel.getByText("Organize imports in code/fix.ts?").last().waitFor();
      assert.match(text("code/fix.ts"), /"many"\.length/);
      await allow();
      await panel.getByText("All is renamed.").last().waitFor();
      assert.doesNotMatch(text("code/fix.ts"), /orders1/);
    });

    it("is one step of undo in the editor", async () => {
      const { page } = workbench;
      await workbench.open("code/load.ts");
      await page.locator(".editor-instance .view-lines").first().click();
      await page.keyboard.press("ControlOrMeta+Z");
      await page.locator(".tab.dirty").nth(30).waitFor({ state: "attached" });
      await workbench.command("File: Save All");
      await page.waitForFunction(() => document.querySelectorAll(".tab.dirty").length === 0);
      await eventually("all is saved", () => text("code/use29.ts") === uses(29));
      assert.equal(text("code/load.ts"), declares);
      for (const [at, path] of users.entries()) assert.equal(text(path), uses(at), path);
    });
  });
});
