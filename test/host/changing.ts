/**
 * A VS Code on a page whose agent changes files without asking, as the offline model plays it: for tests of what a person does
 * with these changes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import type { OfflineAnswer } from "../../scripts/offline-model/server.mjs";
import { openWorkbench, type Workbench, type WorkbenchOptions, widenSideBar } from "./workbench";

export const call = (id: string, name: string, input: object) => ({ id, name, input });

interface Changing {
  readonly workbench: Workbench;
  readonly page: Page;
  readonly panel: Frame;
  /** The panel's document anew: the window was loaded again, or another view took its place. */
  reopenPanel(): Promise<void>;
  /** Sends a message. */
  say(words: string): Promise<void>;
  /** Absolute path of a file of the workspace. */
  at(path: string): string;
  onDisk(path: string): string;
  /** Lines of editors with this text. */
  lines(text: string): Locator;
}

/**
 * For the tests of one `describe`, in which it is called: one VS Code, opened before them.
 * @param name of the picture of a test that fails
 * @param answers what the model plays, whatever it is asked
 */
export function changing(name: string, answers: readonly OfflineAnswer[], options: WorkbenchOptions = {}): Changing {
  let workbench: Workbench;
  let panel: Frame;
  before(async () => {
    const left = [...answers];
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 800 },
      script: () => left.shift() ?? { text: "The script is over." },
      ...options,
      settings: {
        "workbench.colorTheme": "Default Dark Modern",
        "strata.permissions.mode": "auto",
        "strata.permissions.runEverything": true,
        "files.autoSave": "off",
        ...options.settings,
      },
    });
    panel = await workbench.panel();
    await widenSideBar(workbench.page);
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, name);
  });
  const at = (path: string) => join(workbench.workspace, path);
  return {
    get workbench() {
      return workbench;
    },
    get page() {
      return workbench.page;
    },
    get panel() {
      return panel;
    },
    async reopenPanel() {
      panel = await workbench.panel();
    },
    async say(words) {
      const message = panel.getByRole("textbox", { name: "Message Strata" });
      await message.fill(words);
      await panel.getByRole("button", { name: "Send" }).and(panel.locator(":enabled")).waitFor();
      await message.press("Enter");
    },
    at,
    onDisk: path => readFileSync(at(path), "utf8"),
    lines: text => workbench.page.locator(".editor-instance .view-line").filter({ hasText: text }),
  };
}
