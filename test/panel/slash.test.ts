/** Commands, skills and prompts in the composer: the menu, its keys, and what is sent. */
import assert from "node:assert/strict";
import { matchResources } from "../../src/core/mentions/resources";
import { openPanel, panelTest } from "./panel";
import { fixed } from "./scenes";

const names = [
  { name: "deploy", description: "Brings a release to a place, with the checks that belong to it", hint: "[where]" },
  { name: "git:tidy", description: "Puts small commits together", hint: "" },
  { name: "review", description: "Reads the change as the one who has to live with it", hint: "" },
];
const context = { tokens: 41_000, window: 200_000 };
const open = () =>
  openPanel({
    height: 760,
    snapshot: { title: "Invoices", records: fixed().records, context },
    results: { callable: { names } },
  });

describe("panel: what begins with a slash", () => {
  panelTest("all that there is comes with a slash; arrows choose, Enter writes the name, Enter sends", async () => {
    const { page, composer, waitForRequest, screenshot, settle } = await open();
    await composer.pressSequentially("/");
    const options = page.getByRole("option");
    await options.filter({ hasText: "/review" }).waitFor();
    await settle();
    await screenshot("slash");
    await composer.pressSequentially("dez");
    assert.equal(await options.count(), 0, "no name has these letters");
    await composer.fill("/dep");
    await options.filter({ hasText: "/deploy" }).waitFor();
    await composer.press("Enter");
    assert.equal(await composer.inputValue(), "/deploy ");
    await composer.pressSequentially("the moon");
    await composer.press("Enter");
    assert.deepEqual(await waitForRequest("submit"), { text: "/deploy the moon", delivery: "steer" });
  });

  panelTest("Esc closes the menu alone; a click chooses", async () => {
    const { page, composer } = await open();
    await composer.pressSequentially("/re");
    await page.getByRole("option", { name: /^\/review/ }).waitFor();
    await composer.press("Escape");
    assert.equal(await page.getByRole("option").count(), 0);
    assert.equal(await composer.inputValue(), "/re");
    await composer.pressSequentially("v");
    await page.getByRole("option", { name: /^\/review/ }).click();
    assert.equal(await composer.inputValue(), "/review ");
    assert.equal(await composer.evaluate(box => document.activeElement === box), true);
  });

  panelTest("Strata's own do what they say and are not sent", async () => {
    const { page, composer, asked, waitForRequest } = await open();
    const run = async (text: string) => {
      await composer.fill(text);
      await composer.press("Enter");
    };
    await run("/mode edits");
    assert.deepEqual(await waitForRequest("setMode"), { mode: "edits" });
    await run("/mode sideways");
    await page.getByText("Choose a mode: /mode plan").waitFor();
    assert.equal(await composer.inputValue(), "/mode sideways");
    await run("/context");
    await page.getByRole("region", { name: "Context" }).waitFor();
    await page.keyboard.press("Escape");
    await run("/model");
    assert.deepEqual(await waitForRequest("action"), { action: "choose-model" });
    await run("/new");
    await waitForRequest("newSession");
    assert.deepEqual(await asked("submit"), []);
  });

  panelTest("prompts of servers say what they take; a server that nobody started says what to do", async () => {
    const prompts = [
      {
        ...{ name: "docs:summarise", description: "Sums a page of the handbook up", hint: "page [length]" },
        ...{ takes: ["page", "length"], needs: ["page"] },
      },
      { name: "github:", description: "MCP server that has not been started yet", hint: "", unseen: true as const },
    ];
    const { page, composer, waitForRequest, screenshot, settle, asked } = await openPanel({
      height: 760,
      snapshot: { title: "Invoices", records: fixed().records },
      results: {
        callable: { names: [...names, ...prompts] },
        costs: { lines: ["This session: $0.52 · 22k tokens read", "All sessions today: $3.20"] },
      },
    });
    await composer.pressSequentially("/");
    await page.getByRole("option", { name: /^\/docs:summarise page/ }).waitFor();
    await composer.pressSequentially("d");
    await settle();
    await screenshot("slash-prompts");
    await composer.fill("/docs:summarise");
    await composer.press("Enter");
    await page.getByText("/docs:summarise needs page: type it after the name.").waitFor();
    assert.deepEqual(await asked("submit"), []);
    await composer.fill("/docs:summarise intro");
    await composer.press("Enter");
    assert.deepEqual(await waitForRequest("submit"), { text: "/docs:summarise intro", delivery: "steer" });
    await composer.fill("");
    await composer.pressSequentially("/gith");
    await page.getByRole("option", { name: /^\/github:/ }).click();
    assert.equal(await composer.inputValue(), "/mcp");
    await composer.fill("/cost");
    await composer.press("Enter");
    await page.locator(".notice").getByText("All sessions today: $3.20").waitFor();
    await settle();
    await screenshot("slash-cost");
  });

  panelTest("resources of servers are chosen step by step, and have chips", async () => {
    const items = matchResources(
      "docs:",
      [
        {
          server: "docs",
          uri: "demo://static/features.md",
          title: "Features",
          mimeType: "text/markdown",
          template: false,
        },
        { server: "docs", uri: "demo://page/{id}", title: "A page of the handbook", template: true },
      ],
      20,
    );
    const { page, composer, screenshot, settle } = await openPanel({
      height: 760,
      snapshot: { title: "Invoices", records: fixed().records },
      results: { completeMention: { items, indexing: false }, mentionStates: { states: ["resource"] } },
    });
    await composer.pressSequentially("See @docs:d");
    await page.getByRole("option", { name: /features\.md/ }).waitFor();
    await settle();
    await screenshot("mention-resources");
    await page.getByRole("option", { name: /\{id\}/ }).click();
    assert.equal(await composer.inputValue(), "See @docs:demo://page/");
    await composer.fill("");
    await composer.pressSequentially("See @docs:d");
    await page.getByRole("option", { name: /features\.md/ }).click();
    assert.equal(await composer.inputValue(), "See @docs:demo://static/features.md ");
    await page.getByRole("list", { name: "Attached to this message" }).waitFor();
    await settle();
    await screenshot("mention-resource-chip");
  });
});
