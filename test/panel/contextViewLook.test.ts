/** Pictures of the view of the context (test/out/panel-*.png). */
import { requests, servers, talked, untouched } from "./contexts";
import { pictures } from "./look";
import type { PanelPage } from "./panel";
import { Script, START } from "./script";

const context = { tokens: 60_261, window: 200_000 };
const title = "Round totals half up";
const records = new Script().user("Round totals half up").answer("r", "They round half up now.").end("done").records;
const results = { contextView: talked, sentRequests: requests, mcpServers: servers };
const size = { now: START, results, snapshot: { title, records, context } };

const openAll = async (panel: PanelPage) => {
  await openPage(panel);
  const { page } = panel;
  await page
    .getByRole("row")
    .filter({ hasText: "Tools and prompt" })
    .or(page.getByRole("row").filter({ hasText: "工具" }))
    .first()
    .click();
  await page.getByRole("row").filter({ hasText: "41. " }).click();
};
const openPage = async (panel: PanelPage) => {
  await panel.composer.fill("/context");
  await panel.composer.press("Enter");
  await panel.page.getByRole("treegrid").first().waitFor();
};

describe("panel: how the view of the context looks", function () {
  this.timeout(120_000);
  pictures({
    "the context": [{ ...size, width: 300, height: 900 }, openPage],
    "the context with all open": [{ ...size, width: 300, height: 1100 }, openAll],
    "the context in Chinese": [{ ...size, width: 420, height: 1100, language: "zh-cn" }, openAll],
    "the context of an empty session": [
      { now: START, width: 420, results: { contextView: untouched }, snapshot: {} },
      openPage,
    ],
  });
});
