/** Calls in a stream of Chat Completions, in all the ways in which servers write them. */
import { events } from "../../wire/rawServer";
import { chat, end, hello, world } from "./chatPieces";
import { input, type Row, read, said, tests } from "./streams";

const other = '{"file_path":"b.ts"}';

const call = (...pieces: object[]) =>
  events(
    chat({ role: "assistant", content: null }),
    ...pieces.map(tool_call => chat({ tool_calls: [tool_call] })),
    end("tool_calls"),
    "data: [DONE]",
  );

/** The first piece of a call, which may have all of it. */
const first = (args: unknown = "", more: object = {}) => ({
  ...{ index: 0, id: "x", function: { name: "Read", arguments: args } },
  ...more,
});
const later = (args: string, more: object = {}) => ({ index: 0, function: { arguments: args, ...more } });
/** Without an id. */
const named = (args: string, name = "Read") => later(args, { name });

/** Pieces that are one call. */
const one: readonly [what: string, ...pieces: object[]][] = [
  ["arguments as an object", first({ file_path: "a.ts" }, { type: "function" })],
  ["arguments as an empty object first", first({}, { type: "function" }), later(input)],
  ["an id that is a number", first(input, { id: 7 })],
  ["an index as text", first("", { index: "0" }), { ...later(input), index: "0" }],
  ["a first piece without function", { index: 0, id: "x", type: "function" }, named(""), later(input)],
  [
    "a first piece without function or index",
    ...[{ id: "x", type: "function" }, { function: { name: "Read" } }, { function: { arguments: input } }],
  ],
  ["name and arguments beside function", { index: 0, id: "x", name: "Read", arguments: input }],
  ["a name of null in later pieces", first(), { ...later(input, { name: null }), id: null }],
  ["its name and id with every piece", first(input.slice(0, 9)), first(input.slice(9))],
];

/** Pieces that are two calls. */
const two: readonly [what: string, ...pieces: object[]][] = [
  ["two inputs as one", first(`${input}${other}`)],
  ["a second call without name or id, numbered alike", first(input), later(other)],
  ["a second call without id, numbered alike", first(input), named(other)],
  ["a second call by its id, numbered alike", first(input), first(other, { id: "y" })],
  ["calls numbered alike without ids, in pieces", named(""), later(input), named(""), later(other)],
];

const called = (...tool_calls: object[]) => chat({ tool_calls });

const rows: readonly Row[] = [
  ...one.map(([what, ...pieces]): Row => ({ what, body: call(...pieces), ...read })),
  ...two.map(([what, ...pieces]): Row => ({ what, body: call(...pieces), calls: [`Read ${input}`, `Read ${other}`] })),
  {
    what: "one call, not a list",
    body: events(chat({ tool_calls: first(input) }), end("tool_calls")),
    ...read,
  },
  {
    what: "a whole call that is said once more",
    body: events(called(first(input)), called(first(input)), end("tool_calls")),
    ...read,
  },
  {
    what: "calls that are numbered alike",
    body: events(called(first(input)), called(first(other)), end("tool_calls")),
    calls: [...(read.calls ?? []), `Read ${other}`],
  },
  {
    what: "a call of another tool without id, numbered alike",
    body: call(first(input), named("{}", "LS")),
    calls: [`Read ${input}`, "LS {}"],
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
      called(
        { id: "x", function: { name: "Read", arguments: input } },
        { id: "y", function: { name: "LS", arguments: "" } },
      ),
      end("tool_calls"),
    ),
    calls: [...(read.calls ?? []), "LS {}"],
  },
  {
    what: "a search that the provider ran",
    body: events(called({ index: 0, id: "s", type: "web_search", web_search: { query: "x" } }), hello, world, end()),
    ...said,
  },
];

tests("Chat Completions, calls", { "model.provider": "server", "model.api": "chat" }, "/v1", rows);
