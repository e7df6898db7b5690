/** The package names everybody whose code it holds, with the terms. */
import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { noticesText } from "../../scripts/lib/notices.mjs";
import { builtProduct } from "../../scripts/lib/product.mjs";
import { temporaryFolder } from "../fakes/temporary";

/** The folders of packages that source maps name: another way to the answer than the one that the notices come by. */
function packagesIn(out: string): string[] {
  const folders = globSync("**/*.map", { cwd: out }).flatMap(map => {
    const { sources } = JSON.parse(readFileSync(join(out, map), "utf8")) as { sources: string[] };
    return sources.flatMap(source => {
      const path = resolve(out, dirname(map), source).replaceAll("\\", "/");
      return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [];
    });
  });
  return [...new Set(folders)];
}

describe("third-party notices", function () {
  this.timeout(240_000);
  const out = temporaryFolder("notices");

  it("name every package that is in a bundle, with its version and its licence's text", async () => {
    const out = await builtProduct();
    const notices = readFileSync(join(out, "ThirdPartyNotices.txt"), "utf8");
    const folders = packagesIn(out);
    assert.ok(folders.length > 20, `${folders.length} packages`);
    for (const mapped of folders) {
      // Code of some stands in the files of another package, whose own map says where it came from.
      const packageName = /(?:@[^/]+\/)?[^/]+$/.exec(mapped)?.[0] ?? "";
      const folder = existsSync(mapped) ? mapped : join(root, "node_modules", packageName);
      if (!existsSync(folder)) continue;
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      assert.ok(notices.includes(`${name} ${version} (${license})`), `${name} ${version}`);
      for (const file of readdirSync(folder).filter(file => /^(?:licen[cs]e|notice)/i.test(file)))
        assert.ok(
          notices.includes(readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim()),
          `${name}: ${file}`,
        );
    }
    assert.match(notices, /@vscode\/codicons/, "the icons' font");
  });

  it("go into the package", () => {
    assert.match(readFileSync(join(root, ".vscodeignore"), "utf8"), /^!dist\/ThirdPartyNotices\.txt$/m);
  });

  it("are refused for a package that says nothing of its licence", () => {
    const folder = join(out, "node_modules/nobodys");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "name": "nobodys", "version": "1.0.0", "license": "MIT" }');
    const inputs = { "node_modules/nobodys/index.js": { bytesInOutput: 1 } };
    const output = { inputs, bytes: 1, imports: [], exports: [] };
    const notices = () => noticesText(out, [{ inputs: {}, outputs: { "a.js": output } }]);
    assert.throws(notices, /nobodys says nothing of its licence/);
  });
});
