/**
 * The browser's tabs. One takes a third of the time when it was there before, so a test's tab is the next one's: each gets
 * a document, a host and a storage of its own (page/fakeHost.ts). What a test that failed left behind is thrown away.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { root } from "../../scripts/lib/install.mjs";
import { launchBrowser } from "../../scripts/vscode.mjs";
import { ORIGIN } from "./page/document";

export interface TabOptions {
  width: number;
  height: number;
  scale: number;
  colorScheme: "light" | "dark";
}

export interface Tab {
  page: Page;
  /** errors and warnings of the page, and of its console */
  told: string[];
  /** addresses that the page tried to load from elsewhere */
  stray: string[];
  /** Loads a document, whose script comes when `begun` says so. */
  load(document: string, begun: Promise<void>): Promise<void>;
  /** `reusable`: for the next test */
  leave(reusable: boolean): Promise<void>;
}

let browser: Promise<Browser> | undefined;
const contexts = new Map<number, Promise<BrowserContext>>();
const idle = new Map<number, OpenTab[]>();

/** For who goes on without it: the tests of one process share a browser, which ends with the process. */
export async function closeBrowser(): Promise<void> {
  const open = browser;
  browser = undefined;
  contexts.clear();
  idle.clear();
  await (await open)?.close();
}

export async function takeTab({ width, height, scale, colorScheme }: TabOptions): Promise<Tab> {
  const tab = idle.get(scale)?.pop() ?? (await OpenTab.open(scale));
  const size = tab.page.viewportSize();
  if (size?.width !== width || size.height !== height) await tab.page.setViewportSize({ width, height });
  await tab.show(colorScheme);
  return tab;
}

function contextOf(scale: number): Promise<BrowserContext> {
  browser ??= launchBrowser();
  const known = contexts.get(scale);
  if (known !== undefined) return known;
  const permissions = ["clipboard-read", "clipboard-write"];
  const made = browser.then(each => each.newContext({ deviceScaleFactor: scale, permissions }));
  contexts.set(scale, made);
  return made;
}

const types: Record<string, string> = {
  js: "text/javascript",
  css: "text/css",
  ttf: "font/ttf",
  map: "application/json",
};

const bodies = new Map<string, Buffer>();

function bodyOf(file: string): Buffer {
  const body = bodies.get(file) ?? readFileSync(join(root, file));
  bodies.set(file, body);
  return body;
}

class OpenTab implements Tab {
  told: string[] = [];
  stray: string[] = [];
  #document = "";
  #begun = Promise.resolve();
  #loads = 0;
  #colorScheme: "light" | "dark" | undefined;

  private constructor(
    readonly page: Page,
    private readonly scale: number,
  ) {
    page.on("console", message => {
      // The frame that draws diagrams runs none, and says so of each.
      if (message.text().startsWith("Blocked script execution in 'about:blank'")) return;
      if (message.type() === "error" || message.type() === "warning") this.told.push(`console: ${message.text()}`);
    });
    page.on("pageerror", error => this.told.push(`error: ${error.message}`));
  }

  static async open(scale: number): Promise<OpenTab> {
    const tab = new OpenTab(await (await contextOf(scale)).newPage(), scale);
    await tab.#serve();
    return tab;
  }

  async show(colorScheme: "light" | "dark"): Promise<void> {
    if (this.#colorScheme !== colorScheme) await this.page.emulateMedia({ colorScheme });
    this.#colorScheme = colorScheme;
  }

  /** Nothing is loaded but the document, the bundle and the fake host. */
  async #serve(): Promise<void> {
    await this.page.route("**/*", async route => {
      const { origin, pathname } = new URL(route.request().url());
      const file =
        pathname === "/fakeHost.js" ? "out/panel/page/fakeHost.js" : pathname.replace(/^\/dist\//, "dist/webview/");
      if (origin === ORIGIN && pathname === "/")
        return route.fulfill({ contentType: "text/html", body: this.#document });
      if (pathname === "/dist/main.js") await this.#begun;
      if (origin === ORIGIN && pathname !== file) {
        const contentType = types[pathname.split(".").at(-1) ?? ""] ?? "text/plain";
        return route.fulfill({ contentType, body: bodyOf(file) });
      }
      this.stray.push(route.request().url());
      return route.abort();
    });
  }

  async load(document: string, begun: Promise<void>): Promise<void> {
    this.#document = document;
    this.#begun = begun;
    this.#loads += 1;
    // An address of its own: nothing of the last document is restored. Under heavy load a navigation is sometimes lost.
    const address = `${ORIGIN}/?${this.#loads}`;
    await this.page.goto(address, { timeout: 15_000 }).catch(() => this.page.goto(address));
  }

  async leave(reusable: boolean): Promise<void> {
    if (!reusable) return this.page.close();
    await this.page.mouse.move(-10, -10);
    // What the page still had to say is no problem of the next test.
    await this.page.goto("about:blank");
    this.told = [];
    this.stray = [];
    idle.set(this.scale, [...(idle.get(this.scale) ?? []), this]);
  }
}
