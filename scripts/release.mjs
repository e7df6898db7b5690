/**
 * `npm run release -- 0.2.0`: tests, names the version in package.json and CHANGELOG.md, packs the extension, commits and tags. It
 * publishes nothing, and says how that is done.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explain, Problem } from "./lib/console.mjs";
import { root } from "./lib/install.mjs";
import { end, run } from "./lib/processes.mjs";

const UNRELEASED = "## Unreleased";

async function must(command, ...args) {
  const { code, output } = await run(command, args, { cwd: root, shell: process.platform === "win32" });
  if (code !== 0) throw new Problem(`${command} ${args.join(" ")} failed:\n${output.trim()}`);
  return output.trim();
}

function replaceIn(file, before, after) {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  if (!text.includes(before)) throw new Problem(`${file} does not have ${before}`);
  writeFileSync(path, text.replace(before, after));
}

async function main() {
  const version = process.argv[2] ?? "";
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Problem("Name the version: npm run release -- 0.2.0");
  if (await must("git", "status", "--porcelain")) throw new Problem("Commit everything first.");
  const { version: before } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (await must("git", "tag", "--list", `v${version}`)) throw new Problem(`v${version} is there already.`);
  await must("npm", "test");
  replaceIn("CHANGELOG.md", UNRELEASED, `${UNRELEASED}\n\n## ${version}`);
  replaceIn("package.json", `"version": "${before}"`, `"version": "${version}"`);
  await must("npm", "install", "--package-lock-only", "--ignore-scripts");
  await must("npm", "run", "package");
  await must("git", "commit", "--all", "--message", `Version ${version}`);
  await must("git", "tag", `v${version}`);
  console.log(`v${version} is committed and tagged, and packed in strata-${version}.vsix. To publish it:
  git push --follow-tags
  npx vsce publish --packagePath strata-${version}.vsix`);
}

await main().then(
  () => end(0),
  error => {
    console.error(explain(error));
    return end(1);
  },
);
