import assert from "node:assert/strict";
import { createSession } from "../../../../src/core/agent/session/openSession";
import type { Span } from "../../../../src/core/ground/ports";
import { read, runTurn, start, type WorldOptions, world } from "../../../fakes/agent";

const SECRET = "sk9fQ2xLr7VbT3mZ";

async function logged(settings: WorldOptions["settings"]) {
  const secrets = { environment: { APP_TOKEN: SECRET } };
  const agent = await start({ mode: "auto", settings, secrets, files: { "src/a.ts": `const token = "${SECRET}";\n` } });
  agent.models.play({ calls: [read("src/a.ts")] }, { text: `It says ${SECRET}, aloud.` });
  await runTurn(agent.session, `What is ${SECRET}?`);
  const lines = agent.logged as { level: string; message: string; fields: Record<string, unknown> }[];
  const of = (message: string) => lines.filter(line => line.message === message);
  return { ...agent, digests: of("model request"), payloads: of("model request payload"), all: JSON.stringify(lines) };
}

describe("what the daily log has of a request", () => {
  it("a digest, by default: sizes, tokens, how it ended, whose it was; nothing of what was said", async () => {
    const { digests, payloads, all, session } = await logged({});
    assert.equal(payloads.length, 0);
    assert.equal(digests.length, 2);
    const { level, fields } = digests[1] ?? assert.fail();
    const { ms, totalTokens, sharedTokens, requestId, textChars, ...rest } = fields;
    assert.deepEqual(
      [level, typeof ms, typeof totalTokens, typeof sharedTokens],
      ["info", "number", "number", "number"],
    );
    assert.equal(session.history.conversation.messages.at(-1)?.metadata?.requestId, requestId);
    assert.ok(Number(textChars) > 10);
    assert.deepEqual(rest, {
      ...{
        sessionId: session.id,
        runId: session.history.conversation.runId,
        model: "scripted",
        turn: 1,
        step: 2,
        attempt: 1,
      },
      ...{ cause: null, outcome: "answered", finishReason: "stop", reasoningChars: 0, calls: 0 },
      ...{ inputTokens: 100, cachedTokens: 0, outputTokens: 10 },
    });
    assert.equal(digests[0]?.fields.calls, 1);
    for (const said of ["aloud", "What is", "const token", SECRET]) assert.ok(!all.includes(said), said);
  });

  it("the whole request and answer where the person asked for it, without secrets", async () => {
    const { digests, payloads, all, session } = await logged({ "log.messages": false, "log.payload": true });
    assert.equal(digests.length, 0);
    assert.deepEqual(
      payloads.map(({ level, fields }) => [level, fields.sessionId, fields.runId]),
      payloads.map(() => ["debug", session.id, session.history.conversation.runId]),
    );
    const [first, second] = payloads.map(({ fields }) => JSON.stringify(fields));
    assert.match(first ?? "", /"instructions":".*What is .*"answer":\[\{"type":"dynamic-tool","toolName":"Read"/);
    assert.match(second ?? "", /const token.*"answer":\[\{"type":"text","text":"It says .*, aloud\."/);
    assert.ok(!all.includes(SECRET));
  });

  it("an answer that failed too, with its turn", async () => {
    const { models, session, logged: lines } = await start({ settings: { "log.payload": true } });
    models.play({ text: "Half an ans", fail: { code: "auth", message: "No.", retryable: false } });
    await runTurn(session, "Go on.");
    const { runId } = session.history.conversation;
    const facts = (lines as { message: string; fields: Record<string, unknown> }[]).map(({ message, fields }) => [
      ...[message, fields.runId, fields.outcome ?? fields.code, fields.answer],
    ]);
    assert.deepEqual(facts, [
      ["model request", runId, "failed", undefined],
      ["model request payload", runId, undefined, [{ type: "text", text: "Half an ans" }]],
      ["model request failed", runId, "auth", undefined],
    ]);
  });
});

/** A session whose spans are kept. */
async function traced(isOn = true) {
  const spans: Span[] = [];
  const agent = world({
    ...{ mode: "auto", secrets: { environment: { APP_TOKEN: SECRET } } },
    files: { "src/a.ts": `const token = "${SECRET}";\n` },
  });
  const session = await createSession({ ...agent.ports, telemetry: { isOn, record: span => spans.push(span) } });
  agent.models.play(
    { calls: [read("src/a.ts"), { name: "Nonsense", input: {} }] },
    { text: `It says ${SECRET}, aloud.` },
  );
  await runTurn(session, `What is ${SECRET}?`);
  return { ...agent, session, spans };
}

describe("spans", () => {
  it("of a turn, its requests and its calls, in one trace, by the conventions' names, without content", async () => {
    const { spans, session } = await traced();
    assert.deepEqual(
      spans.map(({ name, kind }) => `${name} (${kind})`),
      [
        "chat scripted (client)",
        "execute_tool Read (internal)",
        "chat scripted (client)",
        "invoke_agent Strata (internal)",
      ],
    );
    const root = spans.at(-1);
    assert.deepEqual([root?.parent, root?.attributes["strata.turn.end"]], [undefined, "done"]);
    const { runId } = session.history.conversation;
    for (const span of spans) {
      assert.equal(span.trace, runId);
      assert.equal(span.attributes["gen_ai.conversation.id"], session.id);
      assert.ok(span.end >= span.start);
      if (span !== root) assert.equal(span.parent, root?.id);
    }
    assert.equal(new Set(spans.map(({ id }) => id)).size, spans.length);
    const { "strata.request.id": _, ...chat } = spans[2]?.attributes ?? {};
    assert.deepEqual(chat, {
      ...{ "gen_ai.operation.name": "chat", "gen_ai.output.type": "text", "gen_ai.request.model": "scripted" },
      ...{ "gen_ai.response.finish_reasons": ["stop"], "gen_ai.conversation.id": session.id },
      ...{ "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 10 },
      ...{ "gen_ai.usage.cache_read.input_tokens": 0, "gen_ai.usage.reasoning.output_tokens": 0 },
    });
    assert.deepEqual(spans[0]?.attributes["gen_ai.response.finish_reasons"], ["tool_call"]);
    assert.equal(spans[1]?.attributes["gen_ai.tool.name"], "Read");
    for (const said of ["aloud", "What is", "const token", SECRET, "Nonsense"])
      assert.ok(!JSON.stringify(spans).includes(said), said);
  });

  it("say by a code why a turn and its request failed; none where nobody wants them", async () => {
    const spans: Span[] = [];
    const { ports, models } = world();
    const session = await createSession({ ...ports, telemetry: { isOn: true, record: span => spans.push(span) } });
    models.play({ fail: { code: "auth", message: "The key abc was refused.", retryable: false } });
    await runTurn(session, "Go on.");
    assert.deepEqual(
      spans.map(({ name, error, attributes }) => [name, error, attributes["error.type"]]),
      [
        ["chat scripted", "auth", "auth"],
        ["invoke_agent Strata", "auth", "auth"],
      ],
    );
    assert.deepEqual((await traced(false)).spans, []);
  });
});
