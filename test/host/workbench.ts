/** A real VS Code's page as a person drives it: the npm-packaged VS Code with Strata installed in it, and Playwright. */
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import type { OfflineModel } from "../../scripts/offline-model/server.mjs";
import { eventually } from "../fakes/eventually";
import { isSoak } from "../fakes/soak";
import { out } from "./paths.mjs";
import { closeVSCode, openWindow, type VSCodeWindow, type WindowOptions } from "./sharedVSCode";

export interface WorkbenchOptions extends WindowOptions {
  /** false: nobody opens Strata's view beforehand */
  panel?: boolean;
  /** The side bar gets a third of the window. */
  wide?: boolean;
}

/** The one whose tests run: what a test that failed is told with. */
let current: Workbench | undefined;
let hasFailed = false;

// Of every file, since mocha runs them in one process.
afterEach(async function () {
  if (this.currentTest?.state !== "failed") return;
  hasFailed = true;
  await current?.tell(this.currentTest.fullTitle());
});
after(closeVSCode);

/**
 * For the tests of one `describe`, in which it is called: a window of the shared VS Code on a copy of sample/ as it was, opened before
 * them and left after them.
 */
export function inWorkbench(options: WorkbenchOptions = {}): Workbench {
  const workbench = new Workbench();
  before(async function () {
    current = workbench;
    hasFailed = false;
    try {
      await workbench.start(options);
    } catch (error) {
      await workbench.tell(this.test?.parent?.fullTitle() ?? "opening");
      throw error;
    }
  });
  after(async () => {
    current = undefined;
    await workbench.leave(!hasFailed);
  });
  return workbench;
}

export class Workbench {
  private window: VSCodeWindow | undefined;
  private document: Frame | undefined;
  private language: WindowOptions["language"];

  private get opened(): VSCodeWindow {
    if (!this.window) throw new Error("The window is not open: this is for tests and what runs in them.");
    return this.window;
  }

  get page(): Page {
    return this.opened.page;
  }

  /** Absolute path of the folder that is open. */
  get workspace(): string {
    return this.opened.workspace;
  }

  get offline(): OfflineModel {
    return this.opened.offline;
  }

  /** A page in a tab: the newest of the webviews. */
  get tabPage(): FrameLocator {
    return this.page.locator("iframe.webview.ready").last().contentFrame().frameLocator("iframe#active-frame");
  }

  /** The document of Strata's view, as it was opened last. What is said to screen readers stands in it first: seen is the last of two. */
  get panel(): Frame {
    if (!this.document) throw new Error("Nobody opened Strata's view: openPanel() does.");
    return this.document;
  }

  get composer(): Locator {
    return this.panel.locator("#composer-text");
  }

  async start({ panel = true, wide = false, ...options }: WorkbenchOptions): Promise<void> {
    this.language = options.language;
    this.window = await openWindow(options);
    await strataIsKnown(this.page);
    if (wide) await widenSideBar(this.page);
    if (panel) await this.openPanel();
  }

  /** `tidy`: whether the next walk may go on in the window */
  async leave(tidy: boolean): Promise<void> {
    await this.window?.leave(tidy);
  }

  /** Opens Strata's view, or what took its place after a reload, and waits until it can be typed into. */
  async openPanel(): Promise<Frame> {
    await this.command(this.language === "zh-cn" ? "Strata: 打开面板" : "Strata: Open Panel");
    this.document = await webview(this.page);
    await hasFocus(this.document);
    return this.document;
  }

  /** Loads the window again, with Strata's view where it was open. */
  async reload(): Promise<void> {
    await this.page.reload();
    await strataIsKnown(this.page);
    if (this.document) await this.openPanel();
  }

  /** Goes to another address of the same VS Code. */
  async goto(address: string): Promise<void> {
    await this.page.goto(address);
    await strataIsKnown(this.page);
  }

  /** Text of the file of this name that a session wrote last; "": no session has one yet. */
  sessionFile(name: string): string {
    const folder = join(this.opened.backups, "..");
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.name === name);
    const files = entries.map(({ parentPath }) => join(parentPath, name));
    const [newest] = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    return newest === undefined ? "" : readFileSync(newest, "utf8");
  }

  /** Sends a message. */
  async send(words: string): Promise<void> {
    await this.composer.fill(words);
    await this.panel.getByRole("button", { name: "Send", exact: true }).and(this.panel.locator(":enabled")).waitFor();
    await this.composer.press("Enter");
  }

  /**
   * Runs a command by its title as the command palette shows it (`Strata: New Session`). Commands that become known while the
   * palette is open do not reach it, and it closes when something else takes the focus: then it is opened again.
   */
  async command(title: string): Promise<void> {
    await eventually(
      `the command palette takes "${title}"`,
      async () => {
        await this.page.keyboard.press("F1");
        try {
          await quickInput(this.page).fill(`>${title}`, { timeout: 3000 });
          await this.take(title);
        } catch (error) {
          await this.page.keyboard.press("Escape");
          throw error;
        }
        return true;
      },
      { limitMs: 90_000 },
    );
  }

  /**
   * Takes a row of the quick pick that is open by its label, and by keys. A click may meet another one: the list comes in parts, and
   * its rows are used again.
   */
  async take(label: string): Promise<void> {
    const { page } = this;
    const row = page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ has: page.getByText(label, { exact: true }) });
    await row.first().waitFor({ timeout: 3000 });
    const chosen = row.and(page.locator(".focused"));
    for (let down = 0; down < 20 && (await chosen.count()) === 0; down++) await page.keyboard.press("ArrowDown");
    await chosen.waitFor({ timeout: 3000 });
    await page.keyboard.press("Enter");
  }

  /** Opens a file by its name in Quick Open: `src/invoice.js`, or `src/invoice.js:5:12` for a place. It has the focus then. */
  async open(path: string): Promise<void> {
    const { page } = this;
    const [file = path] = path.split(":");
    const name = basename(file);
    // What comes too late, or is another file's row by then, is tried again, in a list made anew: it keeps what it once found.
    await insist(
      async () => {
        await page.keyboard.press("ControlOrMeta+P");
        try {
          await quickInput(page).fill(path, { timeout: 3000 });
          await this.take(name);
        } catch (error) {
          await page.keyboard.press("Escape");
          throw error;
        }
      },
      page.locator(`.tab.active[data-resource-name="${name}"]`),
    );
    // Where it was open already, its tab says nothing: keys go to the list until that has closed.
    await page.locator(".editor-group-container.active .monaco-editor.focused .view-line").first().waitFor();
  }

  /** Lines of editors with this text. */
  lines(text: string): Locator {
    return this.page.locator(".editor-instance .view-line").filter({ hasText: text });
  }

  /** Absolute path of a file of the workspace. */
  at(path: string): string {
    return join(this.workspace, path);
  }

  /** Absolute path of what this VS Code keeps: its logs and what extensions store. */
  get userData(): string {
    return join(this.opened.backups, "../..");
  }

  onDisk(path: string): string {
    return readFileSync(this.at(path), "utf8");
  }

  /** Waits until VS Code has written unsaved text to where it finds it again after a reload. */
  async backedUp(text: string): Promise<void> {
    const { backups } = this.opened;
    const has = (file: Dirent) => readFileSync(join(file.parentPath, file.name), "utf8").includes(text);
    await eventually(`VS Code keeps the unsaved "${text}"`, () => {
      const files = existsSync(backups) ? readdirSync(backups, { recursive: true, withFileTypes: true }) : [];
      return files.some(file => file.isFile() && has(file));
    });
  }

  /** Waits until the page has written what an extension wants kept to where it finds it again after a reload. */
  async kept(text: string): Promise<void> {
    await eventually(`VS Code keeps the extension's "${text}"`, () => this.page.evaluate(isInStorage, text));
  }

  /** In the soak of walks, and where the README's picture is made: writes test/out/<name>.png. */
  async screenshot(name: string): Promise<void> {
    if (!isSoak("walks") && !process.env.STRATA_SCREENSHOT) return;
    await this.page.screenshot({ path: join(out, `${name}.png`) });
  }

  /** What stands on the page when a test failed: a picture, and as text for those who see no file. */
  async tell(title: string): Promise<void> {
    if (!this.window) return;
    const { page } = this.window;
    const name = title.replaceAll(/\W+/g, "-").slice(0, 80);
    try {
      await page.screenshot({ path: join(out, `${name}-failure.png`), timeout: 10_000 });
      // A view's document is none of the page's.
      const [around, inside] = await Promise.all(
        [page, this.document].map(document => document?.locator("body").ariaSnapshot({ timeout: 10_000 })),
      );
      console.log(`${title} failed. The page then:\n${around}\nStrata's view:\n${inside}`);
    } catch (error) {
      console.log(`${title} failed, and the page cannot be looked at: ${error}`);
    }
  }
}

const quickInput = (page: Page) => page.locator(".quick-input-widget input[type=text]");

/** There when the extension is known: commands that come later do not reach a palette that is already open. */
const strataIsKnown = (page: Page) => page.locator(".activitybar [aria-label=Strata]").first().waitFor();

/** Runs on the page: whether one of VS Code's stores there has this text. */
async function isInStorage(text: string): Promise<boolean> {
  const answered = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const inStore = async (database: IDBDatabase, store: string) =>
    JSON.stringify(await answered(database.transaction(store).objectStore(store).getAll())).includes(text);
  for (const { name } of await indexedDB.databases()) {
    const database = await answered(indexedDB.open(name ?? ""));
    try {
      for (const store of database.objectStoreNames) if (await inStore(database, store)) return true;
    } finally {
      database.close();
    }
  }
  return false;
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
async function widenSideBar(page: Page): Promise<void> {
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
export async function insist(act: () => Promise<unknown>, shown: Locator, wait = 10_000): Promise<void> {
  const again = async () => {
    await act();
    await shown.first().waitFor({ timeout: wait });
    return true;
  };
  await eventually(`${shown} is there`, again, { limitMs: 90_000 });
}
