/** Any call that stands in a conversation is read again as it was written into it, whatever the pieces in which it comes. */
import assert from "node:assert/strict";
import { toText } from "../../../src/models/react/protocol";
import { TextReader } from "../../../src/models/react/textReader";
import type { SdkPrompt } from "../../../src/models/sdk/prompt";
import { Random } from "../../fakes/random";
import { cases } from "../../fakes/soak";
import { tools } from "../../fixtures/react/answers";
import { read } from "../../fixtures/react/read";

/** What could be taken for the end of something, or its beginning. */
const HOSTILE = [
  ...[
    '"',
    "'",
    "\\",
    "]",
    "[",
    "}",
    "{",
    ")",
    "`",
    "```\n",
    "\n",
    "\r\n",
    "\t",
    "\u2028",
    "\0",
    "😀",
    "登录",
    "：",
    "【",
  ],
  ...[
    "Action: Read[{",
    "\nAction: Finish[",
    "\nThought: ",
    "\n[tool] {}",
    "\nObservation: x",
    "</tool_call>",
    "}]\n",
    ",]",
  ],
  ...["\\n", "\\u0041", "//", "/*", "<think>", "null", " ", "word", "1e9"],
];

function value(random: Random, depth = 0): unknown {
  if (depth < 3 && random.chance(0.15)) return Array.from({ length: random.int(0, 3) }, () => value(random, depth + 1));
  if (depth < 3 && random.chance(0.15)) return object(random, depth + 1);
  if (random.chance(0.2)) return random.pick([0, -1.5, 1e21, true, false, null]);
  return Array.from({ length: random.int(0, 8) }, () => random.pick(HOSTILE)).join("");
}

function object(random: Random, depth = 0): Record<string, unknown> {
  const keys = Array.from(
    { length: random.int(0, 4) },
    (_, at) => random.pick(["file_path", "pattern", "a b", "键"]) + at,
  );
  return Object.fromEntries(keys.map(key => [key, value(random, depth)]));
}

/** Words without brackets, labels and signs that stand at a line's end. */
const SAFE = ["look", "at", "the", "登录", "file.", "a\nline", "`x`", "“so”", "1,", "then\n\n- one", "reaction"];
const prose = (random: Random): string =>
  `Now ${Array.from({ length: random.int(0, 9) }, () => random.pick(SAFE)).join(" ")} end`;

const NAMES = ["Read", "Bash", "TodoWrite", "unknown_tool", "server-x.y"];

function inPieces(text: string, random: Random) {
  const size = random.pick([1, 2, 5, 40, text.length]);
  return read(text, () => random.int(1, size));
}

const serialised = (content: Extract<SdkPrompt[number], { role: "assistant" }>["content"]): string => {
  const [message] = toText([{ role: "assistant", content }]);
  const [part] = message?.role === "assistant" ? message.content : [];
  return part?.type === "text" ? part.text : "";
};

describe("models: the text protocol, round trip", () => {
  it("calls come back as they were, whatever is in them", () => {
    for (let seed = 1; seed <= cases(20_000); seed++) {
      const random = new Random(seed);
      const thought = random.chance(0.7) ? prose(random) : undefined;
      const calls = Array.from({ length: random.int(1, 4) }, () => ({
        name: random.pick(NAMES),
        input: object(random),
      }));
      const text = serialised([
        ...(thought === undefined ? [] : [{ type: "text" as const, text: thought }]),
        ...calls.map(({ name, input }, at) => ({
          ...{ type: "tool-call" as const, toolCallId: String(at), toolName: name, input },
        })),
      ]);
      const found = inPieces(text, random);
      assert.deepEqual(found.calls, calls, `seed ${seed}`);
      assert.equal(found.blocks.join("\n"), thought ?? "", `seed ${seed}`);
    }
  });

  it("words for the user come back as they were", () => {
    for (let seed = 1; seed <= cases(5_000); seed++) {
      const random = new Random(seed);
      const [thought, last] = [prose(random), `${prose(random)} a[0] (so)\n- [x] done`];
      const { blocks } = inPieces(
        serialised([
          { type: "text", text: thought },
          { type: "text", text: last },
        ]),
        random,
      );
      assert.deepEqual(blocks, [thought, last], `seed ${seed}`);
    }
  });

  it("an answer that was cut off has the calls that were complete, and no other", () => {
    const text = 'Thought: Two.\nAction: Read[{"file_path":"a"}]\nAction: Write[{"file_path":"b","content":"half';
    const { pieces } = read(text, () => 9, true);
    assert.deepEqual(
      pieces.filter(({ type }) => type !== "apart" && type !== "text"),
      [
        { type: "call", name: "Read", input: { file_path: "a" } },
        { type: "cutCall", name: "Write" },
      ],
    );
  });

  it("words are shown as they come, and no part of an action is", () => {
    const parser = new TextReader(tools, true);
    const text = (chunk: string) =>
      parser
        .push(chunk)
        .flatMap(piece => (piece.type === "text" ? [piece.text] : []))
        .join("");
    assert.equal(text("Thought: I look at the fi"), "I look at the fi");
    assert.equal(text("le now. Acti"), "le now.");
    assert.equal(text("vity is low.\nAction: Fin"), " Activity is low.");
    assert.equal(text("ish[The first wo"), "The first wo");
    assert.equal(text("rds [of"), "rds [of");
    assert.equal(text(" three]"), " three");
    assert.equal(text(", and more"), "], and more");
    assert.equal(text("]"), "");
    assert.deepEqual(parser.end({ isCut: false, hasCalls: false }), []);
  });

  it("an input that must not be guessed is asked for again", () => {
    for (const answer of [
      'Action: Write[{"file_path":"a","content":"half',
      "Action: Write[src/a.ts]",
      "Action: Edit[file_path=a]",
      "<tool_call>\nnothing of use\n</tool_call>",
    ]) {
      const { pieces } = read(answer, () => 9);
      assert.ok(!pieces.some(({ type }) => type === "call"), answer);
    }
  });

  it("every prefix of an answer can be its end", () => {
    const answer =
      'Thought: a.\n```json\n{"action": "Read", "action_input": {"file_path": "a"}}\n```\nAction: Finish["b" [c]]\n[tool] x';
    for (let length = 0; length <= answer.length; length++) {
      for (const isWhole of [true, false]) {
        assert.ok(read(answer.slice(0, length), () => 5, !isWhole));
      }
    }
  });
});

describe("models: a conversation in the text protocol", () => {
  it("alternates, keeps its pictures, and has results behind their role", () => {
    const prompt: SdkPrompt = [
      { role: "system", content: "Rules" },
      { role: "user", content: [{ type: "text", text: "Look." }] },
      { role: "user", content: [{ type: "text", text: "Quickly." }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hidden" },
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "1", toolName: "LS", input: {} },
          { type: "tool-call", toolCallId: "2", toolName: "Read", input: { file_path: "a" } },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "1", toolName: "LS", output: { type: "text", value: "a\nb" } },
          {
            type: "tool-result",
            toolCallId: "2",
            toolName: "Read",
            output: { type: "json", value: { status: "success" } },
          },
        ],
      },
      { role: "user", content: [{ type: "text", text: "<system-reminder>now</system-reminder>" }] },
    ];
    assert.deepEqual(toText(prompt), [
      { role: "system", content: "Rules" },
      { role: "user", content: [{ type: "text", text: "Look.\n\nQuickly." }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: '[assistant] Thought: I look.\nAction: LS[{}]\nAction: Read[{"file_path":"a"}]' },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "text",
            text: '[tool] a\nb\n\n[tool] {"status":"success"}\n\n<system-reminder>now</system-reminder>',
          },
        ],
      },
    ]);
  });
});
