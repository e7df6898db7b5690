/** Events of the Gemini interface, as its servers send them. */
import { events } from "../../wire/rawServer";
import { cut, input, type Row, read, said, tests } from "./streams";

const candidate = (parts: unknown, rest: object = {}) => ({
  candidates: [{ content: { parts, role: "model" }, index: 0, ...rest }],
  modelVersion: "gemini-x",
});
const geminiEnd = candidate([{ text: " world" }], { finishReason: "STOP" });
const geminiRows: readonly Row[] = [
  ...(
    [
      ["data: null", "data: null"],
      ["data: without anything", "data:"],
      ["an empty object", {}],
      ["candidates: null", { candidates: null, usageMetadata: null }],
      ["no candidates", { candidates: [] }],
      ["a candidate of null", { candidates: [null] }],
      ["content: null", { candidates: [{ content: null }] }],
      ["content without parts", { candidates: [{ content: { role: "model" } }] }],
      ["parts: null", candidate(null)],
      ["a part of null", candidate([null])],
      ["an empty part", candidate([{}])],
      ["an unknown part", candidate([{ brandNew: { x: 1 } }])],
      ["usageMetadata: null", { ...candidate([{ text: "" }]), usageMetadata: null }],
      ["a ping", { type: "ping" }],
      ["finishReason: null", candidate([{ text: "" }], { finishReason: null })],
      ["[DONE]", "data: [DONE]"],
    ] as [string, unknown][]
  ).map(([what, piece]): Row => ({ what, body: events(candidate([{ text: "Hello" }]), piece, geminiEnd), ...said })),
  {
    what: "args as text",
    body: events(candidate([{ functionCall: { name: "Read", args: input } }], { finishReason: "STOP" })),
    ...read,
  },
  {
    what: "an id that is a number",
    body: events(
      candidate([{ functionCall: { id: 3, name: "Read", args: { file_path: "a.ts" } } }], { finishReason: "STOP" }),
    ),
    ...read,
  },
  {
    what: "function_call in snake case",
    body: events(
      candidate([{ function_call: { name: "Read", args: { file_path: "a.ts" } } }], { finish_reason: "STOP" }),
    ),
    ...read,
  },
  {
    what: "a whole answer as JSON",
    contentType: "application/json",
    body: [JSON.stringify(candidate([{ text: "Hello world" }], { finishReason: "STOP" }))],
    ...said,
  },
  {
    what: "a list of answers as JSON",
    contentType: "application/json",
    body: [JSON.stringify([candidate([{ text: "Hello" }]), geminiEnd], null, 1)],
    ...said,
  },
  {
    what: "a list of answers said to be a stream",
    body: [JSON.stringify([candidate([{ text: "Hello" }]), geminiEnd])],
    ...said,
  },
  {
    what: "all of it at once, in pieces cut anywhere",
    contentType: "application/json",
    body: cut(
      events(
        "data: null",
        { candidates: null, usageMetadata: null },
        candidate([{ text: "Hm.", thought: true }, null, {}, { brandNew: { x: 1 } }]),
        { type: "ping" },
        candidate([{ text: "Hello" }]),
        { candidates: [null] },
        candidate([{ text: " world" }]),
        candidate([{ function_call: { id: 3, name: "default_api.Read", args: input } }]),
        candidate(null, { finish_reason: "STOP" }),
        "data: [DONE]",
      ).join(""),
    ),
    text: "Hello world",
    thought: "Hm.",
    ...read,
  },
  {
    what: "a stream said to be text",
    contentType: "text/plain",
    body: events(candidate([{ text: "Hello" }]), geminiEnd),
    ...said,
  },
];

tests("Gemini", { "model.provider": "google", "model.name": "gemini-3-pro" }, "/v1beta", geminiRows);
