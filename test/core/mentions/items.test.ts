/** In which order what a mention may become is listed. */
import assert from "node:assert/strict";
import { mentionItems } from "../../../src/core/mentions/resources";
import type { MentionItem } from "../../../src/shared/findProtocol";
import { writeMention } from "../../../src/shared/mentions/write";

const file = (label: string): MentionItem => ({ kind: "file", mention: writeMention(label), label, positions: [] });
const many = (count: number) => Array.from({ length: count }, (_, at) => file(`f${at}.ts`));
const attachments = ["@problems", "@selection", "@changes", "@terminal"];

type Sources = Parameters<typeof mentionItems>[1];
const names = (query: string, files: MentionItem[], more: Partial<Sources> = {}) =>
  mentionItems(query, { files, resources: [], ...more }).map(({ mention }) => mention);

describe("what a mention may become", () => {
  it("before anything is typed: what stands first, other files, attachments, all of it in sight where that is wanted", () => {
    const first = { ...file("src/a.ts"), hint: "active editor" };
    const files = [file("near.ts"), file("src/a.ts"), ...many(9)];
    const inSight = ["@src/a.ts", "@near.ts", "@f0.ts", "@f1.ts", "@f2.ts", "@f3.ts", "@f4.ts", ...attachments];
    assert.deepEqual(names("", files, { first, brief: true }), inSight);
    assert.deepEqual(names("", files, { first }), [...inSight, "@f5.ts", "@f6.ts", "@f7.ts", "@f8.ts"]);
    const [item] = mentionItems("", { files, resources: [], first });
    assert.equal(item?.hint, "active editor");
    assert.deepEqual(names("", [], { brief: true }), attachments);
    const last = mentionItems("", { files: [], resources: [] }).at(-1);
    assert.match(last?.hint ?? "", /ran after Strata started/);
  });

  it("attachments come among files while their name is begun, first once it is meant, in quotes never", () => {
    assert.deepEqual(names("te", many(9)).indexOf("@terminal"), 5);
    assert.deepEqual(names("te", many(2)), ["@f0.ts", "@f1.ts", "@terminal"]);
    assert.deepEqual(names("Term", many(2)), ["@terminal", "@f0.ts", "@f1.ts"]);
    assert.deepEqual(names("Term", many(1), { quoted: true }), ["@f0.ts"]);
    assert.deepEqual(names("x", many(2)), ["@f0.ts", "@f1.ts"]);
    assert.deepEqual(mentionItems("te", { files: [], resources: [] })[0]?.positions, [0, 1]);
  });

  it("a file that is called as an attachment is written otherwise", () => {
    assert.deepEqual(names("prob", [file("problems")]), ["@problems", '@"problems"']);
  });

  it("resources of servers come first", () => {
    const resources = [{ server: "docs", uri: "demo://term", title: "Terms", template: false }];
    assert.deepEqual(names("term", many(1), { resources }), ["@docs:demo://term", "@terminal", "@f0.ts"]);
  });
});
