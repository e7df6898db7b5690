/** A type is named by a noun, and a name of a type means one thing. */
import type { Files } from "./imports";

/** Rooms whose names nobody went through yet. */
const later = [
  ...[
    "commands",
    "edits",
    "mentions",
    "permissions",
    "review",
    "rewind",
    "secrets",
    "smallCalls",
    "starts",
    "versions",
  ].map(room => `src/core/${room}/`),
  ...["src/mentionServer/", "src/node/baselines/", "src/vscode/mentions/", "src/vscode/review/"],
];

/** Participles and adverbs that do not end in `ed`. */
const notNouns = new Set(
  [
    "Agreed Along Around Aside At Before Begun Besides Bound Broken Chosen Done Drawn Found Given Gone Held Here Hidden Kept Known Laid",
    "Later Left Loose Lost Made Meant Missing Near Newer Older Own Put Ran Read Said Seen Sent Shown Standing Steady Taken Told",
    "Undone Unsaid Waiting What When Where Whole Written",
  ].flatMap(line => line.split(" ")),
);

/** Brands say what was done to a text. */
const brands = new Set(["Redacted", "Shown"]);

/** Names that two files of core declare: both mean the same, or neither is seen outside of its file. */
const shared: Readonly<Record<string, string>> = {};

const declaration = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** Types that are named by no noun, and names of core with two meanings, a sentence each. */
export function unclearNames(files: Files, exceptions = shared): string[] {
  const declared = [...files]
    .filter(([path]) => /^(?:src|webview-ui)\//.test(path) && !later.some(room => path.startsWith(room)))
    .flatMap(([path, text]) => [...text.matchAll(declaration)].map(([, name = ""]) => ({ path, name })));
  const participles = declared.filter(
    ({ name }) => !brands.has(name) && (/^[A-Z][a-z]*[^e]ed$/.test(name) || notNouns.has(name)),
  );
  const inCore = Map.groupBy(
    declared.filter(({ path }) => path.startsWith("src/core/")),
    ({ name }) => name,
  );
  const double = [...inCore].filter(([name, places]) => places.length > 1 && !(name in exceptions));
  return [
    ...participles.map(({ path, name }) => `${path} has a type ${name}: a type is named by a noun`),
    ...double.map(([name, places]) => `${name} is declared in ${places.map(({ path }) => path).join(" and ")}`),
    ...Object.keys(exceptions).flatMap(name =>
      (inCore.get(name)?.length ?? 0) > 1 ? [] : [`${name} is declared once in core: it is no exception`],
    ),
  ];
}
