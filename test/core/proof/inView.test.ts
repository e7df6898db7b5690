/** Whether a sentence was in view of the model: the corpora of `bench/inView.mjs`, played on real files. */
import assert from "node:assert/strict";
import corpus from "../../../bench/corpora/inView.json";
import corpus2 from "../../../bench/corpora/inView2.json";
import { manifestLines } from "../../../src/core/context/requestChain";
import { parseManifest } from "../../../src/core/context/requestLog";
import { ViewSearch } from "../../../src/core/proof/inView";
import { inViewReport } from "../../../src/core/proof/inViewReport";
import { verifySession } from "../../../src/core/proof/verify";
import { hash } from "../../fakes/hash";
import { playViewed, rightView, type ViewedCorpus, viewOf } from "../../fakes/viewedSession";

const [first, second] = [corpus, corpus2] as unknown as [ViewedCorpus, ViewedCorpus];
const { cases } = first;
/** Both halves: what was written with the code, and what was written after the code was frozen. */
const all = [first, second].flatMap(({ cases, sentences }) => cases.map((viewed, at) => ({ viewed, at, sentences })));

describe("whether a sentence was in view: both corpora", () => {
  for (const { viewed, at, sentences } of all)
    it(viewed.name, async () => {
      // Each with two of the sentences: in other scripts, with other marks.
      for (const place of [at, at * 3 + 5]) {
        const sentence = sentences[place % sentences.length] ?? ["", ""];
        const { found, all, view } = await viewOf(viewed, sentence);
        assert.deepEqual(
          { ...found, line: viewed.line === undefined ? undefined : found.line },
          { line: undefined, ...rightView(viewed) },
          `${sentence[0]} ${JSON.stringify(all)}`,
        );
        assert.ok(inViewReport(view, sentence[1]).sections.length > 0);
      }
    });

  it("needs what was left out in the manifest, which has nothing where nothing was; all of it verifies", async () => {
    const lefts: unknown[] = [];
    for (const name of [
      "a root's AGENTS.md is whole",
      "became a link out",
      "a CLAUDE.md that says",
      "behind the first 32 KB",
    ])
      await playViewed(cases.find(each => each.name.startsWith(name))!, "No.", async ({ history: { files } }) => {
        const { lines } = manifestLines((await files.read("requests.jsonl")) ?? "");
        lefts.push(parseManifest(lines.at(-1) ?? "")?.left?.map(({ source, why }) => `${source} ${why}`));
        assert.deepEqual((await verifySession(files, hash)).defects, []);
      });
    assert.deepEqual(lefts, [
      undefined,
      ["rules:AGENTS.md withheld"],
      ["rules:CLAUDE.md same"],
      ["rules:AGENTS.md size"],
    ]);
  });

  it("says where there is nothing to say it of", async () => {
    await playViewed({ name: "", steps: [["say", "Begin."]], form: "none" }, "", async ({ history: { files } }) => {
      const search = await ViewSearch.open(files, hash);
      await assert.rejects(search.view({ request: 7 }, "x"), /no request 7/);
      await assert.rejects(search.view({ callId: "call_9" }), /Nothing is known to have been sent/);
      await assert.rejects(search.view({ turn: 1 }, " ** "), /which words/);
      for (const sentence of ["Never.", undefined]) {
        const [found] = inViewReport(await search.view({}, sentence), sentence).sections;
        assert.match(found?.lines.at(-1)?.label ?? "", /no rules file of the workspace/);
      }
      const torn = Object.assign(Object.create(files), { getBlob: async () => undefined });
      const blind = await (await ViewSearch.open(torn, hash)).view({}, "Never.");
      assert.match(JSON.stringify(inViewReport(blind, "Never.")), /not all that was sent can be read/);
    });
  });
});
