/** The panel in a real browser, with a host that the test plays. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { root } from "../../scripts/lib/install.mjs";
import { launchBrowser } from "../../scripts/vscode.mjs";
import type { AgentEvent } from "../../src/shared/events";
import type { HostToPanel, PanelMethod } from "../../src/shared/panelProtocol";
import { ORIGIN, panelDocument } from "./page/document";
import type { FakeHostOptions } from "./page/fakeHost";
import { snapshot } from "./script";

export type Theme = "dark" | "light" | "high-contrast";

export interface PanelOptions
  extends Partial<Pick<FakeHostOptions, "snapshot" | "results" | "refused" | "held" | "files">> {
  theme?: Theme;
  width?: number;
  height?: number;
  scale?: number;
  /** the page's clock stands still at this time, ms since the epoch */
  now?: number;
  /** the panel's script comes with `start`: until then the page is what it came as */
  startLater?: boolean;
}

export interface PanelPage {
  page: Page;
  composer: Locator;
  /** Lets the script come, where it was to come later. */
  start(): Promise<void>;
  conversation: Locator;
  button(name: string): Locator;
  /** Sends events and waits until the panel has drawn them. */
  play(events: AgentEvent[]): Promise<void>;
  send(message: HostToPanel): Promise<void>;
  /** what the panel asked of this method, in order */
  asked(method: PanelMethod): Promise<unknown[]>;
  /** Waits for the next request of this method beyond `seen`. */
  waitForRequest(method: PanelMethod, seen?: number): Promise<unknown>;
  /** two frames later everything that was sent is on the screen */
  settle(): Promise<void>;
  refuse(method: PanelMethod, message: string | undefined): Promise<void>;
  release(method: PanelMethod, newestFirst?: boolean): Promise<void>;
  /** addresses that the page tried to load from elsewhere */
  strayRequests: string[];
  /** What must be empty at the end of each test: CSP, protocol, console. */
  problems(): Promise<string[]>;
  /** Writes test/out/panel-<name>.png. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

const bodyClasses: Record<Theme, string> = {
  dark: "vscode-dark",
  light: "vscode-light",
  "high-contrast": "vscode-high-contrast",
};
const out = join(root, "test", "out");

let browser: Promise<Browser> | undefined;
const opened: PanelPage[] = [];

function theBrowser(): Promise<Browser> {
  browser ??= launchBrowser();
  return browser;
}

/** A test with pages: they are closed behind it, and a page that had a problem fails it. */
export function panelTest(title: string, body: () => Promise<unknown>): void {
  it(title, async () => {
    try {
      await body();
      const found = (await Promise.all(opened.map(panel => panel.problems()))).flat();
      assert.deepEqual(found, [], "the page broke the CSP or the protocol, or told of an error");
    } finally {
      await Promise.all(opened.splice(0).map(panel => panel.close()));
    }
  });
}

export async function closeBrowser(): Promise<void> {
  if (browser !== undefined) await (await browser).close();
  browser = undefined;
}

/** Opens the panel on a snapshot; an empty session where none is given. */
export async function openPanel(options: PanelOptions = {}): Promise<PanelPage> {
  const { theme = "dark", width = 420, height = 800, scale = 1 } = options;
  const { variables } = JSON.parse(readFileSync(join(root, "test/panel/themes", `${theme}.json`), "utf8"));
  const hostOptions: FakeHostOptions = {
    snapshot: options.snapshot ?? snapshot(),
    results: options.results ?? {},
    refused: options.refused ?? {},
    held: options.held ?? [],
    files: options.files ?? [],
    variables,
    bodyClass: bodyClasses[theme],
  };
  const context = await (await theBrowser()).newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: theme === "light" ? "light" : "dark",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  if (options.now !== undefined) await page.clock.setFixedTime(options.now);
  const told: string[] = [];
  page.on("console", message => {
    if (message.type() === "error" || message.type() === "warning") told.push(`console: ${message.text()}`);
  });
  page.on("pageerror", error => told.push(`error: ${error.message}`));
  const script = Promise.withResolvers<void>();
  if (!options.startLater) script.resolve();
  const stray = await serve(page, panelDocument(JSON.stringify(hostOptions)), script.promise);
  await navigate(page);
  const panel = panelPage(page, told, stray, script.resolve);
  opened.push(panel);
  if (!options.startLater) await panel.start();
  return panel;
}

/** A machine under heavy load sometimes loses a navigation: it is tried once more. */
async function navigate(page: Page) {
  await page.goto(`${ORIGIN}/`, { timeout: 15_000 }).catch(() => page.goto(`${ORIGIN}/`));
}

const types: Record<string, string> = {
  js: "text/javascript",
  css: "text/css",
  ttf: "font/ttf",
  map: "application/json",
};

/** Nothing is loaded but the document, the bundle and the fake host; gives the list of what else was asked for. */
async function serve(page: Page, document: string, begun: Promise<void>): Promise<string[]> {
  const stray: string[] = [];
  await page.route("**/*", async route => {
    const { origin, pathname } = new URL(route.request().url());
    const file =
      pathname === "/fakeHost.js" ? "out/panel/page/fakeHost.js" : pathname.replace(/^\/dist\//, "dist/webview/");
    if (origin === ORIGIN && pathname === "/") return route.fulfill({ contentType: "text/html", body: document });
    if (pathname === "/dist/main.js") await begun;
    if (origin === ORIGIN && pathname !== file) {
      const contentType = types[pathname.split(".").at(-1) ?? ""] ?? "text/plain";
      return route.fulfill({ contentType, body: readFileSync(join(root, file)) });
    }
    stray.push(route.request().url());
    return route.abort();
  });
  return stray;
}

function panelPage(page: Page, told: string[], strayRequests: string[], release: () => void): PanelPage {
  const settle = () =>
    page.evaluate(
      () =>
        new Promise<void>(resolve =>
          setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())), 0),
        ),
    );
  const asked = (method: PanelMethod) =>
    page.evaluate(
      wanted => window.fakeHost.requests.filter(request => request.method === wanted).map(request => request.params),
      method,
    );
  return {
    page,
    // a combobox while its menu is open
    composer: page.locator("#composer-text"),
    conversation: page.getByRole("log", { name: "Conversation" }),
    button: name => page.getByRole("button", { name, exact: true }),
    async start() {
      release();
      await page.waitForFunction(() => window.fakeHost.requests.some(({ method }) => method === "open"));
      await settle();
    },
    settle,
    asked,
    strayRequests,
    async play(events) {
      await page.evaluate(all => window.fakeHost.events(JSON.parse(all)), JSON.stringify(events));
      await settle();
    },
    async send(message) {
      await page.evaluate(one => window.fakeHost.send(JSON.parse(one)), JSON.stringify(message));
      await settle();
    },
    async waitForRequest(method, seen = 0) {
      await page.waitForFunction(
        ([wanted, before]) => window.fakeHost.requests.filter(request => request.method === wanted).length > before,
        [method, seen] as const,
      );
      return (await asked(method))[seen];
    },
    refuse: (method, message) =>
      page.evaluate(([name, words]) => window.fakeHost.refuse(name, words), [method, message] as const),
    release: (method, newestFirst) =>
      page.evaluate(([name, turned]) => window.fakeHost.release(name, turned), [method, newestFirst] as const),
    problems: async () => [...told, ...(await page.evaluate(() => window.fakeHost.problems))],
    async screenshot(name) {
      await settle();
      await page.evaluate(() => document.fonts.ready);
      mkdirSync(out, { recursive: true });
      await page.screenshot({ path: join(out, `panel-${name}.png`) });
    },
    close: () => page.context().close(),
  };
}
