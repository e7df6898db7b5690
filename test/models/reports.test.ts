/** Streams from other agents' bug reports, each as its server sent it, with our tools' names in it. */
import { events } from "../wire/rawServer";
import { chat } from "./events/chatPieces";
import { input, type Row, read, tests } from "./events/streams";

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  ...chat(delta),
  choices: [{ index: 0, delta, finish_reason }],
});
const calls = (...tool_calls: object[]) => ({ tool_calls });
const stop = (piece: object) => [piece, chunk({}, "stop")];
const dsml = `<｜DSML｜tool_calls>\n<｜DSML｜invoke name="Read">\n<｜DSML｜parameter name="file_path" string="true">a.ts</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`;

const reports: readonly Row[] = [
  {
    what: "a finish_reason behind every piece (jcode 1326, OpenWebUI)",
    body: events(
      ...stop(chunk(calls({ index: 0, id: "x", type: "function", function: { name: "Read", arguments: "" } }))),
      ...stop(chunk(calls({ index: 0, function: { arguments: '{"file_path":' } }))),
      ...stop(chunk(calls({ index: 0, function: { arguments: '"a.ts"}' } }))),
      chunk({}, "tool_calls"),
      "data: [DONE]",
    ),
    ...read,
  },
  {
    what: "no finish_reason behind a call (pi 6226, NVIDIA NIM)",
    body: events(
      chunk(calls({ index: 0, id: "x", type: "function", function: { name: "Read", arguments: input } })),
      "data: [DONE]",
    ),
    ...read,
  },
  {
    what: "an empty finish_reason in each piece (goose 10258)",
    body: events(
      chunk(calls({ index: 0, id: "x", function: { name: "Read", arguments: '{"file_' } }), ""),
      chunk(calls({ index: 0, function: { arguments: 'path":"a.ts"}' } }), ""),
      chunk({}, "tool_calls"),
    ),
    ...read,
  },
  {
    what: "an empty function_call behind the calls (workbuddy-gateway 3)",
    body: events(
      chunk(calls({ index: 0, id: "x", function: { name: "Read", arguments: input } })),
      chunk({ content: "", function_call: { name: "", arguments: "" } }, "tool_calls"),
    ),
    ...read,
  },
  {
    what: "a usage piece without choices (opencode 1298, zukijourney)",
    body: events(chunk({ content: "Hello" }), chunk({}, "stop"), {
      id: "usage-1",
      provider_id: "or",
      usage: { prompt_tokens: 5186, completion_tokens: 35, total_tokens: 5221, multiplier_applied: 2 },
      request_id: "zj",
    }),
    text: "Hello",
  },
  {
    what: "the name behind the arguments (opencode 24137)",
    body: events(
      chunk(calls({ index: 0, id: "x", type: "function", function: { arguments: '{"file_path"' } })),
      chunk(calls({ index: 0, function: { name: "Read", arguments: ':"a.ts"}' } })),
      chunk({}, "tool_calls"),
    ),
    ...read,
  },
  {
    what: "the type behind the arguments (vercel/ai 5350)",
    body: events(
      chunk(calls({ index: 0, id: "x", function: { name: "Read", arguments: input } })),
      chunk(calls({ index: 0, type: "function", function: { arguments: "" } })),
      chunk({}, "tool_calls"),
    ),
    ...read,
  },
  {
    what: "a thought without an end before a call (MiMo recipe 1)",
    body: events(
      chunk({ content: "<think>Check content too." }),
      chunk(calls({ index: 0, id: "x", function: { name: "Read", arguments: input } })),
      chunk({}, "tool_calls"),
    ),
    thought: "Check content too.",
    ...read,
  },
  {
    what: "a call in the thoughts and as it should be (ds4 167)",
    body: events(
      chunk({ reasoning_content: dsml }),
      chunk(calls({ index: 0, id: "x", function: { name: "Read", arguments: input } })),
      chunk({}, "tool_calls"),
    ),
    thought: dsml,
    ...read,
  },
  {
    what: "Gemma's own form (openhuman 6344)",
    body: events(chunk({ content: '<|tool_call>call:Read{file_path:<|"|>a.ts<|"|>}<tool_call|>' }), chunk({}, "stop")),
    ...read,
  },
  {
    what: "an envelope that is not closed (omlx 3153)",
    body: events(
      chunk({ content: "Now I read.\n<tool_call>\n<function=Read>\n<parameter=file_path>\na.ts\n</parameter>\n" }),
      chunk({}, "stop"),
    ),
    text: "Now I read.\n",
    ...read,
  },
  {
    what: "a made-up result (kdeps 806)",
    body: events(
      chunk({
        content: `<tool_call>{"name":"Read","arguments":${input}}</tool_call>\n<tool_response>ok</tool_response>\nDone!`,
      }),
      chunk({}, "stop"),
    ),
    ...read,
  },
];

tests("of other agents' reports", { "model.provider": "server" }, "", reports);
