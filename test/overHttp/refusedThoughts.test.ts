/** What was thought, sent back to a server that cannot have it so, or that wants it: the conversation goes on. */

import assert from "node:assert/strict";
import { pluck } from "../fakes/pluck";
import { type Kind, kindOf } from "../models/kinds";
import type { WireAnswer } from "../wire/anthropicServer";
import { startOpenaiServer } from "../wire/openaiServer";
import { endWorlds, proven, records, say, type World, world } from "./world";

const read = (number: number): WireAnswer => ({
  thinking: `Thought ${number}.`,
  calls: [{ id: `c${number}`, name: "Read", input: { file_path: `src/${number}.ts` } }],
});
const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`src/${at}.ts`, `const n = ${at};\n`]));

/** Three turns, each with a call. */
const script = (number: number): WireAnswer => (number % 2 === 0 ? read(number) : { text: `Answer ${number}.` });

async function converse(at: World): Promise<void> {
  for (let turn = 1; turn <= 3; turn++) {
    await say(at, `Fact ${turn} is plover-${turn}.`);
  }
  assert.deepEqual(
    records(at, "turnEnd").map(({ reason, error }) => error?.message ?? reason),
    ["done", "done", "done"],
  );
  assert.deepEqual(records(at, "compaction"), []);
  await proven(at);
}

describe("thoughts that a server refuses, or wants", () => {
  afterEach(endWorlds);

  /** As after a new key, another account behind a gateway, or a copied session. */
  const sealed: readonly [Kind["name"], says: string, thought: RegExp][] = [
    ["anthropic", "messages.1.content.0: Invalid `signature` in `thinking` block", /"type":"thinking"/],
    ["bedrock", "messages.1.content.0: Invalid `signature` in `thinking` block", /reasoningContent/],
    ["google", "Thought signature is not valid", /"thoughtSignature":"c2/],
  ];
  for (const [name, words, thought] of sealed) {
    it(`${name}: what another account signed stays behind, what this one signs goes`, async () => {
      const kind = kindOf(name);
      const bodies: string[] = [];
      let refused = 0;
      const server = await kind.start((number, body) => {
        const text = JSON.stringify(body);
        bodies.push(text);
        const isFirst = refused === 0 && text.includes("plover-2.") && thought.test(text);
        if (!isFirst) return script(number);
        refused += 1;
        return { refuse: { status: 400, body: kind.error(400, "invalid_request_error", words) } };
      });
      const at = await world({ provider: server, key: kind.key, files, settings: kind.settings });
      await converse(at);
      assert.equal(refused, 1);
      const last = bodies.at(-1) ?? "";
      for (let turn = 1; turn <= 3; turn++) assert.ok(last.includes(`plover-${turn}.`));
      assert.match(last, /"name":"Read"/);
      const after = bodies[bodies.findIndex(body => body.includes("plover-2.")) + 1] ?? "";
      assert.ok(!thought.test(after), "nothing of the old thoughts goes again");
      assert.ok(thought.test(last), "thoughts of later steps go");
      assert.deepEqual(pluck(records(at, "note"), "text"), []);
    });
  }

  const chat = { "model.provider": "server", "model.name": "some-model", "model.api": "chat" } as const;
  const wishes: readonly [what: string, words: string, isBad: (message: Message) => boolean][] = [
    [
      "wants what was thought back with each call",
      "reasoning_content is missing in assistant tool call message",
      ({ role, reasoning_content, tool_calls }) =>
        role === "assistant" && tool_calls !== undefined && reasoning_content === undefined,
    ],
    [
      "wants what was thought back with each step",
      "Missing `reasoning_content` field in the assistant message at message index 4.",
      ({ role, reasoning_content }) => role === "assistant" && reasoning_content === undefined,
    ],
    [
      "takes nothing back that was thought",
      "property 'reasoning_content' is unsupported",
      ({ reasoning_content }) => reasoning_content !== undefined,
    ],
  ];
  for (const [what, words, isBad] of wishes) {
    it(`an unknown server that ${what} is asked again, once for all sessions of the process`, async () => {
      let refused = 0;
      const server = await startOpenaiServer((body, number) => {
        const { messages } = body as { messages: Message[] };
        if (messages.some(isBad)) {
          refused += 1;
          return { refuse: { status: 400, body: JSON.stringify({ error: { message: words } }) } };
        }
        // Every second step has no thoughts.
        const { thinking, ...rest } = script(number);
        return number % 4 === 0 ? { thinking: thinking ?? "", ...rest } : rest;
      });
      const at = await world({ provider: server, files, settings: chat });
      await converse(at);
      assert.equal(refused, 1);
      assert.deepEqual(records(at, "note"), []);
    });
  }

  it("Claude that does not begin to think behind a step of another model goes on without, and thinks in the next turn", async () => {
    const kind = kindOf("anthropic");
    let refused = 0;
    const thinks: boolean[] = [];
    const server = await kind.start((number, body) => {
      const { messages, thinking } = body as {
        messages: { role: string; content: { type: string }[] }[];
        thinking?: object;
      };
      const step = messages.findLast(({ role }) => role === "assistant");
      const isBare = step !== undefined && step.content[0]?.type !== "thinking";
      if (thinking !== undefined && isBare) {
        refused += 1;
        const words = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.";
        return { refuse: { status: 400, body: kind.error(400, "invalid_request_error", words) } };
      }
      thinks.push(thinking !== undefined);
      const { thinking: thought, ...rest } = script(number);
      return number === 0 ? rest : { thinking: thought ?? "Hm.", ...rest };
    });
    const settings = { ...kind.settings, "model.name": "claude-sonnet-4-5", "model.reasoning": "high" } as const;
    const at = await world({ provider: server, key: kind.key, files, settings });
    await converse(at);
    assert.equal(refused, 1);
    assert.deepEqual(thinks, [true, false, true, true, true, true]);
  });
});

interface Message {
  role: string;
  reasoning_content?: string;
  tool_calls?: unknown[];
}
