/** Resources of servers in a text, and in the menu. */
import assert from "node:assert/strict";
import { matchResources, mentionedResources } from "../../../src/core/mentions/resources";
import { parseMentions } from "../../../src/shared/mentions/parse";

const listed = [
  { server: "docs", uri: "demo://static/features.md", title: "Features", mimeType: "text/markdown", template: false },
  { server: "docs", uri: "demo://dynamic/{id}", title: "Numbered", template: true },
  { server: "my server", uri: "urn:x:1", title: "Odd one", template: false },
];
const named = (text: string) => mentionedResources(text, ["docs", "my server"], listed).map(each => each.uri);
const found = (query: string) => matchResources(query, listed, 20).map(({ mention, open = false }) => [mention, open]);

describe("mentions of resources", () => {
  it("end where the address ends", () => {
    for (const text of [
      "@docs:demo://a/b?c=1&d=2, and",
      "(@docs:demo://a/b?c=1&d=2)",
      'see @"docs:demo://a/b?c=1&d=2".',
    ])
      assert.deepEqual(named(text), ["demo://a/b?c=1&d=2"], text);
    assert.deepEqual(named("@docs:demo://a. @docs:demo://a"), ["demo://a"]);
    assert.deepEqual(named("@docs:Features @other:demo://x me@docs:demo://x @docs:src/a.ts"), [
      "demo://static/features.md",
    ]);
    assert.deepEqual(named('@"my server:urn:x:1"'), ["urn:x:1"]);
    assert.deepEqual(named(Array.from({ length: 50 }, (_, at) => `@docs:demo://${at}`).join(" ")).length, 20);
  });

  it("leave files as they were", () => {
    const paths = (text: string) => parseMentions(text).map(({ path }) => path);
    assert.deepEqual(paths("@app:src/a.ts @app:12 @a.ts:10 @src/b.ts:3-4"), [
      "app:src/a.ts",
      "app",
      "a.ts",
      "src/b.ts",
    ]);
  });

  it("are offered by server, then by address or title, and written so that they read back", () => {
    assert.deepEqual(found("do"), [["@docs:", true]]);
    assert.deepEqual(found("docs:"), [
      ["@docs:demo://static/features.md", false],
      ["@docs:demo://dynamic/", true],
    ]);
    assert.deepEqual(found("feat"), [["@docs:demo://static/features.md", false]]);
    assert.deepEqual(found("docs:demo://dynamic/12"), [["@docs:demo://dynamic/12", false]]);
    assert.deepEqual(found("odd"), [['@"my server:urn:x:1"', false]]);
    assert.deepEqual(found(""), []);
  });
});
