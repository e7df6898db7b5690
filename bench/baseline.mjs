/**
 * What a baseline costs beside `git status`, in repositories of several sizes: the first scan, the one of the next turn, and
 * the look after a command. `node esbuild.mjs tests && node bench/baseline.mjs [FILES…]`
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const out = mkdtempSync(join(tmpdir(), "strata-bench-"));
await build({
  entryPoints: ["src/node/baselines/baseline.ts"],
  ...{ bundle: true, platform: "node", format: "cjs", outfile: join(out, "baseline.cjs") },
  loader: { ".md": "text" },
});
const { NodeBaselines } = await import(pathToFileURL(join(out, "baseline.cjs")).href);

const timed = async work => {
  const started = performance.now();
  const result = await work();
  return [Math.round(performance.now() - started), result];
};

for (const files of process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 20_000, 200_000]) {
  const folder = join(out, `work-${files}`);
  for (let at = 0; at < files; at++) {
    if (at % 200 === 0) mkdirSync(join(folder, `d${at / 200}`), { recursive: true });
    writeFileSync(join(folder, `d${Math.floor(at / 200)}`, `f${at}.txt`), `file ${at}\n`);
  }
  const git = (...args) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.email=a@b", "-c", "user.name=n", "commit", "-qm", "one");
  const status = async () => git("--no-optional-locks", "status", "--porcelain=v2", "-z", "--untracked-files=all");
  git("status");
  await status();
  const baseline = new NodeBaselines({
    ...{ folders: () => [folder], scratch: join(out, "scratch"), maxWaitMs: 60_000 },
    logger: { log: (...words) => console.error(...words) },
  }).open({ put: async () => "", get: async () => undefined });
  const [plain] = await timed(status);
  const [first, after] = await timed(() => baseline.before());
  writeFileSync(join(folder, "d0/f1.txt"), "changed\n");
  const [look, { changes }] = await timed(after);

  await new Promise(resolve => setTimeout(resolve, 2_100));
  const [following] = await timed(() => baseline.before());
  console.log(
    `${files} files: git status ${plain} ms · first ${first} ms · after a command ${look} ms (${changes.length} changed) · following ${following} ms`,
  );
  await baseline.close();
  rmSync(folder, { recursive: true, force: true });
}
rmSync(out, { recursive: true, force: true });
