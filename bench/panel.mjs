/**
 * The panel in a real VS Code: what activation takes of everybody's start, the way from a click to a composer and to a session,
 * typing while an answer streams at 300 tokens a second into 1,000 and 10,000 messages, a fast scroll, the extension host's
 * memory; in a browser alone an hour of streaming. Beside each figure of time the same of a view that is nothing but a text
 * box, or of an empty session: on a machine that does other things too these say how much is the machine's. Counts and the
 * processor's time say little of the machine.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { buildPanelTests } from "../esbuild.mjs";
import { installExtension } from "../scripts/lib/instance.mjs";
import { end } from "../scripts/lib/processes.mjs";
import { startOfflineModel } from "../scripts/offline-model/server.mjs";
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";
import { installBare, measure, measured, openWindow, painted, traced } from "./lib/window.mjs";

const STARTS = 3;
/** ms in which what was started has come to rest */
const REST_MS = 3000;
/** Text typed, one key every `KEY_MS` */
const TYPED = "the quick brown fox jumps over the lazy dog and goes on to the next field ".repeat(2);
const KEY_MS = 35;
/** Of the offline model: two tokens a piece. */
const PIECE_MS = 6;
/** A screen and a half */
const SCROLL_PX = 1350;

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
async function startOnce(icon, install) {
  const window = await openWindow({ install: [install] });
  try {
    const { page } = window;
    await page.locator(`.activitybar [aria-label=${icon}]`).first().waitFor();
    await sleep(REST_MS);
    const before = window.memory();
    await window.open(icon);
    const { frame, at } = await painted(page);
    const isOurs = icon === "Strata";
    const shownAt = isOurs ? await frame.evaluate(sessionShown) : 0;
    const clickedAt = await page.evaluate(() => window.clickedAt);
    await sleep(REST_MS);
    const memory = (window.memory() - before) / 1e6;
    const activation = isOurs ? await activationTime(page) : 0;
    return { opened: at - clickedAt, shown: shownAt - clickedAt, memory, activation };
  } finally {
    await window.close();
  }
}

async function measureStarts() {
  const rounds = [];
  // In turn, so that what else the machine does falls on both.
  for (let start = 0; start < STARTS; start++)
    rounds.push([await startOnce("Bare", installBare), await startOnce("Strata", installExtension)]);
  const figure = (which, name) => median(rounds.map(round => round[which][name]));
  const [reference, ours] = [name => figure(0, name), name => figure(1, name)];
  title(`VS Code from npm packages in a headless browser (median of ${STARTS} starts)`);
  row("activation: load and activate", ours("activation"), { aim: 30, digits: 0 });
  row("click on the icon to composer painted", ours("opened"), { aim: 220, digits: 0 });
  row("  a view that is nothing but a text box", reference("opened"), { digits: 0 });
  row("  times that", ours("opened") / reference("opened"), { unit: "×", aim: 1.4, digits: 2 });
  row("  to a session that is shown", ours("shown"), { digits: 0 });
  row("extension host's memory, panel open", ours("memory"), { unit: "MB", aim: 40 });
  row("  the view that is nothing but a text box", reference("memory"), { unit: "MB" });
}

/** Types into the text box of a view: key to paint, frames. */
async function type(page, frame) {
  await frame.focus("textarea");
  await measure(frame);
  await page.keyboard.type(TYPED, { delay: KEY_MS });
  const found = await measured(frame);
  const typed = await frame.locator("textarea").first().inputValue();
  if (typed !== TYPED) throw new Error(`The box has "${typed.slice(-40)}"`);
  await frame.fill("textarea", "");
  return found;
}

const frameRow = (name, frames, aim) =>
  row(name, frames.filter(ms => ms > 50).length, {
    ...{ unit: "", digits: 0, aim },
    note: `of ${frames.length}, longest ${Math.max(...frames).toFixed(0)} ms`,
  });

const keyRow = (name, keys, aim) =>
  row(name, percentile(keys, 0.95), { aim, note: `median ${median(keys).toFixed(1)}` });

function workRows({ frames, busy, longest, styled, layouts }) {
  row("  of the processor, a frame", busy / frames, {
    note: `longest task ${longest.toFixed(0)} ms, while it is traced`,
  });
  row("  elements styled, a frame", styled / frames, { unit: "", note: `${(layouts / frames).toFixed(1)} layouts` });
}

/** From the click on its row to its newest message painted. */
async function openSession({ page }, frame, name) {
  await page.locator('[aria-label^="Show Sessions"]').first().click();
  const line = frame.locator(".session", { hasText: `${name}:` }).first();
  await line.waitFor();
  await sleep(500);
  // The page of a webview is written anew behind what was put into it before.
  await frame.evaluate(() => {
    const click = ({ timeStamp }) => Object.assign(window, { clickedAt: timeStamp });
    document.addEventListener("pointerdown", click, { capture: true, once: true });
  });
  await line.click();
  const shown = await frame.evaluate(
    wanted =>
      new Promise(resolve => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - window.clickedAt);
        const look = () => {
          const isShown =
            document.querySelector("h1")?.textContent?.startsWith(wanted) && document.querySelector(".chunk");
          requestAnimationFrame(isShown ? () => channel.port2.postMessage(null) : look);
        };
        look();
      }),
    `${name}:`,
  );
  await frame.waitForSelector("[role=log][aria-busy=false]");
  await sleep(1000);
  return shown;
}

/** Runs in the panel: by `px` a frame, until all that is there was passed. */
async function scrollAll(px) {
  const log = document.querySelector("[role=log]");
  const isAtTop = () => log.scrollTop <= 1 && !document.querySelector(".older");
  const isAtEnd = () => log.scrollTop + log.clientHeight > log.scrollHeight - Math.abs(px);
  for (let frames = 0; frames < 2_000 && !(px < 0 ? isAtTop() : isAtEnd()); frames += 1) {
    log.scrollBy(0, px);
    await new Promise(requestAnimationFrame);
  }
}

async function scroll(frame, px) {
  await measure(frame);
  await frame.evaluate(scrollAll, px);
  return (await measured(frame)).frames;
}

/** An answer streams while the keys are typed. */
async function typeInStream(window, frame, name) {
  await frame.evaluate(() => document.querySelector("[role=log]").scrollTo(0, 1e9));
  await frame.fill("textarea", "stream");
  await frame.press("textarea", "Enter");
  await frame.waitForSelector(".answer[aria-busy=true] p", { timeout: 60_000 });
  const { keys, frames } = await type(window.page, frame);
  keyRow(`${name}, 300 tokens/s: key to paint, p95`, keys, 30);
  frameRow("  frames over 50 ms", frames, 0);
  workRows(await traced(window, frame, () => window.page.keyboard.type(TYPED.slice(0, 60), { delay: KEY_MS })));
  if (!(await frame.$(".answer[aria-busy=true]"))) throw new Error("the answer was over before the keys");
  await frame.fill("textarea", "");
  await frame.press("textarea", "Escape");
  await sleep(1500);
}

async function measureSessions() {
  const work = temporary("bench-panel");
  const { words, writeSession } = await load("bench/lib/panelLog.ts", work.path);
  const text = words.repeat(100);
  const model = await startOfflineModel({ script: () => ({ text }), chunkDelayMs: PIECE_MS });
  const settings = { "strata.model.baseUrl": model.url, "strata.model.contextWindow": 20_000_000 };
  const window = await openWindow({ install: [installExtension, installBare], settings, apart: true });
  try {
    const { page } = window;
    await sleep(REST_MS);
    await window.open("Bare");
    const bare = (await painted(page)).frame;
    await sleep(1000);
    const reference = await type(page, bare);
    const before = window.memory();
    await window.open("Strata");
    const { frame } = await painted(page);
    await frame.waitForSelector(".empty");
    await sleep(REST_MS);
    const empty = await type(page, frame);
    const storage = join(window.userData, "User/workspaceStorage");
    const own = readdirSync(storage).map(name => join(storage, name, "strata-agent.strata"));
    const folder = join(own.find(existsSync), "sessions");
    // Six items to three messages: the panel keeps 2,000.
    for (const [name, messages] of Object.entries({ few: 3, thousand: 996, many: 10_000 }))
      writeSession(folder, name, messages);
    title("The panel in VS Code, its view a process of its own as on the desktop (no GPU)");
    keyRow("key to paint in an empty session, nothing streams", empty.keys);
    keyRow("  in a view that is nothing but a text box, 60 words/s", reference.keys);
    frameRow("  frames over 50 ms there", reference.frames);
    const few = await openSession(window, frame, "few");
    row("click on a session of 1,000 to its last message", await openSession(window, frame, "thousand"), { aim: 300 });
    row("  on one of 3", few);
    frameRow("fast scroll through 1,000: frames over 50 ms", await scroll(frame, -SCROLL_PX), 2);
    const elements = await frame.evaluate(() => document.querySelectorAll(".chunk *").length / 996);
    row("  elements a message", elements, { unit: "" });
    frameRow("  back to the end", await scroll(frame, SCROLL_PX), 2);
    workRows(await traced(window, frame, () => frame.evaluate(scrollAll, -SCROLL_PX)));
    await typeInStream(window, frame, "1,000 messages");
    row("extension host's memory, panel open on 1,000", (window.memory() - before) / 1e6, { unit: "MB" });
    row("click on a session of 10,000 to its last message", await openSession(window, frame, "many"), { aim: 300 });
    await typeInStream(window, frame, "10,000 messages");
    row("extension host's memory, panel open on 10,000", (window.memory() - before) / 1e6, { unit: "MB" });
  } finally {
    await window.close();
    await model.close();
    work.remove();
  }
}

async function measureHour() {
  await buildPanelTests();
  const { measureHours } = await import(pathToFileURL(join(root, "out/panel/hours.bench.mjs")).href);
  const [early, begun, later] = await measureHours([6, 15, 60]);
  title("Panel: an hour of streaming, played fast in a browser");
  row("heap after 6 minutes", early.heap / 1e6, { unit: "MB" });
  row("heap after 15 minutes", begun.heap / 1e6, { unit: "MB", note: "by then the browser has compiled what it will" });
  row("heap after 60 minutes", later.heap / 1e6, {
    unit: "MB",
    note: `${(later.text / 1e6).toFixed(1)} MB of text came`,
  });
  row("growth from 15 to 60 minutes", 100 * (later.heap / begun.heap - 1), { unit: "%", aim: 10 });
}

function tellSizes() {
  title("Panel: what is loaded");
  const folder = join(root, "dist/webview");
  const sizes = new Map();
  for (const name of readdirSync(folder, { recursive: true }).filter(
    name => /\.\w+$/.test(name) && !name.endsWith(".map"),
  )) {
    const bytes = readFileSync(join(folder, name));
    // What diagrams load is many files.
    const part = name.split(/[\\/]/)[0];
    const { size = 0, packed = 0 } = sizes.get(part) ?? {};
    sizes.set(part, { size: size + bytes.length, packed: packed + gzipSync(bytes, { level: 9 }).length });
  }
  for (const [name, { size, packed }] of sizes)
    row(name, size / 1024, { unit: "kB", digits: 0, note: `compressed ${(packed / 1024).toFixed(0)}` });
}

await measureStarts();
await measureSessions();
await measureHour();
tellSizes();
await end(0);
