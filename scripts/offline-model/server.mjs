/**
 * The offline model: an OpenAI-compatible server on 127.0.0.1 that plays scripts. Everything between agent and model is
 * real (HTTP, both of OpenAI's interfaces, streaming, parallel tool calls, usage, faults); only the answers are written
 * beforehand. Free of dependencies. Types: server.d.mts. As a program: main.mjs; in the extension, for its demo: src/extension/demo.ts.
 */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { finish } from "./answer.mjs";
import * as chatWire from "./chatWire.mjs";
import { currentTurn } from "./conversation.mjs";
import { demo } from "./demo.mjs";
import { faultAnswer, faultNames, faultResponse, wantedFault } from "./faults.mjs";
import * as responsesWire from "./responsesWire.mjs";
import { summaryInstruction } from "./summary.mjs";
import { createPrefixCache } from "./usage.mjs";

export const MODEL_NAME = "offline-model";

const wires = {
  "/v1/chat/completions": { api: "chat", wire: chatWire },
  "/v1/responses": { api: "responses", wire: responsesWire },
};
const SLOW_MS = 400;

/** @param {import("./server.mjs").OfflineModelOptions} [options] */
export async function startOfflineModel({ port = 0, script = demo, chunkDelayMs = 0, record } = {}) {
  const requests = [];
  const state = { script, chunkDelayMs, cache: createPrefixCache(), failed: new Set() };
  const server = createServer((request, response) => {
    const note = recorded => {
      requests.push(recorded);
      record?.(recorded);
    };
    handle(request, response, state, note).catch(error => {
      if (!response.headersSent)
        sendJson(response, 500, { error: { message: String(error?.stack ?? error), type: "script_error" } });
      else response.destroy();
    });
  });
  await new Promise((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => listening(undefined));
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}/v1`;
  const close = () =>
    new Promise(closed => {
      server.close(() => closed(undefined));
      server.closeAllConnections();
    });
  return { url, requests, close };
}

async function handle(request, response, state, note) {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  if (request.method === "GET" && path === "/v1/models") {
    return sendJson(response, 200, { object: "list", data: [{ id: MODEL_NAME, object: "model", owned_by: "strata" }] });
  }
  const route = request.method === "POST" ? wires[path] : undefined;
  if (!route) return sendJson(response, 404, { error: { message: `Unknown request URL: ${request.method} ${path}.` } });
  const { api, wire } = route;
  const rawBody = await readBody(request);
  const body = chatWire.parsed(rawBody);
  note({ api, rawBody, body, headers: request.headers });
  const complaint =
    body === null || typeof body !== "object" ? "The body is not a JSON object." : wire.complaintOf(body);
  if (complaint) return sendJson(response, 400, { error: { message: complaint, type: "invalid_request_error" } });
  const asked = {
    api,
    model: String(body.model ?? MODEL_NAME),
    tools: wire.toolNames(body),
    messages: wire.readMessages(body),
    headers: request.headers,
    body,
  };
  const answer = await chooseAnswer(asked, rawBody, state);
  await play(answer, { asked, rawBody, wire, state }, response);
}

/** @param {import("./server.mjs").OfflineRequest} asked */
async function chooseAnswer(asked, rawBody, { script, failed }) {
  const turn = currentTurn(asked);
  // Of the request for a summary the user's wish counts (`/compact #fault:hang`), not what was said before.
  const wanted = wantedFault(summaryInstruction(asked) ?? turn.prompt, asked.headers);
  if (wanted && !(wanted.once && failed.has(rawBody))) {
    failed.add(rawBody);
    if (!faultNames.includes(wanted.fault)) {
      return { text: `There is no fault "${wanted.fault}". There are: ${faultNames.join(", ")}.` };
    }
    const last = turn.calls.at(-1);
    if (faultAnswer(wanted.fault) && last) return { text: `The agent answered the broken call: ${last.result}` };
    return { fault: wanted.fault };
  }
  return script(asked);
}

async function play(answer, { asked, rawBody, wire, state }, response) {
  const { fault } = answer;
  const played = fault === "refuse-tools" && asked.tools.length === 0 ? undefined : faultResponse(fault, asked.model);
  const refused = answer.response ?? played;
  if (refused) return sendJson(response, refused.status, refused.body, { ...refused.headers, ...answer.headers });
  if (fault === "hang") return;
  if (fault === "html")
    return send(
      response,
      200,
      "text/html; charset=utf-8",
      "<!doctype html><title>Sign in</title><p>Please sign in.</p>",
    );
  const said =
    faultAnswer(fault) ??
    (fault ? { text: "These words come before the fault that was asked for.", ...answer } : answer);
  const prompt = wire.promptOf(asked.body);
  const sharedBytes = state.cache.shared(prompt);
  const finished = finish(said, { model: asked.model, rawBody, prompt, sharedBytes });
  if (!asked.body.stream) return sendJson(response, 200, wire.asJson(finished, asked.body));
  const delayMs =
    fault === "slow" ? Math.max(SLOW_MS, state.chunkDelayMs) : (answer.chunkDelayMs ?? state.chunkDelayMs);
  await stream([...wire.asEvents(finished, asked.body)], { fault, delayMs }, response);
}

async function stream(events, { fault, delayMs }, response) {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  response.flushHeaders();
  const broken = fault === "cut" || fault === "cut-clean" || fault === "garbage";
  // Half of it, and never the last three: they are the end.
  const played = broken ? events.slice(0, Math.max(1, Math.floor((events.length - 3) / 2))) : events;
  for (const event of played) {
    if (response.destroyed) return;
    if (delayMs > 0) await sleep(delayMs);
    response.write(event);
  }
  if (fault === "garbage") response.write('data: {"choices": [{"delta": {"content": \n\ndata: %%%\n\n');
  // What was written has to leave before the connection goes.
  if (fault === "cut") return setTimeout(() => response.destroy(), 20);
  response.end();
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response, status, body, headers = {}) {
  send(response, status, "application/json", JSON.stringify(body), headers);
}

function send(response, status, contentType, body, headers = {}) {
  response.writeHead(status, { "content-type": contentType, ...headers });
  response.end(body);
}
