/** Events of the Responses interface, as its servers send them. */
import { events } from "../../wire/rawServer";
import { cut, input, type Row, read, said, tests, type Want } from "./streams";

const responsesEnd = (output: unknown[] = []) => ({
  type: "response.completed",
  response: {
    id: "r",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output,
    usage: { input_tokens: 10, output_tokens: 2 },
  },
});
const created = { type: "response.created", response: { id: "r", created_at: 1, model: "m" } };
const message = (text: string) => [
  { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m1" } },
  { type: "response.output_text.delta", item_id: "m1", output_index: 0, content_index: 0, delta: text },
  {
    type: "response.output_item.done",
    output_index: 0,
    item: { type: "message", id: "m1", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] },
  },
];
const functionCall = (fields: object) => ({
  type: "function_call",
  id: "f1",
  call_id: "call1",
  name: "Read",
  arguments: input,
  status: "completed",
  ...fields,
});
const responsesRow = (what: string, pieces: unknown[], want: Want = said): Row => ({
  what,
  body: events(created, ...pieces, responsesEnd()),
  ...want,
});
const callEvents = (item: object) => [
  { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
  { type: "response.output_item.done", output_index: 0, item },
];
const ran = (item: object) => [
  { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
  { type: "response.output_item.done", output_index: 0, item: { ...item, status: "completed" } },
];
const responsesWhole = {
  id: "r",
  object: "response",
  created_at: 1,
  model: "m",
  status: "completed",
  output: [
    {
      type: "message",
      id: "m1",
      role: "assistant",
      content: [{ type: "output_text", text: "Hello world", annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 2 },
};

const responsesRows: readonly Row[] = [
  ...(
    [
      ["data: null", "data: null"],
      ["data: without anything", "data:"],
      ["an empty object", {}],
      ["a ping", { type: "ping" }],
      ["a keepalive", { type: "keepalive", sequence_number: 3 }],
      ["an event without type", { sequence_number: 3 }],
      ["an unknown event", { type: "response.something.new", delta: 1 }],
      ["an item of null", { type: "response.output_item.added", output_index: 0, item: null }],
      [
        "an unknown item",
        { type: "response.output_item.added", output_index: 0, item: { type: "brand_new_call", id: "z" } },
      ],
      ["a delta of null", { type: "response.output_text.delta", item_id: "m1", delta: null }],
      ["type: null", { type: null }],
      ["an error of null", { type: null, error: null }],
    ] as [string, unknown][]
  ).map(([what, piece]) => responsesRow(what, [piece, ...message("Hello world"), piece])),
  responsesRow("arguments as an object", callEvents(functionCall({ arguments: { file_path: "a.ts" } })), read),
  responsesRow("an id that is a number", callEvents(functionCall({ id: 4, call_id: 5 })), read),
  responsesRow("a call without its own id", callEvents(functionCall({ id: undefined })), read),
  responsesRow(
    "xAI's x_search_call",
    [...ran({ type: "x_search_call", id: "s1", name: "x_keyword_search", arguments: "{}" }), ...message("Hello world")],
    { ...said, thought: "x_keyword_search {}\n" },
  ),
  responsesRow(
    "xAI's custom_tool_call for its own tool",
    [
      ...ran({
        type: "custom_tool_call",
        id: "s1",
        call_id: "xs_call_1",
        name: "x_keyword_search",
        input: '{"query":"x"}',
      }),
      ...message("Hello world"),
    ],
    { ...said, thought: 'x_keyword_search {"query":"x"}\n' },
  ),
  responsesRow(
    "xAI's web_search_call without action",
    [
      ...ran({ type: "web_search_call", id: "s1", name: "web_search", arguments: '{"query":"x"}' }),
      ...message("Hello world"),
    ],
    { ...said, thought: 'web_search {"query":"x"}\n' },
  ),
  responsesRow(
    "a code_interpreter_call without container",
    [...ran({ type: "code_interpreter_call", id: "s1", code: "1", outputs: null }), ...message("Hello world")],
    { ...said, thought: "code_interpreter 1\n" },
  ),
  responsesRow("xAI's view_image_call", [...ran({ type: "view_image_call", id: "s1" }), ...message("Hello world")], {
    ...said,
    thought: "view_image {}\n",
  }),
  responsesRow(
    "an mcp_call that the server ran",
    [
      ...ran({ type: "mcp_call", id: "s1", name: "x", arguments: "{}", server_label: "s", output: "o" }),
      ...message("Hello world"),
    ],
    { ...said, thought: "x {}\n" },
  ),
  { what: "a whole answer as JSON", contentType: "application/json", body: [JSON.stringify(responsesWhole)], ...said },
  { what: "a whole answer said to be a stream", body: [JSON.stringify(responsesWhole)], ...said },
  {
    what: "a whole answer with a call",
    contentType: "application/json",
    body: [JSON.stringify({ ...responsesWhole, output: [functionCall({})] })],
    ...read,
  },
  {
    what: "an end with usage: null",
    body: events(created, ...message("Hello world"), {
      type: "response.completed",
      response: { ...responsesEnd().response, usage: null },
    }),
    ...said,
  },
  {
    what: "an end without usage",
    body: events(created, ...message("Hello world"), { type: "response.completed", response: { id: "r" } }),
    ...said,
  },
  {
    what: "all of it at once, in pieces cut anywhere",
    contentType: "application/json",
    body: cut(
      events(
        "data: null",
        {},
        created,
        { type: "ping" },
        { type: "response.brand_new", x: 1 },
        ...ran({ type: "web_search_call", id: "s0", name: "web_search", arguments: '{"query":"x"}' }),
        ...message("Hello world"),
        "data:",
        ...callEvents(functionCall({ name: "functions.Read", call_id: 5, arguments: { file_path: "a.ts" } })),
        { type: "response.output_item.done", output_index: 9, item: null },
        responsesEnd(),
        "data: [DONE]",
      ).join(""),
    ),
    text: "Hello world",
    thought: 'web_search {"query":"x"}\n',
    ...read,
  },
  { what: "all in its last event", body: events(created, responsesEnd(responsesWhole.output)), ...said },
  {
    what: "a stream said to be JSON",
    contentType: "application/json",
    body: events(created, ...message("Hello world"), responsesEnd()),
    ...said,
  },
];

tests("Responses", { "model.provider": "server", "model.api": "responses" }, "/v1", responsesRows);
