/** `npm run bench [name …]`: builds, then runs the benchmarks named, or all. Figures, no verdicts but against the aims. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

const here = import.meta.dirname;
const all = readdirSync(here)
  .filter(name => name.endsWith(".mjs") && name !== "run.mjs")
  .map(name => name.slice(0, -".mjs".length));
const chosen = process.argv.slice(2);
const unknown = chosen.filter(name => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${all.join(", ")}.`);
  process.exit(2);
}
execFileSync(process.execPath, [join(here, "../esbuild.mjs")], { stdio: "inherit" });
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${process.platform}, Node ${process.version}`,
);
for (const name of chosen.length > 0 ? chosen : all) {
  execFileSync(process.execPath, [join(here, `${name}.mjs`)], { stdio: "inherit" });
}
