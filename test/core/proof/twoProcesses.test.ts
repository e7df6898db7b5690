/** Assembling is a function: another process, elsewhere, with nothing remembered, makes the same bytes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { isSoak } from "../../fakes/soak";
import { temporaryFolder } from "../../fakes/temporary";
import { requestHashes } from "../context/requestHashes";

const SESSIONS = isSoak("random") ? 1_000 : 10;

describe("two processes", () => {
  const folder = temporaryFolder("two");
  const outfile = join(folder, "child.mjs");
  before(() =>
    build({
      stdin: {
        contents: `import { requestHashes } from "./test/core/context/requestHashes";
          process.stdout.write(requestHashes(Number(process.argv[2]), ${SESSIONS}, false).join("\\n"));`,
        resolveDir: process.cwd(),
        loader: "ts",
      },
      ...{
        outfile,
        bundle: true,
        platform: "node",
        format: "esm",
        loader: { ".md": "text" },
        mainFields: ["module", "main"],
        // Packages in the older format ask Node for its modules by `require`.
        banner: {
          js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
        },
      },
      nodePaths: [join(process.cwd(), "node_modules")],
    }),
  );

  it(`assemble the requests of ${SESSIONS} sessions to the same bytes`, () => {
    const seed = Date.now() % 1_000_000;
    const env = { ...process.env, TZ: "Pacific/Chatham", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    const theirs = execFileSync(process.execPath, [outfile, String(seed)], { cwd: folder, env, encoding: "utf8" });
    const ours = requestHashes(seed, SESSIONS, true);
    assert.ok(new Set(ours).size > SESSIONS / 2, "the sessions differ");
    assert.deepEqual(theirs.split("\n"), ours, `seed ${seed}`);
  });
});
