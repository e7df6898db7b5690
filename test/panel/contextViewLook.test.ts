/** Pictures of the view of the context (test/out/panel-*.png), in the panel and as a tab; every theme and width in the soak of looks. */
import { isSoak } from "../fakes/soak";
import { requests, servers, talked, untouched } from "./contexts";
import { picture } from "./look";
import { type PanelPage, panelTest, type Theme } from "./panel";
import { Script, START, snapshot } from "./script";

const context = { tokens: 60_261, window: 200_000, layers: [] };
const title = "Round totals half up";
const records = new Script().user("Round totals half up").answer("r", "They round half up now.").end("done").records;
const results = { contextView: talked, sentRequests: requests, mcpServers: servers };
const size = { now: START, results, snapshot: snapshot({ title, records, context }) };

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
  const themes: Theme[] = ["dark", "light", "high-contrast"];
  const all = themes.flatMap(theme => [300, 420, 700].map(width => ({ theme, width })));

  for (const { theme, width } of isSoak("looks") ? all : all.slice(0, 1)) {
    panelTest(`in the panel, ${theme} ${width}`, () =>
      picture(`context-${theme}-${width}`, { ...size, theme, width, height: 900 }, openPage),
    );
    panelTest(`with all open, ${theme} ${width}`, () =>
      picture(`context-all-${theme}-${width}`, { ...size, theme, width, height: 1100 }, openAll),
    );
  }

  panelTest("in Chinese", () =>
    picture("context-chinese", { ...size, width: 420, height: 1100, language: "zh-cn" }, openAll),
  );
  panelTest("of an empty session", () =>
    picture(
      "context-empty",
      { ...{ now: START, width: 420 }, results: { contextView: untouched }, snapshot: snapshot() },
      openPage,
    ),
  );
});
