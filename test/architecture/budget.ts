/**
 * A budget that only falls: lines by room, and what else makes a house heavy. budget.json has the numbers. What a change adds to one
 * it takes from another in the same commit; `npm run budget` writes down what fell.
 */
import { type Files, type Import, importsOf } from "./imports";
import { roots } from "./rules";

/** Lines of TypeScript by room, and counts over `src` and `webview-ui/src`. */
export interface Budget {
  rooms: Record<string, number>;
  all: Record<string, number>;
}

/** What one request passes: as it is built and sent, and the way to the wire. Their value imports are followed. */
const requestEntries = ["src/core/agent/stepSender.ts", "src/models/openai.ts"];

/** A small file belongs to the only file that imports it. */
const SMALL = 60;

/** In comments: they say when and that, not what. */
const phrases = /\b(?:what is|stands|nobody|of it|somebody|whatever|is none|as it is|goes on|whoever|all the same)\b/gi;

/** @param files path → text: product, tests, benches, scripts */
export function weigh(files: Files, dependencies: number): Budget {
  const product = new Map([...files].filter(([path]) => isProduct(path) && /\.tsx?$/.test(path)));
  const tests = [...files].filter(([path]) => path.startsWith("test/") && /\.tsx?$/.test(path));
  const imports = importsOf(product);
  const rooms: Record<string, number> = {};
  for (const [path, text] of product) rooms[roomOf(path)] = (rooms[roomOf(path)] ?? 0) + lineCount(text);
  const sum = (texts: Iterable<string>) => [...texts].reduce((all, text) => all + lineCount(text), 0);
  const matches = (pattern: RegExp, of: (text: string) => string) =>
    [...product.values()].reduce((all, text) => all + (of(text).match(pattern) ?? []).length, 0);
  return {
    rooms,
    all: {
      "lines of TypeScript": sum(product.values()),
      "lines of core": sum([...product].flatMap(([path, text]) => (path.startsWith("src/core/") ? [text] : []))),
      "lines of tests": sum(tests.map(([, text]) => text)),
      files: product.size,
      "files that one request passes": requestFiles(imports).length,
      "small files with one importer": smallWithOneImporter(product, imports).length,
      "uses of Pick<>": matches(/\bPick</g, text => text),
      "vague phrases in comments": matches(phrases, comments),
      "runtime dependencies": dependencies,
    },
  };
}

/** What is above the budget, and what fell and was not written down, a sentence each. */
export function overBudget(now: Budget, budget: Budget): string[] {
  return [...pairs(now.rooms, budget.rooms), ...pairs(now.all, budget.all)].flatMap(([name, is, may]) => {
    if (is > may) return [`${name}: ${is}, the budget is ${may}: take it elsewhere in this change`];
    return may > is + slack(is)
      ? [`${name}: ${is}, the budget is ${may}: write down what fell by \`npm run budget\``]
      : [];
  });
}

/** A well-kept library beats code of our own: up to so many. */
const MAX_DEPENDENCIES = 28;

/** Numbers over all that are higher than they were in another commit, a sentence each. */
export function raised(budget: Budget, before: Budget): string[] {
  return pairs(budget.all, before.all).flatMap(([name, is, was]) =>
    is > (name === "runtime dependencies" ? MAX_DEPENDENCIES : was) && before.all[name] !== undefined
      ? [`the budget for ${name} rose from ${was} to ${is}`]
      : [],
  );
}

/** A commit may leave this much unwritten, so that work side by side does not meet in one line of the budget. */
const slack = (is: number) => 20 + Math.floor(is / 50);

const pairs = (some: Record<string, number>, others: Record<string, number>) =>
  [...new Set([...Object.keys(some), ...Object.keys(others)])].map(
    name => [name, some[name] ?? 0, others[name] ?? 0] as const,
  );

const isProduct = (path: string) => path.startsWith("src/") || path.startsWith("webview-ui/src/");

/** The rooms of core one by one, the others as folders; files at the top are roots. */
function roomOf(path: string): string {
  const [top = "", second = "", third = ""] = path.split("/");
  if (top === "webview-ui") return "webview-ui/src";
  if (second === "core") return `src/core/${third}`;
  return path.split("/").length > 2 ? `${top}/${second}` : "roots";
}

/** Files that a request passes: all that the entries import by value, and what those import. */
export function requestFiles(imports: readonly Import[]): string[] {
  const byFile = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const found = new Set(requestEntries);
  for (const file of found) for (const { to } of byFile.get(file) ?? []) if (/\.tsx?$/.test(to)) found.add(to);
  return [...found].sort();
}

/** @returns paths */
export function smallWithOneImporter(product: Files, imports: readonly Import[]): string[] {
  const importers = Map.groupBy(imports, ({ to }) => to);
  return [...product].flatMap(([path, text]) => {
    const from = new Set((importers.get(path) ?? []).map(each => each.from));
    return lineCount(text) <= SMALL && from.size === 1 && !roots.includes(path) ? [path] : [];
  });
}

const lineCount = (text: string) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

const comments = (text: string) => (text.match(/\/\*\*[\s\S]*?\*\/|(?<![:"'`])\/\/ .*/g) ?? []).join("\n");
