/** How far a path goes that is written without quotes. */
import assert from "node:assert/strict";
import { parseMentions, shorterReadings } from "../../../src/shared/mentions/parse";
import { check } from "./mentionCheck";

describe("paths without quotes", () => {
  it("reads names of any script and with signs to their end, instead of as the folder around them", () => {
    for (const path of [
      ..."docs/中文.md café.md app:中文.md src/🎉.md docs/Übersicht many/[id].ts app/(group)/page.tsx app/[[...slug]]/page.tsx".split(
        " ",
      ),
      ..."src/+page.svelte pages/$id.tsx c++/x.cpp data/year=2024/x.parquet app/@modal/page.tsx R&D/plan.md src/page(2).ts".split(
        " ",
      ),
    ]) {
      for (const after of ["", " x", ".", ", x", ")", "]", ":", "。", "'s"]) check(`(⟦@${path}⟧${after}`);
      check(`⟦@${path}:3-4⟧`, `${path} 3-4`);
    }
  });

  it("ends where a name is whole, though no blank follows", () => {
    check("⟦@src/a.ts⟧的 ⟦@docs/中文.md⟧的内容 ⟦@src/a.ts⟧를 ⟦@src/a.ts⟧🎉 ⟦@src/a.ts⟧和");
    check("⟦@a.ts:10⟧行 ⟦@src/a.ts:10-20⟧行", "a.ts 10-10", "src/a.ts 10-20");
    check("⟦@src/a.ts⟧(12) [⟦@src/⟧](url) ⟦@src/⟧() ⟦@src/⟧(see x) ⟦@src/⟧{} ⟦@src/a.ts⟧#L3 ⟦@src/a.ts⟧+⟦@src/b.ts⟧");
    check("⟦@Get⟧(id) ⟦@app.route⟧(x) ⟦@angular/core⟧@17 ⟦@a⟧[0] ⟦@a⟧+ ⟦@src/⟧$");
    check("⟦@problems⟧和 ⟦@changes⟧+x");
  });

  it("knows where a name could end as well, longest first", () => {
    const readings = (text: string) =>
      parseMentions(text).map(one => [one, ...shorterReadings(one)].map(({ raw }) => raw));
    for (const [text, ...expected] of [
      ["看 @Makefile的内容", "@Makefile的内容", "@Makefile"],
      ["@src目录里的a.ts", "@src目录里的a.ts", "@src"],
      ["@src/的文件", "@src/的文件", "@src/"],
      ["@src/foo(bar)", "@src/foo(bar)", "@src/foo"],
      // Never the folder around what was written.
      ...["@docs/中文.md", "@many/[id].ts", "@app/(group)", "@src/+page.svelte", "@docs/café", "@app:中文.md"].map(
        one => [one, one],
      ),
      ...["@c++/x.cpp", "@src/foo+bar.ts", "@src/a.ts"].map(one => [one, one]),
    ]) {
      assert.deepEqual(readings(text ?? ""), [expected]);
    }
    const [mention] = parseMentions("x @Makefile的");
    assert.ok(mention);
    assert.deepEqual(shorterReadings(mention), [{ raw: "@Makefile", path: "Makefile", start: 2, end: 11 }]);
  });
});
