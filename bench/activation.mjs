/**
 * A real VS Code: what activation takes of everybody's start, how long the panel takes from the click on its icon to a
 * composer that is painted (beside a view that is nothing but a text box), and the extension host's memory with the panel.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installExtension } from "../scripts/lib/instance.mjs";
import { end } from "../scripts/lib/processes.mjs";
import { launchBrowser, startServer } from "../scripts/vscode.mjs";
import { prepare } from "../test/host/prepare.mjs";
import { median, row, title } from "./lib/figures.mjs";

const STARTS = 4;
/** ms in which what was started has come to rest */
const REST_MS = 3000;

const strata = { icon: "Strata", install: installExtension };
const bare = { icon: "Bare", install: installBare };

/** The least that a view can be: what VS Code itself takes. */
function installBare(extensions) {
  const folder = join(extensions, "bench.bare-1.0.0");
  const views = { bare: [{ type: "webview", id: "bare.view", name: "Bare" }] };
  const contributes = { viewsContainers: { activitybar: [{ id: "bare", title: "Bare", icon: "i.svg" }] }, views };
  const manifest = { name: "bare", publisher: "bench", version: "1.0.0", engines: { vscode: "^1.101.0" } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "i.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, main: "main.js", contributes }));
  writeFileSync(
    join(folder, "main.js"),
    `const { window } = require("vscode");
    const fill = ({ webview }) => { webview.options = { enableScripts: true }; webview.html = "<textarea></textarea>"; };
    exports.activate = () => { window.registerWebviewViewProvider("bare.view", { resolveWebviewView: fill }); };`,
  );
}

/** Runs in the page before it loads: keeps when the icon was clicked. */
function watch() {
  const click = () => Object.assign(window, { clickedAt: performance.timeOrigin + performance.now() });
  if (window === window.top) document.addEventListener("pointerdown", click, true);
}

/** When a frame with a text box was first painted, by the clock of `watch`. Both views begin with their text box. */
function firstPaint() {
  if (!document.querySelector("textarea")) return;
  const [paint] = performance.getEntriesByName("first-paint");
  return paint && performance.timeOrigin + paint.startTime;
}

/** Bytes of the server's extension host; NaN where the system does not say. */
function extensionHostMemory(port) {
  if (process.platform !== "linux") return Number.NaN;
  const processes = readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .map(pid => ({ pid, ...processOf(pid) }));
  const server = processes.find(
    ({ command }) => command.includes("server-main.js") && command.includes(`--port ${port}`),
  );
  const host = processes.find(({ parent, command }) => parent === server?.pid && command.includes("extensionHost"));
  return host ? host.kilobytes * 1024 : Number.NaN;
}

function processOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = name => new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { parent: field("PPid"), kilobytes: Number(field("VmRSS") ?? Number.NaN), command };
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return { command: "" }; // it ended meanwhile
    throw error;
  }
}

/** When the view's text box was painted. */
async function painted(page) {
  for (const limit = Date.now() + 30_000; Date.now() < limit; await sleep(50)) {
    for (const frame of page.frames().slice(1)) {
      const at = await frame.evaluate(firstPaint).catch(() => undefined); // frames come and go while a view opens
      if (at !== undefined) return { frame, at };
    }
  }
  throw new Error("the view painted no text box within 30 s");
}

/** When the panel shows a session, by the clock of `watch`: its script runs, its host has answered. */
function sessionShown() {
  return new Promise(resolve => {
    const look = () =>
      document.querySelector(".empty, .chunk")
        ? resolve(performance.timeOrigin + performance.now())
        : requestAnimationFrame(look);
    look();
  });
}

/** ms to load and to activate, as VS Code counts them. */
async function activationTime(page) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input[type=text]").fill(">Developer: Show Running Extensions");
  await page
    .locator(".quick-input-list .monaco-list-row")
    .filter({ hasText: "Show Running Extensions" })
    .first()
    .click();
  await page.locator(".runtime-extensions-editor").waitFor();
  const entry = page.locator(".runtime-extensions-editor .monaco-list-row").filter({ hasText: "Strata" });
  const words = await entry.locator(".activation-time").textContent();
  return Number(/(\d+)\s*ms/.exec(words ?? "")?.[1] ?? Number.NaN);
}

/** One VS Code with one extension, its view opened by a click on its icon. */
async function startOnce({ icon, install }) {
  const { workspace, userData, extensions, close } = await prepare();
  install(extensions);
  const server = await startServer({ userData, extensions, trustAll: true });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1400 } });
    await page.addInitScript(watch);
    await page.goto(server.url(workspace));
    const button = page.locator(`.activitybar [aria-label=${icon}]`).first();
    await button.waitFor();
    await sleep(REST_MS);
    const before = extensionHostMemory(server.port);
    await button.click();
    const { frame, at } = await painted(page);
    const shownAt = icon === "Strata" ? await frame.evaluate(sessionShown) : 0;
    const clickedAt = await page.evaluate(() => window.clickedAt);
    const opened = at - clickedAt;
    const shown = shownAt - clickedAt;
    await sleep(REST_MS);
    const memory = (extensionHostMemory(server.port) - before) / 1e6;
    return { opened, shown, memory, activation: icon === "Strata" ? await activationTime(page) : 0 };
  } finally {
    await browser.close();
    await server.close();
    await close();
  }
}

/** In turn, so that what else the machine does falls on both. */
async function starts() {
  const rounds = [];
  for (let start = 0; start < STARTS; start++) rounds.push([await startOnce(bare), await startOnce(strata)]);
  const figure = (which, name) => median(rounds.map(round => round[which][name]));
  return { reference: name => figure(0, name), ours: name => figure(1, name) };
}

const { reference, ours } = await starts();
title(`VS Code from npm packages in a headless browser (median of ${STARTS} starts)`);
row("activation: load and activate", ours("activation"), { aim: 30, digits: 0 });
row("click on the icon to composer painted", ours("opened"), { aim: 350, digits: 0 });
row("  a view that is nothing but a text box", reference("opened"), { digits: 0 });
row("  times that", ours("opened") / reference("opened"), { unit: "×", aim: 1.4, digits: 2 });
row("  to a session that is shown", ours("shown"), { digits: 0 });
row("extension host's memory, panel open", ours("memory"), { unit: "MB", aim: 40 });
row("  the view that is nothing but a text box", reference("memory"), { unit: "MB" });
await end(0);
