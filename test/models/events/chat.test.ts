/** What carries nothing in a stream of Chat Completions is passed over. */
import { events } from "../../wire/rawServer";
import { chat, end, hello, world } from "./chatPieces";
import { cut, type Row, read, said, tests } from "./streams";

/** Between two pieces of an answer, each carries nothing. */
const nothing: readonly [string, unknown][] = [
  ["data: null", "data: null"],
  ["data: without anything", "data:"],
  ["an empty object", {}],
  ["an empty text", 'data: ""'],
  ["choices: null", { id: "c1", choices: null }],
  ["no choices", { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" }],
  ["choices of null", { id: "c1", choices: [null] }],
  ["a choice without delta", { id: "c1", choices: [{ index: 0 }] }],
  ["delta: null", { id: "c1", choices: [{ index: 0, delta: null, finish_reason: null }] }],
  ["usage: null", chat({}, { usage: null })],
  ["error: null", chat({}, { error: null })],
  ["a ping as an event", "event: ping\ndata: {}"],
  ["a ping in words", "data: ping"],
  ["OpenRouter's comment", ": OPENROUTER PROCESSING"],
  ["a comment as data", "data: : keep-alive"],
  ["an unknown event", { object: "chat.completion.heartbeat", seq: 3 }],
  ["an unknown delta", chat({ audio: { id: "x" }, annotations: null })],
  ["content: null", chat({ content: null })],
  ["tool_calls: null", chat({ tool_calls: null })],
  ["tool_calls: []", chat({ tool_calls: [] })],
  ["tool_calls of null", chat({ tool_calls: [null] })],
  ["reasoning as an object", chat({ reasoning: {} })],
  ["function_call: null", chat({ function_call: null })],
  ["a role of its own", chat({ role: "model" })],
  ["model as an object", chat({}, { model: { id: "m" } })],
  ["finish_reason: empty", end("")],
  ["finish_reason: 'null'", end("null")],
];

/** Thoughts in the content, before "Hello". */
const thoughts: readonly [string, string][] = [
  ["in capitals", "<THINK>Hm.</THINK>Hello"],
  ["in the plural", "<thoughts>\nHm.</thoughts>\n\nHello"],
  ["of gpt-oss", "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello"],
  ["of gpt-oss without its roles", "<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Hello"],
  ["closed twice", "<think>Hm.</think>\n</think>\nHello"],
];

const rows: readonly Row[] = [
  ...thoughts.map(
    ([what, text]): Row => ({
      what: `a thought ${what}`,
      body: events(...Array.from(text, content => chat({ content })), end()),
      text: "Hello",
      thought: text.includes("\nHm.") ? "\nHm." : "Hm.",
    }),
  ),
  {
    what: "usage as texts",
    body: events(
      hello,
      world,
      end("stop", { usage: { prompt_tokens: "12", completion_tokens: "3", total_tokens: "15" } }),
    ),
    ...said,
  },
  ...nothing.map(([what, piece]): Row => ({ what, body: events(hello, piece, world, end(), "data: [DONE]"), ...said })),
  {
    what: "all of them, a thought and a call, in pieces cut anywhere",
    body: cut(
      events(
        ...nothing.map(([, piece]) => piece),
        chat({ content: "<think>Hm.</think>Hel" }),
        ...nothing.map(([, piece]) => piece),
        chat({ content: [{ type: "text", text: "lo" }] }),
        chat({ content: " wörld – 世界" }),
        { tool_calls: [{ index: 0, id: 7, type: "web_search", web_search: {} }] },
        chat({ tool_calls: { id: 8, name: "functions.Read", arguments: { file_path: "a.ts" } } }),
        ...nothing.map(([, piece]) => piece),
        end("tool_use", { usage: null }),
        ...nothing.map(([, piece]) => piece),
        "data: [DONE]",
      ).join(""),
    ),
    text: "Hello wörld – 世界",
    thought: "Hm.",
    ...read,
  },
];

tests("Chat Completions, pieces that carry nothing", { "model.provider": "server", "model.api": "chat" }, "/v1", rows);
