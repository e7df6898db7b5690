/** A real VS Code's page to drive with Playwright: the npm-packaged VS Code with Strata installed in it. */
import { type Dirent, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Test } from "mocha";
import type { Frame, Locator, Page } from "playwright-core";
import { installExtension } from "../../scripts/lib/instance.mjs";
import type { OfflineModel, OfflineScript } from "../../scripts/offline-model/server.mjs";
import { launchBrowser, startServer } from "../../scripts/vscode.mjs";
import { out } from "./paths.mjs";
import { addChatModels, addExtension, prepare } from "./prepare.mjs";

export type Workbench = {
  page: Page;
  /** folder that is open, a copy of sample/ */
  workspace: string;
  offline: OfflineModel;
  /** Runs a command by its title as the command palette shows it (`Strata: New Session`). */
  command(title: string): Promise<void>;
  /** Takes a row of the quick pick that is open, by its label. */
  take(label: string): Promise<void>;
  /** Opens Strata's view and gives the document of its panel. */
  panel(): Promise<Frame>;
  /** Opens a file by its name in Quick Open: `src/invoice.js`, or `src/invoice.js:5:12` for a place. It has the focus then. */
  open(path: string): Promise<void>;
  /** Waits until VS Code has written unsaved text to where it finds it again after a reload. */
  backedUp(text: string): Promise<void>;
  /** Writes test/out/<name>.png. */
  screenshot(name: string): Promise<void>;
  /** After a test that failed: test/out/<name>-failure.png, and what the page says on the console, for those who see no file. */
  afterTest(test: Test | undefined, name: string): Promise<void>;
  close(): Promise<void>;
};

export type WorkbenchOptions = {
  /** user settings on top of those that make the offline model the model */
  settings?: Record<string, unknown>;
  /** what the offline model plays; the demo by default */
  script?: OfflineScript;
  /** opens a workspace whose one folder, `memory:/app`, is on no disk (memfsExtension.ts) */
  virtual?: boolean;
  /** models that VS Code has (chatModelsExtension.ts) */
  models?: readonly string[];
  /** false: the folder opens restricted */
  trusted?: boolean;
  viewport?: { width: number; height: number };
};

/** Starts VS Code with a sample workspace in a browser; `close` ends all of it. Takes some ten seconds. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { trusted = true, viewport = { width: 1400, height: 900 } } = options;
  const { workspace, userData, extensions, offline, close } = await prepare(options);
  installExtension(extensions);
  if (options.models) addChatModels(extensions, options.models);
  const file = options.virtual ? virtualWorkspace(userData, extensions) : undefined;
  const [server, browser] = await Promise.all([
    startServer({ userData, extensions, trustAll: trusted, log: join(out, "workbench-server.log") }),
    launchBrowser(),
  ]);
  const page = await browser.newPage({ viewport });
  // a machine that does much else takes longer than the 30 s that a page gets
  page.setDefaultTimeout(100_000);
  const address = new URL(server.url(workspace));
  if (file) {
    address.searchParams.delete("folder");
    address.searchParams.set("workspace", file);
  }
  await page.goto(address.href);
  if (file) await folderShown(page);
  // There when the extension is known: commands that come later do not reach a palette that is already open.
  await page.locator(".activitybar [aria-label=Strata]").first().waitFor();
  return {
    page,
    workspace,
    offline,
    command: title => command(page, title),
    take: label => take(page, label),
    open: path => open(page, path),
    backedUp: text => backedUp(join(userData, "User", "Backups"), text),
    async panel() {
      await command(page, "Strata: Open Panel");
      const frame = await webview(page);
      await hasFocus(frame);
      return frame;
    },
    async screenshot(name) {
      await page.screenshot({ path: join(out, `${name}.png`) });
    },
    async afterTest(test, name) {
      if (test?.state !== "failed") return;
      await page.screenshot({ path: join(out, `${name}-failure.png`) });
      console.log(`${test.fullTitle()} failed. The page then:\n${await page.locator("body").ariaSnapshot()}`);
    },
    async close() {
      await Promise.all([browser.close(), server.close()]);
      await close();
    },
  };
}

/**
 * A workspace's file is read from the server. Where that comes later than VS Code's start, it opens without its folders and on a
 * loaded machine never hears of them; at the next start it knows them from its cache.
 */
async function folderShown(page: Page): Promise<void> {
  const folder = page.locator(".explorer-folders-view .monaco-list-row").first();
  await folder.waitFor({ timeout: 20_000 }).catch(() => page.reload());
}

/** The workspace's file, and the extension that has its files. */
function virtualWorkspace(userData: string, extensions: string): string {
  addExtension(extensions, "memory", "memfsExtension.js", { activationEvents: ["onFileSystem:memory"] });
  const file = join(userData, "virtual.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: [{ uri: "memory:/app", name: "app" }] }));
  return file;
}

const quickInput = (page: Page) => page.locator(".quick-input-widget input[type=text]");

/**
 * Takes a row of a quick pick by keys. A click may meet another one: the list comes in parts, and its rows are used again.
 * @param text the row's label
 */
async function take(page: Page, text: string): Promise<void> {
  const row = page.locator(".quick-input-list .monaco-list-row").filter({ has: page.getByText(text, { exact: true }) });
  await row.first().waitFor({ timeout: 3000 });
  const chosen = row.and(page.locator(".focused"));
  for (let down = 0; down < 20 && (await chosen.count()) === 0; down++) await page.keyboard.press("ArrowDown");
  await chosen.waitFor({ timeout: 3000 });
  await page.keyboard.press("Enter");
}

/**
 * Commands that become known while the palette is open do not reach it, and it closes when something else takes the focus:
 * then it is opened again.
 */
async function command(page: Page, title: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await page.keyboard.press("F1");
    try {
      await quickInput(page).fill(`>${title}`, { timeout: 3000 });
      return await take(page, title);
    } catch (error) {
      if (tries === 10) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

async function open(page: Page, path: string): Promise<void> {
  const [file = path] = path.split(":");
  const name = basename(file);
  const tab = page.locator(`.tab.active[data-resource-name="${name}"]`);
  const choose = async () => {
    await page.keyboard.press("ControlOrMeta+P");
    await quickInput(page).fill(path, { timeout: 3000 });
    await take(page, name);
  };
  // what comes too late, or is another file's row by then, is tried again
  const act = () => choose().catch(() => undefined);
  await insist(act, tab);
  await page.locator(".editor-group-container.active .editor-instance .view-line").first().waitFor();
}

function backedUp(folder: string, text: string): Promise<void> {
  const has = (file: Dirent) => readFileSync(join(file.parentPath, file.name), "utf8").includes(text);
  return until(() => {
    const files = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
    return files.some(file => file.isFile() && has(file));
  });
}

/** Waits for what the page does not show. The test's own limit ends it. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setTimeout(50);
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

/**
 * The composer gets the focus a moment after the panel is shown, and what opens before closes then: a menu, a list. Where there
 * is none to get it (no folder, no model), nothing comes.
 */
async function hasFocus(frame: Frame): Promise<void> {
  const isFocused = () => document.hasFocus() && document.activeElement?.matches("textarea, [contenteditable]");
  await frame.waitForFunction(isFocused, undefined, { timeout: 5_000 }).catch(() => undefined);
}

/** The picture is small: the panel gets a third of it. */
export async function widenSideBar(page: Page): Promise<void> {
  const { x, width } = (await page.locator(".part.sidebar").boundingBox()) ?? { x: 0, width: 0 };
  await page.mouse.move(x + width, 400);
  await page.mouse.down();
  await page.mouse.move(480, 400, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(900, 700);
}

/**
 * Does something again and again until it shows what it should: on a machine that does much else, VS Code may leave aside what
 * comes while it is still opening something. @param wait ms for each time
 */
export async function insist(act: () => Promise<void>, shown: Locator, wait = 10_000): Promise<void> {
  for (let tries = 1; ; tries++) {
    await act();
    try {
      return await shown.first().waitFor({ timeout: wait });
    } catch (error) {
      if (tries === 8) throw error;
    }
  }
}
