/** A repository that never was: source files, and commits to them as people make them. The same seed, the same history. */
import type { Random } from "../../../fakes/random";

/** One file in one commit. */
export interface Revision {
  path: string;
  before: string;
  after: string;
}

const NOUNS = ["invoice", "total", "customer", "order", "größe", "line", "tax", "rate", "address", "payment"];
const VERBS = ["load", "save", "format", "parse", "check", "send", "round", "merge", "find", "remove"];
const TYPES = ["number", "string", "boolean", "Order[]", "Map<string, Tax>"];

type Lines = string[];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const nameOf = (random: Random) => `${random.pick(VERBS)}${capital(random.pick(NOUNS))}${random.int(1, 40)}`;

/** `count` revisions of a dozen files, in the order of their commits. */
export function* codeHistory(random: Random, count: number): Generator<Revision> {
  const files = Array.from({ length: 12 }, (_, at) => ({
    path: `src/${random.pick(NOUNS)}/${random.pick(VERBS)}${at}.ts`,
    lines: sourceFile(random),
    lineEnd: random.chance(0.2) ? "\r\n" : "\n",
    finalNewline: random.chance(0.9),
  }));
  for (let made = 0; made < count; ) {
    const file = random.pick(files);
    const lines = [...file.lines];
    for (let change = random.int(1, 3); change > 0; change -= 1) random.pick(changes)(lines, random);
    const text = (of: Lines) => of.join(file.lineEnd) + (file.finalNewline ? file.lineEnd : "");
    const [before, after] = [text(file.lines), text(lines)];
    if (before === after || lines.length < 5) continue;
    // Long files are split some day.
    file.lines = lines.length > 400 ? sourceFile(random) : lines;
    made += 1;
    yield { path: file.path, before, after };
  }
}

function sourceFile(random: Random): Lines {
  const imports = Array.from({ length: random.int(1, 6) }, () => importLine(random));
  const functions = Array.from({ length: random.int(3, 9) }, () => [...functionLines(random), ""]);
  return [...imports, "", `const LIMIT = ${random.int(1, 999)};`, "", ...functions.flat()].slice(0, -1);
}

const importLine = (random: Random) =>
  `import { ${nameOf(random)} } from "../${random.pick(NOUNS)}/${random.pick(VERBS)}";`;

function functionLines(random: Random): Lines {
  const parameters = Array.from(
    { length: random.int(0, 2) },
    (_, at) => `${random.pick(NOUNS)}${at}: ${random.pick(TYPES)}`,
  );
  const doc = random.chance(0.5) ? [`/** ${capital(random.pick(VERBS))}s the ${random.pick(NOUNS)}. */`] : [];
  return [
    ...doc,
    `export function ${nameOf(random)}(${parameters.join(", ")}): ${random.pick(TYPES)} {`,
    ...Array.from({ length: random.int(1, 5) }, () => statement(random)).flat(),
    `  return ${random.pick(NOUNS)};`,
    "}",
  ];
}

function statement(random: Random): Lines {
  const kind = random.int(0, 3);
  if (kind === 0) return [`  const ${random.pick(NOUNS)} = ${nameOf(random)}(${random.int(0, 99)});`];
  if (kind === 1) return [`  if (${random.pick(NOUNS)} > LIMIT) {`, "    return undefined;", "  }"];
  if (kind === 2)
    return [`  for (const ${random.pick(NOUNS)} of ${random.pick(NOUNS)}s) {`, `    ${nameOf(random)}();`, "  }"];
  return [`  // ${random.pick(["what the server sends", "naïve, but fast", "rounded: 0.5 → 1", "see RFC 3339 🙂"])}`];
}

/** Each changes the lines in place, as a commit of its kind does; where it finds nothing to change, nothing. */
const changes: ((lines: Lines, random: Random) => void)[] = [
  function changeNumber(lines, random) {
    onLine(lines, random, /\d+/, line => line.replace(/\d+/, String(random.int(0, 9999))));
  },
  function addParameter(lines, random) {
    onLine(lines, random, /^export function/, line =>
      line.replace(
        /\(([^)]*)\)/,
        (_, old: string) => `(${old ? `${old}, ` : ""}${random.pick(NOUNS)}9: ${random.pick(TYPES)})`,
      ),
    );
  },
  function renameEverywhere(lines, random) {
    const [, name] = /\b([a-z]+[A-Z]\w+)\(/.exec(random.pick(lines)) ?? [];
    if (!name) return;
    const other = nameOf(random);
    for (const [at, line] of lines.entries()) lines[at] = line.replaceAll(name, other);
  },
  function addFunction(lines, random) {
    const ends = [...lines.keys()].filter(at => lines[at] === "}");
    if (ends.length > 0) lines.splice(random.pick(ends) + 1, 0, "", ...functionLines(random));
  },
  function removeFunction(lines, random) {
    const starts = [...lines.keys()].filter(at => lines[at]?.startsWith("export function"));
    if (starts.length < 3) return;
    const start = random.pick(starts);
    lines.splice(start, lines.indexOf("}", start) - start + 2);
  },
  function addStatement(lines, random) {
    const starts = [...lines.keys()].filter(at => lines[at]?.startsWith("export function"));
    if (starts.length > 0) lines.splice(random.pick(starts) + 1, 0, ...statement(random));
  },
  function removeStatement(lines, random) {
    const inner = [...lines.keys()].filter(at => /^ {2}(const|\/\/)/.test(lines[at] ?? ""));
    if (inner.length > 0) lines.splice(random.pick(inner), 1);
  },
  function wrapInCondition(lines, random) {
    const inner = [...lines.keys()].filter(at => /^ {2}const/.test(lines[at] ?? ""));
    if (inner.length === 0) return;
    const at = random.pick(inner);
    lines.splice(at, 1, `  if (${random.pick(NOUNS)} !== undefined) {`, `  ${lines[at]}`, "  }");
  },
  function addImport(lines, random) {
    lines.splice(random.int(0, 2), 0, importLine(random));
  },
  function removeImport(lines, random) {
    const imports = [...lines.keys()].filter(at => lines[at]?.startsWith("import"));
    if (imports.length > 1) lines.splice(random.pick(imports), 1);
  },
  function tabsForSpaces(lines, random) {
    const at = random.int(0, lines.length - 1);
    for (let line = at; line < Math.min(at + 6, lines.length); line += 1)
      lines[line] = (lines[line] ?? "").replace(/^( {2})+/, found => "\t".repeat(found.length / 2));
  },
  function swapFunctions(lines) {
    const starts = [...lines.keys()].filter(at => lines[at]?.startsWith("export function"));
    const [first = 0, second = 0] = starts;
    if (second === 0) return;
    const [end, last] = [lines.indexOf("}", first), lines.indexOf("}", second)];
    const moved = lines.splice(second, last - second + 1);
    lines.splice(end + 1, 0);
    lines.splice(first, 0, ...moved, "");
  },
];

function onLine(lines: Lines, random: Random, which: RegExp, change: (line: string) => string): void {
  const found = [...lines.keys()].filter(at => which.test(lines[at] ?? ""));
  if (found.length === 0) return;
  const at = random.pick(found);
  lines[at] = change(lines[at] ?? "");
}
