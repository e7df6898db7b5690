/** Which files a script may start or load in turn: what an agreement to a hook is for, one level below its command. Pure. */
import type { NamedScript } from "../ports";

/** Different names that are looked for, of one script. */
const MAX_NAMES = 300;
/** characters of a line that are read: minified code is no script that somebody wrote for a hook */
const MAX_LINE = 4_000;
const MAX_NAME = 500;

/** Behind one of these stands what runs, options passed over. */
const STARTS =
  /^(?:\.|source|exec|bash|sh|zsh|dash|ksh|fish|node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|pwsh|lua|Rscript|run)$/;
const LOADS = /^(?:import|require|require_relative|from|load)$/;
/** Where a script says its own folder, or the project's: `"$(dirname "$0")"/`, `${BASH_SOURCE%/*}/`, `$HERE/`. */
const OWN_PLACE =
  /["']?(?:\$\([^()\n]{0,200}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\$\{[^}\n]{1,200}\}|\$\w{1,100})["']?[\\/]+/g;
/** They are data to whatever reads them. */
const DATA = /\.(?:md|mdx|rst|txt|json[cl5]?|ya?ml|toml|lock|css|s[ac]ss|html?|svg|xml|csv|log)$/i;

/** What is named as a path, and what stands behind the name of an interpreter. Comments name nothing. */
export function scriptsIn(text: string, path: string): NamedScript[] {
  const names = new Map<string, boolean>();
  for (const line of DATA.test(path) ? [] : text.split("\n")) {
    if (line.length > MAX_LINE || /^\s*(?:#|\/\/|\*)/.test(line)) continue;
    for (const { name, runs } of namesIn(line, path)) {
      names.set(name, runs || (names.get(name) ?? false));
      if (names.size >= MAX_NAMES) return toList(names);
    }
  }
  return toList(names);
}

function namesIn(line: string, path: string): { name: string; runs: boolean }[] {
  const words = line.replace(OWN_PLACE, " ./").split(/[\s"'`;|&()<>=,{}[\]]+/);
  const found: { name: string; runs: boolean }[] = [];
  let before: "starts" | "loads" | undefined;
  for (const word of words) {
    if (word === "" || word.length > MAX_NAME || (before !== undefined && word.startsWith("-"))) continue;
    const now = STARTS.test(word) ? "starts" : LOADS.test(word) ? "loads" : undefined;
    if (now === undefined && (before !== undefined || isPath(word)))
      for (const name of before === "loads" ? loaded(word, path) : [word])
        found.push({ name, runs: before !== undefined });
    before = now;
  }
  return found;
}

const isPath = (word: string) => /[\\/]/.test(word) && !word.includes("://");

/** Languages leave the ending out. */
function loaded(word: string, path: string): string[] {
  const place = word.replace(/[\\/]$/, "");
  if (/\.py$/i.test(path)) {
    const module = place.replace(/^\.+/, "").replaceAll(".", "/");
    return module === "" ? [] : [`${module}.py`, `${module}/__init__.py`];
  }
  if (/\.rb$/i.test(path)) return [place, `${place}.rb`];
  if (!place.startsWith(".")) return isPath(place) ? [place] : [];
  return /\.\w+$/.test(place) ? [place] : [...["", ".js", ".mjs", ".cjs", ".ts", "/index.js"].map(end => place + end)];
}

const toList = (names: ReadonlyMap<string, boolean>) => [...names].map(([path, runs]) => ({ path, runs }));
