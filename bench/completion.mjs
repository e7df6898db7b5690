/**
 * From a key to the list in a real VS Code: completion of a mention in a Markdown document of a workspace of 100,000 files,
 * beside a provider that answers at once with as many items, which is what VS Code itself takes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { installExtension } from "../scripts/lib/instance.mjs";
import { end } from "../scripts/lib/processes.mjs";
import { launchBrowser, startServer } from "../scripts/vscode.mjs";
import { prepare } from "../test/host/prepare.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

const FILES = 100_000;
const WORDS = 12;
const LETTERS = 8;
/** ms without a change of the list after which it stands */
const QUIET_MS = 300;

/** Completes after `#` in plain text: fifty items, at once, asked for with each key. */
function installBare(extensions) {
  const folder = join(extensions, "bench.bare-1.0.0");
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "bare", publisher: "bench", version: "1.0.0", engines: { vscode: "^1.101.0" } };
  const activationEvents = ["onLanguage:plaintext"];
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, main: "main.js", activationEvents }));
  writeFileSync(
    join(folder, "main.js"),
    `const { CompletionItem, CompletionList, Range, languages } = require("vscode");
    exports.activate = () => languages.registerCompletionItemProvider("plaintext", {
      provideCompletionItems(document, position) {
        const line = document.lineAt(position.line).text.slice(0, position.character);
        const start = line.lastIndexOf("#");
        const items = Array.from({ length: 50 }, (_, at) => Object.assign(new CompletionItem("item " + at + line.length), {
          filterText: line.slice(start), sortText: String(at).padStart(3, "0"),
          range: new Range(position.line, start, position.line, position.character) }));
        return new CompletionList(items, true);
      },
    }, "#");`,
  );
}

/** Runs in the page before it loads: when a key was pressed, and when the list of suggestions changed last. */
function watch() {
  if (window !== window.top) return;
  const times = { key: 0, changed: 0 };
  Object.assign(window, { completionTimes: times });
  document.addEventListener("keydown", () => Object.assign(times, { key: performance.now(), changed: 0 }), true);
  const isOfList = node => (node instanceof Element ? node : node.parentElement)?.closest(".suggest-widget") != null;
  new MutationObserver(records => {
    if (!records.some(({ target }) => isOfList(target)) || !document.querySelector(".suggest-widget.visible")) return;
    // The frame that shows it.
    requestAnimationFrame(() => Object.assign(times, { changed: performance.now() }));
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** ms from the key to the list as it stayed. */
async function press(page, key) {
  await page.keyboard.press(key);
  await page.waitForFunction(
    quiet => {
      const { key, changed } = window.completionTimes;
      const now = performance.now();
      return (changed > 0 && now - changed > quiet) || now - key > 5000;
    },
    QUIET_MS,
    { polling: 20 },
  );
  return page.evaluate(() => window.completionTimes.changed - window.completionTimes.key);
}

async function openFile(page, name) {
  await page.keyboard.press("ControlOrMeta+P");
  await page.locator(".quick-input-widget input[type=text]").fill(name);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().click();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await page.locator(".editor-instance .view-line").first().click();
}

/** Each word typed after the mark, letter by letter. ms by the number of letters typed. */
async function typed(page, name, mark, words) {
  await openFile(page, name);
  // The first one starts whatever answers.
  const list = page.locator(".suggest-widget.visible .monaco-list-row").first();
  for (let tries = 1; ; tries++) {
    await page.keyboard.press(mark);
    const isThere = await list.waitFor({ timeout: 20_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) break;
    if (tries === 5) throw new Error(`no list after ${mark}`);
    await page.keyboard.press("Backspace");
  }
  // The list of files is there by then.
  await page.waitForTimeout(10_000);
  const times = Array.from({ length: LETTERS + 1 }, () => []);
  for (const word of words) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    times[0].push(await press(page, mark));
    for (const [at, letter] of [...word].entries()) times[at + 1].push(await press(page, letter));
  }
  return times;
}

async function paths(work) {
  const outfile = join(work, "mentionIndex.mjs");
  const entry = { entryPoints: [join(root, "bench/lib/mentionIndex.ts")], outfile, bundle: true, platform: "node" };
  await esbuild.build({ ...entry, format: "esm", nodePaths: [join(root, "node_modules")], logLevel: "error" });
  return (await import(pathToFileURL(outfile).href)).paths(FILES);
}

/** File names that are letters alone, so that no key of theirs accepts a suggestion. */
function wordsOf(files) {
  const names = files.map(path => /([a-zA-Z]{8,})\.[a-z]+$/.exec(path)?.[1]?.slice(0, LETTERS).toLowerCase());
  const all = [...new Set(names.filter(Boolean))];
  return Array.from({ length: WORDS }, (_, at) => all[Math.floor((at * all.length) / WORDS)]);
}

function fill(workspace, files) {
  const made = new Set();
  for (const path of files) {
    const file = join(workspace, path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    made.add(dirname(file));
    writeFileSync(file, "");
  }
  writeFileSync(join(workspace, "typing.md"), "");
  writeFileSync(join(workspace, "typing.txt"), "");
}

const work = temporary("bench-completion");
const settings = { "editor.wordBasedSuggestions": "off", "files.watcherExclude": { "**": true }, "git.enabled": false };
const { workspace, userData, extensions, close } = await prepare({ settings });
const files = await paths(work.path);
fill(workspace, files);
installExtension(extensions);
installBare(extensions);
const server = await startServer({ userData, extensions, trustAll: true });
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  await page.addInitScript(watch);
  await page.goto(server.url(workspace));
  await page.locator(".activitybar [aria-label=Strata]").first().waitFor();
  const words = wordsOf(files);
  const bare = await typed(page, "typing.txt", "#", words);
  const ours = await typed(page, "typing.md", "@", words);
  title(
    `From key to list, ${FILES.toLocaleString("en")} files (VS Code in a headless browser; ${words.length} words typed)`,
  );
  for (const [letters, times] of ours.entries()) {
    const floor = `at once: ${percentile(bare[letters], 0.95).toFixed(0)}`;
    const name = letters === 0 ? "the mark itself, p95" : `${letters} letter${letters > 1 ? "s" : ""}, p95`;
    row(name, percentile(times, 0.95), {
      aim: 50,
      digits: 0,
      note: `median ${median(times).toFixed(0)}; answered ${floor}`,
    });
  }
} finally {
  await browser.close();
  await server.close();
  await close();
  work.remove();
}
await end(0);
