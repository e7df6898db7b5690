/** A real VS Code's page to drive with Playwright: the npm-packaged VS Code with Strata installed in it. */
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { installExtension } from "../../scripts/lib/instance.mjs";
import type { OfflineModel, OfflineScript } from "../../scripts/offline-model/server.mjs";
import { launchBrowser, startServer } from "../../scripts/vscode.mjs";
import { out } from "./paths.mjs";
import { prepare } from "./prepare.mjs";

export type Workbench = {
  page: Page;
  /** folder that is open, a copy of sample/ */
  workspace: string;
  offline: OfflineModel;
  /** Runs a command by its title as the command palette shows it (`Strata: New Session`). */
  command(title: string): Promise<void>;
  /** Opens Strata's view and gives the document of its panel. */
  panel(): Promise<Frame>;
  /** Writes test/out/<name>.png. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
};

export type WorkbenchOptions = {
  /** user settings on top of those that make the offline model the model */
  settings?: Record<string, unknown>;
  /** what the offline model plays; the demo by default */
  script?: OfflineScript;
  /** false: the folder opens restricted */
  trusted?: boolean;
  viewport?: { width: number; height: number };
};

/** Starts VS Code with a sample workspace in a browser; `close` ends all of it. Takes some ten seconds. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { trusted = true, viewport = { width: 1400, height: 900 } } = options;
  const { workspace, userData, extensions, offline, close } = await prepare(options);
  installExtension(extensions);
  const server = await startServer({ userData, extensions, trustAll: trusted, log: join(out, "workbench-server.log") });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport });
  await page.goto(server.url(workspace));
  // There when the extension is known: commands that come later do not reach a palette that is already open.
  await page.locator(".activitybar [aria-label=Strata]").first().waitFor();
  return {
    page,
    workspace,
    offline,
    command: title => command(page, title),
    async panel() {
      await command(page, "Strata: Open Panel");
      return webview(page);
    },
    async screenshot(name) {
      await page.screenshot({ path: join(out, `${name}.png`) });
    },
    async close() {
      await browser.close();
      await server.close();
      await close();
    },
  };
}

/** Commands that become known while the palette is open do not reach it: then it is opened again. */
async function command(page: Page, title: string): Promise<void> {
  const row = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first();
  for (let tries = 1; ; tries++) {
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input[type=text]").fill(`>${title}`);
    try {
      return await row.click({ timeout: 3000 });
    } catch (error) {
      if (tries === 10) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** A webview's document is a frame within a frame; the inner one has no address of its own. */
async function webview(page: Page): Promise<Frame> {
  const outer = page.locator("iframe.webview.ready").first();
  await outer.waitFor();
  const inner = (await outer.contentFrame().locator("iframe#active-frame").elementHandle()) ?? undefined;
  const frame = await inner?.contentFrame();
  if (!frame) throw new Error("Strata's view has no document");
  return frame;
}
