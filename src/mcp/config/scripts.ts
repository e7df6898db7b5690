/** Scripts of the workspace that a server's command names: an agreement to the command is one to what they are. */
import type { BigIntStats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { PathCache } from "../../node/disk";
import { isWithin, withSlashes } from "../../node/paths";
import { hashHead, readHead } from "../../node/readRegular";
import { mapBounded } from "../../shared/async";
import type { ProcessLaunch, ServerConfig } from "./serverConfig";
import { knownVariables, type VariableSources } from "./variables";

/** Beyond, its size and when it was written last stand for what is in it. */
const MAX_BYTES = 512 * 1024 * 1024;
/** By its name a script; else its beginning says that it is a program. A database beside it changes as it likes. */
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|py[wz]?|rb|pl|php|lua|r|jl|exs?|go|kts?|groovy|tcl|(?:ba|z|fi|k)?sh|ps1|cmd|bat|vbs|jar|dll|wasm)$/i;
/** `#!`; ELF, MZ, Mach-O of every kind. Not the right to be started: some file systems give it to every file. */
const PROGRAM = /^(?:2321|7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/;
/** What stands behind one of these runs, whatever it is called; options passed over. */
const INTERPRETER =
  /(?:^|[\\/])(?:(?:ba|z|da|k|fi)?sh|node|nodejs|bun|deno|tsx|ts-node|nodemon|python[\d.]*|pypy[\d.]*|ruby|perl|php|pwsh|powershell|lua|julia|Rscript|java)(?:\.exe)?$/i;
const OF_JAVASCRIPT = /(?:^|[\\/])(?:node|nodejs|bun|deno|tsx|ts-node|nodemon)(?:\.exe)?$/i;
/** `node server` runs server.js. */
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".ts", "/index.js", "/index.ts"];
const WIDTH = 16;
/** Of a command with more nobody could look for all of them before each start. */
const MAX_WORDS = 2_000;
/** Folders that a command names: `--directory srv`, `cd srv &&`. */
const MAX_FOLDERS = 20;

interface Word {
  text: string;
  /** It is started, whatever it looks like. */
  runs: boolean;
}

export class ServerScripts {
  private readonly hashes = new PathCache<string | undefined>(undefined, () => undefined, true);
  private readonly started = new PathCache<string | undefined>(undefined, () => undefined, true);

  constructor(private readonly environment: VariableSources["environment"]) {}

  /** Its path in the workspace and the hash of each, a line each; none for a server of the user's own. Never rejects. */
  async of({ launch, origin }: ServerConfig): Promise<readonly string[]> {
    const { folder, level } = origin;
    if (launch.type !== "stdio" || level !== "workspace" || folder === undefined) return [];
    const known = (text: string) => knownVariables(text, folder, this.environment);
    const root = await realpath(folder).catch(() => folder);
    const start = resolve(root, known(launch.cwd ?? ""));
    const words = wordsOf([launch.command, ...launch.args].map(known));
    const places = new Map<string, boolean>();
    const add = (base: string) => {
      for (const { text, runs } of words) {
        const place = resolve(base, text);
        places.set(place, runs || (places.get(place) ?? false));
      }
    };
    for (const base of new Set([start, root])) add(base);
    const isFolder = await mapBounded([...places.keys()], WIDTH, async place => {
      const isThere = isWithin(withSlashes(root), withSlashes(place)) && place !== start && place !== root;
      return isThere && (await stat(place).catch(() => undefined))?.isDirectory();
    });
    const folders = [...places.keys()].filter((_, at) => isFolder[at]);
    for (const base of folders.slice(0, MAX_FOLDERS)) add(base);
    const found = await mapBounded([...places], WIDTH, ([place, runs]) => this.look(place, root, runs));
    return [...new Set(found.flat())].sort();
  }

  private async look(named: string, root: string, runs: boolean): Promise<string[]> {
    const path = await realpath(named).catch(() => undefined);
    const inside = (place: string) => isWithin(withSlashes(root), withSlashes(place));
    // A link that the workspace has is its own, wherever it leads.
    if (path === undefined || !(inside(path) || inside(named))) return [];
    const hash = await (runs ? this.started : this.hashes).get(path, stats => hashOf(path, stats, runs));
    return hash === undefined ? [] : [`${withSlashes(relative(root, named))} ${hash}`];
  }
}

/** It has so many words that what they name could not be agreed to. */
export const isTooLong = ({ command, args }: ProcessLaunch): boolean => wordsOf([command, ...args]).length > MAX_WORDS;

/** @param script as `of` gives it */
export const scriptName = (script: string): string => script.slice(0, script.lastIndexOf(" "));

/** Each argument as it is, and what a shell, or a program that takes `--option=value`, would make of it. */
function wordsOf(texts: readonly string[]): Word[] {
  const words: Word[] = [];
  // The command itself is started.
  let runs = true;
  let isJavaScript = false;
  for (const text of texts) {
    for (const whole of new Set([text, text.replace(/^--?[\w-]+=/, "")]))
      words.push({ text: whole, runs: runs && whole === text });
    for (const part of text.split(/[\s"'`;|&()<>,]+/)) {
      if (part === "") continue;
      // An option, or a variable that is set: what runs stands behind it.
      const isSetting = part.startsWith("-") || part.includes("=");
      const pieces = [part.replace(/^-\w(?=[./])/, ""), ...(isSetting ? part.split("=") : [])];
      for (const piece of pieces) words.push({ text: piece, runs: runs && !isSetting });
      if (isSetting) continue;
      runs = INTERPRETER.test(part);
      isJavaScript ||= OF_JAVASCRIPT.test(part);
    }
  }
  const endings = (text: string) => (isJavaScript && !text.startsWith("-") ? ENDINGS : [""]);
  const named = words.filter(({ text }) => text !== "");
  const all = named.flatMap(({ text, runs }) => endings(text).map(ending => ({ text: text + ending, runs })));
  return [...new Map(all.map(word => [`${word.runs} ${word.text}`, word])).values()];
}

/** undefined: it is no script */
async function hashOf(path: string, stats: BigIntStats, runs: boolean): Promise<string | undefined> {
  if (!stats.isFile()) return undefined;
  const head = await readHead(path, 4);
  if (!head || !(runs || SCRIPT.test(path) || PROGRAM.test(head.bytes.toString("hex")))) return undefined;
  const hash = await hashHead(path, MAX_BYTES);
  return head.size > MAX_BYTES ? `${hash}:${head.size}:${stats.mtimeNs}` : hash;
}
