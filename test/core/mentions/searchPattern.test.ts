import assert from "node:assert/strict";
import { searchPattern } from "../../../src/shared/mentions/write";

const FOLDERS = ["/work/app", "/work/lib b"];
const matches = (paths: string[], text: string) => new RegExp(searchPattern(paths, FOLDERS), "i").test(text);

describe("a search for what mentions a path", () => {
  it("finds every way to write it", () => {
    for (const text of [
      ..."@src/core @src/core/a.ts @./src/core @././/src/./core @app:src/core/ @/work/app/src/core @SRC/Core:3".split(
        " ",
      ),
      ...['@"src/core"', '@"lib b:src/core/x y.ts"', '@"/work/lib b/src/core"', "(@src/core)", "a\n@src/core.\nb"],
    ]) {
      assert.ok(matches(["src/core"], text), text);
    }
    assert.ok(matches(['odd/a"b\\c (1).txt'], '@"odd/a\\"b\\\\c (1).txt"'));
    assert.ok(matches(["a.ts", "b c.md"], '@"b c.md":3'));
  });

  it("finds nothing that is only called so", () => {
    for (const text of [
      "@angular/core",
      "@src/cores",
      "@lib/src/core",
      "@src core",
      "src/core",
      "@src/other, src/core",
    ]) {
      assert.ok(!matches(["src/core"], text), text);
    }
    for (const text of ["@angular/core", "@x/core/a.ts", "@core-js", "@scope and core"]) {
      assert.ok(!matches(["core"], text), text);
    }
    assert.ok(!matches(["a.ts"], "@axts"));
  });
});
