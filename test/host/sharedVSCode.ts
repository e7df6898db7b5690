/**
 * The VS Code that the walks share: one server and one browser, started at first use. Walks follow each other in one window, which
 * is made tidy between them (tidyExtension.ts): new settings, a new offline model, the sample's files, a new session. One that
 * is about the very beginning, or would leave more behind, has a window of its own, and nothing that a file before left behind.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { copySample, installExtension } from "../../scripts/lib/instance.mjs";
import { type OfflineModel, type OfflineScript, startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { launchBrowser, startServer } from "../../scripts/vscode.mjs";
import { eventually } from "../fakes/eventually";
import { out } from "./paths.mjs";
import { addChatModels, addExtension, newHome, writeTestSettings } from "./prepare.mjs";
import { withoutExtensions } from "./quiet.mjs";
import type { TidyRequest } from "./tidyExtension";

export interface WindowOptions {
  /** a window of its own */
  fresh?: boolean;
  /** nobody has typed in an editor of late */
  untyped?: boolean;
  /** the folder is not trusted */
  restricted?: boolean;
  /** what VS Code has of its own (chatModelsExtension.ts); none by default */
  models?: readonly string[];
  /** user settings on top of those that make the offline model the model */
  settings?: Record<string, unknown>;
  /** what the offline model plays; the demo by default */
  script?: OfflineScript;
  /** what stands in the workspace beside the sample, by path, before it is opened */
  files?: Record<string, string>;
  viewport?: { width: number; height: number };
  /** in which VS Code runs; English by default. Its own words stay English: the pack that says so has none. */
  language?: "zh-cn";
}

export interface VSCodeWindow {
  page: Page;
  /** the folder that is open, a copy of sample/ */
  workspace: string;
  /** where VS Code keeps unsaved text */
  backups: string;
  offline: OfflineModel;
  /** `tidy`: whether the next walk may go on in it */
  leave(tidy: boolean): Promise<void>;
}

/** What is there of a user and a machine. On Linux, sockets and temporary files too: elsewhere a socket's path would get too long. */
function ownPlaces(home: string): Record<string, string> {
  const own = { XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
  if (process.platform !== "linux") return own;
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  return { ...own, TMPDIR: temporary, XDG_RUNTIME_DIR: temporary };
}

/** VS Code takes a language where a pack is installed for it, with or without words. */
function addLanguage(userData: string, language: string): void {
  mkdirSync(userData, { recursive: true });
  const words = join(userData, `${language}.i18n.json`);
  writeFileSync(words, JSON.stringify({ contents: {} }));
  const extensions = [{ extensionIdentifier: { id: "strata-tests.language" }, version: "1.0.0" }];
  const pack = { hash: "1", extensions, translations: { vscode: words }, label: language };
  writeFileSync(join(userData, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}

const VIEWPORT = { width: 1280, height: 800 };

interface LeftWindow {
  page: Page;
  workspace: string;
  /** of its walk, on top of the usual ones */
  settings: Record<string, unknown>;
}

class SharedVSCode {
  private windows = 0;
  /** The window that was left for the next walk. */
  private left: LeftWindow | undefined;

  private constructor(
    private readonly home: string,
    private readonly server: Awaited<ReturnType<typeof startServer>>,
    private readonly context: BrowserContext,
    private readonly remove: () => void,
  ) {}

  static async start(): Promise<SharedVSCode> {
    const { home, remove } = newHome();
    const extensions = join(home, "extensions");
    mkdirSync(extensions);
    installExtension(extensions);
    addChatModels(extensions);
    addExtension(extensions, "tidy", "tidyExtension.js", { activationEvents: ["onStartupFinished"] });
    addLanguage(join(home, "user"), "zh-cn");
    const [server, browser] = await Promise.all([
      startServer({
        ...{ userData: join(home, "user"), extensions, trustAll: false },
        without: withoutExtensions({ typescript: false }),
        ...{ log: join(out, "workbench.log"), env: { ...process.env, ...ownPlaces(home) } },
      }),
      launchBrowser(),
      copySample(join(home, "sample")),
    ]);
    return new SharedVSCode(home, server, await browser.newContext(), remove);
  }

  async open(options: WindowOptions): Promise<VSCodeWindow> {
    const offline = await startOfflineModel(options.script ? { script: options.script } : {});
    const { left } = this;
    this.left = undefined;
    const isTidy = left !== undefined && !options.fresh && (await this.goOn(left, options, offline.url));
    if (left && !isTidy) await this.closePage(left.page);
    const { page, workspace } = isTidy ? left : await this.newWindow(options, offline.url);
    const leave = async (tidy: boolean) => {
      await offline.close();
      if (tidy && !options.fresh) this.left = { page, workspace, settings: options.settings ?? {} };
      else await this.closePage(page);
    };
    return { page, workspace, offline, leave, backups: join(this.home, "user", "User", "Backups") };
  }

  /** Makes the window that was left what the next walk expects. false, and said: it cannot be had. */
  private async goOn(left: LeftWindow, options: WindowOptions, model: string): Promise<boolean> {
    const { page, workspace } = left;
    const before = Object.fromEntries(Object.keys(left.settings).map(name => [name, null]));
    const settings = { ...before, ...options.settings, "strata.model.baseUrl": model };
    try {
      await page.setViewportSize(options.viewport ?? VIEWPORT);
      this.fill(workspace, options.files);
      await this.tidy(workspace, { settings, untyped: options.untyped === true });
      return true;
    } catch (error) {
      console.log(`A window of its own, since the one before could not be made tidy: ${error}`);
      return false;
    }
  }

  private async newWindow(options: WindowOptions, model: string): Promise<{ page: Page; workspace: string }> {
    this.windows += 1;
    const workspace = join(this.home, `window-${this.windows}`, "sample");
    const page = await this.context.newPage();
    // a machine that does much else takes longer than the 30 s that a page gets
    page.setDefaultTimeout(100_000);
    await page.setViewportSize(options.viewport ?? VIEWPORT);
    this.fill(workspace, options.files);
    await this.forget(page);
    const looks = { "workbench.colorTheme": "Default Dark Modern" };
    const trust = { "security.workspace.trust.enabled": options.restricted === true };
    writeTestSettings(join(this.home, "user"), model, { ...looks, ...trust, ...options.settings });
    await this.load(page, workspace, options);
    return { page, workspace };
  }

  /** The folder becomes the sample with these files, whatever was there. */
  private fill(workspace: string, files: Record<string, string> = {}): void {
    const sample = join(this.home, "sample");
    mkdirSync(workspace, { recursive: true });
    for (const name of readdirSync(workspace))
      if (name !== ".git") rmSync(join(workspace, name), { recursive: true, force: true, maxRetries: 10 });
    const isNew = !existsSync(join(workspace, ".git"));
    cpSync(sample, workspace, { recursive: true, filter: path => isNew || path !== join(sample, ".git") });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
  }

  private async load(page: Page, workspace: string, options: WindowOptions): Promise<void> {
    const folder = dirname(workspace);
    writeFileSync(join(folder, "models.json"), JSON.stringify(options.models ?? []));
    if (options.language)
      writeFileSync(join(this.home, "user", "User", "argv.json"), JSON.stringify({ locale: options.language }));
    const address = new URL(this.server.url(workspace));
    await page.goto(address.href);
  }

  private async tidy(workspace: string, wanted: TidyRequest): Promise<void> {
    const file = join(workspace, "..", "tidy");
    await eventually("the extension that tidies is there", () => existsSync(file) && readFileSync(file, "utf8") !== "");
    const answer = await fetch(readFileSync(file, "utf8"), {
      method: "POST",
      body: JSON.stringify(wanted),
      signal: AbortSignal.timeout(60_000),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** VS Code tells its server so, and the window's extension host ends; of a page that crashed nothing is to be told. */
  private async closePage(page: Page): Promise<void> {
    await page.goto("about:blank").catch(() => undefined);
    await page.close();
  }

  /** What VS Code and Strata know beyond one workspace: layout, keys, trust, favourites, what was agreed to, what was spent. */
  private async forget(page: Page): Promise<void> {
    const devtools = await this.context.newCDPSession(page);
    const origin = `http://localhost:${this.server.port}`;
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb,local_storage" });
    await devtools.detach();
    // The window before may still write its last there.
    for (const place of ["user/User", "user/Machine", "config", "state"])
      rmSync(join(this.home, place), { recursive: true, force: true, maxRetries: 10 });
  }

  async close(): Promise<void> {
    await Promise.all([this.context.browser()?.close(), this.server.close()]);
    this.remove();
  }
}

let started: Promise<SharedVSCode> | undefined;

/** A window of the shared VS Code. What runs in it when the next is opened must not be needed any more. */
export async function openWindow(options: WindowOptions): Promise<VSCodeWindow> {
  const vscode = started ?? SharedVSCode.start();
  started = vscode;
  // One that could not be started is started anew by the next file.
  vscode.catch(() => {
    started = undefined;
  });
  return (await vscode).open(options);
}

export async function closeVSCode(): Promise<void> {
  const vscode = await started?.catch(() => undefined);
  started = undefined;
  await vscode?.close();
}
