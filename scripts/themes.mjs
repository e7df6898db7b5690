/**
 * `node scripts/themes.mjs` reads the `--vscode-*` variables of every theme that VS Code comes with, as a webview gets them in
 * a real VS Code, and writes those that the panel names into test/panel/themes. Run it after VS Code's version or a style names
 * another variable; a test says when.
 */
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explain, Problem } from "./lib/console.mjs";
import { root } from "./lib/install.mjs";
import { writeSettings } from "./lib/instance.mjs";
import { end } from "./lib/processes.mjs";
import { ownPlaces } from "./lib/temporary.mjs";
import { ensureVSCode, launchBrowser, startServer } from "./vscode.mjs";

const target = join(root, "test/panel/themes");

/** The three that every picture is looked at in; the others have the name of their theme. */
const fileNames = { "Dark 2026": "dark", "Light 2026": "light", "Default High Contrast": "high-contrast" };

/** For VS Code to apply a theme: ms. */
const THEME_MS = 30_000;

/** The variables that the panel's styles name, and VS Code's own for webviews. */
function namedVariables() {
  const files = globSync(["webview-ui/src/**/*.{css,ts,tsx}", "test/panel/page/*.ts"], { cwd: root });
  const names = files.flatMap(file => readFileSync(join(root, file), "utf8").match(/--vscode-[\w-]+/g) ?? []);
  return [...new Set(names)].sort();
}

/** The themes that VS Code comes with, by the names that its settings have for them. */
async function themeNames() {
  const folder = join(await ensureVSCode(), "extensions");
  const manifests = globSync("theme-*/package.json", { cwd: folder }).sort();
  const contributed = manifests.map(path => JSON.parse(readFileSync(join(folder, path), "utf8")).contributes);
  return contributed.flatMap(({ themes = [] }) => themes.map(({ id, label }) => id ?? label));
}

/** An extension with a webview that can put on a theme. */
function installProbe(extensions) {
  const folder = join(extensions, "strata.theme-probe-1.0.0");
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "theme-probe", publisher: "strata", version: "1.0.0", engines: { vscode: "^1.101.0" } };
  const activation = { main: "main.js", activationEvents: ["onStartupFinished"] };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, ...activation }));
  writeFileSync(
    join(folder, "main.js"),
    `const { window, workspace } = require("vscode");
    exports.activate = () => {
      const { webview } = window.createWebviewPanel("probe", "Probe", 1, { enableScripts: true });
      webview.onDidReceiveMessage(id => workspace.getConfiguration("workbench").update("colorTheme", id, true));
      webview.html = "<script>window.wearTheme = acquireVsCodeApi().postMessage;</script>";
    };`,
  );
}

/** Runs in the webview: what it got, once it wears that theme. @param {{ id: string, names: string[] }} wanted */
function worn({ id, names }) {
  const { body, documentElement } = document;
  if (body.dataset.vscodeThemeId !== id) return undefined;
  const { style } = documentElement;
  const set = names.map(name => [name, style.getPropertyValue(name).trim()]).filter(([, value]) => value !== "");
  const classes = [...body.classList].filter(name => name.startsWith("vscode-") && !name.includes("-using-"));
  return { bodyClass: classes.join(" "), variables: Object.fromEntries(set) };
}

async function probeFrame(page) {
  for (;;) {
    for (const frame of page.frames())
      if (await frame.evaluate(() => "wearTheme" in window).catch(() => false)) return frame;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

async function readThemes(folder) {
  const extensions = join(folder, "extensions");
  installProbe(extensions);
  writeSettings(folder, {});
  const [server, browser] = await Promise.all([
    startServer({ userData: folder, extensions, trustAll: true, log: join(folder, "server.log") }),
    launchBrowser(),
  ]);
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  await page.goto(server.url(folder));
  const frame = await Promise.race([
    probeFrame(page),
    page.waitForTimeout(4 * THEME_MS).then(() => {
      throw new Problem("The webview did not open.");
    }),
  ]);
  const names = namedVariables();
  const themes = [];
  for (const id of await themeNames()) {
    await frame.evaluate(wanted => window.wearTheme(wanted), id);
    const found = await frame.waitForFunction(worn, { id, names }, { timeout: THEME_MS });
    themes.push({ theme: id, source: "a webview of VS Code 1.139", ...(await found.jsonValue()) });
  }
  await Promise.all([browser.close(), server.close()]);
  return themes;
}

const fileOf = theme =>
  `${
    fileNames[theme] ??
    theme
      .toLowerCase()
      .replace(/\+/g, "-plus")
      .replace(/[^a-z\d]+/g, "-")
  }.json`;

async function writeThemes() {
  const themes = await readThemes(ownPlaces());
  for (const old of readdirSync(target)) rmSync(join(target, old));
  for (const theme of themes) writeFileSync(join(target, fileOf(theme.theme)), `${JSON.stringify(theme, null, 2)}\n`);
  console.log(`${themes.length} themes in test/panel/themes.`);
}

if (process.argv[1] === import.meta.filename)
  await writeThemes().then(
    () => end(0),
    error => {
      console.error(explain(error));
      return end(1);
    },
  );
