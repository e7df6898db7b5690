/** What an MCP server asks of the person's model, from the text that they see to the answer. */
import assert from "node:assert/strict";
import {
  answerSampling,
  askedSampling,
  MAX_SAMPLED,
  sampledText,
} from "../../../../src/core/agent/smallCalls/sampling";
import { SaidNo, type SamplingRequest } from "../../../../src/core/ground/ports";
import { world } from "../../../fakes/agent";

const SECRET = "sk9fQ2xLr7VbT3mZ";
const request = (changes: Partial<SamplingRequest> = {}): SamplingRequest => ({
  ...{ server: "every", system: "Be short.", maxTokens: 300 },
  messages: [{ role: "user", text: `Greet me, my key is ${SECRET}` }],
  ...changes,
});

describe("a text for an MCP server", () => {
  it("is asked of the model for small things with what the person saw, bounded and counted", async () => {
    const { models, ports, spending } = world({ secrets: { environment: { APP_TOKEN: SECRET } } });
    models.prices = { input: 1, output: 2, dearer: [] };
    models.play({ text: "Hello.", input: 1_000_000, output: 500_000 });
    const text = sampledText(request(), ports.redactor);
    assert.doesNotMatch(text, new RegExp(SECRET));
    assert.match(text, /^Instructions: Be short\.\n\nUser: Greet me/);
    const answer = await answerSampling(text, request(), ports, new AbortController().signal);
    assert.equal(answer.text, "Hello.");
    const [sent] = models.requests;
    assert.ok(
      JSON.stringify(sent?.prompt).includes(JSON.stringify(text).slice(1, -1)),
      "what was shown is what went out",
    );
    assert.equal(sent?.maxOutputTokens, 300);
    assert.equal(sent?.tools?.length ?? 0, 0);
    assert.deepEqual(
      spending.entries.map(({ cost }) => cost),
      [2],
    );
  });

  it("that is longer than a person reads is refused before anybody is asked", () => {
    const { ports } = world();
    const long = request({ messages: [{ role: "user", text: "x".repeat(MAX_SAMPLED) }] });
    assert.throws(() => sampledText(long, ports.redactor), /too long: 16\d+ characters/);
  });

  it("goes out after a yes to exactly it; a no, no answer and a question meanwhile send nothing", async () => {
    const { models, ports } = world({ secrets: { environment: { APP_TOKEN: SECRET } } });
    models.play({ text: "Hello." });
    const shown: string[] = [];
    const answers: (boolean | undefined)[] = [false, undefined, true];
    const asks = askedSampling(
      () => ports,
      async text => {
        shown.push(text);
        return answers.shift();
      },
    );
    const { signal } = new AbortController();
    await assert.rejects(asks(request(), signal), SaidNo);
    await assert.rejects(
      asks(request(), signal),
      error => !(error instanceof SaidNo) && /gave no answer/.test(`${error}`),
    );
    assert.equal(models.requests.length, 0);
    const first = asks(request(), signal);
    await assert.rejects(asks(request(), signal), /being asked something like it already/);
    assert.equal((await first).text, "Hello.");
    assert.doesNotMatch(shown.join(), new RegExp(SECRET));
    assert.ok(JSON.stringify(models.requests[0]?.prompt).includes(JSON.stringify(shown[2]).slice(1, -1)));
  });

  it("a no that comes when the server wants it no more is none", async () => {
    const { ports } = world();
    const stop = new AbortController();
    const asks = askedSampling(
      () => ports,
      async () => {
        stop.abort(new Error("taken back"));
        return false;
      },
    );
    await assert.rejects(asks(request(), stop.signal), /taken back/);
  });
});
