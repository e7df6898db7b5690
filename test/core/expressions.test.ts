/**
 * Every regular expression of `src/core` and `src/shared` grows with the text and not with its square. `scslre` finds by their form
 * those that begin anew at each place or share a text in many ways; the soak "expressions" tries all on long odd texts, since a
 * word with a star behind it is no form that it knows. Those that meet short texts only are listed with what bounds them. What is
 * put together out of several is tried in longLines.test.ts.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse } from "scslre";
import { shapes } from "../../src/core/secrets/shapes";
import { soak } from "../fakes/soak";
import { findExpressions, oddTexts } from "./expressionSources";

/** File, and what bounds the text of its expressions: characters, or what it is. */
const BOUNDED: Readonly<Record<string, string>> = {
  "src/core/permissions/sentences.ts": "400 characters (MAX_SENTENCE)",
  "src/core/ground/text/format.ts": "a number of ours (count)",
};
/** Parts of expressions of other files with the same reason. */
const BOUNDED_PARTS = [
  ["src/core/ground/text/privateKeys.ts", "[A-Za-z0-9+/=]{4,}[", "512 characters (MAX_LINE)"],
  ["src/core/permissions/denials.ts", "git.*[:_](push", "64 characters (the name of a server's tool)"],
  ["src/shared/slashCommand.ts", "(?:\"([^\"]*)\"|'([^']*)')|(\\S+)", "whatever begins as a word is one"],
] as const;

const files = ["src/core", "src/shared"].flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map(name => join(folder, name).replaceAll("\\", "/"))
    .filter(name => name.endsWith(".ts")),
);
const all = [
  ...files.flatMap(file =>
    findExpressions(readFileSync(file, "utf8")).map(({ source, flags, line }) => ({
      ...{ file, place: `${file}:${line}` },
      expression: new RegExp(source, flags),
    })),
  ),
  ...shapes.map(({ name, pattern }) => ({
    file: "",
    place: `the shape ${name}`,
    expression: pattern,
  })),
];
const isBounded = ({ file, expression }: (typeof all)[number]) =>
  file in BOUNDED || BOUNDED_PARTS.some(([where, part]) => where === file && expression.source.includes(part));

/** Processor time of this thread in ms: what else the machine does is not in it. The least of several is without the collector. */
function least(expression: RegExp, text: string, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    expression.lastIndex = 0;
    const start = process.threadCpuUsage();
    if (expression.global) text.replace(expression, "");
    else expression.exec(text);
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const SHORT = 4_000;
/** Below this (ms) a text of that length is read quickly, however that grows: not looked at any further. */
const QUICK = 2;

/** Linear: 8; with the square: 64. */
const TOO_MUCH = 24;

/** How much longer eight times the text takes, where that is too much. */
function growth(expression: RegExp): string | undefined {
  for (const make of oddTexts(expression.source)) {
    const text = make(SHORT);
    const short = least(expression, text, 1) < QUICK ? 0 : least(expression, text, 3);
    if (short < QUICK) continue;
    const long = make(SHORT * 8);
    if (least(expression, long, 1) <= short * TOO_MUCH) continue;
    const times = least(expression, long, 2) / short;
    if (times > TOO_MUCH) return `${times.toFixed(0)} times for ${JSON.stringify(text.slice(0, 40))}`;
  }
  return undefined;
}

const unbounded = all.filter(each => !isBounded(each));

/** How its form lets an expression grow faster than the text. */
const forms = ({ source, flags }: RegExp) => analyse({ source, flags }).reports.map(({ type }) => type);

describe("every expression that meets foreign text", () => {
  it("is found", () => {
    const source = [
      "const a = b / c / d; // no /comment/",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source
      'const e = "/string/", f = `/template/ ${g(/in[/]side/gi)} /`;',
      "return /after a word/.test(x[0] / 2 / y()) || !/[\"'`]/u.exec(z);",
      "/* /comment/ */ f(/a\\/b/);",
    ].join("\n");
    assert.deepEqual(
      findExpressions(source).map(({ source, flags, line }) => [line, source, flags]),
      [
        [2, "in[/]side", "gi"],
        [3, "after a word", ""],
        [3, "[\"'`]", "u"],
        [4, "a\\/b", ""],
      ],
    );
    assert.ok(all.length > 400, `${all.length}`);
  });

  it("has no form that grows with the square", () => {
    assert.deepEqual(
      [/\s+$/, /^(?:a+)+$/, /^a*a*$/].map(each => forms(each).length > 0),
      [true, true, true],
    );
    const found = unbounded.flatMap(({ place, expression }) =>
      forms(expression).map(form => `${place} ${expression}: ${form}`),
    );
    assert.deepEqual(found, []);
  });

  it("or is listed with what bounds it, and all that is listed is there", () => {
    for (const [file, part] of [...Object.keys(BOUNDED).map(file => [file, ""]), ...BOUNDED_PARTS])
      assert.ok(
        all.some(each => each.file === file && each.expression.source.includes(part ?? "")),
        `${file} ${part}`,
      );
  });

  soak("expressions", () =>
    it("grows with the text and not with its square, which would be seen", () => {
      assert.ok(growth(/\s+$/), "one that grows with the square is seen");
      const found = unbounded.flatMap(({ place, expression }) => {
        const grown = growth(expression);
        return grown ? [`${place} ${expression}: ${grown}`] : [];
      });
      assert.deepEqual(found, []);
    }).timeout(1_200_000),
  );
});
