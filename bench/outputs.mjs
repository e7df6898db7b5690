/** What a model sees of long outputs: strings that matter and are not there, tokens; and how fast they are looked through. */
import { load } from "./lib/bundle.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

/** As it was with the first 40 lines of a rank, each with the next, and 10 and 30 lines of the ends. */
const BEFORE = {
  "others, shown": { missing: 15, tokens: 1118, o200k: 1057 },
  "others, kept": { missing: 17, tokens: 486, o200k: 454 },
  // As it was before messages came before names.
  "programs as recorded, shown": { missing: 7, tokens: 611, o200k: 584 },
  "programs as recorded, kept": { missing: 13, tokens: 486, o200k: 465 },
};

const work = temporary("bench-outputs");
try {
  const { seenOf, speed } = await load("bench/lib/outputs.ts", work.path);
  for (const { name, form, outputs, strings, missing, tokens, o200k } of seenOf(root)) {
    const before = BEFORE[`${name}, ${form}`];
    const was = value => (value === undefined ? {} : { note: `before: ${value.toLocaleString("en")}` });
    title(`Long outputs of ${name} (${outputs}), ${form}`);
    row("strings that matter, missing", missing, { unit: "", digits: 0, aim: 3, ...was(before?.missing) });
    row(`  of`, strings, { unit: "", digits: 0 });
    row("mean of tokens (estimate)", tokens, { unit: "", digits: 0, aim: 450, ...was(before?.tokens) });
    row("mean of tokens (o200k)", o200k, { unit: "", digits: 0, ...was(before?.o200k) });
  }
  title("Looking through outputs");
  row("characters a second, median of 5", median(Array.from({ length: 5 }, () => speed(root))), { unit: "M" });
} finally {
  work.remove();
}
