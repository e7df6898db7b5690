/** Events of the Messages interface, as its servers send them. */
import { events } from "../../wire/rawServer";
import { cut, input, type Row, read, said, tests } from "./streams";

const started = (message: object = {}) => ({
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "claude-x",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
    ...message,
  },
});
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map(delta => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const ended = (stop_reason = "end_turn", usage: unknown = { output_tokens: 5 }) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
  { type: "message_stop" },
];
const textBlock = block(
  0,
  { type: "text", text: "" },
  { type: "text_delta", text: "Hello" },
  { type: "text_delta", text: " world" },
);
const toolBlock = (fields: object, ...deltas: object[]) =>
  block(0, { type: "tool_use", id: "t1", name: "Read", input: {}, ...fields }, ...deltas);
const messageWhole = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "claude-x",
  content: [{ type: "text", text: "Hello world" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 10, output_tokens: 5 },
};

const messagesRows: readonly Row[] = [
  ...(
    [
      ["data: null", "data: null"],
      ["data: without anything", "data:"],
      ["an empty object", {}],
      ["a ping", { type: "ping" }],
      ["a ping of its own kind", { type: "ping", cost: "0.1" }],
      ["an unknown event", { type: "content_block_heartbeat", index: 0 }],
      ["an event without type", { index: 0 }],
      ["an unknown delta", { type: "content_block_delta", index: 0, delta: { type: "brand_new_delta", x: 1 } }],
      ["a delta of null", { type: "content_block_delta", index: 0, delta: null }],
      ["a delta of null text", { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: null } }],
      ["an OpenAI end", "data: [DONE]"],
      ["an error of null", { type: "error", error: null }],
    ] as [string, unknown][]
  ).map(
    ([what, piece]): Row => ({
      what,
      body: events(started(), ...textBlock.slice(0, 2), piece, ...textBlock.slice(2), ...ended()),
      ...said,
    }),
  ),
  {
    what: "an unknown block",
    body: events(
      started(),
      ...block(0, { type: "brand_new_block" }),
      ...block(1, { type: "text", text: "" }, { type: "text_delta", text: "Hello world" }),
      ...ended(),
    ),
    ...said,
  },
  {
    what: "text in the first piece of a block",
    body: events(started(), ...block(0, { type: "text", text: "Hello world" }), ...ended()),
    ...said,
  },
  { what: "a start without usage", body: events(started({ usage: undefined }), ...textBlock, ...ended()), ...said },
  { what: "a start with usage: null", body: events(started({ usage: null }), ...textBlock, ...ended()), ...said },
  { what: "an end with usage: null", body: events(started(), ...textBlock, ...ended("end_turn", null)), ...said },
  { what: "an end without usage", body: events(started(), ...textBlock, ...ended("end_turn", undefined)), ...said },
  {
    what: "usage in the end alone",
    body: events(
      started({ usage: { output_tokens: 0 } }),
      ...textBlock,
      ...ended("end_turn", { input_tokens: 10, output_tokens: 5 }),
    ),
    ...said,
  },
  {
    what: "the input as an object in the first piece",
    body: events(started(), ...toolBlock({ input: { file_path: "a.ts" } }), ...ended("tool_use")),
    ...read,
  },
  {
    what: "the input as text in the first piece",
    body: events(started(), ...toolBlock({ input }), ...ended("tool_use")),
    ...read,
  },
  {
    what: "no input in the first piece",
    body: events(
      started(),
      ...toolBlock({ input: undefined }, { type: "input_json_delta", partial_json: input }),
      ...ended("tool_use"),
    ),
    ...read,
  },
  {
    what: "partial_json as an object",
    body: events(
      started(),
      ...toolBlock({}, { type: "input_json_delta", partial_json: { file_path: "a.ts" } }),
      ...ended("tool_use"),
    ),
    ...read,
  },
  {
    what: "an id that is a number",
    body: events(
      started(),
      ...toolBlock({ id: 5 }, { type: "input_json_delta", partial_json: input }),
      ...ended("tool_use"),
    ),
    ...read,
  },
  {
    what: "a thinking block without signature",
    body: events(
      started(),
      ...block(0, { type: "thinking", thinking: "" }, { type: "thinking_delta", thinking: "Hm." }),
      ...block(1, { type: "text" }, { type: "text_delta", text: "Hello world" }),
      ...ended(),
    ),
    ...said,
    thought: "Hm.",
  },
  { what: "a whole answer as JSON", contentType: "application/json", body: [JSON.stringify(messageWhole)], ...said },
  { what: "a whole answer said to be a stream", body: [JSON.stringify(messageWhole)], ...said },
  {
    what: "a whole answer with a call",
    contentType: "application/json",
    body: [
      JSON.stringify({
        ...messageWhole,
        content: [{ type: "tool_use", id: "t1", name: "Read", input: { file_path: "a.ts" } }],
        stop_reason: "tool_use",
      }),
    ],
    ...read,
  },
  {
    what: "all of it at once, in pieces cut anywhere",
    contentType: "application/json",
    body: cut(
      events(
        "data: null",
        { type: "ping", cost: "0.1" },
        started({ usage: null, content: null }),
        {},
        ...textBlock,
        { type: "content_block_heartbeat", index: 0 },
        { type: "content_block_delta", index: 0, delta: null },
        ...block(1, { type: "tool_use", id: 4, name: "read", input: { file_path: "a.ts" } }),
        "data:",
        ...ended("tool_use", null),
        "data: [DONE]",
      ).join(""),
    ),
    text: "Hello world",
    ...read,
  },
  {
    what: "a stream said to be text",
    contentType: "text/plain",
    body: events(started(), ...textBlock, ...ended()),
    ...said,
  },
];

tests("Messages", { "model.provider": "anthropic", "model.name": "claude-opus-5-5" }, "/v1", messagesRows);
