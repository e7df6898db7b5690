/** Calls in a stream of Chat Completions, in all the ways in which servers write them. */
import { events } from "../../wire/rawServer";
import { chat, end, hello, world } from "./chatPieces";
import { input, type Row, read, said, tests } from "./streams";

const other = '{"file_path":"b.ts"}';

const call = (first: object, ...more: object[]) =>
  events(
    chat({ role: "assistant", content: null }),
    ...[first, ...more].map(tool_call => chat({ tool_calls: [tool_call] })),
    end("tool_calls"),
    "data: [DONE]",
  );

const rows: readonly Row[] = [
  {
    what: "arguments as an object",
    body: call({ index: 0, id: "x", type: "function", function: { name: "Read", arguments: { file_path: "a.ts" } } }),
    ...read,
  },
  {
    what: "arguments as an empty object first",
    body: call(
      { index: 0, id: "x", type: "function", function: { name: "Read", arguments: {} } },
      { index: 0, function: { arguments: input } },
    ),
    ...read,
  },
  {
    what: "an id that is a number",
    body: call({ index: 0, id: 7, function: { name: "Read", arguments: input } }),
    ...read,
  },
  {
    what: "an index as text",
    body: call(
      { index: "0", id: "x", function: { name: "Read", arguments: "" } },
      { index: "0", function: { arguments: input } },
    ),
    ...read,
  },
  {
    what: "a first piece without function",
    body: call(
      { index: 0, id: "x", type: "function" },
      { index: 0, function: { name: "Read", arguments: "" } },
      { index: 0, function: { arguments: input } },
    ),
    ...read,
  },
  {
    what: "a first piece without function or index",
    body: call({ id: "x", type: "function" }, { function: { name: "Read" } }, { function: { arguments: input } }),
    ...read,
  },
  {
    what: "name and arguments beside function",
    body: call({ index: 0, id: "x", name: "Read", arguments: input }),
    ...read,
  },
  {
    what: "a name of null in later pieces",
    body: call(
      { index: 0, id: "x", function: { name: "Read", arguments: "" } },
      { index: 0, id: null, function: { name: null, arguments: input } },
    ),
    ...read,
  },
  {
    what: "one call, not a list",
    body: events(
      chat({ tool_calls: { index: 0, id: "x", function: { name: "Read", arguments: input } } }),
      end("tool_calls"),
    ),
    ...read,
  },
  {
    what: "a whole call that is said once more",
    body: events(
      chat({ tool_calls: [{ index: 0, id: "x", function: { name: "Read", arguments: input } }] }),
      chat({ tool_calls: [{ index: 0, id: "x", function: { name: "Read", arguments: input } }] }),
      end("tool_calls"),
    ),
    ...read,
  },
  {
    what: "calls that are numbered alike",
    body: events(
      chat({ tool_calls: [{ index: 0, id: "x", function: { name: "Read", arguments: input } }] }),
      chat({ tool_calls: [{ index: 0, id: "x", function: { name: "Read", arguments: '{"file_path":"b.ts"}' } }] }),
      end("tool_calls"),
    ),
    calls: [...(read.calls ?? []), 'Read {"file_path":"b.ts"}'],
  },
  ...(
    [
      ["two inputs as one", call({ index: 0, id: "x", function: { name: "Read", arguments: `${input}${other}` } })],
      [
        "a second call without name or id, numbered alike",
        call(
          { index: 0, id: "x", function: { name: "Read", arguments: input } },
          { index: 0, function: { arguments: other } },
        ),
      ],
      [
        "a second call without id, numbered alike",
        call(
          { index: 0, id: "x", function: { name: "Read", arguments: input } },
          { index: 0, function: { name: "Read", arguments: other } },
        ),
      ],
      [
        "a second call by its id, numbered alike",
        call(
          { index: 0, id: "x", function: { name: "Read", arguments: input } },
          { index: 0, id: "y", function: { name: "Read", arguments: other } },
        ),
      ],
      [
        "calls numbered alike without ids, in pieces",
        call(
          { index: 0, function: { name: "Read", arguments: "" } },
          { index: 0, function: { arguments: input } },
          { index: 0, function: { name: "Read", arguments: "" } },
          { index: 0, function: { arguments: other } },
        ),
      ],
    ] as const
  ).map(([what, body]): Row => ({ what, body, calls: [`Read ${input}`, `Read ${other}`] })),
  {
    what: "a call of another tool without id, numbered alike",
    body: call(
      { index: 0, id: "x", function: { name: "Read", arguments: input } },
      { index: 0, function: { name: "LS", arguments: "{}" } },
    ),
    calls: [`Read ${input}`, "LS {}"],
  },
  {
    what: "its name and id with every piece",
    body: call(
      { index: 0, id: "x", function: { name: "Read", arguments: input.slice(0, 9) } },
      { index: 0, id: "x", function: { name: "Read", arguments: input.slice(9) } },
    ),
    ...read,
  },
  {
    what: "function_call, the old way",
    body: events(
      chat({ function_call: { name: "Read", arguments: "" } }),
      chat({ function_call: { arguments: input } }),
      end("function_call"),
    ),
    ...read,
  },
  {
    what: "two calls without index, one without input",
    body: events(
      chat({
        tool_calls: [
          { id: "x", function: { name: "Read", arguments: input } },
          { id: "y", function: { name: "LS", arguments: "" } },
        ],
      }),
      end("tool_calls"),
    ),
    calls: [...(read.calls ?? []), "LS {}"],
  },
  {
    what: "a search that the provider ran",
    body: events(
      chat({ tool_calls: [{ index: 0, id: "s", type: "web_search", web_search: { query: "x" } }] }),
      hello,
      world,
      end(),
    ),
    ...said,
  },
];

tests("Chat Completions, calls", { "model.provider": "server", "model.api": "chat" }, "/v1", rows);
