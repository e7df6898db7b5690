import assert from "node:assert/strict";
import fc from "fast-check";
import { type AssembleInput, assemble } from "../../../src/core/context/assemble";
import { buildLayers } from "../../../src/core/context/layers";
import { buildManifest, type PreviousRequest, spliceSegments } from "../../../src/core/context/requestLog";
import { renderTemplate } from "../../../src/core/ground/text/format";
import { Conversation } from "../../../src/core/log/conversation";
import { applyRecord } from "../../../src/core/log/project";
import type { LogRecord } from "../../../src/shared/records";
import type { Todo } from "../../../src/shared/toolResult";
import { hash } from "../../fakes/hash";
import { pluck } from "../../fakes/pluck";
import { messageRecord, resultRecord, turnEndRecord } from "../../fakes/records";
import { asItIs } from "../../fakes/redact";
import { cases } from "../../fakes/soak";

let seq = 0;
const base = () => ({ id: `r${++seq}`, seq, ts: 1 });

const user = (id: string, turn: number, text: string): LogRecord => ({
  ...base(),
  ...messageRecord("user", text, { id, turn }),
});
function assistant(id: string, turn: number, step: number, text: string, ...calls: string[]): LogRecord {
  const parts = calls.map(toolCallId => ({
    ...{ type: "dynamic-tool" as const, toolName: "Read", toolCallId, state: "input-available" as const },
    input: { file_path: toolCallId },
  }));
  return { ...base(), ...messageRecord("assistant", text, { id, turn, step, parts }) };
}
const result = (messageId: string, callId: string, turn: number, shown: string, kept?: string): LogRecord => ({
  ...base(),
  ...resultRecord({ messageId, callId, turn, forms: { shown, ...(kept === undefined ? {} : { kept }) } }),
});
function project(...records: LogRecord[]): Conversation {
  const conversation = new Conversation();
  for (const record of records) applyRecord(conversation, record);
  return conversation;
}

const tools = [{ name: "Read", description: asItIs("reads"), inputSchema: { type: "object" } }];
const facts = { roots: [{ name: "app", path: "/ws/app", uri: "file:///ws/app" }], platform: "linux", shell: "bash" };
const ended = (turn: number, more: { unsettled?: true } = {}): LogRecord => ({
  ...{ id: `e${turn}`, seq: 1, ts: 1 },
  ...turnEndRecord(turn, more),
});

const settled = (turn: number): LogRecord => ({ id: "f", seq: 1, ts: 1, kind: "fold", results: [], settled: turn });

function request(
  conversation: Conversation,
  change: { todos?: Todo[]; rules?: string; tools?: AssembleInput["tools"] } = {},
) {
  const rules = change.rules ? [{ path: "AGENTS.md", text: change.rules, cutBytes: 0, trust: "rules" as const }] : [];
  return assemble({
    layers: buildLayers(
      {
        facts,
        ...{ rules, skills: [], activeSkills: [] },
        todos: change.todos ?? [],
        workingState: undefined,
        tasks: undefined,
        day: undefined,
        editor: undefined,
        unfinished: false,
        planning: false,
        plan: undefined,
      },
      asItIs,
    ),
    tools: change.tools ?? tools,
    summaries: conversation.summaries,
    messages: conversation.messages,
    turn: conversation.turn,
    settled: conversation.settled,
    brief: conversation.brief,
    callOptions: {},
    image: () => undefined,
    hash,
    memo: new WeakMap(),
  });
}
const meta = {
  requestId: "q",
  runId: "run1",
  turn: 1,
  step: 1,
  attempt: 1,
  ts: 1,
  model: "m",
  bodySha256: null,
  repaired: false,
};
function manifestAfter(
  before: ReturnType<typeof request>,
  now: ReturnType<typeof request>,
  change: Partial<typeof meta> = {},
) {
  const first = buildManifest(before, meta, undefined, hash);
  const sinceWhole = { manifests: 0, segments: 0 };
  const previous: PreviousRequest = { model: "m", segments: first.segments, self: first.self, sinceWhole };
  const manifest = buildManifest(now, { ...meta, ...change }, previous, hash);
  const { content: _, value: __, ...expected } = now.segments.at(-1)!;
  assert.deepEqual(spliceSegments(first.segments, manifest).at(-1), expected);
  return manifest;
}

const turn1 = [
  user("u1", 1, "hello"),
  assistant("a1", 1, 1, "look", "c1", "c2"),
  result("a1", "c2", 1, "second"),
  result("a1", "c1", 1, "first"),
];

describe("assemble", () => {
  it("puts layers in order, results in the order of their calls, the tail last", () => {
    const { messages, instructions, segments } = request(project(...turn1), {
      rules: "be kind",
      todos: [{ content: "Fix", status: "in_progress" }],
    });
    assert.match(
      instructions,
      /^You are Strata[\s\S]*Workspace\n- folders: \/ws\/app[\s\S]*Rules from AGENTS.md:\n\nbe kind$/,
    );
    assert.deepEqual(pluck(messages, "role"), ["user", "assistant", "tool", "user"]);
    const output =
      messages[2]?.role === "tool" ? messages[2].content.map(part => part.type === "tool-result" && part.output) : [];
    assert.deepEqual(output, [
      { type: "text", value: "first" },
      { type: "text", value: "second" },
    ]);
    assert.equal(messages[3]?.content, "<system-reminder>\nThe todo list now:\n[>] Fix\n</system-reminder>");
    assert.deepEqual(
      segments.map(({ layer, source }) => `${layer} ${source}`),
      [
        "L1 tools",
        "L1 prompt:system",
        "L1 facts",
        "L2 rules:AGENTS.md",
        "turn message:u1",
        "turn message:a1",
        "turn result:c1",
        "turn result:c2",
        "tail tail:todo",
      ],
    );
    for (const segment of segments) assert.equal(segment.sha256, hash.sha256(segment.content));
  });

  it("says of a call without a result that its effect is unknown", () => {
    const { messages } = request(project(...turn1.slice(0, 3)));
    assert.match(JSON.stringify(messages[2]), /INTERRUPTED: .*effect is unknown/);
  });

  describe("sends observations as shown in their turn, and as kept", () => {
    const records = [user("u1", 1, "hi"), assistant("a1", 1, 1, "", "c1"), result("a1", "c1", 1, "whole", "short")];
    const next = user("u2", 2, "more");
    const cases: [string, LogRecord[], "whole" | "short"][] = [
      ["not yet in it", records, "whole"],
      ["from its end, in logs of earlier versions", [...records, ended(1), next], "short"],
      ["not while nothing breaks the prefix", [...records, ended(1, { unsettled: true }), next], "whole"],
      ["from the fold that settles them", [...records, ended(1, { unsettled: true }), next, settled(1)], "short"],
      ["not those of turns after it", [...records, ended(1, { unsettled: true }), settled(0), next], "whole"],
      ["not where the turn goes on after its end", [...records, ended(1), assistant("a2", 1, 2, "on")], "whole"],
    ];
    for (const [name, log, expected] of cases)
      it(name, () => {
        const sent = JSON.stringify(request(project(...log)).messages);
        assert.deepEqual(
          ["whole", "short"].filter(word => sent.includes(word)),
          [expected],
        );
      });
  });

  it("begins with the bytes of the request before, whatever is appended", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("user", "step", "steer"), fc.string()), { maxLength: 12 }),
        script => {
          const conversation = new Conversation();
          let before = request(conversation);
          let turn = 0;
          for (const [at, [what, text]] of script.entries()) {
            if (what === "user" || turn === 0) applyRecord(conversation, user(`u${at}`, ++turn, text));
            else if (what === "steer") applyRecord(conversation, user(`s${at}`, turn, text));
            else {
              applyRecord(conversation, assistant(`a${at}`, turn, at, text, `c${at}`));
              applyRecord(conversation, result(`a${at}`, `c${at}`, turn, text));
            }
            const todos: Todo[] = [{ content: text || "x", status: "pending" }];
            const now = request(conversation, { todos });
            const manifest = manifestAfter(before, now);
            assert.equal(manifest.unexplained, undefined);
            assert.equal(manifest.cause, undefined);
            before = now;
          }
        },
      ),
      { numRuns: cases(200) },
    );
  });
});

describe("manifest", () => {
  const before = request(project(...turn1), { rules: "a" });
  const cases: [string, ReturnType<typeof request>, Partial<typeof meta>, string | undefined][] = [
    ["rules", request(project(...turn1), { rules: "b" }), {}, "rules-changed"],
    ["rules gone", request(project(...turn1)), {}, "rules-changed"],
    [
      "tools",
      request(project(...turn1), {
        rules: "a",
        tools: [...tools, { name: "X", description: asItIs(""), inputSchema: {} }],
      }),
      {},
      "tools-changed",
    ],
    ["log mended", request(project(...turn1.slice(0, 1)), { rules: "a" }), { repaired: true }, "log-repaired"],
    ["nothing that may", request(project(user("u1", 1, "changed"), ...turn1.slice(1)), { rules: "a" }), {}, undefined],
  ];
  for (const [name, now, change, cause] of cases) {
    it(`names the cause: ${name}`, () => {
      const manifest = manifestAfter(before, now, change);
      assert.equal(manifest.cause, cause);
      assert.equal(manifest.unexplained, cause ? undefined : true);
      assert.ok(manifest.sharedTokens <= manifest.totalTokens);
    });
  }
  it("names the turn's end where the observation of one goes from shown to kept, and nothing where none does", () => {
    const turn = (kept?: string) => [
      user("u1", 1, "hi"),
      assistant("a1", 1, 1, "", "c1"),
      result("a1", "c1", 1, "whole", kept),
    ];
    const nextTurn = (kept?: string) => {
      const records = [...turn(kept), ended(1, { unsettled: true })];
      const now = request(project(...records, user("u2", 2, "more"), settled(1)));
      return manifestAfter(request(project(...records)), now);
    };
    const [changed, same] = [nextTurn("short"), nextTurn()];
    assert.deepEqual([changed.cause, changed.unexplained, same.cause, same.unexplained], ["turn-end", ...Array(3)]);
    assert.ok(changed.sharedTokens < same.sharedTokens);
    // The same change within a turn is none of its causes.
    const within = manifestAfter(
      request(project(...turn())),
      request(project(...turn().with(2, result("a1", "c1", 1, "other")))),
    );
    assert.deepEqual([within.cause, within.unexplained], [undefined, true]);
  });
  it("counts what is shared, and chains the records", () => {
    const now = request(project(...turn1, assistant("a2", 1, 2, "done")), { rules: "a" });
    const manifest = manifestAfter(before, now);
    assert.equal(manifest.sharedTokens, before.tokens);
    assert.equal(manifest.keep, before.segments.length);
    assert.equal(manifest.segments.length, 1);
    const { self, ...rest } = manifest;
    assert.equal(self, hash.sha256(JSON.stringify(rest)));
  });
});

describe("prompts", () => {
  it("are rendered strictly", () => {
    assert.equal(renderTemplate("a {{x}} b", { x: "1" }), "a 1 b");
    assert.throws(() => renderTemplate("{{x}}", {}), /x is missing/);
    assert.throws(() => renderTemplate("a", { y: "1" }), /y is not in the prompt/);
  });
});
