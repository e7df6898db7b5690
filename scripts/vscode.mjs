/**
 * A real VS Code and a browser from npm packages alone: for tests where no desktop VS Code can be had, and for `npm start`
 * on a machine without one. Everything lands in the cache folder (`.cache`, or STRATA_CACHE), whole or not at all.
 */
import { randomBytes } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem, step } from "./lib/console.mjs";
import { node24, npm, root } from "./lib/install.mjs";
import { startLoopback } from "./lib/loopback.mjs";
import { beforeEnd, freePort, run, start, stop, waitForLine } from "./lib/processes.mjs";

/** code-server's package version, and the version of VS Code inside. */
const codeServer = "4.139.1";
const neededBytes = 1_200_000_000;

export const cache = resolve(root, process.env.STRATA_CACHE ?? ".cache");

/**
 * The npm-packaged VS Code, installed on first use (20 s, 600 MB).
 * @returns {Promise<string>} its folder `lib/vscode`
 */
export async function ensureVSCode() {
  const home = join(cache, `vscode-npm-${codeServer}`);
  await once(home, "Installing VS Code from npm (600 MB, once)", async folder => {
    const args = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    await npm(["install", ...args, `code-server@${codeServer}`], folder);
    const vscode = join(folder, "node_modules/code-server/lib/vscode");
    await npm(["install", ...args], vscode);
    // TypeScript for the built-in language features: without it there are no diagnostics in a JavaScript file.
    await npm(["install", ...args], join(vscode, "extensions"));
  });
  return join(home, "node_modules", "code-server", "lib", "vscode");
}

/**
 * Starts the server of the npm-packaged VS Code. It listens on this machine only and asks for a token, which `url` carries.
 * @param {object} options
 * @param {string} options.userData folder of settings (`User/settings.json`) and state, as the desktop has it; made when missing
 * @param {string} [options.extensions] folder of unpacked extensions
 * @param {readonly string[]} [options.without] names of VS Code's own extensions to leave out
 * @param {number} [options.port] free one by default
 * @param {boolean} [options.trustAll] no workspace trust: every folder counts as trusted
 * @param {boolean} [options.testDriver] lets a page run tests through the payload `extensionTestsPath`
 * @param {string} [options.log] file for what the server prints
 * @param {NodeJS.ProcessEnv} [options.env] environment of the server, the extension host and terminals; ours by default
 * @returns {Promise<{ port: number, url: (folder: string, payload?: Record<string, string>) => string, close: () => Promise<void>, ended: Promise<number> }>}
 *   `ended`: the server's exit code, should it end by itself; `payload`: `extensionDevelopmentPath`, `extensionTestsPath` with absolute paths
 */
export async function startServer({ port, ...options }) {
  if (port !== undefined) return startServerOn(port, options);
  for (let tries = 1; ; tries++) {
    try {
      return await startServerOn(await freePort(), options);
    } catch (error) {
      // Somebody took it between looking for it and listening on it.
      if (!(error instanceof PortTaken) || tries === MAX_PORTS) throw error;
    }
  }
}

const MAX_PORTS = 5;

class PortTaken extends Problem {}

async function startServerOn(chosen, { userData, extensions = join(userData, "extensions"), ...options }) {
  const vscode = await ensureVSCode();
  const token = randomBytes(16).toString("hex");
  const serverData = join(userData, "server");
  for (const folder of [serverData, extensions]) mkdirSync(folder, { recursive: true });
  const args = [
    join(vscode, "out", "server-main.js"),
    ...["--host", "127.0.0.1", "--port", String(chosen), "--connection-token", token],
    ...["--accept-server-license-terms", "--telemetry-level", "off"],
    ...["--user-data-dir", userData, "--extensions-dir", extensions, "--server-data-dir", serverData],
    ...(options.without ? ["--builtin-extensions-dir", ownExtensions(vscode, serverData, options.without)] : []),
    ...(options.testDriver ? ["--enable-smoke-test-driver"] : []),
    ...(options.trustAll ? ["--disable-workspace-trust"] : []),
  ];
  const loopback = await startLoopback();
  const env = { ...(options.env ?? process.env), VSCODE_PROXY_URI: loopback.template };
  const server = start(node24(), args, { env });
  server.once("exit", loopback.close);
  if (options.log) {
    const file = createWriteStream(options.log);
    for (const stream of [server.stdout, server.stderr]) stream.pipe(file, { end: false });
  }
  const ended = new Promise(resolve => server.once("exit", code => resolve(code ?? 1)));
  await waitForLine(server, /Web UI available|EADDRINUSE/).then(async ([line]) => {
    if (line !== "EADDRINUSE") return;
    await stop(server);
    throw new PortTaken(`Port ${chosen} is taken: name another with --port.`);
  });
  return {
    port: chosen,
    url: (folder, payload) => address(chosen, token, folder, payload),
    close: () => stop(server),
    ended,
  };
}

/** A folder of links to VS Code's own extensions, less some. */
function ownExtensions(vscode, serverData, without) {
  const all = join(vscode, "extensions");
  const folder = join(serverData, "own-extensions");
  // Of a try before.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of readdirSync(all).filter(name => !without.includes(name)))
    symlinkSync(join(all, name), join(folder, name));
  return folder;
}

/** `localhost`, not 127.0.0.1: webviews need a secure context. */
function address(port, token, folder, payload = {}) {
  const query = new URLSearchParams({ tkn: token, folder });
  const entries = Object.entries(payload).map(([key, path]) => [key, `vscode-remote://localhost:${port}${path}`]);
  if (entries.length > 0) query.set("payload", JSON.stringify(entries));
  return `http://localhost:${port}/?${query}`;
}

/**
 * A browser to drive: STRATA_CHROME, an installed Chrome, Chromium or Edge, else the one that npm carries.
 * @returns {Promise<{ name: string, executablePath: string, args: string[], env: Record<string, string> }>}
 */
export async function findBrowser() {
  const own = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const args = ["--no-sandbox", ...own];
  const chosen = process.env.STRATA_CHROME;
  if (chosen) {
    if (!existsSync(chosen))
      throw new Problem(`STRATA_CHROME names ${chosen}, which is not there: correct or unset it.`);
    return { name: chosen, executablePath: chosen, args, env: {} };
  }
  const installed = installedBrowsers().find(path => existsSync(path));
  if (installed) return { name: installed, executablePath: installed, args, env: {} };
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Problem("No Chrome, Chromium or Edge found: install one, or name its program in STRATA_CHROME.");
  }
  return packagedChromium(own);
}

/**
 * Launches `findBrowser()`'s browser without a window; one that crashes at its launch gets a second try.
 * @param {readonly string[]} [more] arguments, which win over its own
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchBrowser(more = []) {
  const { chromium } = await import("playwright-core");
  const { executablePath, args, env } = await findBrowser();
  // Signals are ours (lib/processes.mjs); Playwright still kills the browser when this process exits.
  const ours = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const launch = () =>
    chromium.launch({ executablePath, args: [...args, ...more], env: { ...process.env, ...env }, ...ours });
  return launch().catch(launch);
}

function installedBrowsers() {
  if (process.platform === "darwin") {
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      name => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === "win32") {
    const places = [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA].filter(
      Boolean,
    );
    return places.flatMap(place => [
      join(place, "Google/Chrome/Application/chrome.exe"),
      join(place, "Microsoft/Edge/Application/msedge.exe"),
    ]);
  }
  const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
  return (process.env.PATH ?? "").split(delimiter).flatMap(folder => names.map(name => join(folder, name)));
}

/**
 * Of the package's own: those that would make one process of all, and those that emulate a GPU. Chromium's own painting
 * takes a tenth of the processor's time.
 */
const notForTests = new Set([
  ...["--single-process", "--no-zygote", "--in-process-gpu"],
  ...["--ignore-gpu-blocklist", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
]);

/** VS Code's page is 20 MB of programs: with a cache of 32 MB they are read and compiled anew by every window. */
const isForTests = arg => !notForTests.has(arg) && !arg.startsWith("--disk-cache-size");

/** `@sparticuz/chromium` unpacks into the temporary folder and adds its libraries to the environment: both kept apart. */
async function packagedChromium(own) {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8"));
  const home = join(cache, `chromium-${version}`);
  await once(home, "Unpacking Chromium (once)", async folder => {
    const code = 'import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath())';
    const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" };
    const { code: exit, output } = await run(node24(), ["-e", code], { cwd: root, env });
    if (exit !== 0) throw new Problem(`Chromium could not be unpacked into ${folder}: ${output.trim()}`);
    // The package's own fonts.conf names /tmp. Chromium ends at the first text when it finds no font at all.
    writeFileSync(
      join(folder, "fonts", "fonts.conf"),
      `<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>\n`,
    );
  });
  const { default: chromium } = await import("@sparticuz/chromium");
  return {
    name: `@sparticuz/chromium ${version}`,
    executablePath: join(home, "chromium"),
    args: [...chromium.args.filter(isForTests), "--disable-gpu", ...own],
    env: {
      FONTCONFIG_PATH: join(home, "fonts"),
      LD_LIBRARY_PATH: [join(home, "al2023", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
    },
  };
}

/**
 * Fills a folder of the cache once: made under another name and renamed when complete, so that a broken try leaves nothing
 * that looks whole; a second process waits for the first.
 * @param {string} target
 * @param {string} what for the progress line
 * @param {(folder: string) => Promise<void>} fill
 */
async function once(target, what, fill) {
  if (existsSync(target)) return;
  const lock = `${target}.lock`;
  if (!(await locked(lock, target, what))) return;
  const unlock = () => rmSync(lock, { force: true });
  const draft = `${target}.draft`;
  beforeEnd(unlock);
  try {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft);
    const { bavail, bsize } = statfsSync(cache);
    if (bavail * bsize < neededBytes)
      throw new Problem(`Too little space for ${cache}: free 1.2 GB, or name another folder in STRATA_CACHE.`);
    await step(what, () => fill(draft));
    renameSync(draft, target);
  } finally {
    unlock();
  }
}

/** True when the lock is ours, false when another process has made `target` meanwhile. */
async function locked(lock, target, what) {
  for (let told = false; ; await sleep(300)) {
    if (existsSync(target)) return false;
    try {
      mkdirSync(cache, { recursive: true });
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return true;
    } catch (error) {
      if (error.code !== "EEXIST")
        throw new Problem(`The cache folder ${cache} cannot be written (${error.code}): name another in STRATA_CACHE.`);
    }
    if (!ownerLives(lock)) rmSync(lock, { force: true });
    else if (!told) {
      console.log(`${what}: another process is at it, waiting …`);
      told = true;
    }
  }
}

function ownerLives(lock) {
  try {
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
