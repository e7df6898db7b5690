/** Calls that models write as text, in the forms of their families: over HTTP, in any pieces, as tools and in the text protocol. */
import assert from "node:assert/strict";
import type { MessagePart } from "../../../src/shared/messages";
import { events, startRawServer } from "../../wire/rawServer";
import { models, step } from "../connect";

/** of the pieces in which each text comes */
const SIZES = [1, 7, 10_000];

const json = '{"name": "Read", "arguments": {"file_path": "src/a.ts"}}';
const input = '{"file_path": "src/a.ts"}';
const one = ['Read {"file_path":"src/a.ts"}'];
const invoke = (dialect: string) =>
  `<${dialect}invoke name="Read">\n<${dialect}parameter name="file_path">src/a.ts</${dialect}parameter>\n</${dialect}invoke>`;
const wrapped = (dialect: string, around: string) =>
  `<${dialect}${around}>\n${invoke(dialect)}\n</${dialect}${around}>`;

const plain: readonly [string, string, string[]?][] = [
  ["Hermes", `<tool_call>\n${json}\n</tool_call>`],
  ["Hermes, on one line", `<tool_call>${json}</tool_call>`],
  ["Hermes, not closed", `<tool_call>\n${json}`],
  [
    "Hermes, twice",
    `<tool_call>\n${json}\n</tool_call>\n<tool_call>\n{"name": "LS", "arguments": {}}\n</tool_call>`,
    [...one, "LS {}"],
  ],
  ["Hermes, arguments as text", `<tool_call>\n${JSON.stringify({ name: "Read", arguments: input })}\n</tool_call>`],
  ["Hermes, parameters", `<tool_call>{"name": "Read", "parameters": ${input}}</tool_call>`],
  ["Hermes in a plural tag", `<tool_calls>[${json}]</tool_calls>`],
  [
    "Hermes with a made-up result",
    `<tool_call>\n${json}\n</tool_call>\n<tool_response>\nlet a;\n</tool_response>\nFine.`,
  ],
  ["function_call tags", `<function_call>${json}</function_call>`],
  ["Nemotron", `<TOOLCALL>[${json}]</TOOLCALL>`],
  [
    "Qwen XML",
    "<tool_call>\n<function=Read>\n<parameter=file_path>\nsrc/a.ts\n</parameter>\n</function>\n</tool_call>",
  ],
  [
    "Qwen XML without its first tag",
    "<function=Read>\n<parameter=file_path>\nsrc/a.ts\n</parameter>\n</function>\n</tool_call>",
  ],
  [
    "Qwen XML with a number",
    "<tool_call>\n<function=Read>\n<parameter=file_path>\nsrc/a.ts\n</parameter>\n<parameter=offset>\n10\n</parameter>\n</function>\n</tool_call>",
    ['Read {"file_path":"src/a.ts","offset":10}'],
  ],
  ["Llama's function tag", `<function=Read>${input}</function>`],
  ["a function tag with a name", '<function name="Read"><param name="file_path">src/a.ts</param></function>'],
  ["invoke", invoke("")],
  ["invoke in function_calls", wrapped("", "function_calls")],
  ["invoke in a dialect", wrapped("antml:", "function_calls")],
  ["MiniMax", wrapped("minimax:", "tool_call").replace(/minimax:(?=invoke|parameter)/g, "")],
  [
    "Seed",
    "<seed:tool_call>\n<function=Read>\n<parameter=file_path>src/a.ts</parameter>\n</function>\n</seed:tool_call>",
  ],
  ["DSML", wrapped("｜DSML｜", "function_calls").replace('"file_path">', '"file_path" string="true">')],
  ["DSML, tool_calls", wrapped("｜DSML｜", "tool_calls")],
  ["DSML with plain bars", wrapped("|DSML|", "function_calls")],
  [
    "DeepSeek V3",
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>Read\n\`\`\`json\n${input}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    "DeepSeek V3.1",
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>Read<｜tool▁sep｜>${input}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    "Kimi",
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.Read:0<|tool_call_argument_begin|>${input}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  [
    "Kimi without its section",
    `<|tool_call_begin|>functions.Read:12<|tool_call_argument_begin|>${input}<|tool_call_end|>`,
  ],
  ["Mistral", `[TOOL_CALLS] [${json}]`],
  ["Mistral, new", `[TOOL_CALLS]Read[ARGS]${input}`],
  ["Mistral with an id", `[TOOL_CALLS]Read[CALL_ID]abc123DEF[ARGS]${input}`],
  ["Mistral without ARGS", `[TOOL_CALLS]Read${input}`],
  ["Llama's python tag", `<|python_tag|>{"name": "Read", "parameters": ${input}}`],
  ["Granite", `<|tool_call|>[${json}]`],
  ["InternLM", `<|action_start|><|plugin|>${json}<|action_end|>`],
  ["Command R", `<|START_ACTION|>[{"tool_name": "Read", "parameters": ${input}}]<|END_ACTION|>`],
  ["GLM", "<tool_call>Read\n<arg_key>file_path</arg_key>\n<arg_value>src/a.ts</arg_value>\n</tool_call>"],
  ["harmony", `<|channel|>commentary to=functions.Read <|constrain|>json<|message|>${input}<|call|>`],
  ["Gemma", '```tool_code\nRead(file_path="src/a.ts")\n```'],
  ["Gemma 4", '<|tool_call>call:Read{file_path:<|"|>src/a.ts<|"|>}<tool_call|>'],
  ["a tag by the tool's name", "<Read>\n<file_path>src/a.ts</file_path>\n</Read>"],
  ["bare JSON", json],
  ["bare JSON in a block", `\`\`\`json\n${json}\n\`\`\``],
  ["bare JSON over lines", JSON.stringify(JSON.parse(json), null, 2)],
  ["bare JSON in a list", `[${json}]`],
  ["OpenAI's JSON", `{"type": "function", "function": ${json}}`],
  ["tool_calls as JSON", `{"tool_calls": [${json}]}`],
  ["old JSON", `{"function_call": {"name": "Read", "arguments": ${JSON.stringify(input)}}}`],
  [
    "Step, with lines below",
    `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>Read\n${input}<｜tool_call_end｜>`,
  ],
  ["LFM", '<|tool_call_start|>[Read(file_path="src/a.ts")]<|tool_call_end|>'],
  ["OLMo", '<function_calls>\nRead(file_path="src/a.ts")\n</function_calls>'],
  ["Hermes with an end of its template", `<tool_call>\n${json}\n</tool_call>\n</s>`],
  ["Hermes, and it waits", `<tool_call>\n${json}\n</tool_call>\n\nI'll wait for the result.`],
  ["a name in other capitals", `<tool_call>${json.replace("Read", "read")}</tool_call>`],
  ["a name with its namespace", `<tool_call>${json.replace("Read", "functions.Read")}</tool_call>`],
];

const hermes = `<tool_call>\n${json}\n</tool_call>`;
const prose: readonly [string, string][] = [
  ["words about tags", "Hermes writes `<tool_call>` around JSON, and Qwen `<function=name>`."],
  ["an example in a block", `Like this:\n\n\`\`\`xml\n<tool_call>\n${json}\n</tool_call>\n\`\`\`\n\nThat is all.`],
  ["another's tool", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'],
  ["JSON that is no call", '{"name": "strata", "version": "1.0.0"}'],
  ["JSON in a block that is no call", '```json\n{"name": "strata", "scripts": {}}\n```\nIs the file.'],
  ["HTML", "<h1>Read</h1>\n<p>a < b && c > d</p>"],
  ["generic types", "Use `Map<string, Read>` and List<Read> here."],
  ["a list", "- [TODO] one\n- [ ] two\n[link](http://a)"],
  ["code", "```ts\nconst a = { name: 'Read' };\n```"],
  ["a tag at the very end", "The tag is <tool"],
  ["explained JSON", `A call looks like this:\n\n${json}\n\nIt reads a file.`],
  ["explained JSON in a block", `Here:\n\`\`\`json\n${json}\n\`\`\`\nThe name is the tool's.`],
  ["a tag within a line", `Hermes models write <tool_call>${json}</tool_call> when they call.`],
  ["a block in a longer block", `\`\`\`\`md\n\`\`\`\n${hermes}\n\`\`\`\n${hermes}\n\`\`\`\`\nDone.`],
  ["a block between tildes", `~~~\n\`\`\`\n${hermes}\n~~~\n`],
  ["a block that no other mark ends", `\`\`\`\n\`\`\`js\n${hermes}\n\`\`\`\nEnd.`],
  ["a block in a list", `- \`\`\`xml\n  ${hermes.replaceAll("\n", "\n  ")}\n  \`\`\`\n`],
  ["a block by its indent", `Here:\n\n    ${hermes.replaceAll("\n", "\n    ")}\n\nDone.`],
  ["a quotation", `The README:\n\n> ${hermes.replaceAll("\n", "\n> ")}`],
  ["a table", `| form | text |\n|---|---|\n| Hermes | <tool_call>${json}</tool_call> |\n`],
  ["a tag in the middle of code", `Write \`x = ${invoke("").replaceAll("\n", "")}\` there.`],
  ["a comment", `<!-- ${hermes} -->\nDone.`],
  ["a mark within a line", `Mistral writes [TOOL_CALLS]Read[ARGS]${input} in its text.`],
];

const unclear: readonly [string, string][] = [
  ["a tag, explained behind it", `Hermes:\n${hermes}\nThat is what vLLM parses.`],
  ["what it would do", `I would call\n${hermes}\nin that case. Shall I?`],
  ["a tag by a tool's name, explained", "<Read>\n<file_path>a</file_path>\n</Read>\nis how others write it."],
  ["a call with other words behind it", `${hermes}\nThe file has one line.`],
  ["an input that it does not take", '<tool_call>\n{"name": "Read", "arguments": {"path": 1}}\n</tool_call>'],
  ["a broken input", '<tool_call>\n{"name": "Read", "arguments": {"file_path": }\n</tool_call>'],
  ["a parameter that is not closed", '<invoke name="Read">\n<parameter name="file_path">src/a.ts\n</invoke>'],
  ["no input", "<tool_call>\nRead\n</tool_call>"],
  [
    "another form yet",
    '<|tool_calls_section_begin|>{"call": "functions.Read", "with": "src/a.ts"}<|tool_calls_section_end|>',
  ],
];

/** Thoughts that a server leaves in the text: what is thought, and what is said. */
const thoughts: readonly [string, string, string, string?][] = [
  ["tags", "<think>\nThe plan.\n</think>\n\nHello.", "Hello."],
  ["only its end", "The plan.\n</think>\n\nHello.", "Hello."],
  ["only its end, in the line", "The plan.</think>\nHello.", "Hello."],
  ["only its end, between words", "1. The plan.</think>391", "391", "1. The plan."],
  ["only its end, between sentences", "The plan.</think>I can't reach the files.", "I can't reach the files."],
  ["only its end, over lines", "The plan:\n- one\n- `two`\n</think>\nHello.", "Hello.", "The plan:\n- one\n- `two`"],
  [
    "only its end, with a block of code in it",
    "The\n```\nplan\n```\n</think>\nHello.",
    "Hello.",
    "The\n```\nplan\n```",
  ],
  ["only its end, and nothing before", "</think>\n\nHello.", "Hello.", ""],
  ["only its end, of another name", "The plan.</thinking>\nHello.", "Hello."],
  ["only its end, Kimi's", "The plan.◁/think▷\nHello.", "Hello."],
  ["only its end, Magistral's", "The plan.[/THINK]\nHello.", "Hello."],
  ["its end at the very end", "The plan.\n</think>", ""],
  ["behind words", "Here is my take.<think>The plan.</think>Hello.", "Here is my take.\n\nHello."],
  ["behind a line", "Let me see.\n\n<think>\nThe plan.\n</think>\n\nHello.", "Let me see.\n\nHello."],
  ["behind words, not closed", "Let me see.\n<think>\nThe plan.", "Let me see."],
  ["twice, with words between", "<think>The</think>So.\n<think>plan.</think>Hello.", "So.\nHello.", "Theplan."],
];
const noThoughts: readonly string[] = [
  "The tag `<think>` begins a thought, and `</think>` ends it.",
  "The tag <think> begins a thought, and </think> ends it.",
  "They write <think>so</think> there.",
  'Write "<think>" first, "</think>" last.',
  "```\n<think>a</think>\n```\n",
  "> The plan.\n> </think>\n> Hello.",
  "<thin> is no tag, </thin is none, < nor is this",
  "a<b, [THIN, ◁th",
];

interface Got {
  text: string;
  calls: string[];
  error?: string;
}

const textOf = (parts: readonly MessagePart[], type: string) =>
  parts.flatMap(part => (part.type === type && "text" in part ? [part.text] : [])).join("");

/** @param size of the pieces in which the text comes */
async function answered(text: string, size: number, protocol: "tools" | "react", finish = "stop"): Promise<Got> {
  const { outcome, failure } = await asked(text, size, protocol, finish);
  const said = textOf(outcome.parts, "text");
  const calls = outcome.parts.flatMap(part =>
    part.type === "dynamic-tool" ? [`${part.toolName} ${part.errorText ?? JSON.stringify(part.input)}`] : [],
  );
  return { text: said, calls, ...(failure && { error: failure.message }) };
}

const partsOf = async (text: string, size: number, finish = "stop") =>
  (await asked(text, size, "tools", finish)).outcome.parts;

async function asked(text: string, size: number, protocol: "tools" | "react", finish: string) {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: "c",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const body = events(...pieces.map(content => chunk({ content })), chunk({}, finish));
  const server = await startRawServer(() => ({ body: [body.join("")] }));
  try {
    const set = { "model.provider": "server", "model.baseUrl": server.url, "model.protocol": protocol } as const;
    const connection = await models(set).connect();
    const { outcome } = await step(connection);
    return outcome.kind === "failed" ? { outcome, failure: connection.explain(outcome.error) } : { outcome };
  } finally {
    await server.close();
  }
}

describe("calls that a model writes as text", () => {
  for (const [name, text, calls = one] of plain) {
    for (const size of SIZES) {
      it(`${name}, in pieces of ${size}`, async () => {
        assert.deepEqual(await answered(text, size, "tools"), { text: "", calls });
      });
    }
    it(`${name}, behind words`, async () => {
      for (const size of SIZES) {
        const got = await answered(`I read the file.\n\n${text}\n`, size, "tools");
        assert.deepEqual({ ...got, text: got.text.trim() }, { text: "I read the file.", calls }, String(size));
      }
    });
    it(`${name}, in the text protocol`, async () => {
      for (const size of SIZES) assert.deepEqual((await answered(text, size, "react")).calls, calls, String(size));
    });
  }

  for (const [name, text] of prose) {
    for (const size of SIZES) {
      it(`are not: ${name}, in pieces of ${size}`, async () => {
        assert.deepEqual(await answered(text, size, "tools"), { text, calls: [] });
      });
    }
  }

  it("leave a text whole whose last line may begin with a mark", async () => {
    for (const text of ["One.\n\n`two`", "One.\n\n[two", "One.\n\n{", "One.\n<tool"])
      for (const size of SIZES)
        assert.deepEqual(await partsOf(text, size), [{ type: "text", text }], `${text} ${size}`);
  });

  for (const [name, text] of unclear) {
    it(`cannot be read: ${name}`, async () => {
      for (const size of SIZES) {
        const { calls, error } = await answered(text, size, "tools");
        assert.deepEqual(calls, [], String(size));
        assert.match(error ?? "", /as text that cannot be read, so nothing ran/, String(size));
      }
    });
  }

  for (const [name, text] of [
    ["Hermes", '<tool_call>\n{"name": "Read", "arguments": {"file_path": "src'],
    ["Qwen", "<tool_call>\n<function=Read>\n<parameter=file_path>\nsrc"],
    ["invoke", '<invoke name="Read">\n<parameter name="file_path">src'],
    ["Kimi", '<|tool_call_begin|>functions.Read:0<|tool_call_argument_begin|>{"file_path": "s'],
    ["GLM", "<tool_call>Read\n<arg_key>file_path</arg_key>\n<arg_value>src"],
  ] as const) {
    it(`are cut off by the most tokens: ${name}`, async () => {
      for (const size of SIZES) {
        const { calls } = await answered(text, size, "tools", "length");
        assert.equal(calls.length, 1, String(size));
        assert.match(calls[0] ?? "", /^Read it was cut off/);
      }
    });
  }
});

describe("thoughts that a model writes as text", () => {
  for (const [what, text, said, thought = "The plan."] of thoughts) {
    for (const size of SIZES) {
      it(`${what}, in pieces of ${size}`, async () => {
        const parts = await partsOf(text, size, said === "" ? "length" : "stop");
        const got = [textOf(parts, "text").trim(), textOf(parts, "reasoning").trim()];
        assert.deepEqual(got, [said, thought]);
      });
    }
  }
  for (const text of noThoughts) {
    for (const size of SIZES) {
      it(`are none: ${text}, in pieces of ${size}`, async () => {
        const parts = await partsOf(text, size);
        assert.deepEqual([textOf(parts, "text"), textOf(parts, "reasoning")], [text, ""]);
      });
    }
  }
});
