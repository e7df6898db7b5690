/** Bodies in other forms than a stream of events has: Chat Completions stands for all. */
import { events } from "../../wire/rawServer";
import { chat, end, hello, whole, world } from "./chatPieces";
import { cut, input, type Row, read, said, tests } from "./streams";

const rows: readonly Row[] = [
  { what: "no newline at the end", body: [...events(hello, world), `data: ${JSON.stringify(end())}`], ...said },
  {
    what: "single newlines between events",
    body: [hello, world, end()].map(piece => `data: ${JSON.stringify(piece)}\n`),
    ...said,
  },
  {
    what: "no space behind data:",
    body: [hello, world, end()].map(piece => `data:${JSON.stringify(piece)}\n\n`),
    ...said,
  },
  {
    what: "an event of several lines",
    body: [...events(hello), `data: {\ndata: ${JSON.stringify(world).slice(1)}\n\n`, ...events(end())],
    ...said,
  },
  { what: "JSON without data:", body: [hello, world, end()].map(piece => `${JSON.stringify(piece)}\n`), ...said },
  {
    what: "JSON lines by name",
    contentType: "application/x-ndjson",
    body: [hello, world, end()].map(piece => `${JSON.stringify(piece)}\n`),
    ...said,
  },
  {
    what: "pieces cut anywhere",
    body: cut(events(hello, chat({ content: " wörld – 世界" }), end()).join("")),
    text: "Hello wörld – 世界",
  },
  {
    what: "a byte order mark before what comes in pieces",
    body: cut(`\uFEFF${events(hello, world, end()).join("")}`),
    ...said,
  },
  { what: "an event behind the end", body: events(hello, world, end(), "data: [DONE]", {}), ...said },
  {
    what: "text in the place of delta",
    body: events({ id: "c1", choices: [{ index: 0, text: "Hello world", finish_reason: "stop" }] }),
    ...said,
  },
  { what: "message in the place of delta", body: events(whole({ content: "Hello world" })), ...said },
  {
    what: "content as parts",
    body: events(
      chat({ content: [{ type: "text", text: "Hello" }] }),
      chat({ content: { type: "text", text: " world" } }),
      end(),
    ),
    ...said,
  },
  {
    what: "reasoning as an object with text",
    body: events(chat({ reasoning: { text: "Hm." } }), hello, world, end()),
    ...said,
    thought: "Hm.",
  },
  {
    what: "reasoning in details alone",
    body: events(chat({ reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }), hello, world, end()),
    ...said,
    thought: "Hm.",
  },
  {
    what: "reasoning by the name thinking",
    body: events(chat({ thinking: "Hm." }), hello, world, end()),
    ...said,
    thought: "Hm.",
  },
  {
    what: "a whole answer as JSON",
    contentType: "application/json",
    body: [JSON.stringify(whole({ content: "Hello world" }))],
    ...said,
  },
  {
    what: "a whole answer with a call",
    contentType: "application/json",
    body: [
      JSON.stringify(
        whole(
          { content: null, tool_calls: [{ id: "x", type: "function", function: { name: "Read", arguments: input } }] },
          "tool_calls",
        ),
      ),
    ],
    ...read,
  },
  {
    what: "a whole answer said to be a stream, over many lines",
    body: [JSON.stringify(whole({ content: "Hello world" }), null, 2)],
    ...said,
  },
  {
    what: "a whole answer, said to be text",
    contentType: "text/plain",
    body: [JSON.stringify(whole({ content: "Hello world" }))],
    ...said,
  },
  ...[
    "application/json",
    "text/plain",
    "text/html; charset=utf-8",
    "application/octet-stream",
    "application/stream+json",
  ].map(
    (contentType): Row => ({
      what: `a stream said to be ${contentType}`,
      contentType,
      body: events(hello, world, end()),
      ...said,
    }),
  ),
];

tests("Chat Completions, bodies", { "model.provider": "server", "model.api": "chat" }, "/v1", rows);
