/** A type is named by a noun, and a name of a type means one thing. */
import type { Files } from "./imports";

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

const declaration = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** Types that are named by no noun, and names with two meanings, a sentence each. */
export function unclearNames(files: Files): string[] {
  const declared = [...files]
    .filter(([path]) => /^(?:src|webview-ui)\//.test(path))
    .flatMap(([path, text]) => [...text.matchAll(declaration)].map(([, name = ""]) => ({ path, name })));
  const participles = declared.filter(
    ({ name }) => !brands.has(name) && (/^[A-Z][a-z]*[^e]ed$/.test(name) || notNouns.has(name)),
  );
  const double = [...Map.groupBy(declared, ({ name }) => name)].filter(([, places]) => places.length > 1);
  return [
    ...participles.map(({ path, name }) => `${path} has a type ${name}: a type is named by a noun`),
    ...double.map(([name, places]) => `${name} is declared in ${places.map(({ path }) => path).join(" and ")}`),
  ];
}
