/** Mentions in documents: what is offered, what is linked. */

import assert from "node:assert/strict";
import { Mentions } from "../../src/vscode/mentions/documents";
import { PathIndex } from "../../src/vscode/mentions/pathIndex";
import { type MentionFolder, Workspace } from "../../src/vscode/mentions/workspace";
import { pluck } from "../fakes/pluck";

const ROOT = "file:///work/app";
const LIB = "file:///work/lib%20b";
const APP: MentionFolder = { uri: ROOT, name: "app" };

interface World {
  folders?: MentionFolder[];
  files?: Record<string, string[]>;
  /** what is there beside: `root/path` */
  there?: Record<string, "file" | "folder">;
}

function world({ folders = [APP], files = {}, there = {} }: World) {
  const indexes = new Map(
    Object.entries(files).map(([root, paths]) => {
      const index = new PathIndex(root);
      index.add(paths);
      return [root, index];
    }),
  );
  const setting = { comments: true, near: { open: [], recent: [] } as Parameters<PathIndex["search"]>[1] };
  const workspace = new Workspace({
    comments: () => setting.comments,
    near: () => setting.near,
    indexOf: root => indexes.get(root),
  });
  workspace.folders = folders;
  const looked: string[][] = [];
  const mentions = new Mentions(workspace, async places => {
    looked.push(places.map(({ path }) => path));
    return places.map(({ root, path }) => there[`${root}/${path}`]);
  });
  const documentOf = (text: string, languageId = "markdown", uri = `${ROOT}/notes.md`) => ({
    ...{ languageId, version: 1, uri },
    getText: () => text,
  });
  /** @param text `|` is the cursor */
  const complete = (text: string, ...more: [languageId?: string, uri?: string]) =>
    mentions.completion(documentOf(text.replace("|", ""), ...more), text.indexOf("|"));
  const labels = (...given: Parameters<typeof complete>) => complete(...given)?.items.map(({ label }) => label) ?? [];
  /** The text after an item was chosen. */
  const chosen = (text: string, label: string, languageId?: string) => {
    const typed = complete(text, languageId);
    const item = typed?.items.find(each => each.label === label) ?? assert.fail(`${label} is not offered`);
    const whole = text.replace("|", "");
    return whole.slice(0, typed?.start) + item.mention + whole.slice(typed?.end);
  };
  const links = async (text: string) =>
    (await mentions.linked(documentOf(text))).map(({ mention: { raw }, place, kind }) => [
      raw,
      place.root,
      place.path,
      kind,
    ]);
  return { mentions, documentOf, workspace, setting, looked, complete, labels, chosen, links };
}

describe("mentions that are typed in documents", () => {
  const FILES = [
    "src/invoice.ts",
    "src/invoices/list.ts",
    "my notes/plan b.md",
    "README.md",
    'odd/a"b.txt',
    "ä/日本.md",
  ];
  const app = () => world({ files: { [ROOT]: FILES } });

  it("are offered files and folders, and replaced whole, quotes included", () => {
    const { labels, chosen } = app();
    assert.deepEqual(labels("See @inv|").sort(), ["src/invoice.ts", "src/invoices", "src/invoices/list.ts"]);
    assert.equal(chosen("See @inv|", "src/invoice.ts"), "See @src/invoice.ts");
    assert.equal(chosen('a @"pla|n x" b', "my notes/plan b.md"), 'a @"my notes/plan b.md" b');
    assert.equal(chosen("a @READ|ME.txt, b", "README.md"), "a @README.md, b");
    assert.equal(chosen("@日本|", "ä/日本.md"), '@"ä/日本.md"');
    assert.equal(chosen("@odd/a|", 'odd/a"b.txt'), '@"odd/a\\"b.txt"');
    assert.equal(labels('@"my notes/|"')[0], "my notes/plan b.md");
    assert.equal(labels("@src/invoices/|")[0], "src/invoices/list.ts");
  });

  it("are none elsewhere; in comments where the setting is on", () => {
    const { complete, labels, setting } = app();
    for (const [text, languageId] of [
      ["me@inv|", "markdown"],
      ["const a = '@inv|'", "typescript"],
      ["@Inj|\nclass A {}", "typescript"],
      ["no at sign|", "markdown"],
      ["// @inv|", "unknown-language"],
    ] as const)
      assert.equal(complete(text, languageId), undefined, text);
    assert.ok(labels("// see @inv|", "typescript").length > 0);
    setting.comments = false;
    assert.equal(complete("// see @inv|", "typescript"), undefined);
    for (const languageId of ["plaintext", "git-commit", "strata-prompt", "scminput"])
      assert.equal(labels("@READ|", languageId, `untitled:${languageId}`)[0], "README.md", languageId);
  });

  it("are offered first what is open or was looked at", () => {
    const { labels, setting } = app();
    const place = (path: string) => ({ root: ROOT, path });
    setting.near = { open: [place("README.md")], recent: [place("src/invoices/list.ts")] };
    assert.deepEqual(labels("@|").slice(0, 2).sort(), ["README.md", "src/invoices/list.ts"]);
  });

  it("are offered attachments and resources in a prompt, among the files as in the composer", () => {
    const { labels, chosen, workspace } = app();
    const prompt = "strata-prompt";
    assert.deepEqual(labels("@|", prompt).slice(7, 11), ["problems", "selection", "changes", "terminal"]);
    assert.equal(labels("see @term|", prompt)[0], "terminal");
    for (const text of ['@"term|', "@terminals|", "@term/|"])
      assert.ok(!labels(text, prompt).includes("terminal"), text);
    assert.ok(!labels("@term|").includes("terminal"));
    assert.equal(chosen("a @TER|m b", "terminal", prompt), "a @terminal b");
    const docs = { server: "docs", mimeType: "text/markdown", title: "Features*" };
    workspace.resources = [
      { ...docs, uri: "demo://static/features.md", template: false },
      { ...docs, uri: "demo://page/{id}", template: true },
    ];
    assert.equal(chosen("@docs:demo|", "docs:demo://page/{id}", prompt), "@docs:demo://page/");
    assert.ok(!labels("See @docs:demo|").some(label => label.startsWith("docs:")), "no prompt");
  });

  it("name the workspace's folders where there are several", () => {
    const files = { [ROOT]: ["src/my file.ts", "README.md"], [LIB]: ["src/other.ts"] };
    const { labels, chosen, workspace } = world({ folders: [APP, { uri: LIB, name: "lib b" }], files });
    const items = workspace.items("file", 9);
    assert.equal(items[0]?.mention, '@"src/my file.ts"');
    assert.equal(items[0]?.label, "app:src/my file.ts");
    assert.equal(items[0]?.positions.map(at => items[0]?.label[at]).join(""), "file");
    assert.equal(chosen("@lib|", "lib b"), '@"lib b:"');
    assert.deepEqual(labels('@"lib b:src/|"'), ["lib b:src/other.ts"]);
    assert.deepEqual(labels("@app:other|"), []);
    workspace.folders = [APP];
    assert.ok(!labels("@ap|").includes("app"));
    workspace.folders = [];
    assert.equal(labels("@ap|").length, 0);
  });
});

describe("mentions that are in documents", () => {
  const places = () =>
    world({
      folders: [APP, { uri: LIB, name: "lib b" }],
      there: Object.fromEntries([
        ...[".env", "src/a.ts", "my notes/b c.md", "Makefile", "problems"].map(path => [`${ROOT}/${path}`, "file"]),
        ...[
          [`${ROOT}/src`, "folder"],
          [`${LIB}/x.ts`, "file"],
        ],
      ]),
    });

  it("link what is there, listed or not; in other folders, and by absolute paths in them", async () => {
    const { links } = places();
    assert.deepEqual(
      await links('@src/a.ts:3-5 @"my notes/b c.md" @.env @nobody @Makefile @src/gone.ts @src/ @src/../src/./a.ts'),
      [
        ["@src/a.ts:3-5", ROOT, "src/a.ts", "file"],
        ['@"my notes/b c.md"', ROOT, "my notes/b c.md", "file"],
        ["@.env", ROOT, ".env", "file"],
        ["@Makefile", ROOT, "Makefile", "file"],
        ["@src/", ROOT, "src", "folder"],
        ["@src/../src/./a.ts", ROOT, "src/a.ts", "file"],
      ],
    );
    assert.deepEqual(await links('@"lib b:x.ts" @app:src/a.ts @/work/app/src/a.ts @"/work/lib b/x.ts" @/etc/passwd'), [
      ['@"lib b:x.ts"', LIB, "x.ts", "file"],
      ["@app:src/a.ts", ROOT, "src/a.ts", "file"],
      ["@/work/app/src/a.ts", ROOT, "src/a.ts", "file"],
      ['@"/work/lib b/x.ts"', LIB, "x.ts", "file"],
    ]);
  });

  it("lead out of no folder, and are none of what attaches something", async () => {
    const { links } = places();
    assert.deepEqual(await links("@../../etc/passwd @src/../../x.ts @~/x.ts @/ @.. @"), []);
    assert.deepEqual(await links('@terminal @problems @./problems @"problems"'), [
      ["@./problems", ROOT, "problems", "file"],
      ['@"problems"', ROOT, "problems", "file"],
    ]);
  });

  it("are looked for once for a place, and not without end: of plain words, which may be people, the fewest", async () => {
    const { links, looked } = places();
    await links("by @somebody, @gone/x.ts @./gone/x.ts @gone/x.ts:3 @.env @somebody");
    assert.deepEqual(looked.splice(0), [["somebody", "gone/x.ts", ".env"]]);
    const many = (name: (index: number) => string) => Array.from({ length: 700 }, (_, index) => name(index)).join(" ");
    await links(many(index => `@gone/${index}.ts`));
    await links(many(index => `@person${index}`));
    assert.deepEqual(pluck(looked, "length"), [500, 100]);
  });

  it("are read anew in another language", async () => {
    const { mentions, documentOf } = places();
    const document = documentOf("see @src/a.ts");
    assert.equal((await mentions.linked(document)).length, 1);
    assert.deepEqual(await mentions.linked(Object.assign(document, { languageId: "typescript" })), []);
  });
});
