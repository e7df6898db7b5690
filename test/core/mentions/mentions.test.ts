import assert from "node:assert/strict";
import { parseMentions } from "../../../src/shared/mentions/parse";

function check(text: string, ...expected: string[]) {
  const found = parseMentions(text).map(({ path, range }) => (range ? `${path} ${range.first}-${range.last}` : path));
  assert.deepEqual(found, expected, text);
  for (const mention of parseMentions(text)) assert.equal(text.slice(mention.start, mention.end), mention.raw);
}

describe("mentions", () => {
  it("finds paths", () => {
    check("fix @src/a.ts please", "src/a.ts");
    check("@a and @b/c-d_e.test.tsx", "a", "b/c-d_e.test.tsx");
    check("see @src/a.ts, @src/b.ts.", "src/a.ts", "src/b.ts");
    check("(@src/a.ts)", "src/a.ts");
    check('open @"my file.txt" and @"中文 文件.md"', "my file.txt", "中文 文件.md");
  });
  it("knows line ranges and folders", () => {
    check("@src/a.ts:10-40", "src/a.ts 10-40");
    check("@src/a.ts:10", "src/a.ts 10-10");
    check("@src/a.ts:40-10", "src/a.ts 40-40");
    check("@app:src/a.ts", "app:src/a.ts");
    check("@app:src/a.ts:3-4", "app:src/a.ts 3-4");
    check('@"a b.ts":3-4', "a b.ts 3-4");
    check("@src/a.ts: what is it", "src/a.ts");
  });
  it("passes over what is no mention", () => {
    check("me@example.com");
    check("名@a");
    check("@ alone, @/ and @... and @-");
  });
});
