/** Whether a sentence was in view of the model: the corpus of `bench/inView.mjs`, played on real files. */
import assert from "node:assert/strict";
import corpus from "../../../bench/corpora/inView.json";
import { inViewReport } from "../../../src/core/proof/inViewReport";
import { rightView, type ViewedCorpus, viewOf } from "../../fakes/viewedSession";

const { cases, sentences } = corpus as unknown as ViewedCorpus;

describe("whether a sentence was in view", () => {
  for (const [at, viewed] of cases.entries())
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
});
