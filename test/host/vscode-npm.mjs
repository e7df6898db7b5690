#!/usr/bin/env node
/**
 * Stands in for the desktop VS Code where only npm packages can be had: takes the desktop's flags for tests, starts the
 * npm-packaged VS Code, opens it in a headless browser, prints what the tests print and ends with their exit code.
 */
import { parseArgs } from "node:util";
import { explain, Problem } from "../../scripts/lib/console.mjs";
import { end } from "../../scripts/lib/processes.mjs";
import { launchBrowser, startServer } from "../../scripts/vscode.mjs";
import { out } from "./paths.mjs";
import { withoutExtensions } from "./quiet.mjs";

const limitMs = 20 * 60_000;
const path = { type: /** @type {const} */ ("string") };
const { values, positionals } = parseArgs({
  options: { extensionDevelopmentPath: path, extensionTestsPath: path, "user-data-dir": path, "extensions-dir": path },
  allowPositionals: true,
  strict: false, // the desktop has many more flags, of no meaning here
});

/** Opens the workbench with the tests in its address; gives the exit code that it reports. */
async function runTests() {
  const [folder] = positionals;
  const {
    extensionDevelopmentPath,
    extensionTestsPath,
    "user-data-dir": userData,
    "extensions-dir": extensions,
  } = values;
  if (!folder || !userData || !extensionTestsPath)
    throw new Problem("Needed: a folder, --user-data-dir and --extensionTestsPath.");
  const trustAll = values["disable-workspace-trust"] === true;
  const without = withoutExtensions({ typescript: true });
  const [server, browser] = await Promise.all([
    startServer({ userData, extensions, trustAll, without, testDriver: true, log: `${userData}/server.log` }),
    launchBrowser(),
  ]);
  // Small: nobody looks at it, and each pixel is painted by the processor.
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  const ended = new Promise((resolve, reject) => {
    const fail = words => reject(new Problem(words));
    page.exposeFunction("codeAutomationLog", (_type, args) => console.log(...args.map(String)));
    page.exposeFunction("codeAutomationExit", resolve);
    page.once("crash", () => fail("The page of VS Code crashed."));
    setTimeout(() => fail(`The tests did not end within ${limitMs / 60_000} minutes.`), limitMs);
  });
  await page.goto(server.url(folder, { extensionDevelopmentPath, extensionTestsPath }));
  return ended.catch(async error => {
    await page.screenshot({ path: `${out}/host-failure.png`, timeout: 5000 }).catch(() => undefined);
    throw error;
  });
}

await runTests().then(end, error => {
  console.error(explain(error));
  return end(1);
});
