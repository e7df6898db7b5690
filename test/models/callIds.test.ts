/** Ids of calls of another provider, or of none: calls and results leave with ids that the interface takes. */

import assert from "node:assert/strict";
import { anyIds, type CallIds, nineIds, plainIds, shortIds, withFittingIds } from "../../src/models/sdk/prompt";
import { pluck } from "../fakes/pluck";
import { endWorlds, proven, records, world } from "../overHttp/world";
import { type Kind, kinds } from "./kinds";

type Prompt = Parameters<typeof withFittingIds>[0];

const step = (...ids: string[]): Prompt => [
  {
    role: "assistant",
    content: ids.map(toolCallId => ({ type: "tool-call", toolCallId, toolName: "Read", input: {} })),
  },
  {
    role: "tool",
    content: ids.map(toolCallId => ({
      ...{ type: "tool-result", toolCallId, toolName: "Read" },
      output: { type: "text", value: `of ${toolCallId}` },
    })),
  },
];
const idsOf = (prompt: Prompt): string[] =>
  prompt.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.flatMap(part => ("toolCallId" in part ? [part.toolCallId] : [])),
  );

const given = [
  "call_abcdefghijklmnop",
  "toolu_01AbCdEfGhIjKlMnOpQrStUv",
  "functions.Read:0",
  "chatcmpl-tool-0123456789abcdef0123456789abcdef",
  `call_${"x".repeat(66)}`,
  `fc_${"y".repeat(400)}`,
  "9-zeichen",
  "AbC123xYz",
  "id with blanks",
  "идентификатор",
  "0",
];

const rules: Record<string, [CallIds, RegExp]> = {
  "Claude, Bedrock, Responses": [plainIds, /^[a-zA-Z0-9_-]{1,64}$/],
  "Chat Completions": [shortIds, /^[a-zA-Z0-9_-]{1,40}$/],
  Mistral: [nineIds, /^[a-zA-Z0-9]{9}$/],
  Kimi: [anyIds, /^[\x21-\x7e]{1,64}$/],
};

describe("ids of calls", () => {
  afterEach(endWorlds);

  for (const [name, [ids, shape]] of Object.entries(rules)) {
    it(`${name}: all fit, each call and its result alike, the same every time`, () => {
      const prompt = [...step(...given), ...step("call_abcdefghijklmnop")];
      const fit = withFittingIds(prompt, ids);
      const calls = idsOf(fit.filter(({ role }) => role === "assistant"));
      assert.deepEqual(calls, idsOf(fit.filter(({ role }) => role === "tool")));
      assert.equal(new Set(calls).size, calls.length, "no two calls have the same");
      for (const id of calls) assert.match(id, shape);
      assert.deepEqual(withFittingIds(prompt, ids), fit);
      // What comes later changes none that went before.
      assert.deepEqual(
        idsOf(withFittingIds([...prompt, ...step("later one")], ids)).slice(0, idsOf(fit).length),
        idsOf(fit),
      );
      assert.equal(withFittingIds(fit, ids), fit, "what fits stays the same object");
    });
  }

  it("what a server numbers alike in each answer is told apart", () => {
    const fit = withFittingIds([...step("call_0", "call_1"), ...step("call_0"), ...step("call_0")], plainIds);
    const ids = idsOf(fit);
    assert.deepEqual(ids.slice(0, 4), ["call_0", "call_1", "call_0", "call_1"]);
    assert.equal(new Set(ids).size, 4);
    assert.ok(ids[4] === ids[5] && ids[6] === ids[7] && ids[4] !== ids[6]);
  });

  const shapes: Record<Kind["name"] | "devstral", RegExp> = {
    ...{ responses: /^[a-zA-Z0-9_-]{1,64}$/, chat: /^[a-zA-Z0-9_-]{1,64}$/, anthropic: /^[a-zA-Z0-9_-]{1,64}$/ },
    ...{ google: /^[a-zA-Z0-9_-]{1,64}$/, bedrock: /^[a-zA-Z0-9_-]{1,64}$/, devstral: /^[a-zA-Z0-9]{9}$/ },
  };
  const chat = kinds.find(({ name }) => name === "chat") as Kind;
  const mistral = {
    ...chat,
    name: "devstral" as const,
    settings: { ...chat.settings, "model.name": "devstral-medium" },
  };
  for (const kind of [...kinds, mistral]) {
    it(`${kind.name}: over the wire`, async () => {
      const bodies: string[] = [];
      const odd = ["functions.Read:0", `call_${"x".repeat(90)}`];
      const server = await kind.start((number, body) => {
        bodies.push(JSON.stringify(body));
        return number === 0
          ? { calls: odd.map(id => ({ id, name: "Read", input: { file_path: "a.txt" } })) }
          : { text: "Done." };
      });
      const at = await world({
        key: kind.key,
        files: { "a.txt": "one\n" },
        settings: { ...kind.settings, "model.baseUrl": server.url },
      });
      await at.session.submit("Go.");
      await at.session.idle();
      await proven(at);
      await server.close();
      assert.deepEqual(pluck(records(at, "turnEnd"), "reason"), ["done"]);
      const ids = [...(bodies[1] ?? "").matchAll(/"(?:call_id|tool_call_id|tool_use_id|toolUseId|id)":"([^"]+)"/g)]
        .map(([, id]) => id ?? "")
        .filter(id => !/^(?:msg|fc|rs)_/.test(id));
      for (const id of ids) assert.match(id, shapes[kind.name]);
      for (const id of odd) assert.ok(!bodies[1]?.includes(`"${id}"`) || kind.name === "google", id);
    });
  }
});
