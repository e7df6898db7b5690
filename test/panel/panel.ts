/** The panel in a real browser, with a host that the test plays. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { root } from "../../scripts/lib/install.mjs";
import type { AgentEvent } from "../../src/shared/events";
import type { HostToPanel, PanelMethod } from "../../src/shared/panelProtocol";
import type { PanelPageName } from "../../src/vscode/panel/pages/panelPage";
import { isSoak } from "../fakes/soak";
import { panelDocument } from "./page/document";
import type { FakeHostOptions } from "./page/fakeHost";
import { snapshot } from "./script";
import { type Tab, takeTab } from "./tabs";

/** Those that every picture is looked at in. */
export type Theme = "dark" | "light" | "high-contrast";

export interface PanelOptions extends Partial<Pick<FakeHostOptions, "results" | "refused" | "held" | "files">> {
  /** what the session has that an empty one has not */
  snapshot?: Parameters<typeof snapshot>[0];
  theme?: Theme;
  width?: number;
  height?: number;
  scale?: number;
  /** the page's clock stands still at this time, ms since the epoch */
  now?: number;
  /** the panel's script comes with `start`: until then the page is what it came as */
  startLater?: boolean;
  /** which page of the panel; absent: the conversation */
  name?: PanelPageName;
  /** absent: English */
  language?: string;
}

export interface PanelPage {
  page: Page;
  composer: Locator;
  /** Lets the script come, where it was to come later. */
  start(): Promise<void>;
  conversation: Locator;
  button(name: string): Locator;
  /** the one line above the composer, with what it opens to */
  status: Locator;
  /** Opens what the line opens to. */
  openStatus(): Promise<void>;
  /** Shows something in the conversation's place, as the view's own actions do. */
  show(view: Extract<HostToPanel, { type: "show" }>["view"]): Promise<void>;
  /** Sends events and waits until the panel has drawn them. */
  play(events: AgentEvent[]): Promise<void>;
  send(message: HostToPanel): Promise<void>;
  /** what the panel asked of this method, in order */
  asked(method: PanelMethod): Promise<unknown[]>;
  /** Waits for the next request of this method beyond `seen`. */
  waitForRequest(method: PanelMethod, seen?: number): Promise<unknown>;
  /** two frames later everything that was sent is on the screen */
  settle(): Promise<void>;
  /** Lets time pass at once, ms: timers that are due run, and what came of it is drawn. */
  pass(ms: number): Promise<void>;
  refuse(method: PanelMethod, message: string | undefined): Promise<void>;
  release(method: PanelMethod, newestFirst?: boolean): Promise<void>;
  /** addresses that the page tried to load from elsewhere */
  strayRequests: string[];
  /** What must be empty at the end of each test: CSP, protocol, console. */
  problems(): Promise<string[]>;
  /** In the soak of looks: writes test/out/panel-<name>.png. */
  screenshot(name: string): Promise<void>;
  /** `reusable`: its tab is the next test's */
  close(reusable?: boolean): Promise<void>;
}

const out = join(root, "test", "out");

const themes = join(root, "test/panel/themes");

/** All that VS Code comes with, by the names of their files; scripts/themes.mjs wrote them. */
export const allThemes: readonly string[] = readdirSync(themes).map(file => file.replace(/\.json$/, ""));

/** What a VS Code of this theme gives a webview: `--vscode-*` and their values, and classes of the body. */
export function readTheme(theme: string): { bodyClass: string; variables: Record<string, string> } {
  return JSON.parse(readFileSync(join(themes, `${theme}.json`), "utf8"));
}

const opened: PanelPage[] = [];
let documents = 0;

/** A test with pages: they are closed behind it, and a page that had a problem fails it. */
export function panelTest(title: string, body: () => Promise<unknown>): void {
  it(title, async () => {
    let passed = false;
    try {
      await body();
      const found = (await Promise.all(opened.map(panel => panel.problems()))).flat();
      assert.deepEqual(found, [], "the page broke the CSP or the protocol, or told of an error");
      passed = true;
    } finally {
      await Promise.all(opened.splice(0).map(panel => panel.close(passed)));
    }
  });
}

/** Opens the panel on a snapshot; an empty session where none is given. */
export async function openPanel(options: PanelOptions = {}): Promise<PanelPage> {
  const { theme = "dark", width = 420, height = 800, scale = 1 } = options;
  const hostOptions: FakeHostOptions = {
    snapshot: snapshot(options.snapshot),
    results: options.results ?? {},
    refused: options.refused ?? {},
    held: options.held ?? [],
    files: options.files ?? [],
    ...readTheme(theme),
    now: options.now,
    document: `${process.pid}.${documents++}`,
  };
  const tab = await takeTab({ width, height, scale, colorScheme: theme === "light" ? "light" : "dark" });
  const script = Promise.withResolvers<void>();
  if (!options.startLater) script.resolve();
  const panel = panelPage(tab, script.resolve);
  opened.push(panel);
  await tab.load(panelDocument(JSON.stringify(hostOptions), options.name, options.language), script.promise);
  if (!options.startLater) await panel.start();
  return panel;
}

function panelPage(tab: Tab, release: () => void): PanelPage {
  const { page, told, stray } = tab;
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
  const status = page.getByRole("region", { name: "Status", exact: true });
  const send = async (message: HostToPanel) => {
    await page.evaluate(one => window.fakeHost.send(JSON.parse(one)), JSON.stringify(message));
    await settle();
  };
  return {
    page,
    status,
    openStatus: () => status.locator(".status-toggle[aria-expanded=false]").click(),
    show: view => send({ type: "show", view }),
    send,
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
    strayRequests: stray,
    async pass(ms) {
      await page.evaluate(time => window.fakeHost.pass(time), ms);
      await settle();
    },
    async play(events) {
      await page.evaluate(all => window.fakeHost.events(JSON.parse(all)), JSON.stringify(events));
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
      if (!isSoak("looks")) return;
      await page.evaluate(() => document.fonts.ready);
      mkdirSync(out, { recursive: true });
      await page.screenshot({ path: join(out, `panel-${name}.png`) });
    },
    async close(reusable = false) {
      release();
      await tab.leave(reusable);
    },
  };
}
