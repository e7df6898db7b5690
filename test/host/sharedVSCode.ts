/**
 * The VS Codes that the walks share: one server and one browser of each kind, started at first use. Each file gets a window of
 * its own: a new folder, a new offline model, new settings, and nothing that a file before left behind.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { copySample, installExtension } from "../../scripts/lib/instance.mjs";
import { type OfflineModel, type OfflineScript, startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { launchBrowser, startServer } from "../../scripts/vscode.mjs";
import { out } from "./paths.mjs";
import { addChatModels, addExtension, newHome, writeTestSettings } from "./prepare.mjs";
import { withoutExtensions } from "./quiet.mjs";

/**
 * `restricted`: no folder is trusted. `virtual`: the workspace has one folder, `memory:/app`, which is on no disk
 * (memfsExtension.ts). `models`: VS Code has models of its own, small and large (chatModelsExtension.ts).
 */
export type Kind = "trusted" | "restricted" | "virtual" | "models";

export interface WindowOptions {
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
  /** the folder that is open, a copy of sample/; where the workspace is virtual, one that nobody opened */
  workspace: string;
  /** where VS Code keeps unsaved text */
  backups: string;
  offline: OfflineModel;
  leave(): Promise<void>;
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

class SharedVSCode {
  private windows = 0;

  private constructor(
    private readonly kind: Kind,
    private readonly home: string,
    private readonly server: Awaited<ReturnType<typeof startServer>>,
    private readonly context: BrowserContext,
    private readonly remove: () => void,
  ) {}

  static async start(kind: Kind): Promise<SharedVSCode> {
    const { home, remove } = newHome();
    const extensions = join(home, "extensions");
    mkdirSync(extensions);
    installExtension(extensions);
    if (kind === "models") addChatModels(extensions, ["small", "large"]);
    if (kind === "virtual")
      addExtension(extensions, "memory", "memfsExtension.js", { activationEvents: ["onFileSystem:memory"] });
    addLanguage(join(home, "user"), "zh-cn");
    const [server, browser] = await Promise.all([
      startServer({
        ...{ userData: join(home, "user"), extensions, trustAll: kind !== "restricted" },
        without: withoutExtensions({ typescript: false }),
        ...{ log: join(out, `workbench-${kind}.log`), env: { ...process.env, ...ownPlaces(home) } },
      }),
      launchBrowser(),
      copySample(join(home, "sample")),
    ]);
    return new SharedVSCode(kind, home, server, await browser.newContext(), remove);
  }

  async open({ settings, script, files = {}, viewport, language }: WindowOptions): Promise<VSCodeWindow> {
    this.windows += 1;
    const folder = join(this.home, `window-${this.windows}`);
    const workspace = join(folder, "sample");
    cpSync(join(this.home, "sample"), workspace, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
    const offline = await startOfflineModel(script ? { script } : {});
    const page = await this.context.newPage();
    await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
    // a machine that does much else takes longer than the 30 s that a page gets
    page.setDefaultTimeout(100_000);
    await this.forget(page);
    const looks = { "workbench.colorTheme": "Default Dark Modern" };
    writeTestSettings(join(this.home, "user"), offline.url, { ...looks, ...settings });
    if (language) writeFileSync(join(this.home, "user", "User", "argv.json"), JSON.stringify({ locale: language }));
    await page.goto(this.address(folder, workspace));
    const leave = async () => {
      // VS Code tells its server so, and the window's extension host ends; of a page that crashed nothing is to be told.
      await page.goto("about:blank").catch(() => undefined);
      await page.close();
      await offline.close();
    };
    return { page, workspace, offline, leave, backups: join(this.home, "user", "User", "Backups") };
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

  private address(folder: string, workspace: string): string {
    const address = new URL(this.server.url(workspace));
    if (this.kind !== "virtual") return address.href;
    const file = join(folder, "virtual.code-workspace");
    writeFileSync(file, JSON.stringify({ folders: [{ uri: "memory:/app", name: "app" }] }));
    address.searchParams.delete("folder");
    address.searchParams.set("workspace", file);
    return address.href;
  }

  async close(): Promise<void> {
    await Promise.all([this.context.browser()?.close(), this.server.close()]);
    this.remove();
  }
}

const started = new Map<Kind, Promise<SharedVSCode>>();

/** A window of the VS Code of this kind. What runs in it when the next is opened must not be needed any more. */
export async function openWindow(kind: Kind, options: WindowOptions): Promise<VSCodeWindow> {
  const vscode = started.get(kind) ?? SharedVSCode.start(kind);
  started.set(kind, vscode);
  // One that could not be started is started anew by the next file.
  vscode.catch(() => started.delete(kind));
  return (await vscode).open(options);
}

export async function closeVSCodes(): Promise<void> {
  const all = [...started.values()];
  started.clear();
  for (const vscode of await Promise.allSettled(all)) if (vscode.status === "fulfilled") await vscode.value.close();
}
