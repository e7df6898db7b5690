import assert from "node:assert/strict";
import { importsOf } from "../../src/shared/rulesFiles";

describe("importsOf", () => {
  /** Text, then what it names; `?` behind one of which nothing is said where it is not there. */
  const texts: [string, ...string[]][] = [
    ["See @docs/x.md for more.", "docs/x.md"],
    ["@docs/x.md", "docs/x.md"],
    ["- style: @docs/style.md, tests: @docs/tests.md.", "docs/style.md", "docs/tests.md"],
    ["(@docs/x.md) [see](@docs/y.md) **@docs/z.md**", "docs/x.md", "docs/y.md", "docs/z.md"],
    ["@./x.md @../y.md @~/z.md @/etc/q.md", "./x.md", "../y.md", "~/z.md", "/etc/q.md"],
    ["@README and @package.json", "README?", "package.json"],
    ['@"docs/my notes.md" @docs/our\\ notes.md', "docs/my notes.md", "docs/our notes.md"],
    ["修改@docs/规则.md文件", "docs/规则.md"],
    ["@docs/x.md#heading", "docs/x.md"],
    ["@docs/x.md twice @docs/x.md", "docs/x.md"],
    ["one\r\n@docs/x.md\r\ntwo", "docs/x.md"],
    ["| @docs/x.md |", "docs/x.md"],
    ["> @docs/x.md", "docs/x.md"],
    // code
    ["`@docs/x.md`"],
    ["a `span that\ngoes on @docs/x.md` @docs/y.md", "docs/y.md"],
    ["a lone ` and @docs/x.md", "docs/x.md"],
    ["a lone `\n\nand another ` @docs/x.md", "docs/x.md"],
    ["```\n@docs/x.md\n```\n@docs/y.md", "docs/y.md"],
    ["~~~md\n@docs/x.md\n```\n@docs/y.md\n~~~"],
    ["````\n```\n@docs/x.md\n````\n@docs/y.md", "docs/y.md"],
    ["- item\n  ```sh\n  @docs/x.md\n  ```\n- @docs/y.md", "docs/y.md"],
    ["> ```\n> @docs/x.md\n> ```\n> @docs/y.md", "docs/y.md"],
    ["```\nnever closed @docs/x.md"],
    ["```not a fence``` @docs/x.md", "docs/x.md"],
    ["text\n\n    @docs/x.md", "docs/x.md"],
    ["<!-- @docs/x.md\n@docs/y.md --> @docs/z.md", "docs/z.md"],
    // something else
    ["\\@docs/x.md"],
    ["me@example.md and mail joe@docs.md"],
    ["https://example.com/@joe/x.md"],
    ["@@docs/x.md"],
    ["@docs/ is a folder"],
    ["@angular/core@17 and @Get('x')"],
  ];
  for (const [text, ...names] of texts) {
    it(JSON.stringify(text), () =>
      assert.deepEqual(
        importsOf("CLAUDE.md", text).map(({ path, mustExist }) => (mustExist ? path : `${path}?`)),
        names,
      ),
    );
  }

  it("a package is no file that is missing", () => {
    const names = "@scope/pkg @types/node @octokit/app.js @mui/material/styles.css @babel/core @param @Injectable @joe";
    const found = importsOf("AGENTS.md", names);
    assert.deepEqual(
      found.filter(({ mustExist }) => mustExist),
      [],
    );
  });

  it("of what is no text for people there are none", () => {
    assert.deepEqual(importsOf("package.json", '{"a": "@docs/x.md"}'), []);
    assert.equal(importsOf("app:docs/RULES", "@docs/x.md").length, 1);
  });

  it("is linear in the length of the text", () => {
    for (const part of ["`", "@", "@\\ ", "> ", "- ", "<!--", "`` ` ", "\n\n", "    \n", "@a/`b` "])
      importsOf("CLAUDE.md", `${part.repeat(32_768 / part.length)}@x.md`);
  });
});
