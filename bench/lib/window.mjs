/** A real VS Code in a browser without a window, for measuring: Strata's view, and one that is nothing but a text box. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launchBrowser, startServer } from "../../scripts/vscode.mjs";
import { prepare } from "../../test/host/prepare.mjs";

/**
 * @param {object} options
 * @param {readonly ((extensions: string) => void)[]} options.install
 * @param {Record<string, unknown>} [options.settings]
 * @param {boolean} [options.apart] webviews have a process of their own, as on the desktop. Else they share one with the
 *   workbench, since the browser of the tests isolates no sites and this server gives webviews no address of their own.
 */
export async function openWindow({ install, settings = {}, apart = false }) {
  const { workspace, userData, extensions, close } = await prepare({ settings });
  for (const one of install) one(extensions);
  const server = await startServer({ userData, extensions, trustAll: true });
  const browser = await launchBrowser(apart ? ["--site-per-process"] : []);
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 }, bypassCSP: apart });
  await page.addInitScript(watch);
  if (apart) await page.addInitScript(webviewsAt, await ownSites(server));
  await page.goto(server.url(workspace));
  await page.locator(".activitybar [aria-label]").first().waitFor();
  return {
    ...{ page, browser, userData },
    open: icon => page.locator(`.activitybar [aria-label=${icon}]`).first().click(),
    memory: () => extensionHostMemory(server.port),
    async close() {
      await browser.close();
      await server.close();
      await close();
    },
  };
}

/** Runs in the page before it loads: keeps when something was clicked. */
function watch() {
  const click = () => Object.assign(window, { clickedAt: performance.timeOrigin + performance.now() });
  if (window === window.top) document.addEventListener("pointerdown", click, true);
}

/** The same: webviews are served from these sites. */
function webviewsAt(port) {
  if (window !== window.top) return;
  const found = new MutationObserver(() => {
    const meta = document.querySelector("#vscode-workbench-web-configuration");
    if (!meta) return;
    found.disconnect();
    const { webviewEndpoint, productConfiguration, ...more } = JSON.parse(meta.dataset.settings);
    const { pathname } = new URL(webviewEndpoint, location.href);
    const webviewContentExternalBaseUrlTemplate = `http://{{uuid}}.localhost:${port}${pathname}/`;
    const product = { ...productConfiguration, webviewContentExternalBaseUrlTemplate };
    meta.dataset.settings = JSON.stringify({ ...more, productConfiguration: product });
  });
  found.observe(document, { childList: true, subtree: true });
}

/** Serves every name below localhost what the server serves, which knows itself by one name and a cookie. @returns its port */
async function ownSites({ port, url }) {
  const cookie = `vscode-tkn=${new URL(url("/")).searchParams.get("tkn")}`;
  const front = createServer((asked, answer) => {
    const { url: path, method, headers } = asked;
    const from = { host: "127.0.0.1", port, path, method, headers: { ...headers, host: `localhost:${port}`, cookie } };
    const up = request(from, got => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    up.on("error", () => answer.destroy());
    asked.pipe(up);
  });
  await new Promise(listening => front.listen(0, "127.0.0.1", listening).unref());
  return front.address().port;
}

/** The least that a view can be: what VS Code itself takes. Words come to it as they come to the panel, 60 times a second. */
export function installBare(extensions) {
  const folder = join(extensions, "bench.bare-1.0.0");
  const views = { bare: [{ type: "webview", id: "bare.view", name: "Bare" }] };
  const contributes = { viewsContainers: { activitybar: [{ id: "bare", title: "Bare", icon: "i.svg" }] }, views };
  const manifest = { name: "bare", publisher: "bench", version: "1.0.0", engines: { vscode: "^1.101.0" } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "i.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, main: "main.js", contributes }));
  const page = `<textarea></textarea><p></p><script>
    addEventListener("message", ({ data }) => data.words && document.querySelector("p").append(data.words));</script>`;
  writeFileSync(
    join(folder, "main.js"),
    `const { window } = require("vscode");
    const fill = ({ webview, onDidDispose }) => {
      webview.options = { enableScripts: true };
      webview.html = ${JSON.stringify(page)};
      const words = setInterval(() => webview.postMessage({ words: " some words" }), 16);
      onDidDispose(() => clearInterval(words));
    };
    exports.activate = () => { window.registerWebviewViewProvider("bare.view", { resolveWebviewView: fill }); };`,
  );
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

/** When a frame with a text box was first painted, by the clock of `watch`. Both views begin with their text box. */
function firstPaint() {
  if (!document.querySelector("textarea") || document.visibilityState !== "visible") return;
  const [paint] = performance.getEntriesByName("first-paint");
  return paint && performance.timeOrigin + paint.startTime;
}

/** The view that is in sight, once its text box was painted, and when that was. */
export async function painted(page) {
  for (const limit = Date.now() + 30_000; Date.now() < limit; await sleep(50)) {
    for (const frame of page.frames().slice(1)) {
      const at = await frame.evaluate(firstPaint).catch(() => undefined); // frames come and go while a view opens
      if (at !== undefined) return { frame, at };
    }
  }
  throw new Error("the view painted no text box within 30 s");
}

/** Runs in a view: from now on the time from key to paint, and from frame to frame, ms. */
export const measure = frame =>
  frame.evaluate(() => {
    window.measured?.end();
    const [keys, frames, ending] = [[], [], new AbortController()];
    const afterPaint = then =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = then;
        channel.port2.postMessage(null);
      });
    const key = ({ timeStamp }) => afterPaint(() => keys.push(performance.now() - timeStamp));
    document.addEventListener("keydown", key, { capture: true, signal: ending.signal });
    let last = performance.now();
    const look = now => {
      if (ending.signal.aborted) return;
      frames.push(now - last);
      last = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    window.measured = { keys, frames, end: () => ending.abort() };
  });

/** What came of it until now. */
export const measured = frame =>
  frame.evaluate(() => {
    const { keys, frames, end } = window.measured;
    end();
    return { keys, frames };
  });

/**
 * What the view's thread did meanwhile: counts and processor time, which the rest of the machine changes little.
 * @returns {Promise<{ frames: number, busy: number, longest: number, styled: number, layouts: number }>} `busy`: ms of the
 *   processor; `longest`: of one task; `styled`: elements whose style was worked out
 */
export async function traced({ browser }, frame, act) {
  const client = await browser.newBrowserCDPSession();
  const events = [];
  const ended = Promise.withResolvers();
  client.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  client.on("Tracing.tracingComplete", () => ended.resolve());
  const includedCategories = [
    "toplevel",
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
  ];
  await client.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories } });
  await frame.evaluate(() => performance.mark("measured view"));
  await act();
  await client.send("Tracing.end");
  await ended.promise;
  await client.detach();
  const mark = events.find(({ name }) => name === "measured view");
  const own = events.filter(({ pid, tid, tdur }) => pid === mark.pid && tid === mark.tid && tdur !== undefined);
  const named = name => own.filter(event => event.name === name);
  const tasks = named("ThreadControllerImpl::RunTask").map(({ tdur }) => tdur / 1000);
  const sum = numbers => numbers.reduce((all, one) => all + one, 0);
  return {
    ...{ frames: named("Layerize").length, layouts: named("Layout").length },
    ...{ busy: sum(tasks), longest: Math.max(...tasks) },
    styled: sum(named("UpdateLayoutTree").map(({ args }) => args.elementCount ?? 0)),
  };
}
