/** Time goes through the port Clock: what reads it or sets timers by itself makes tests wait, and none can tell when it is over. */
import { transform } from "esbuild";
import type { Files } from "./imports";

/** The next turn of the event loop (`setImmediate`) is no time. */
const names = ["setTimeout", "setInterval", "Date.now", "performance.now"];

/** What in `src` may all the same. A file that does not any more has no place here. */
export const ownTime: Readonly<Record<string, { uses: readonly string[]; why: string }>> = {
  "src/node/system.ts": {
    uses: ["setTimeout", "Date.now", "performance.now", "node:timers/promises"],
    why: "it is the Clock of this machine",
  },
  "src/shared/async.ts": { uses: ["setTimeout"], why: "`later` is the panel's, whose tests have the browser's clock" },
  "src/vscode/platform/async.ts": {
    uses: ["setTimeout"],
    why: "bounds what VS Code itself takes, which only a real one shows",
  },
};

/** Uses of time beside Clock, and exceptions that are none any more, a sentence each. */
export async function timeBesideClock(files: Files, exceptions = ownTime): Promise<string[]> {
  const product = [...files].filter(([path]) => path.startsWith("src/") && /\.tsx?$/.test(path));
  const used = new Map(await Promise.all(product.map(async ([path, text]) => [path, await usesOf(text)] as const)));
  const beside = [...used].flatMap(([path, uses]) =>
    uses
      .filter(use => !exceptions[path]?.uses.includes(use))
      .map(use => `${path} uses ${use}: time goes through Clock`),
  );
  const past = Object.entries(exceptions).flatMap(([path, { uses }]) =>
    uses.filter(use => !used.get(path)?.includes(use)).map(use => `${path} does not use ${use}: it is no exception`),
  );
  return [...beside, ...past];
}

/** Locals of the same name, types, strings and comments do not count (esbuild tells). */
async function usesOf(text: string): Promise<string[]> {
  const mark = (name: string) => `time_by_${name.replace(".", "_")}`;
  const define = Object.fromEntries(
    names.flatMap(name => [
      [name, mark(name)],
      [`globalThis.${name}`, mark(name)],
    ]),
  );
  const { code } = await transform(text, { loader: "ts", define });
  const others = code.replace(/^import \{ setImmediate(?: as \w+)? \} from "node:timers\/promises";/gm, "");
  const modules = [...others.matchAll(/(?:from |import\(|import )"((?:node:)?timers(?:\/promises)?)"/g)].map(
    ([, name = ""]) => name,
  );
  return [
    ...names.filter(name => new RegExp(`\\b${mark(name)}\\b`).test(code)),
    ...(/\bnew Date\(\)/.test(code) ? ["new Date()"] : []),
    ...modules,
  ];
}
