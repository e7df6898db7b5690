/** Servers of one's own that cut the prompt without a word, and addresses as people copy them. */
import assert from "node:assert/strict";
import { endWorlds, newest, proven, records, reopened, say, words, world } from "./world";

const notes = (at: Awaited<ReturnType<typeof world>>) =>
  records(at, "note").filter(({ code }) => code === "prompt-cut");
const usage = (prompt_tokens: number, rest: object = {}) => ({
  prompt_tokens,
  completion_tokens: 5,
  total_tokens: prompt_tokens + 5,
  ...rest,
});

/** An answer that counts so many tokens. */
const counted = (counts: object) => {
  const chunk = (rest: object) => `data: ${JSON.stringify({ id: "c", ...rest })}\n\n`;
  const body = [
    chunk({ choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage: counts }),
  ].join("");
  return (async () => new Response(body, { headers: { "content-type": "text/event-stream" } })) as typeof fetch;
};

describe("over HTTP: a server that cuts the prompt", () => {
  afterEach(endWorlds);

  it("is told to people once, with where to set it", async () => {
    const at = await world({ fetch: counted(usage(2048)) });
    await say(at, words(6000));
    await say(at, words(6000));
    assert.equal(notes(at).length, 1);
    assert.match(notes(at)[0]?.text ?? "", /saw only 2048 of about .* 127\.0\.0\.1:\d+ was .*OLLAMA_CONTEXT_LENGTH/);
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });

  it("is told where its count stays the same as requests grow, and that count is not believed", async () => {
    const at = await world({ fetch: counted(usage(8190)) });
    await say(at, words(6000));
    assert.deepEqual(notes(at), []);
    await say(at, words(2000));
    await say(at, words(2000));
    assert.equal(notes(at).length, 1);
    assert.match(notes(at)[0]?.text ?? "", /saw only 8190 of about/);
    assert.ok((at.session.history.conversation.lastAnswer?.counted ?? 0) > 9000);
    await proven(at);
    await proven(await reopened(at));
  });

  it("none is one that counts the same of requests of about one size", async () => {
    const at = await world({ fetch: counted(usage(8190)) });
    await say(at, words(6000));
    await say(at, "And now?");
    assert.deepEqual(notes(at), []);
  });

  for (const [what, counts, size, url] of [
    ["that counts what was sent", usage(9000), 6000, undefined],
    ["that counts nothing", undefined, 6000, undefined],
    ["that counts zeros", usage(0), 6000, undefined],
    [
      "that says that the rest came from its cache",
      usage(2048, { prompt_tokens_details: { cached_tokens: 1500 } }),
      6000,
      undefined,
    ],
    ["of a provider elsewhere", usage(2048), 6000, "https://gateway.example.com/v1"],
  ] as const) {
    it(`none is one ${what}`, async () => {
      const settings = url ? { "model.baseUrl": url } : {};
      const at = await world({ settings, fetch: counted(counts as object) });
      await say(at, words(size));
      assert.equal(newest(at, "turnEnd").reason, "done");
      assert.deepEqual(notes(at), []);
    });
  }

  it("none is one that counts only what is new since the request before", async () => {
    let asked = 0;
    const fetch: typeof globalThis.fetch = (...call) => counted(usage(asked++ === 0 ? 9000 : 120))(...call);
    const at = await world({ fetch });
    await say(at, words(6000));
    await say(at, "And now?");
    assert.deepEqual(notes(at), []);
  });
});
