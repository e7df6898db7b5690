/** What gateways send in a stream of the Messages interface beside what its package reads. */
import { events } from "../../wire/rawServer";
import { type Row, said, tests } from "./streams";

const started = (usage: unknown = { input_tokens: 10, output_tokens: 1 }) => ({
  type: "message_start",
  message: { id: "m", model: "claude-x", content: [], usage },
});
const text = (delta: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: delta } });
const begun = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
const ended = (usage: unknown = { output_tokens: 5 }) => [
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
  { type: "message_stop" },
];
const between = (...pieces: unknown[]) =>
  events(started(), begun, text("Hello"), ...pieces, text(" world"), ...ended());

const rows: readonly Row[] = [
  { what: "events that say nothing", body: between("data: null", {}, { type: "ping", cost: "0.1" }), ...said },
  { what: "an unknown event", body: between({ type: "content_block_heartbeat", index: 0 }), ...said },
  {
    what: "an unknown delta",
    body: between({ type: "content_block_delta", index: 0, delta: { type: "new" } }),
    ...said,
  },
  {
    what: "an unknown block",
    body: between(
      { type: "content_block_start", index: 1, content_block: { type: "new" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "none" } },
      { type: "content_block_stop", index: 1 },
    ),
    ...said,
  },
  ...[null, { input_tokens: null, output_tokens: null }].map(usage => ({
    what: `usage ${JSON.stringify(usage)}`,
    body: events(started(usage), begun, text("Hello world"), ...ended(usage), "data: [DONE]"),
    ...said,
  })),
];

tests("Messages", { "model.provider": "anthropic", "model.name": "claude-opus-5-5" }, "/v1", rows);
